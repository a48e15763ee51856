package mutate

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rescore-app/rescore/internal/cardrepo"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Bounds of the files that places are drawn from, and how many of each.
const (
	minPlaceLines = 25
	maxPlaceLines = 1500
	placesPerFile = 2
)

// placeLengths are the lengths, in lines, that places are drawn from.
var placeLengths = []int{1, 1, 2, 3, 4, 6, 9}

// Places is a card that cites up to n places drawn at random in files of the base with
// one of the endings (or names), tests and documents left out: it tries languages that
// no card cites. Places cut statements in two, which the kinds of change do not expect:
// some false alarms are then the bench's own.
func Places(ctx context.Context, base *Base, n int, seed uint64, endings []string) (*scorecard.Card, error) {
	r := rand.New(rand.NewPCG(seed, 7))
	files := slices.DeleteFunc(slices.Clone(base.files), func(f search.File) bool {
		return f.Mode>>12 != search.ModeFile>>12 || outside().MatchString(f.Path) || !slices.ContainsFunc(endings, func(end string) bool {
			return strings.HasSuffix(f.Path, end) || path.Base(f.Path) == end
		})
	})
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	var places []scorecard.Evidence
	for _, f := range files {
		if len(places) >= n {
			break
		}
		data, err := base.Content(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", f.Path, err)
		}
		places = append(places, placesIn(r, f.Path, data)...)
	}
	if len(places) == 0 {
		return nil, fmt.Errorf("no file of %d to %d lines ends in %s", minPlaceLines, maxPlaceLines, strings.Join(endings, ", "))
	}
	places = places[:min(n, len(places))]
	return cardrepo.Plain("places", baseCommit, func(criterion, parameter int) []scorecard.Evidence {
		var out []scorecard.Evidence
		for i, e := range places {
			if i%10 == criterion && i/10%4 == parameter {
				out = append(out, e)
			}
		}
		return out
	}), nil
}

func placesIn(r *rand.Rand, name string, data []byte) (out []scorecard.Evidence) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) < minPlaceLines || len(lines) > maxPlaceLines {
		return nil
	}
	for range placesPerFile {
		n := placeLengths[r.IntN(len(placeLengths))]
		first := 1 + r.IntN(len(lines)-n)
		if strings.ContainsFunc(lines[first-1], alphanumeric) && strings.TrimSpace(lines[first+n-2]) != "" {
			out = append(out, scorecard.Evidence{File: name, Lines: scorecard.LineRange{First: first, Last: first + n - 1}})
		}
	}
	return out
}
