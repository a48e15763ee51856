package mutate

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// mutant is one change and what has to become of the evidence.
type mutant struct {
	kind  string
	from  *Tree // the commit before, where it is another than the base
	head  Tree
	holds bool
	off   bool // the lines stand, switched off from outside
	// Of a citation that holds: where it must stand, and the least change that
	// its state may name (moved includes intact, reformatted both).
	state outcome.State
	file  string
	first int
	count int // of lines, where it is not that of the cited ones
}

// citation is a cited block with the file it stands in.
type citation struct {
	e     scorecard.Evidence
	tree  Tree
	text  string
	lines []string // of the file, without line feeds
	fresh func(n int) string
}

func newCitation(t Tree, e scorecard.Evidence, text string) citation {
	c := citation{e: e, tree: t, text: text, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	mark := commentOf(e.File)
	c.fresh = func(n int) string {
		words := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
		return mark + " added remark " + words[n%len(words)] + " about " + path.Base(e.File) + commentEnd(e.File)
	}
	return c
}

// commentOf is what begins a comment in the file's language.
func commentOf(name string) string {
	switch path.Ext(name) {
	case ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".go", ".rs", ".java", ".svelte", ".c", ".h", ".cc", ".cpp",
		".cs", ".dart", ".kt", ".kts", ".php", ".proto", ".scala", ".scss", ".swift":
		return "//"
	case ".lua", ".sql":
		return "--"
	case ".css":
		return "/*"
	case ".html", ".md", ".xml":
		return "<!--"
	}
	return "#"
}

// commentEnd is what ends a comment that commentOf begins, before the end of its line.
func commentEnd(name string) string {
	switch path.Ext(name) {
	case ".css":
		return " */"
	case ".html", ".md", ".xml":
		return " -->"
	}
	return ""
}

func (c citation) first() int      { return c.e.Lines.First }
func (c citation) last() int       { return c.e.Lines.Last }
func (c citation) count() int      { return c.e.Lines.Count() }
func (c citation) block() []string { return slices.Clone(c.lines[c.first()-1 : c.last()]) }

// without is the file without the block.
func (c citation) without() []string { return splice(c.lines, c.first(), c.count()) }

// file is the tree with other lines in the cited file.
func (c citation) file(lines []string) Tree { return c.tree.With(c.e.File, join(lines)) }

// beside is a name in the same directory that is not taken. What has no extension
// is known by how its name begins (Dockerfile, Makefile), and keeps that.
func (c citation) beside() string {
	name := path.Base(c.e.File)
	if path.Ext(name) == "" {
		return c.free(path.Dir(c.e.File), name+".beside")
	}
	return c.free(path.Dir(c.e.File), "beside_"+name)
}

// renamed is a name in the same directory that is as near to the file's own as to
// that of a copy beside it.
func (c citation) renamed() string {
	return c.free(path.Dir(c.e.File), "renamed_"+path.Base(c.beside()))
}

// outside matches names of what is no part of the program itself.
var outside = lazy.Regexp(`(?i)test|spec|doc|example|sample|vendor|fixture|mock|\.(md|rst|txt)$`)

// loaded reports whether the file is surely a part of the program.
func (c citation) loaded() bool { return !outside().MatchString(c.e.File) }

// elsewhere is a name in a new directory.
func (c citation) elsewhere() string { return c.free("another/place", path.Base(c.e.File)) }

func (c citation) free(dir, name string) string {
	for {
		p := path.Join(dir, name)
		if _, taken := c.tree.at(p); !taken {
			return p
		}
		name += "_" + path.Ext(name)
	}
}

// each is the block with every line changed.
func (c citation) each(f func(string) string) []string {
	out := c.block()
	for i := range out {
		out[i] = f(out[i])
	}
	return out
}

// inFile is the whole file with every line changed.
func (c citation) inFile(f func(string) string) Tree {
	out := slices.Clone(c.lines)
	for i := range out {
		out[i] = f(out[i])
	}
	return c.file(out)
}

// says reports whether some cited line is not blank.
func (c citation) says() bool { return strings.TrimSpace(strings.Join(c.block(), "")) != "" }

// distinctLetters is how many letters and digits, beside words that every program
// has, make a block known again at another place.
const distinctLetters = 24

var plainWords = map[string]bool{}

func init() {
	for _, w := range strings.Fields("return None True False pass else if import from self def str not in is for try except class and or") {
		plainWords[w] = true
	}
}

// distinctive reports whether the block can be known again elsewhere: it says
// enough and stands once in its file.
func (c citation) distinctive() bool {
	letters := 0
	for _, word := range strings.FieldsFunc(strings.Join(c.block(), " "), func(r rune) bool { return !alphanumeric(r) }) {
		if !plainWords[word] {
			letters += len(word)
		}
	}
	return letters >= distinctLetters && c.once()
}

// once reports whether the block stands once in its file.
func (c citation) once() bool {
	n := 0
	for i := range len(c.lines) - c.count() + 1 {
		if slices.Equal(c.lines[i:i+c.count()], c.block()) {
			n++
		}
	}
	return n == 1
}

func alphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// survives reports whether the block still stands, whole but for white space, in
// the cited file: then a harmful change differs from no change in name only.
func (c citation) survives(text string) bool {
	return strings.Contains(squeeze(strings.Split(text, "\n")), squeeze(c.block()))
}

func squeeze(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if l = strings.Join(strings.Fields(l), ""); strings.Trim(l, "*") != "" { // a star alone adorns a comment
			b.WriteString("\n" + l)
		}
	}
	return b.String() + "\n"
}

// splice replaces n lines from line at (from 1) on.
func splice(lines []string, at, n int, with ...string) []string {
	out := slices.Clone(lines[:at-1])
	out = append(out, with...)
	return append(out, lines[at-1+n:]...)
}

func join(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// editWord changes one letter or, where there is none, adds one.
func editWord(line string) string {
	for _, c := range "aeiostrnl10AEIOS_" {
		if i := strings.LastIndexByte(line, byte(c)); i >= 0 {
			return line[:i] + "Q" + line[i+1:]
		}
	}
	return line + "Q"
}
