package evidence_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// subject is a citation with the tree it stands in.
type subject struct {
	e     scorecard.Evidence
	tree  tree
	lines []string // of the cited file, without their ends
	crlf  bool
}

func newSubject(t tree, e scorecard.Evidence) subject {
	s := subject{e: e, tree: t, crlf: strings.Contains(t[e.File], "\r\n")}
	s.lines = strings.Split(strings.TrimSuffix(t[e.File], "\n"), "\n")
	return s
}

func (s subject) first() int        { return s.e.Lines.First }
func (s subject) last() int         { return s.e.Lines.Last }
func (s subject) block() []string   { return slices.Clone(s.lines[s.first()-1 : s.last()]) }
func (s subject) without() []string { return splice(s.lines, s.first(), s.e.Lines.Count()) }
func (s subject) content() string   { return s.tree[s.e.File] }
func (s subject) extension() string { return path.Ext(s.e.File) }
func (s subject) beside() string {
	name := "beside" + s.extension()
	if s.extension() == "" {
		name = path.Base(s.e.File) + ".beside"
	}
	return path.Join(path.Dir(s.e.File), name)
}
func (s subject) renamedTo() string { return path.Join("elsewhere", path.Base(s.e.File)) }
func (s subject) comment() string {
	switch s.extension() {
	case ".js", ".ts", ".tsx", ".go", ".rs":
		return "//"
	}
	return "#"
}

// with is the tree with some files replaced; an empty content removes one.
func (s subject) with(files map[string]string) tree {
	t := maps.Clone(s.tree)
	for p, content := range files {
		if t[p] = content; content == "" {
			delete(t, p)
		}
	}
	return t
}

func (s subject) file(lines []string) tree {
	return s.with(map[string]string{s.e.File: block(lines...)})
}

// mutant is a changed tree and what has to become of the citation.
type mutant struct {
	kind  string
	old   tree // when the base has to be another than the subject's
	head  tree
	holds bool
	off   bool          // the lines stand but are switched off
	state outcome.State // when it holds
	file  string
	lines scorecard.LineRange
}

// fresh is a line that stands nowhere else.
func (s subject) fresh(n int) string {
	return fmt.Sprintf("%s mutant line %d of %s", s.comment(), n, s.e.File)
}

// harmless makes every kind of change that leaves the cited lines as they are.
func (s subject) harmless() []mutant {
	var out []mutant
	add := func(kind string, head tree, state outcome.State, file string, at int) {
		out = append(out, mutant{kind: kind, head: head, holds: true, state: state, file: file, lines: s.e.Lines.At(at, s.e.Lines.Count())})
	}
	own, first, last := s.e.File, s.first(), s.last()
	add("lines added at the top", s.file(splice(s.lines, 1, 0, s.fresh(1), s.fresh(2), s.fresh(3))), outcome.Moved, own, first+3)
	add("a line added right above", s.file(splice(s.lines, first, 0, s.fresh(1))), outcome.Moved, own, first+1)
	add("a line added right below", s.file(splice(s.lines, last+1, 0, s.fresh(1))), outcome.Intact, own, first)
	add("lines added at the end", s.file(append(slices.Clone(s.lines), s.fresh(1), "", s.fresh(2))), outcome.Intact, own, first)
	if first > 1 && !marksText(s.lines[first-2]) && !strings.Contains(block(s.lines[max(0, first-3):first-1]...), "\\\n") {
		add("the line above edited", s.file(splice(s.lines, first-1, 1, s.fresh(1))), outcome.Intact, own, first)
		add("the line above removed", s.file(splice(s.lines, first-1, 1)), outcome.Moved, own, first-1)
		add("everything above replaced", s.file(splice(s.lines, 1, first-1, s.fresh(1), s.fresh(2))), outcome.Moved, own, 3)
	}
	if last < len(s.lines) {
		add("the line below edited", s.file(splice(s.lines, last+1, 1, s.fresh(1))), outcome.Intact, own, first)
		add("everything below removed", s.file(s.lines[:last]), outcome.Intact, own, first)
	}
	for seed := range uint64(4) {
		lines, at := s.editedAround(rand.New(rand.NewPCG(seed, 7)))
		add("many edits around", s.file(lines), outcome.Moved, own, at)
	}
	add("file renamed", s.with(map[string]string{own: "", s.renamedTo(): s.content()}), outcome.Moved, s.renamedTo(), first)
	add("file renamed and edited", s.with(map[string]string{own: "", s.renamedTo(): block(splice(append(slices.Clone(s.lines), s.fresh(3)), 1, 0, s.fresh(1), s.fresh(2))...)}),
		outcome.Moved, s.renamedTo(), first+2)
	add("copy at the end of the file", s.file(append(append(slices.Clone(s.lines), s.fresh(1)), s.block()...)), outcome.Intact, own, first)
	add("copy in a new file", s.with(map[string]string{own: block(splice(s.lines, 1, 0, s.fresh(1))...), s.beside(): block(s.block()...)}), outcome.Moved, own, first+1)
	add("line ends", s.with(map[string]string{own: s.otherLineEnds()}), outcome.Reformatted, own, first)
	if !strings.Contains(block(s.block()...), "\\\n") && !marksText(strings.Join(s.block(), "")) {
		add("blanks at line ends", s.file(splice(s.lines, first, s.e.Lines.Count(), s.each(func(l string) string { return strings.TrimSuffix(l, "\r") + "  " })...)), outcome.Reformatted, own, first)
	}
	if s.freelyIndented() && s.says() {
		indented := s.each(func(l string) string { return strings.TrimRight("    "+l, " \r") })
		add("block indented", s.file(splice(s.lines, first, s.e.Lines.Count(), indented...)), outcome.Reformatted, own, first)
	}
	return append(out, s.relocations()...)
}

// freelyIndented reports whether indentation means nothing in the file: elsewhere
// a block that is indented on its own, without what surrounds it, is another.
func (s subject) freelyIndented() bool {
	switch s.extension() {
	case ".js", ".ts", ".tsx", ".go", ".rs", ".md", ".json", ".toml", ".html":
		return true
	}
	return false
}

// marksText reports whether the line may open or end a text of several lines.
func marksText(line string) bool {
	return strings.Contains(line, `"""`) || strings.Contains(line, "'''") || strings.Contains(line, "`")
}

// editedAround edits, removes and adds lines all over the file but for the block,
// and returns where the block then begins.
func (s subject) editedAround(r *rand.Rand) (lines []string, at int) {
	for n, line := range s.lines {
		n++
		if n == s.first() {
			at = len(lines) + 1
		}
		if n >= s.first() && n <= s.last() || marksText(line) || strings.HasSuffix(line, "\\") || n > 1 && strings.HasSuffix(s.lines[n-2], "\\") {
			lines = append(lines, line)
			continue
		}
		switch r.IntN(10) {
		case 0: // removed
		case 1:
			lines = append(lines, editWord(line))
		case 2:
			lines = append(lines, s.fresh(n), line)
		default:
			lines = append(lines, line)
		}
	}
	return lines, at
}

// relocations move a block that can be recognised.
func (s subject) relocations() []mutant {
	var out []mutant
	if !s.distinctive() {
		return nil
	}
	add := func(kind string, old, head tree, state outcome.State, file string, at int) {
		out = append(out, mutant{kind: kind, old: old, head: head, holds: true, state: state, file: file, lines: s.e.Lines.At(at, s.e.Lines.Count())})
	}
	n := s.e.Lines.Count()
	add("block moved to a new file", nil, s.with(map[string]string{s.e.File: block(append(s.without(), s.fresh(9))...), s.beside(): block(append([]string{s.fresh(1)}, s.block()...)...)}), outcome.Moved, s.beside(), 2)
	other := program(40)
	before := s.with(map[string]string{s.beside(): block(other...)})
	after := s.with(map[string]string{s.e.File: block(append(s.without(), s.fresh(9))...), s.beside(): block(splice(other, 21, 0, s.block()...)...)})
	add("block moved to another changed file", before, after, outcome.Moved, s.beside(), 21)
	if s.last() < len(s.lines) {
		tail := append(append(s.without(), s.fresh(1)), s.block()...)
		add("block moved to the end of the file", nil, s.file(tail), outcome.Moved, s.e.File, len(tail)-n+1)
	}
	return out
}

// harmful makes every kind of change that the cited lines do not survive.
func (s subject) harmful() []mutant {
	var out []mutant
	add := func(kind string, head tree) { out = append(out, mutant{kind: kind, head: head}) }
	own := s.e.File
	for n := s.first(); n <= s.last(); n++ {
		line := s.lines[n-1]
		if strings.TrimSpace(line) == "" {
			continue
		}
		changed := splice(s.lines, n, 1, editWord(line))
		add("a word edited", s.file(changed))
		add("a word edited and lines added above", s.file(splice(changed, 1, 0, s.fresh(1), s.fresh(2))))
		add("a word edited and a copy of the file made", s.with(map[string]string{own: block(changed...), s.beside(): s.content()}))
		add("a word edited and the file renamed", s.with(map[string]string{own: "", s.renamedTo(): block(changed...)}))
		add("a line removed", s.file(splice(s.lines, n, 1)))
		add("a line commented out", s.file(splice(s.lines, n, 1, s.comment()+" "+line)))
		if n > s.first() {
			add("a line added inside", s.file(splice(s.lines, n, 0, s.fresh(1))))
		}
		if n < s.last() && strings.TrimSpace(s.lines[n]) != "" && strings.TrimSpace(s.lines[n]) != strings.TrimSpace(line) {
			add("two lines swapped", s.file(splice(s.lines, n, 2, s.lines[n], line)))
		}
	}
	add("block removed", s.file(s.without()))
	out = append(out, s.disabled()...)
	add("block replaced", s.file(splice(s.lines, s.first(), s.e.Lines.Count(), s.fresh(1), s.fresh(2))))
	if len(s.lines)-s.e.Lines.Count() >= 4 { // with less around it, it is a move
		add("block removed and a copy of the file made", s.with(map[string]string{own: block(s.without()...), s.beside(): s.content()}))
		add("block replaced and a copy of the file made", s.with(map[string]string{own: block(splice(s.lines, s.first(), s.e.Lines.Count(), s.fresh(1))...), s.beside(): s.content()}))
	}
	add("file removed", s.with(map[string]string{own: ""}))
	add("file removed and another added", s.with(map[string]string{own: "", s.beside(): block(program(40)...)}))
	add("file emptied", s.with(map[string]string{own: "\n"}))
	add("file now binary", s.with(map[string]string{own: strings.ReplaceAll(s.content(), "\n", "\x00\n")}))
	add("file now a link", s.with(map[string]string{own: "mode 120000"}))
	add("file now a submodule", s.with(map[string]string{own: "mode 160000"}))
	return append(out, s.splits()...)
}

// disabled leaves the lines alone and switches them off from outside. Only
// lines of a program that begin in plain code can be.
func (s subject) disabled() []mutant {
	open, end := `"""`, `"""`
	switch s.extension() {
	case ".py":
		if strings.Count(strings.Join(s.lines[:s.first()-1], "\n"), `"""`)%2 == 1 || strings.Contains(strings.Join(s.block(), ""), `"""`) {
			return nil
		}
	case ".ts", ".js", ".go":
		open, end = "/*", "*/"
	default:
		return nil
	}
	return []mutant{{kind: "commented out as a block", off: true, head: s.file(splice(splice(s.lines, s.last()+1, 0, end), s.first(), 0, open))}}
}

// splits tear a block apart.
func (s subject) splits() []mutant {
	n := s.e.Lines.Count()
	if n < 2 {
		return nil
	}
	half := s.block()[n/2:]
	kept := splice(s.lines, s.first()+n/2, n-n/2)
	return []mutant{
		{kind: "second half moved to a new file", head: s.with(map[string]string{s.e.File: block(kept...), s.beside(): block(half...)})},
		{kind: "halves moved to two files", head: s.with(map[string]string{s.e.File: block(s.without()...), s.beside(): block(half...), s.renamedTo(): block(s.block()[:n/2]...)})},
	}
}

func (s subject) each(f func(string) string) []string {
	out := s.block()
	for i := range out {
		out[i] = f(out[i])
	}
	return out
}

func (s subject) otherLineEnds() string {
	if s.crlf {
		return strings.ReplaceAll(s.content(), "\r\n", "\n")
	}
	return strings.ReplaceAll(s.content(), "\n", "\r\n")
}

// says reports whether any cited line is not blank.
func (s subject) says() bool { return strings.TrimSpace(strings.Join(s.block(), "")) != "" }

// distinctive reports whether the block says enough to be known again: this
// many letters and digits beside keywords, and it stands once in its file.
func (s subject) distinctive() bool {
	letters := 0
	for _, word := range strings.FieldsFunc(strings.Join(s.block(), " "), func(r rune) bool { return r < '0' || r > 'z' || r > '9' && r < 'A' }) {
		switch word {
		case "return", "None", "True", "False", "pass", "else", "if", "import", "from", "self", "def", "str", "not", "in", "is", "for", "try", "except", "class", "and", "or":
		default:
			letters += len(word)
		}
	}
	text := "\n" + strings.Join(s.lines, "\n") + "\n"
	return letters >= 24 && strings.Count(text, "\n"+strings.Join(s.block(), "\n")+"\n") == 1
}

// editWord changes one word or, where there is none, one sign of the line.
func editWord(line string) string {
	for _, c := range "aeiostrnl10AEIOS_" {
		if i := strings.LastIndexByte(line, byte(c)); i >= 0 {
			return line[:i] + "Q" + line[i+1:]
		}
	}
	return line + "Q"
}

// survives reports whether the block still stands, whole but for white space, in
// the cited file at head: then the mutant differs from no change in name only.
func (s subject) survives(head tree) bool {
	squeeze := func(lines []string) string {
		var b strings.Builder
		for _, l := range lines {
			if l = strings.Join(strings.Fields(l), ""); l != "" {
				b.WriteString("\n" + l)
			}
		}
		return b.String() + "\n"
	}
	return strings.Contains(squeeze(strings.Split(head[s.e.File], "\n")), squeeze(s.block()))
}
