package mutate

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// surroundings leaves the lines as they are and changes what they stand under or
// behind, so that they do something else, or nothing.
func (k *collector) surroundings() {
	c := k.c
	if c.plain() {
		k.off("put under a condition", c.conditioned())
		if !definitions().MatchString(c.lines[c.first()-1]) {
			k.off("put behind a return", splice(c.lines, c.first(), 0, c.margin()+c.returns()))
			k.off("put behind a return that a line break hides", splice(c.lines, c.first(), 0, c.margin()+commentOf(c.e.File)+" added\r"+c.margin()+c.returns()))
		}
		if next, ok := c.nextStatement(); ok {
			k.off("block moved past the next statement", splice(splice(c.lines, c.last()+1, 1), c.first(), 0, next))
		}
	}
	if line, ok := c.again(); ok {
		k.off("another meaning given below", append(slices.Clone(c.lines), line))
	}
	if name, ok := c.defined(); ok {
		k.off("what they stand in given another meaning below", append(slices.Clone(c.lines), name+" = added()"))
	}
	if header, ok := c.header(); ok {
		k.off("a header added above", splice(c.lines, c.first(), 0, header))
		k.off("block moved under another header", append(append(c.without(), header), c.block()...))
	}
	if path.Base(c.e.File) == "Dockerfile" && c.inLastStage() && !c.inText() {
		k.off("a stage added below", splice(c.lines, c.last()+1, 0, "FROM added"))
	}
}

// setting matches an assignment at the margin of a module.
var setting = lazy.Regexp(`^([A-Za-z_]\w*) = [^=]`)

// again is a line that gives another meaning to what the first cited line names,
// where nothing below does.
func (c citation) again() (string, bool) {
	line := c.lines[c.first()-1]
	later := func(start string) bool {
		return slices.ContainsFunc(c.lines[c.first():], func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), start) })
	}
	switch m := setting().FindStringSubmatch(line); {
	case path.Ext(c.e.File) == ".py" && m != nil && !later(m[1]) && c.plain():
		return m[1] + " = added()", true
	case path.Base(c.e.File) == "Dockerfile" && strings.HasPrefix(line, "USER ") && !later("USER ") && !later("FROM "):
		return "USER added", true
	}
	return "", false
}

// definedAt matches a function or a class at the margin of a module of Python.
var definedAt = lazy.Regexp(`^(?:async )?(?:def|class) (\w+)`)

// defined is the name of the function or the class at the margin that the block stands
// in, where nothing below may name it again.
func (c citation) defined() (string, bool) {
	if path.Ext(c.e.File) != ".py" || !c.plain() || c.margin() == "" {
		return "", false
	}
	for n := c.first() - 2; n >= 0; n-- {
		if line := c.lines[n]; strings.TrimSpace(line) == "" || marginOf(line) != "" {
			continue
		}
		m := definedAt().FindStringSubmatch(c.lines[n])
		if m == nil {
			return "", false
		}
		again := func(l string) bool { return marginOf(l) == "" && strings.Contains(l, m[1]) }
		return m[1], !slices.ContainsFunc(c.lines[c.last():], again)
	}
	return "", false
}

func (k *collector) off(kind string, lines []string) {
	k.out = append(k.out, mutant{kind: kind, head: k.c.file(lines), off: true})
}

// conditioned is the file with the block under a condition.
func (c citation) conditioned() []string {
	deeper := func(l string) string { return "    " + l }
	if path.Ext(c.e.File) == ".py" {
		return splice(c.lines, c.first(), c.count(), append([]string{c.margin() + "if added_flag:"}, c.each(deeper)...)...)
	}
	with := append([]string{c.margin() + "if (added_flag) {"}, c.each(deeper)...)
	return splice(c.lines, c.first(), c.count(), append(with, c.margin()+"}")...)
}

func (c citation) returns() string {
	if ext := path.Ext(c.e.File); ext == ".py" || ext == ".go" {
		return "return"
	}
	return "return;"
}

// definitions begins a block whose place among others means nothing.
var definitions = lazy.Regexp(`^\s*(@|(export |async |public |private |static |pub )*(def|class|func|function|fn|import|from|use|package)\b)`)

// function matches a header under which one statement follows another.
var function = lazy.Regexp(`^(async )?def .*:$|\) \{$`)

// nextStatement is the line below the block, when it is a statement beside it in a
// function.
func (c citation) nextStatement() (string, bool) {
	head, ok := c.above()
	if !ok || !function().MatchString(head) || definitions().MatchString(c.lines[c.first()-1]) || c.last() >= len(c.lines) {
		return "", false
	}
	next := c.lines[c.last()]
	depth, low := brackets([]string{next})
	twice := strings.Count("\n"+c.text, "\n"+next) != 1 || strings.Contains(strings.Join(c.block(), "\n"), next)
	if marginOf(next) != c.margin() || !begins().MatchString(next) || continues().MatchString(next) || depth != 0 || low < 0 || twice || strings.HasSuffix(next, ":") {
		return "", false
	}
	return next, c.last()+1 >= len(c.lines) || len(marginOf(c.lines[c.last()+1])) <= len(c.margin())
}

// header is a line that heads what follows it as the one above the block does, in
// files in which that is a part of what the lines say.
func (c citation) header() (string, bool) {
	if strings.HasPrefix(strings.TrimSpace(c.lines[c.first()-1]), "#") {
		return "", false // a comment says the same under any header
	}
	switch ext := path.Ext(c.e.File); ext {
	case ".yml", ".yaml":
		return c.key()
	case ".toml", ".ini":
		return "[added]", slices.ContainsFunc(c.lines[:c.first()-1], func(l string) bool { return strings.HasPrefix(l, "[") })
	}
	return "", false
}

// key is a key beside the one that the block stands under, when only keys are above
// it.
func (c citation) key() (string, bool) {
	depth, margin := len(c.shallowest()), ""
	first := strings.TrimSpace(c.lines[c.first()-1])
	if depth == 0 || c.shallowest() != c.margin() || strings.HasPrefix(first, "-") {
		return "", false
	}
	found := false
	for n := c.first() - 2; n >= 0 && depth > 0; n-- {
		line := c.lines[n]
		if strings.TrimSpace(line) == "" || len(marginOf(line)) >= depth {
			continue
		}
		if text := strings.TrimSpace(line); !strings.HasSuffix(text, ":") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "#") {
			return "", false
		}
		if !found {
			margin, found = marginOf(line), true
		}
		depth = len(marginOf(line))
	}
	return margin + "added_parent:", found
}

// stage reports whether the line begins a stage of a Dockerfile.
func stage(line string) bool { return strings.HasPrefix(line, "FROM ") }

func (c citation) inLastStage() bool {
	return slices.ContainsFunc(c.lines[:c.last()], stage) && !slices.ContainsFunc(c.lines[c.last():], stage) &&
		!strings.HasSuffix(c.lines[c.last()-1], "\\")
}

// positional reports whether what lines stand under is a part of what they say.
func (c citation) positional() bool {
	switch path.Ext(c.e.File) {
	case ".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".json", ".tf":
		return true
	}
	return strings.HasPrefix(path.Base(c.e.File), "Dockerfile")
}

// shapes reports whether the line above the block may tell what the block stands
// under: it is indented less, opens or ends something, or heads a section.
func (c citation) shapes(n int) bool {
	line := c.lines[n-1]
	return n < c.first() && len(marginOf(line)) < len(c.margin()) || strings.ContainsAny(line, "[]{}") || strings.HasPrefix(line, "FROM ") || strings.HasPrefix(line, "---")
}

// keyed reports whether the block stands under a key of YAML or in a text of it, and no
// longer does when all above is replaced.
func (c citation) keyed() bool {
	if ext := path.Ext(c.e.File); ext != ".yml" && ext != ".yaml" {
		return false
	}
	for n := 1; n < c.first(); n++ {
		line := c.lines[n-1]
		beside := marginOf(line) == c.shallowest() && !strings.HasPrefix(line[len(marginOf(line)):], "-")
		if c.shapes(n) && strings.TrimSpace(line) != "" || beside && strings.HasPrefix(strings.TrimSpace(c.lines[c.first()-1]), "- ") {
			return true
		}
	}
	return false
}

// deeperBelow reports whether in YAML one of the next lines stands deeper than the last of
// the block: without the line between them it goes on with the block's value.
func (c citation) deeperBelow() bool {
	if ext := path.Ext(c.e.File); ext != ".yml" && ext != ".yaml" {
		return false
	}
	margin, left := len(marginOf(c.lines[c.last()-1])), 2
	for _, line := range c.lines[c.last():] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(marginOf(line)) > margin {
			return true
		}
		if left--; left == 0 {
			break
		}
	}
	return false
}

// standsAlone reports whether where the block stands is no part of what it says:
// it is in a program or a document and no part of a value or a call.
func (c citation) standsAlone() bool {
	if c.positional() {
		return false
	}
	head, ok := c.above()
	return !ok || !valueOpens().MatchString(head)
}

// valueOpens matches the end of a line that opens a value or a call.
var valueOpens = lazy.Regexp(`[\[(,]$|(^|[^)\w ]|\breturn) ?\{$`)

// home is what the block stands under at the end of the file.
func (c citation) home() []string {
	switch ext := path.Ext(c.e.File); {
	case ext == ".py" && c.shallowest() != "":
		return []string{"", "def added_helper():"}
	case ext == ".go":
		return []string{"func addedHelper() {"}
	case byBraces[ext]:
		return []string{"function addedHelper() {"}
	case ext == ".sh":
		return []string{"added_helper() {"}
	}
	return []string{c.fresh(1)}
}
