package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// delimiter opens and ends a comment or a string that may be several lines long.
type delimiter struct {
	open, end string
	comment   bool
	escapes   bool // a backslash keeps the byte after it from ending it
	nests     bool // one inside another has to be ended as well
	column    bool // both marks count at the start of a line only
	toEnd     bool // what does not end ends with the file
	holes     bool // "${" up to "}" inside is code
}

// CommentName is what an enclosure that is no string is called.
const CommentName = "a comment"

// Enclosure is a comment or a string of several lines.
type Enclosure struct {
	Name        string // CommentName, "a string" or "a here-document"
	First, Last int    // the lines on which it opens and ends
}

// scanner walks over a text once and finds its enclosures.
type scanner struct {
	lang  *Language
	s     []byte
	hot   [256]bool // bytes at which something may begin
	ends  lineEnds
	nest  brackets
	steps int // see past
}

// enclosures lists the comments and strings of several lines, in order. One that
// never ends is left out, with all that follows it: what is inside of what cannot
// be told from there on. Its first line is returned as open, 0 when there is none.
// Where brackets tell what lines stand under, they are returned too.
func (l *Language) enclosures(t *linemap.Text) (out []Enclosure, nest brackets, open int) {
	if t.Len() == 0 || len(l.spans) == 0 && !l.heredoc && !l.brackets() {
		return l.blockScalars(t), nest, 0
	}
	sc := l.scanner(t)
	line, counted := 1, 0 // the line of offset counted
	lineAt := func(i int) int {
		line += bytes.Count(sc.s[counted:i], []byte{'\n'})
		counted = i
		return line
	}
	for i := 0; i < len(sc.s); {
		c := sc.s[i]
		if l.brackets() && IsBracket(c) {
			sc.nest.meet(c, lineAt(i))
		}
		if !sc.hot[c] {
			i++
			continue
		}
		name, to := sc.next(i)
		if to < 0 {
			return out, sc.nest, lineAt(i)
		}
		if name != "" && bytes.IndexByte(sc.s[i:to], '\n') >= 0 {
			out = append(out, Enclosure{name, lineAt(i), lineAt(to)})
		}
		i = to
	}
	return out, sc.nest, 0
}

// scanner returns one that stands at the start of the text, which is not empty.
func (l *Language) scanner(t *linemap.Text) *scanner {
	sc := &scanner{lang: l, s: t.Lines(1, t.Len()), ends: lineEnds{s: t.Lines(1, t.Len())}, nest: brackets{inner: -1, open: map[byte]int{}}, steps: holeSteps * t.Size()}
	for _, mark := range append(slices.Clone(l.also), l.comment, `"`, `'`, "`", `\`, `/`, `<<`, `R`, `%`, `$`) {
		if mark != "" {
			sc.hot[mark[0]] = true
		}
	}
	for _, d := range l.spans {
		sc.hot[d.open[0]] = true
	}
	return sc
}

// brackets reports whether the brackets of the language have to be known.
func (l *Language) brackets() bool { return l.nests == nestBrackets || l.joins == joinBrackets }

// next looks at one place in the text: it returns the offset just past what
// begins there, or -1 when that never ends, and its name when it may be several
// lines long.
func (sc *scanner) next(i int) (name string, to int) {
	rest := sc.s[i:]
	if sc.lang.percent && i > 0 && IsQuote(sc.s[i]) && (sc.s[i-1] == '?' || sc.s[i-1] == '$') {
		return "", i + 1 // a character, or the name of a variable
	}
	for _, d := range sc.lang.spans {
		if bytes.HasPrefix(rest, []byte(d.open)) && (!d.column || i == 0 || sc.s[i-1] == '\n') && !sc.partOfWord(i, d.open) {
			if d.comment {
				return CommentName, d.past(sc.s, i, &sc.steps)
			}
			return "a string", d.past(sc.s, i, &sc.steps)
		}
	}
	switch {
	case sc.lang.raw && sc.s[i] == 'R' && !sc.partOfWord(i, "R"):
		return sc.rawString(i)
	case sc.lang.commentAt(sc.s, i):
		return "", sc.ends.of(i)
	case sc.lang.heredoc && bytes.HasPrefix(rest, []byte("<<")):
		return sc.hereDocument(i)
	case sc.lang.percent && sc.s[i] == '%':
		return sc.percentLiteral(i)
	case sc.lang.dollars && sc.s[i] == '$':
		return sc.dollarQuoted(i)
	case sc.s[i] == '\\':
		return "", min(i+2, len(sc.s))
	case sc.lang.slashes && sc.s[i] == '/' && opensPattern(sc.s, i):
		return sc.pattern(i)
	case sc.s[i] == '\'' && sc.lang.chars:
		return "", i + max(1, len(charLiteral().Find(rest[:min(len(rest), maxChar)])))
	case (sc.lang.spacing || sc.lang.nests == nestBrackets) && (sc.s[i] == '"' || sc.s[i] == '\''):
		return "", i + StringEnd(sc.s[i:sc.ends.of(i)], 0)
	}
	return "", i + 1
}

// partOfWord reports whether a mark that begins with a letter, such as r", is
// only the end of a longer word.
func (sc *scanner) partOfWord(i int, mark string) bool {
	return mark[0] >= 'A' && i > 0 && IsWordByte(sc.s[i-1])
}

// maxChar bounds a character's literal, in bytes.
const maxChar = 16

// charLiteral matches a literal of one character, which a lifetime or a
// separator of digits is not.
var charLiteral = lazy.Regexp(`^'(\\[^\n][^'\n]{0,9}|[^'\\\n])'`)

// commentAt reports whether a comment to the end of the line begins at i. A hash
// has to stand apart from the word before it, but for languages where it cannot
// be part of one; "#[" is an attribute.
func (l *Language) commentAt(s []byte, i int) bool {
	if l.marks(l.comment, s, i) {
		return true
	}
	for _, mark := range l.also {
		if l.marks(mark, s, i) {
			return true
		}
	}
	return false
}

func (l *Language) marks(mark string, s []byte, i int) bool {
	if mark == "" || !bytes.HasPrefix(s[i:], []byte(mark)) {
		return false
	}
	if mark != "#" || l.joins == joinBrackets {
		return true
	}
	apart := i == 0 || bytes.IndexByte([]byte(" \t\n\r;(){}"), s[i-1]) >= 0
	return apart && !(l.spacing && at(s, i+1) == '[')
}

// beforePattern matches what a pattern between slashes may follow; after a word
// or a closing bracket a slash divides.
var beforePattern = lazy.Regexp(`(^|[(,=:\[!&|?{};+~^%>*-]|\b(return|typeof|case|in|of|void|delete|await|yield|when|if|elsif|and|not))[ \t]*$`)

// maxBefore is how many bytes before a slash are looked at.
const maxBefore = 32

// opensPattern reports whether the slash at i opens a pattern.
func opensPattern(s []byte, i int) bool {
	before := s[max(0, i-maxBefore):i]
	text := bytes.TrimRight(before, Blanks)
	if c := at(text, len(text)-1); IsWordByte(c) && bytes.IndexByte([]byte("defnt"), c) < 0 {
		return false // no word of those ends so
	}
	return beforePattern().Match(before[bytes.LastIndexByte(before, '\n')+1:])
}

// pattern returns the end of the pattern that opens at i, as next does. What is looked
// at for nothing is taken off the steps.
func (sc *scanner) pattern(i int) (name string, to int) {
	if to = patternEnd(sc.s, i); to == i+1 {
		if sc.steps -= sc.ends.of(i) - i; sc.steps < 0 {
			return "", -1
		}
	}
	return "", to
}

// patternEnd returns the offset just past the pattern that opens at i, or past
// the slash when none ends on the line.
func patternEnd(s []byte, i int) int {
	class := false
	for j := i + 1; j < len(s) && s[j] != '\n'; j++ {
		switch s[j] {
		case '\\':
			j++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return j + 1
			}
		}
	}
	return i + 1
}

func endOfLine(s []byte, i int) int {
	if n := bytes.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// lineEnds tells where the lines of a text end. The end of a line is looked for once,
// however many tokens stand on it.
type lineEnds struct {
	s        []byte
	from, to int // from here up to here it is known to be the latter, less one
}

// of is where the line of the offset ends.
func (l *lineEnds) of(i int) int {
	if i < l.from || i >= l.to {
		l.from, l.to = i, endOfLine(l.s, i)+1
	}
	return l.to - 1
}

func (d *Document) scan() {
	if !d.scanned {
		d.scanned = true
		d.enclosures, d.nest, d.open = d.Lang.enclosures(d.Text)
	}
}

// Inside returns what the line begins inside of; its name is "" in plain code.
func (d *Document) Inside(line int) Enclosure {
	e := d.Touching(line)
	if e.First < line {
		return e
	}
	return Enclosure{}
}

// Touching returns the first comment or string of several lines that the line is
// part of; its name is "" when it is part of none.
func (d *Document) Touching(line int) Enclosure {
	d.scan()
	i, _ := slices.BinarySearchFunc(d.enclosures, line, func(e Enclosure, n int) int { return cmp.Compare(e.Last, n) })
	if i < len(d.enclosures) && d.enclosures[i].First <= line {
		return d.enclosures[i]
	}
	return Enclosure{}
}
