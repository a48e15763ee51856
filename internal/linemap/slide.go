package linemap

import "bytes"

// slideFactor bounds the work of sliding, in steps a line of the text.
const slideFactor = 8

// slide moves every run of changed lines as far down as equal lines let it, so
// that the choice among equally short edits depends on the texts alone.
func (m *Map) slide() {
	m.slideSide(&m.toOld, &m.toNew, m.new)
	m.slideSide(&m.toNew, &m.toOld, m.old)
}

// slideSide slides the runs of one side, from the last to the first; text is
// that side's and far the other side's numbers. A run that meets the next one
// goes on together with it.
func (m *Map) slideSide(near, far *[]int32, text *Text) {
	budget := slideFactor*text.Len() + slideFactor
	for end := len(*near) - 1; end >= 0; end-- {
		if (*near)[end] != 0 {
			continue
		}
		first := end
		for first > 0 && (*near)[first-1] == 0 {
			first--
		}
		s, e := first, end
		for ; budget > 0; budget-- {
			for e+1 < len(*near) && (*near)[e+1] == 0 {
				e++
			}
			if !m.equalNeighbour(text, s, e) {
				break
			}
			if e+1 == len(*near) {
				m.pull()
			}
			i := (*near)[e+1]
			(*near)[s], (*near)[e+1] = i, 0
			(*far)[int(i)-m.prefix-1] = int32(s + m.prefix + 1)
			s, e = s+1, e+1
		}
		end = first
	}
}

// equalNeighbour reports whether the line after the run s..e (both counted from
// the end of the prefix) exists, is mapped, and equals the run's first line.
func (m *Map) equalNeighbour(text *Text, s, e int) bool {
	next := e + m.prefix + 2
	return next <= text.Len() && bytes.Equal(text.Line(s+m.prefix+1), text.Line(next))
}

// pull turns the first line of the common suffix into an ordinary mapped line.
func (m *Map) pull() {
	m.suffix--
	m.toNew = append(m.toNew, int32(m.new.Len()-m.suffix))
	m.toOld = append(m.toOld, int32(m.old.Len()-m.suffix))
}
