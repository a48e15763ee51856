package mutate

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/outcome"
)

// Lines that a formatter lays out anew, and that what looks like it breaks.
var (
	// listItem matches an item of a list.
	listItem = lazy.Regexp(`^(\s*)([-*])( +\S.*)$`)
	// plainEquals matches a setting of TOML on one line.
	plainEquals = lazy.Regexp(`^([\w-]+) = (\S.*)$`)
	// plainArgument matches a call with one plain string in Python.
	plainArgument = lazy.Regexp(`^([^"'#]*\w\("[^"'\\{}#]*\S )([^"'\\{}#]+"\).*)$`)
	// twoStrings matches two plain strings that are items or arguments.
	twoStrings = lazy.Regexp(`^([^"'#]*[(\[]"[^"'\\#]*"),( "[^"'\\#]*".*)$`)
	// yamlNumber matches a value of YAML that is no text.
	yamlNumber = lazy.Regexp(`^(\s*(?:- )?[\w-]+: )(true|false|[0-9]+)$`)
	// yamlKey matches a line of YAML that begins with a key.
	yamlKey = lazy.Regexp(`^\s+[\w-]+:( |$)`)
	// heading matches a heading of Markdown.
	heading = lazy.Regexp(`^#{1,5} \S`)
)

// reformatted lays the whole file out anew as a formatter of its language would.
func (k *collector) reformatted() {
	c := k.c
	texts := c.textual()
	switch path.Ext(c.e.File) {
	case ".yml", ".yaml":
		if !strings.ContainsAny(c.text, "|>\t\"'") { // no text of several lines
			k.relaid("indented twice as deep", twiceAsDeep)
		}
	case ".md":
		if !strings.Contains(c.text, "```") && !strings.Contains(c.text, "~~~") {
			k.relaid("another sign for the items of lists", otherItem)
		}
	case ".toml":
		if !slices.Contains(texts, true) {
			k.relaid("no blanks around equals signs", func(line string) string { return plainEquals().ReplaceAllString(line, "$1=$2") })
		}
	case ".py":
		if out := slices.Clone(c.lines); !slices.Contains(texts[c.first()-1:c.last()], true) {
			for n := range out {
				if !texts[n] {
					out[n] = plainArgument().ReplaceAllString(out[n], `$1" "$2`)
				}
			}
			if !slices.Equal(out, c.lines) {
				k.holds("strings cut in two", c.file(out), outcome.Reformatted, c.e.File, c.first())
			}
		}
	}
}

// relaid changes the layout of every line.
func (k *collector) relaid(kind string, f func(string) string) {
	out := slices.Clone(k.c.lines)
	for i := range out {
		out[i] = f(out[i])
	}
	if !slices.Equal(out, k.c.lines) {
		k.holds(kind, k.c.file(out), outcome.Reformatted, k.c.e.File, k.c.first())
	}
}

// twiceAsDeep indents a line of YAML by as much again.
func twiceAsDeep(line string) string {
	margin := marginOf(line)
	rest := strings.TrimPrefix(line, margin)
	if item, ok := strings.CutPrefix(rest, "- "); ok {
		rest = "-   " + item
	}
	return margin + margin + rest
}

// otherItem puts the other sign before an item.
func otherItem(line string) string {
	m := listItem().FindStringSubmatch(line)
	if m == nil || strings.Trim(line, " *-") == "" {
		return line
	}
	return m[1] + map[string]string{"-": "*", "*": "-"}[m[2]] + m[3]
}

// misread makes changes that only look like another layout.
func (k *collector) misread() {
	c := k.c
	texts := c.textual()
	ext := path.Ext(c.e.File)
	for n := c.first(); n <= c.last(); n++ {
		line := c.lines[n-1]
		put := func(kind, with string) {
			if with != line {
				k.breaks(kind, c.file(splice(c.lines, n, 1, with)))
			}
		}
		switch {
		case ext == ".py" && !texts[n-1]:
			put("a comma between two strings dropped", twoStrings().ReplaceAllString(line, "$1$2"))
		case ext == ".yml" || ext == ".yaml":
			if strings.ContainsAny(c.text, "|>") {
				continue
			}
			put("quotes that make a text of a value", yamlNumber().ReplaceAllString(line, `$1"$2"`))
			if up := c.keyAbove(n); up != "" && yamlKey().MatchString(line) {
				put("a key slipped out of its mapping", up+strings.TrimLeft(line, " "))
			}
		case ext == ".md" && heading().MatchString(line) && !strings.Contains(c.text, "```"):
			put("a heading a level deeper", "#"+line)
		}
	}
}

// keyAbove is the margin of the key right above that the line stands under, or "".
func (c citation) keyAbove(n int) string {
	if n < 2 {
		return ""
	}
	up, margin := c.lines[n-2], marginOf(c.lines[n-1])
	if yamlKey().MatchString(up) && strings.HasSuffix(up, ":") && len(marginOf(up)) < len(margin) {
		return marginOf(up)
	}
	return ""
}
