package evidence

import (
	"strings"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/syntax"
)

// compare pairs matches of equal text, those of the same place first, and
// returns what is left over on either side; moved says that all texts paired but
// not all places.
func compare(before, after []search.Match) (added, lost []search.Match, moved bool) {
	left := map[search.Match]int{}
	byText := map[string]int{}
	for _, m := range before {
		left[m]++
	}
	for _, m := range after {
		if left[m] > 0 {
			left[m]--
			continue
		}
		added = append(added, m)
		byText[m.Text]++
	}
	for _, m := range before {
		if left[m] == 0 {
			continue
		}
		left[m]--
		if byText[m.Text] > 0 {
			byText[m.Text]--
			moved = true
			continue
		}
		lost = append(lost, m)
	}
	kept := added[:0]
	for _, m := range added {
		if byText[m.Text] > 0 {
			byText[m.Text]--
			kept = append(kept, m)
		}
	}
	return kept, lost, moved
}

// relaidLines pairs lines that differ in the white space around them alone, which an
// indentation or another line end makes, and returns what is left over; moved is
// true, too, when any were paired.
func relaidLines(added, lost []search.Match, moved bool) (restAdded, restLost []search.Match, anyMoved bool) {
	bare := func(m search.Match) string {
		text := strings.TrimRight(m.Text, "\r"+syntax.Blanks)
		if lang := syntax.Of(m.File); !lang.FreeIndent() && !lang.FreeSpacing() {
			return text // here indentation may be all that a line says
		}
		return strings.TrimLeft(text, syntax.Blanks)
	}
	waiting := map[string]int{}
	for _, m := range lost {
		waiting[bare(m)]++
	}
	paired := map[string]int{}
	for _, m := range added {
		if waiting[bare(m)] > 0 {
			waiting[bare(m)]--
			paired[bare(m)]++
			moved = true
			continue
		}
		restAdded = append(restAdded, m)
	}
	for _, m := range lost {
		if paired[bare(m)] > 0 {
			paired[bare(m)]--
			continue
		}
		restLost = append(restLost, m)
	}
	return restAdded, restLost, moved
}
