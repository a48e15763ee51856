package mutate

import (
	"path"
	"strings"
)

func (k *collector) breaks(kind string, head Tree) {
	k.out = append(k.out, mutant{kind: kind, head: head})
}

// harmful makes every kind of change that the cited lines do not survive.
func (c citation) harmful() []mutant {
	k := &collector{c: c}
	for n := c.first(); n <= c.last(); n++ {
		if strings.ContainsFunc(c.lines[n-1], alphanumeric) { // brackets and stars alone say too little
			k.line(n)
		}
	}
	k.blocks()
	k.files()
	k.disabled()
	k.surroundings()
	k.splits()
	k.misspelled()
	k.misread()
	return k.out
}

// line breaks one cited line.
func (k *collector) line(n int) {
	c, own, line := k.c, k.c.e.File, k.c.lines[n-1]
	changed := splice(c.lines, n, 1, editWord(line))
	k.breaks("a word edited", c.file(changed))
	k.breaks("a word edited and lines added above", c.file(splice(changed, 1, 0, c.fresh(1), c.fresh(2))))
	k.breaks("a word edited and the file renamed", c.tree.Without(own).With(c.beside(), join(changed)))
	k.breaks("a word edited, a copy of the old file beside it", c.file(changed).With(c.beside(), c.text))
	k.breaks("a line removed", c.file(splice(c.lines, n, 1)))
	if !c.inComment() && !strings.HasPrefix(strings.TrimSpace(line), commentOf(own)) {
		k.breaks("a line commented out", c.file(splice(c.lines, n, 1, commentOf(own)+" "+line+commentEnd(own))))
	}
	if n > c.first() {
		k.breaks("a line added inside", c.file(splice(c.lines, n, 0, c.fresh(1))))
	}
	if n < c.last() {
		next := c.lines[n]
		if strings.TrimSpace(next) != "" && strings.TrimSpace(next) != strings.TrimSpace(line) {
			k.breaks("two lines swapped", c.file(splice(c.lines, n, 2, next, line)))
		}
	}
}

// minRest is how many lines must be left of a file for a copy of the whole file
// to be a copy and not the file's new name.
const minRest = 4

// blocks removes or replaces the block as a whole.
func (k *collector) blocks() {
	c := k.c
	k.breaks("block removed", c.file(c.without()))
	k.breaks("block replaced", c.file(splice(c.lines, c.first(), c.count(), c.fresh(1), c.fresh(2))))
	if len(c.lines)-c.count() >= minRest {
		k.breaks("block removed, a copy of the old file beside it", c.file(c.without()).With(c.beside(), c.text))
		k.breaks("block replaced, a copy of the old file beside it", c.file(splice(c.lines, c.first(), c.count(), c.fresh(1))).With(c.beside(), c.text))
	}
}

// files does away with the file or with its text.
func (k *collector) files() {
	c, own := k.c, k.c.e.File
	k.breaks("file removed", c.tree.Without(own))
	k.breaks("file put aside", c.tree.Without(own).With(c.free(path.Dir(own), path.Base(own)+".disabled"), c.text))
	k.breaks("file now a directory", c.tree.Without(own).With(path.Join(own, path.Base(own)), c.text))
	if c.loaded() {
		k.breaks("file moved among the tests", c.tree.Without(own).With(c.free("tests/moved", path.Base(own)), c.text))
		k.breaks("block moved among the tests", c.file(c.without()).With(c.free("tests/moved", path.Base(own)), join(c.block())))
	}
	twin := c.tree.With(c.beside(), c.text)
	k.out = append(k.out, mutant{kind: "file removed, its copy renamed", from: &twin, head: c.tree.Without(own).With(c.renamed(), c.text)})
	k.out = append(k.out, mutant{kind: "file removed, its copy left", from: &twin, head: twin.Without(own)})
	k.breaks("file removed and another added", c.tree.Without(own).With(c.beside(), join(program(40))))
	k.breaks("file emptied", c.tree.With(own, ""))
	k.breaks("file now binary", c.tree.With(own, strings.ReplaceAll(c.text, "\n", "\x00\n")))
	k.breaks("file now a link", c.tree.Link(own, "elsewhere"))
	k.breaks("file now a submodule", c.tree.Submodule(own))
}

// disabled leaves the lines as they are and switches them off from outside. Only
// lines of a program that begin in plain code can be.
func (k *collector) disabled() {
	c := k.c
	open, end := "/*", "*/"
	switch path.Ext(c.e.File) {
	case ".py":
		open, end = `"""`, `"""`
		if strings.Count(strings.Join(c.lines[:c.first()-1], "\n"), open)%2 == 1 || strings.Contains(strings.Join(c.block(), ""), open) {
			return
		}
	case ".ts", ".js", ".tsx", ".go":
		if c.inComment() || c.cutsText() {
			return
		}
	default:
		return
	}
	head := c.file(splice(splice(c.lines, c.last()+1, 0, end), c.first(), 0, open))
	k.out = append(k.out, mutant{kind: "commented out as a block", head: head, off: true})
}

// splits tears the block apart.
func (k *collector) splits() {
	c, n := k.c, k.c.count()
	if n < 2 {
		return
	}
	top, bottom := c.block()[:n/2], c.block()[n/2:]
	kept := splice(c.lines, c.first()+n/2, n-n/2)
	k.breaks("second half moved to a new file", c.file(kept).With(c.beside(), join(bottom)))
	k.breaks("halves moved to two files", c.file(c.without()).With(c.beside(), join(bottom)).With(c.elsewhere(), join(top)))
}
