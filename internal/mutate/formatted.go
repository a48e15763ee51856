package mutate

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/outcome"
)

// Strings on one line whose quotes mean nothing, and calls on one line.
var (
	// plainString matches a string without a quote or a backslash in it, where a string
	// can stand.
	plainString = lazy.Regexp(`([(\[{,=:] ?)('[^'"\\` + "`" + `#/]*'|"[^'"\\` + "`" + `#/]*")([)\]},;]|$)`)
	// plainCall matches a call that is a statement, with arguments of one word each.
	plainCall = lazy.Regexp(`^(\s*)((?:\w+ = )?[\w.]+)\((\w+(?:=\w+)?(?:, \w+(?:=\w+)?)*)\)(;?)$`)
)

// spelled reports whether a formatter chooses among spellings of the file's language.
func (c citation) spelled() bool {
	switch path.Ext(c.e.File) {
	case ".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

// textual reports for each line of the file whether it is, or may be, in a text of
// several lines.
func (c citation) textual() []bool {
	out, inside := make([]bool, len(c.lines)), false
	for i, line := range c.lines {
		marks := 0
		for _, m := range []string{`"""`, "'''", "`"} {
			marks += strings.Count(line, m)
		}
		out[i] = inside || marks > 0
		inside = inside != (marks%2 == 1)
	}
	return out
}

// formatted spells the whole file as another formatter would.
func (k *collector) formatted() {
	c := k.c
	if !c.spelled() {
		return
	}
	texts, out, grown := c.textual(), []string{}, []string{}
	first := c.first()
	for i, line := range c.lines {
		if texts[i] {
			out, grown = append(out, line), append(grown, line)
			continue
		}
		out = append(out, otherQuotes(line))
		wrapped := wrap(line)
		if i+1 < c.first() {
			first += len(wrapped) - 1
		}
		grown = append(grown, wrapped...)
	}
	if !slices.Equal(out, c.lines) {
		k.holds("quotes swapped in the whole file", c.file(out), outcome.Reformatted, c.e.File, c.first())
	}
	if len(grown) > len(c.lines) {
		k.out = append(k.out, mutant{kind: "arguments wrapped, a comma behind the last", head: c.file(grown), holds: true,
			state: outcome.Reformatted, file: c.e.File, first: first, count: len(k.wrappedBlock(texts))})
	}
}

// wrappedBlock is the block with its calls wrapped.
func (k *collector) wrappedBlock(texts []bool) []string {
	var out []string
	for i, line := range k.c.block() {
		if texts[k.c.first()-1+i] {
			out = append(out, line)
			continue
		}
		out = append(out, wrap(line)...)
	}
	return out
}

// wrap puts each argument of a call on a line of its own, with a comma behind it.
func wrap(line string) []string {
	m := plainCall().FindStringSubmatch(line)
	if m == nil || m[2] == "super" || statement().MatchString(m[2]) {
		return []string{line}
	}
	out := []string{m[1] + m[2] + "("}
	for arg := range strings.SplitSeq(m[3], ", ") {
		out = append(out, m[1]+"    "+arg+",")
	}
	return append(out, m[1]+")"+m[4])
}

// statement matches a word that is no function.
var statement = lazy.Regexp(`^(if|while|for|switch|catch|return|print|with|elif|assert|del|yield|await|raise|throw|in|not|and|or)$`)

// otherQuotes puts the other quotes around the first plain string of the line.
func otherQuotes(line string) string {
	at := plainString().FindStringSubmatchIndex(line)
	if at == nil || strings.ContainsAny(line[:at[4]], `'"#/`+"`") {
		return line
	}
	swap := map[byte]string{'\'': `"`, '"': "'"}
	s := line[at[4]:at[5]]
	return line[:at[4]] + swap[s[0]] + s[1:len(s)-1] + swap[s[0]] + line[at[5]:]
}

// misspelled makes the changes that only look like another spelling.
func (k *collector) misspelled() {
	c := k.c
	if !c.spelled() {
		return
	}
	texts := c.textual()
	for n := c.first(); n <= c.last(); n++ {
		line := c.lines[n-1]
		if m := plainCall().FindStringSubmatch(line); m != nil && !texts[n-1] {
			if path.Ext(c.e.File) == ".py" && strings.Contains(m[2], " = ") {
				k.breaks("a comma that makes a tuple", c.file(splice(c.lines, n, 1, line+",")))
			}
			k.breaks("an argument put in quotes", c.file(splice(c.lines, n, 1, m[1]+m[2]+`("`+m[3]+`")`+m[4])))
		}
		if at := plainString().FindStringSubmatchIndex(line); at != nil && !texts[n-1] && !strings.ContainsAny(line[:at[4]], `'"#/`+"`") && at[5]-at[4] > 2 {
			k.breaks("quotes taken from a string", c.file(splice(c.lines, n, 1, line[:at[4]]+line[at[4]+1:at[5]-1]+line[at[5]:])))
		}
	}
}
