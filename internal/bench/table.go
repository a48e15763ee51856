package bench

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Table holds the figures, a row for each and a column for each size.
type Table struct {
	Sizes []int
	rows  []*row
}

type row struct {
	name, target string
	cells        []string
}

func (t *Table) set(name, target string, at int, value string) {
	for _, r := range t.rows {
		if r.name == name {
			r.cells[at] = value
			return
		}
	}
	r := &row{name: name, target: target, cells: make([]string, len(t.Sizes))}
	r.cells[at] = value
	t.rows = append(t.rows, r)
}

// ratio sets how many times b goes into a; nothing can be said of a b that is
// below the clock.
func (t *Table) ratio(name, target string, at int, a, b time.Duration) {
	value := "-"
	if b > 0 {
		value = fmt.Sprintf("%.1f", float64(a)/float64(b))
	}
	t.set(name, target, at, value)
}

// Write writes the table as Markdown.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| what |")
	for _, n := range t.Sizes {
		fmt.Fprintf(&b, " %d files |", n)
	}
	b.WriteString(" target |\n|---|" + strings.Repeat("---:|", len(t.Sizes)) + "---|\n")
	for _, r := range t.rows {
		target := r.target
		if target == "" {
			target = "-"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.name, strings.Join(r.cells, " | "), target)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
