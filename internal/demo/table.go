package demo

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

const (
	columnGap    = 2 // spaces between two columns
	columnLeast  = 8 // a column is not squeezed below this, or below its natural width
	tableMaxCols = 32
)

// table renders a table in columns. Columns that are too wide for the terminal are
// wrapped, the widest first; empty ones are left out.
func (t *terminal) table(n ast.Node, width int) [][]span {
	rows := t.rows(n)
	widths := columnWidths(rows, width)
	var out [][]span
	for i, row := range rows {
		out = append(out, layRow(row, widths)...)
		if i == 0 {
			out = append(out, rule(widths))
		}
	}
	return out
}

func (t *terminal) rows(n ast.Node) [][][]span {
	var out [][][]span
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		look := plain
		if len(out) == 0 {
			look = bold
		}
		var cells [][]span
		for cell := row.FirstChild(); cell != nil && len(cells) < tableMaxCols; cell = cell.NextSibling() {
			cells = append(cells, t.inline(cell, look))
		}
		out = append(out, cells)
	}
	return out
}

// columnWidths gives every column its natural width (none where only the head has
// text), then takes from the widest until the row fits.
func columnWidths(rows [][][]span, width int) []int {
	var out []int
	for i, row := range rows {
		for c, cell := range row {
			if c == len(out) {
				out = append(out, 0)
			}
			if i > 0 && widthOf(cell) > 0 {
				out[c] = max(out[c], widthOf(cell), widthOf(rows[0][c]))
			}
		}
	}
	for total(out) > width {
		widest := 0
		for c, w := range out {
			if w > out[widest] {
				widest = c
			}
		}
		if out[widest] <= columnLeast {
			return out
		}
		out[widest]--
	}
	return out
}

func total(widths []int) int {
	n := 0
	for _, w := range widths {
		if w > 0 {
			n += w + columnGap
		}
	}
	return max(n-columnGap, 0)
}

func layRow(row [][]span, widths []int) [][]span {
	cells := make([][][]span, len(widths))
	height := 1
	for c := range widths {
		if c < len(row) && widths[c] > 0 {
			cells[c] = wrap(row[c], widths[c])
			height = max(height, len(cells[c]))
		}
	}
	out := make([][]span, height)
	for y := range out {
		column := 0 // where the next cell begins
		used := 0   // what the line holds so far
		for c, w := range widths {
			if w == 0 {
				continue
			}
			if y < len(cells[c]) && len(cells[c][y]) > 0 {
				out[y] = append(out[y], span{spaces(column - used), plain})
				out[y] = append(out[y], cells[c][y]...)
				used = column + widthOf(cells[c][y])
			}
			column += w + columnGap
		}
	}
	return out
}

func rule(widths []int) []span {
	dashes := make([]rune, total(widths))
	for i := range dashes {
		dashes[i] = '─'
	}
	return []span{{string(dashes), faint}}
}

func spaces(n int) string {
	b := make([]byte, max(n, 0))
	for i := range b {
		b[i] = ' '
	}
	return string(b)
}

// unescape resolves what Markdown escapes in plain text: backslashes before
// punctuation, and entities.
func unescape(b []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b))))
}
