package report

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// md renders parts of a view as GitHub Markdown.
type md struct {
	v    *view
	base linker
	head linker
}

func newMD(v *view, repo string) md {
	if repo == "" {
		repo = v.o.Repo
	}
	return md{v: v, base: newLinker(repo, v.o.Base), head: newLinker(repo, v.o.Head)}
}

// text escapes prose and bounds it, for anywhere but a table.
func text(s string) string { return escape.Text(line(s)) }

// code escapes a path, a command or an id and bounds it.
func code(s string) string { return escape.Code(field(s)) }

// at links a citation at head.
func (m md) at(e scorecard.Evidence) string {
	return escape.Link(citation(e), m.head.lines(e))
}

// was links a citation at base.
func (m md) was(e scorecard.Evidence) string {
	return escape.Link(citation(e), m.base.lines(e))
}

// reasons lists why the conclusion is what it is.
func (m md) reasons() []string {
	var out []string
	for i, r := range m.v.o.Reasons {
		if i == maxReasonsShown {
			out = append(out, fmt.Sprintf("- and %s", plural(len(m.v.o.Reasons)-i, "more reason")))
			break
		}
		out = append(out, "- "+text(sentence(r)))
	}
	return out
}

const tableHead = "| Criterion | Outcome | S | C | D | B | Score |\n|---|---|---|---|---|---|---|\n"

// table is one line for each mechanism of each changed criterion.
func (m md) table() []string {
	var out []string
	for _, r := range m.v.rows {
		cells := make([]string, 0, len(r.cells))
		for _, c := range r.cells {
			cells = append(cells, m.cell(c))
		}
		out = append(out, fmt.Sprintf("| %s | %s | %s | %s |",
			m.rowName(r), verdictWords(r.c.Verdict), strings.Join(cells, " | "), m.rowScore(r)))
	}
	return out
}

func (m md) rowName(r row) string {
	name := r.c.ID + " " + escape.Markdown(criterionName(r.c))
	if r.both {
		name += " (" + string(r.kind)
		if r.kind == r.c.Counted {
			name += ", counted"
		}
		name += ")"
	}
	return name
}

func (m md) rowScore(r row) string {
	if r.kind != r.c.Counted {
		return "not counted"
	}
	s := criterionScore(r.c.Score)
	if strings.Contains(s, arrow) {
		s = "**" + s + "**"
	}
	return s + capChange(r.c)
}

// capChange tells of a cap that came, went or holds the score.
func capChange(c *outcome.Criterion) string {
	switch {
	case c.CapBefore == c.CapAfter && c.CapAfter == "":
		return ""
	case c.CapBefore == c.CapAfter:
		return " (cap " + capName(c.CapAfter) + ")"
	}
	return " (cap " + capName(c.CapBefore) + arrow + capName(c.CapAfter) + ")"
}

func capName(id string) string {
	if id == "" {
		return "none"
	}
	return escape.Markdown(label(id))
}

func (m md) cell(c cell) string {
	if c.after == "" {
		return ""
	}
	s := c.after
	switch {
	case c.before != c.after:
		s = c.before + arrow + "**" + c.after + "**"
	case c.review:
		s = c.after + " ?"
	case c.inferred:
		s = c.after + " inferred"
	}
	if c.before != c.after && c.review {
		s += " ?"
	}
	if c.evidence != nil {
		if link := m.head.lines(*c.evidence); link != "" && len(link) <= maxCellLink {
			return "[" + s + "](" + link + ")"
		}
	}
	return s
}

// findings quotes the card on the ratings that a reader has to look at.
func (m md) findings() rendered {
	const cells = len(row{}.cells)
	return render(len(m.v.rows)*cells, func(i int) string {
		r := m.v.rows[i/cells]
		c := r.cells[i%cells]
		if !c.changed() || c.rating.Finding == "" {
			return ""
		}
		line := "- " + place(r.c.ID, r.kind, c.rating.ID) + " " + c.before + ": " + text(sentence(c.rating.Finding))
		if c.rating.Gap != "" {
			line += " To reach the next level: " + text(sentence(c.rating.Gap))
		}
		return line
	})
}

// log is the re-audit log, one line a change.
func (m md) log() rendered {
	if len(m.v.o.Log) == 0 {
		return rendered{lines: []string{"No changes."}}
	}
	return render(len(m.v.o.Log), func(i int) string {
		e := m.v.o.Log[i]
		entry := "- " + escape.Markdown(field(logWords(e))) + "."
		if e.Reason != "" {
			entry += " " + text(sentence(e.Reason))
		}
		if by := decided(e.By); by != "" {
			entry += " (" + escape.Markdown(field(by)) + ")"
		}
		return entry
	})
}

// unchanged tells what was re-verified and what was carried over, and from where.
func (m md) unchanged() []string {
	var out []string
	if len(m.v.reverified) > 0 {
		out = append(out, "**Re-verified, everything holds:** "+heldWords(m.v.reverified)+".\n")
	}
	if len(m.v.carried) > 0 {
		out = append(out, "**Carried over, untouched:** "+m.carried()+".")
	}
	return out
}

// how says in parentheses what became of the items that are not where they were.
func (h held) how() string {
	of := plural(h.items, "item")
	switch {
	case h.moved > 0 && h.reformatted > 0:
		return fmt.Sprintf(" (%d of %s moved, %d reformatted)", h.moved, of, h.reformatted)
	case h.moved > 0:
		return fmt.Sprintf(" (%d of %s moved)", h.moved, of)
	case h.reformatted > 0:
		return fmt.Sprintf(" (%d of %s reformatted)", h.reformatted, of)
	}
	return ""
}

func heldWords(held []held) string {
	var parts []string
	for _, h := range held {
		parts = append(parts, h.id+h.how())
	}
	return list(parts, 0)
}

func (m md) carried() string {
	var parts []string
	for _, b := range m.v.carried {
		s := strings.Join(b.ids, ", ")
		if b.from != "" {
			s += " from " + code(short(b.from))
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

func (m md) watch() rendered {
	return render(len(m.v.o.Watch), func(i int) string {
		w := m.v.o.Watch[i]
		e := lineEvidence(outcome.Line{File: w.File, Line: w.Line})
		return "- " + escape.Markdown(label(w.Criterion)) + ": " + m.at(e) + " " + text(sentence(w.Signal))
	})
}

func (m md) prose() rendered {
	return render(len(m.v.prose), func(i int) string {
		p := m.v.prose[i]
		line := "- " + text(p.Where) + ": " + code(p.Before) + " " + string(p.State)
		if p.After != "" && p.After != p.Before {
			line += arrow + code(p.After)
		}
		line += "."
		if p.Reason != "" {
			line += " " + text(sentence(p.Reason))
		}
		return line
	})
}
