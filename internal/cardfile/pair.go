package cardfile

import "strings"

// pairLists renames the keys of list entries in after so that an entry that only
// changed its place keeps the key that it has in before.
func pairLists(before, after []line) {
	type group struct {
		kind kind
		a    int
	}
	of := func(k key) (group, bool) {
		switch k.kind {
		case kGap, kFix, kLog, kLimit, kHeadline:
			return group{k.kind, 0}, true
		case kSummary:
			return group{k.kind, k.a}, true
		}
		return group{}, false
	}
	collect := func(lines []line) map[group][]*line {
		out := map[group][]*line{}
		for i := range lines {
			if g, ok := of(lines[i].key); ok {
				out[g] = append(out[g], &lines[i])
			}
		}
		return out
	}
	old := collect(before)
	for g, list := range collect(after) {
		pairs := align(entryTexts(old[g]), entryTexts(list))
		for i, l := range list {
			if pairs[i] >= 0 {
				l.key = old[g][pairs[i]].key
				continue
			}
			l.key = key{kind: g.kind, a: g.a, b: i, c: newEntry}
		}
	}
}

// newEntry marks the key of a list entry that the source does not have.
const newEntry = 1

// entryTexts renders list entries without their ordinals.
func entryTexts(lines []*line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		var b strings.Builder
		for _, s := range l.segs {
			if s.tag != tOrdinal {
				b.WriteString(s.text)
			}
		}
		out[i] = b.String()
	}
	return out
}

// align pairs the entries of a new list with those of an old one, in order: equal
// entries first, and what lies between them one to one where as many lie there on
// either side. It returns for each new entry the old one's index or -1.
func align(old, now []string) []int {
	out := make([]int, len(now))
	for i := range out {
		out[i] = -1
	}
	where := map[string][]int{}
	for i, s := range old {
		where[s] = append(where[s], i)
	}
	next := 0
	for i, s := range now {
		for _, j := range where[s] {
			if j >= next {
				out[i], next = j, j+1
				break
			}
		}
	}
	for i := 0; i < len(now); {
		if out[i] >= 0 {
			i++
			continue
		}
		end := i
		for end < len(now) && out[end] < 0 {
			end++
		}
		from, to := 0, len(old)
		if i > 0 {
			from = out[i-1] + 1
		}
		if end < len(now) {
			to = out[end]
		}
		if to-from == end-i {
			for j := i; j < end; j++ {
				out[j] = from + j - i
			}
		}
		i = end
	}
	return out
}
