package mutate

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
)

// collector gathers the mutants of one citation.
type collector struct {
	c   citation
	out []mutant
}

func (k *collector) holds(kind string, head Tree, state outcome.State, file string, first int) {
	k.out = append(k.out, mutant{kind: kind, head: head, holds: true, state: state, file: file, first: first})
}

// harmless makes every kind of change that leaves what the cited lines say.
func (c citation) harmless() []mutant {
	k := &collector{c: c}
	k.around()
	k.renames()
	k.copies()
	k.layout()
	k.formatted()
	k.reformatted()
	if c.distinctive() && c.standsAlone() && c.complete() {
		k.relocations()
	}
	return k.out
}

// remark is a comment that is indented as the given line is: in a text of YAML one
// at the margin would end the text.
func (c citation) remark(n int) string { return marginOf(c.lines[n-1]) + c.fresh(n) }

// randomEdits is how many times the surroundings are edited at random.
const randomEdits = 4

// around changes what stands above and below the block.
func (k *collector) around() {
	c, own, first, last := k.c, k.c.e.File, k.c.first(), k.c.last()
	k.holds("lines added at the top", c.file(splice(c.lines, 1, 0, c.fresh(1), c.fresh(2), c.fresh(3))), outcome.Moved, own, first+3)
	k.holds("a line added right above", c.file(splice(c.lines, first, 0, c.remark(first))), outcome.Moved, own, first+1)
	k.holds("a line added right below", c.file(splice(c.lines, last+1, 0, c.remark(last))), outcome.Intact, own, first)
	k.holds("lines added at the end", c.file(append(slices.Clone(c.lines), c.fresh(1), "", c.fresh(2))), outcome.Intact, own, first)
	if c.calmAbove() {
		k.holds("the line above edited", c.file(splice(c.lines, first-1, 1, c.remark(first-1))), outcome.Intact, own, first)
		k.holds("the line above removed", c.file(splice(c.lines, first-1, 1)), outcome.Moved, own, first-1)
	}
	if first > 1 && !c.keyed() && !c.inComment() && !c.goesOnFrom(first) && c.once() {
		k.holds("everything above replaced", c.file(splice(c.lines, 1, first-1, c.fresh(1), c.fresh(2))), outcome.Moved, own, 3)
	}
	if last < len(c.lines) && !c.deeperBelow() && !c.inText() {
		k.holds("the line below edited", c.file(splice(c.lines, last+1, 1, c.remark(last+1))), outcome.Intact, own, first)
		k.holds("everything below removed", c.file(c.lines[:last]), outcome.Intact, own, first)
	}
	if c.calmAbove() && last < len(c.lines) && !c.deeperBelow() {
		both := splice(splice(c.lines, last+1, 1, c.remark(last+1)), first-1, 1, c.remark(first-1))
		k.holds("both neighbours edited", c.file(both), outcome.Intact, own, first)
	}
	for seed := range uint64(randomEdits) {
		lines, at := c.editedAround(rand.New(rand.NewPCG(seed, 11)))
		k.holds("many edits around", c.file(lines), outcome.Moved, own, at)
	}
}

// marksText reports whether the line may open or end a text of several lines, or
// be a part of one with the next line: to edit such a line is not harmless to what
// stands below it.
func marksText(line string) bool {
	return strings.HasSuffix(line, "\\") || slices.ContainsFunc(textMarks, func(m string) bool { return strings.Contains(line, m) })
}

// calmAbove reports whether there is a line above the block to edit or remove
// without harm.
func (c citation) calmAbove() bool {
	above := c.lines[max(0, c.first()-3) : c.first()-1]
	depth, low := brackets(above[max(0, len(above)-1):])
	return len(above) > 0 && depth == 0 && low == 0 && !c.goesOnFrom(c.first()) && !slices.ContainsFunc(above, marksText) && !(c.positional() && c.shapes(c.first()-1))
}

var textMarks = []string{`"""`, "'''", "`", "/*", "*/", "<!--", "-->", "<<"}

// editedAround edits, removes and adds lines all over the file but for the block, its
// copies and lines that mark a text, and returns where the block then begins. A line
// that opens a bracket or a block, or ends one, is not removed, which would leave no program.
func (c citation) editedAround(r *rand.Rand) (lines []string, at int) {
	for i, line := range c.lines {
		n := i + 1
		if n == c.first() {
			at = len(lines) + 1
		}
		depth, low := brackets([]string{line})
		calm := !midway().MatchString(line) && strings.ContainsFunc(line, func(r rune) bool { return r < 0x80 && alphanumeric(r) })
		if !calm || n >= c.first() && n <= c.last() || slices.Contains(c.block(), line) || marksText(line) || i > 0 && marksText(c.lines[i-1]) || c.positional() && c.shapes(n) {
			lines = append(lines, line)
			continue
		}
		switch turn := r.IntN(10); {
		case turn == 0 && depth == 0 && low == 0 && !goesOn().MatchString(line): // removed
		case turn == 1:
			lines = append(lines, editWord(line))
		case turn == 2:
			lines = append(lines, c.remark(n), line)
		default:
			lines = append(lines, line)
		}
	}
	return lines, at
}

// renames gives the file another name, as it is and with edits.
func (k *collector) renames() {
	c, own, first := k.c, k.c.e.File, k.c.first()
	gone := c.tree.Without(own)
	k.holds("file renamed", gone.With(c.beside(), c.text), outcome.Moved, c.beside(), first)
	moves := !strings.HasPrefix(own, ".github/") // where GitHub looks for what it runs
	if moves {
		k.holds("file moved to another directory", gone.With(c.elsewhere(), c.text), outcome.Moved, c.elsewhere(), first)
	}
	edited := splice(append(slices.Clone(c.lines), c.fresh(3)), 1, 0, c.fresh(1), c.fresh(2))
	k.holds("file renamed and edited elsewhere", gone.With(c.beside(), join(edited)), outcome.Moved, c.beside(), first+2)
	if moves {
		k.holds("file moved and edited elsewhere", gone.With(c.elsewhere(), join(edited)), outcome.Moved, c.elsewhere(), first+2)
	}
}

// copies puts the block or the file at a second place; the original stays the
// original.
func (k *collector) copies() {
	c, own, first := k.c, k.c.e.File, k.c.first()
	if !slices.ContainsFunc(c.block(), stage) { // of two last stages the second is built
		k.holds("copy at the end of the file", c.file(append(append(slices.Clone(c.lines), c.fresh(1)), c.block()...)), outcome.Intact, own, first)
	}
	above := splice(c.lines, 1, 0, c.fresh(1))
	k.holds("copy in a new file", c.file(above).With(c.beside(), join(c.block())), outcome.Moved, own, first+1)
	k.holds("copy of the whole file", c.file(above).With(c.beside(), c.text), outcome.Moved, own, first+1)
}

// layout changes white space alone.
func (k *collector) layout() {
	c, own, first := k.c, k.c.e.File, k.c.first()
	trimmed := func(l string) string { return strings.TrimSuffix(l, "\r") }
	k.holds("line ends changed", c.tree.With(own, otherLineEnds(c.text)), outcome.Reformatted, own, first)
	k.holds("no line end at the end", c.tree.With(own, strings.TrimSuffix(c.text, "\n")), outcome.Reformatted, own, first)
	if c.inText() || slices.ContainsFunc(c.block(), func(l string) bool { return strings.HasSuffix(trimmed(l), "\\") }) {
		return // white space in a text counts, and so does a blank behind a backslash
	}
	k.holds("blanks at all line ends", c.inFile(func(l string) string { return trimmed(l) + "  " }), outcome.Reformatted, own, first)
	if !c.says() || path.Base(own) == "Makefile" {
		return // in a Makefile white space at the margin is syntax
	}
	indent := func(l string) string {
		if strings.TrimSpace(l) == "" {
			return l
		}
		return "    " + l
	}
	if freeIndent[path.Ext(own)] {
		k.holds("block indented", c.file(splice(c.lines, first, c.count(), c.each(indent)...)), outcome.Reformatted, own, first)
	}
	if ext := path.Ext(own); ext != ".md" && ext != ".vue" && ext != ".svelte" && !slices.ContainsFunc(c.lines, parts) { // there it makes code of all
		k.holds("file indented", c.inFile(indent), outcome.Reformatted, own, first)
	}
	if path.Ext(own) != ".yaml" && path.Ext(own) != ".yml" {
		k.holds("indented by tabs", c.inFile(tabs), outcome.Reformatted, own, first)
	}
}

// parts reports whether the line parts documents of YAML, as it does at the margin only.
func parts(line string) bool { return strings.HasPrefix(line, "---") }

// freeIndent are endings of files in which white space at the margin means nothing.
// In others a block that is indented alone may have slipped into what stands above
// it, which is no harmless change.
var freeIndent = map[string]bool{".go": true, ".ts": true, ".tsx": true, ".js": true, ".jsx": true, ".java": true, ".rs": true, ".json": true}

func otherLineEnds(text string) string {
	if strings.Contains(text, "\r\n") {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// tabs puts a tab for every four blanks at the margin.
func tabs(line string) string {
	n := 0
	for strings.HasPrefix(line[4*n:], "    ") {
		n++
	}
	return strings.Repeat("\t", n) + line[4*n:]
}

// relocations move a block that can be known again, where its place is no part of
// what it says.
func (k *collector) relocations() {
	c, own := k.c, k.c.e.File
	rest := c.file(append(c.without(), c.fresh(9)))
	k.holds("block moved to a new file", rest.With(c.beside(), join(append([]string{c.fresh(1)}, c.block()...))), outcome.Moved, c.beside(), 2)
	other := program(40)
	before := c.tree.With(c.beside(), join(other))
	k.out = append(k.out, mutant{kind: "block moved to another changed file", from: &before, holds: true, state: outcome.Moved,
		head: rest.With(c.beside(), join(splice(other, 21, 0, c.block()...))), file: c.beside(), first: 21})
	if below := strings.Join(c.lines[c.last():], ""); strings.TrimSpace(below) != "" && c.margin() == c.shallowest() {
		tail := append(c.without(), c.home()...)
		tail = append(tail, c.block()...)
		k.holds("block moved within the file", c.file(tail), outcome.Moved, own, len(tail)-c.count()+1)
	}
}

// program is a file of n distinct lines.
func program(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "stage_"+string(rune('a'+i%26))+" = prepare("+strings.Repeat("input, ", i/26+1)+string(rune('a'+i%26))+")")
	}
	return out
}
