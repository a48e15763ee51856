package cardfile

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// stray is the heading of a criterion outside the section of criteria.
type stray struct{ n, line int }

// notice remembers the heading of a criterion that stands outside the section of
// criteria, where it is read as something else.
func (p *parser) notice(text string) {
	text, heading := strings.CutPrefix(text, "### ")
	if !heading || p.section == inDetails {
		return
	}
	id, _, _ := strings.Cut(strings.TrimLeft(text, " \t"), " ")
	if n := criterionNumber(id); n > 0 {
		p.strays = append(p.strays, stray{n, p.n + 1})
	}
}

// lost is the error for a criterion that the report has nowhere but outside the section
// of criteria: it would be missing, for a reason that its writer cannot see.
func (p *parser) lost() error {
	for _, s := range p.strays {
		if p.details[s.n] == nil {
			return &SyntaxError{File: p.file, Line: s.line, Where: "C" + strconv.Itoa(s.n), Msg: "stands outside the section of criteria",
				Fix: fmt.Sprintf("put the line %q above the criteria", sectionDetails)}
		}
	}
	return nil
}

// blame is the error to tell of a line that cannot be read: below a criterion that
// stands outside the section of criteria, lines are taken for what they are not.
func (p *parser) blame(err error) error {
	if p.seen[key{kind: kDetailsSection}] > 0 {
		return err
	}
	return cmp.Or(p.lost(), err)
}
