package syntax

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/linemap"
)

func squeeze(b []byte) string {
	return string(bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\f\v\n", r) {
			return -1
		}
		return r
	}, bytes.ToValidUTF8(b, []byte("?"))))
}

// bare is the text without white space and without whatever a formatter may choose.
func bare(b []byte) string {
	chosen := strings.NewReplacer(`\`, "", `'`, "", `"`, "", ",", "", ";", "", "(", "", ")", "", "|", "", "u", "", "U", "", "f", "", "F", "", "{", "", "}", "", string(markGlue), "", byteOrderMark, "")
	return strings.ToLower(squeeze([]byte(chosen.Replace(string(b))))) // squeezed last: what is no text is told in what is left
}

// plainOf is the text with every line in its canonical form.
func plainOf(l *Language, t *linemap.Text) string {
	var out []string
	for n := 1; n <= t.Len(); n++ {
		out = append(out, string(l.canon(t.Line(n))))
	}
	return strings.Join(out, "\n")
}

func TestCanon(t *testing.T) {
	for _, c := range []struct{ file, line, want string }{
		{"a.py", "\tx = f( a,b )  \r", "x=f(a,b)"},
		{"a.py", "not  a", "not a"},
		{"a.py", "f( 'a  b' , \"c \\\" d\" )", "f('a  b',\"c \\\" d\")"},
		{"a.py", "x = 1  #  why   so", "x=1# why so"},
		{"a.py", "don't  'x  ", "don't  'x"},
		{"a.yaml", "key:   value  # c", "key: value # c"},
		{"a.go", "a <- b", "a<-b"},
		{"a.go", "a < -b", "a< -b"},
		{"a.ts", "x.replace(/a  b/, c)", "x.replace(/a  b/, c)"},
		{"a.ts", "a  /* b */ c", "a/*b*/c"},
		{"a.ts", "x = 1 / 2 + 3 / y", "x=1/2+3/y"},
		{"a.ts", "x = 1 / 2, f( /a  b/ )", "x = 1 / 2, f( /a  b/ )"},
		{"a.ts", "x1 /a  b/", "x1 /a  b/"},
		{"a.c", "#define  A (x)", "#define A (x)"},
		{"a.unknown", "a  -  b", "a - b"},
		{"a.py", "   ", ""},
	} {
		assert.Equal(t, c.want, string(Of(c.file).canon([]byte(c.line))), "%s: %q", c.file, c.line)
	}
}

func TestShape(t *testing.T) {
	blanks := func(widths ...int) [][]byte {
		out := make([][]byte, len(widths))
		for i, w := range widths {
			out[i] = bytes.Repeat([]byte(" "), w)
		}
		return out
	}
	for _, c := range []struct {
		a, b [][]byte
		same bool
	}{
		{blanks(0, 4, 8, 4), blanks(0, 2, 4, 2), true},
		{blanks(4, 8), blanks(0, 4), true},
		{blanks(0, 4, 4), blanks(0, 4, 0), false},
		{blanks(0, 4, 2), blanks(0, 8, 4), false}, // falls back to a level of its own
		{blanks(4, 0, 4), blanks(8, 0, 8), false}, // steps outside the first line cannot be counted
		{blanks(4, 0, 4), blanks(8, 4, 8), true},  // but a constant can
		{[][]byte{[]byte("\t"), []byte("\t\t")}, blanks(4, 8), true},
		{blanks(0), blanks(0, 0), false},
	} {
		assert.Equal(t, c.same, pythonLike.SameIndent(c.a, c.b), "%q %q", c.a, c.b)
	}
}

// Taking the layout away loses nothing but white space, and twice is once.
func FuzzLayout(f *testing.F) {
	f.Add("a.py", "if a:\n    b( 'x  y' )\n\n# c\n")
	f.Add("a.ts", "return\n  x /* y */\n")
	f.Add("a.md", "# T\n\n- a\n  b\n```\ncode\n```\n")
	f.Add("a.py", "x = ('a '\n  f'{b}')\n")
	f.Add("a.cs", "\ufeffusing A;\n\n") // a byte order mark, and a blank last line
	f.Add("Makefile", "all:\n\tgo test\n")
	f.Add("a.py", "0\xd40\x01\xd4\x01\x01\n\x01\x01\x01\x01\x01\x9d\x9d0") // the mark of the spelling in a text
	f.Add("a.ts", ")00\xf2P\xb6\xf0;\xb75:0 0")                            // bytes that are no text, a semicolon between two
	f.Fuzz(func(t *testing.T, name, content string) {
		l := Of(name)
		content = content[:min(len(content), 4096)]
		d := textOf(name, content)
		text := d.Text
		for n := 1; n <= text.Len(); n++ {
			line := l.canon(text.Line(n))
			require.Equal(t, squeeze(text.Line(n)), squeeze(line))
			if !bytes.HasSuffix(line, []byte{'\r'}) { // a CR before blanks counts, one at the end is the line's
				require.Equal(t, string(line), string(l.canon(line)), "twice")
			}
			if e := d.Inside(n); e.Name != "" {
				require.True(t, e.First < n && n <= e.Last && e.Last <= text.Len())
			}
		}
		if text.Len() == 0 {
			return
		}
		spelled := d.Spelled()
		require.Equal(t, text.Len(), spelled.Len())
		for n := 1; n <= text.Len(); n++ {
			if utf8.Valid(text.Line(n)) {
				require.Equal(t, bare(text.Line(n)), bare(spelled.Line(n)), "spelling keeps the words of a line")
			}
		}
		for _, l := range []*Language{l, {joins: joinAlways}} {
			out := d.Layout(l, 1, text.Len())
			if l.joins == joinAlways {
				spelled = text
			}
			glued, laid := spelled.Lines(1, text.Len()), out.Text
			if !strings.Contains(content, string(markGlue)) {
				glued, laid = bytes.ReplaceAll(glued, []byte{markGlue}, nil), bytes.ReplaceAll(laid, []byte{markGlue}, nil)
			}
			require.Equal(t, squeeze(glued), squeeze(laid))
			require.True(t, l.SameLayout(out, out))
			for _, p := range out.Lines {
				first, last := out.LinesAt(p.From, p.To)
				require.Equal(t, p.Line, first)
				require.Equal(t, p.Line, last)
				require.True(t, out.EndsAt(p.To))
			}
		}
	})
}

func textOf(name, content string) *Document {
	return New(name, linemap.Split([]byte(content)))
}

func BenchmarkCanon(b *testing.B) {
	line := []byte("        self.docker_client = docker.from_env( timeout = 60 )  # the daemon")
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		pythonLike.canon(line)
	}
}

// What stood on either side of something that is left out stays apart: else a
// formatter's choice would hide another program.
func TestSpellingJoinsNothing(t *testing.T) {
	for _, c := range []struct{ file, one, other string }{
		{"a.ts", "check;deny()\n", "checkdeny()\n"},
		{"a.ts", "x = 0;xff\n", "x = 0xff\n"},
		{"a.ts", "x = a;'use strict'\n", "x = a'use strict'\n"},
		{"a.ts", "f = async(a)=>b\n", "f = asynca=>b\n"},
		{"a.ts", "return(x)\n", "returnx\n"},
		{"a.ts", "x = y?(a):b\n", "x = y?a:b\n"}, // no choice of ours, but the same program
		{"a.py", "return(x)\n", "returnx\n"},
		{"a.py", "x = a if(b)else c\n", "x = a ifb else c\n"},
		{"a.py", "for x in(y):\n    f(x)\n", "for x iny:\n    f(x)\n"},
	} {
		one, other := textOf(c.file, c.one), textOf(c.file, c.other)
		same := plainOf(one.Lang, one.Spelled()) == plainOf(other.Lang, other.Spelled())
		assert.Equal(t, c.one == "x = y?(a):b\n", same, "%q and %q", c.one, c.other)
	}
	for _, c := range [][2]string{{"return(x)\n", "return x\n"}, {"f = async(a)=>b\n", "f = async a=>b\n"}, {"f();g()\n", "f() ;g()\n"}} {
		one, other := textOf("a.ts", c[0]), textOf("a.ts", c[1])
		assert.Equal(t, plainOf(one.Lang, one.Spelled()), plainOf(other.Lang, other.Spelled()), "%q", c)
	}
}

// Whatever a text holds, its reading has as many lines, and what is read is there.
func FuzzRead(f *testing.F) {
	f.Add("a.yml", "a: &b\n  - 'c\n\n    d'\n  - |+\n    e\n\n# f\n---\n{g: [h,\n  i]}\n")
	f.Add("a.css", "@media (a:b){c>d,e{f:.50 #FFF/*g*/}}\n")
	f.Add("a.scss", "$a: (b: #{c}, d: 'e',); // f\n")
	f.Add("a.c", "#define A(b) \\\n \"c\" \"d\" // e\n/* f\n * g */ h->i >>= 1.5e+3;\n")
	f.Add("a.md", "# A\n\n> - b\n>   c `d`\n\n```js\ne('f')\n```\n| g |\n|---|\n| _h_ |\n<!-- i -->\n")
	f.Add("a.sh", "f() {\n case $1 in\n a) x=$(g `h`) ;; # i\n esac <<-E >&2\n\tj\nE\n}\n")
	f.Add("a.toml", "[[a]]\n\"b\".c = [1, # d\n 'e', \"\"\"f\n\"\"\"]\n")
	f.Add("a.java", "class A { char b = 'c'; }\n")
	f.Fuzz(func(t *testing.T, name, content string) {
		d := textOf(name, content[:min(len(content), 4096)])
		if d.Lang.reads == nil || d.Text.Len() == 0 || d.Reading() == nil {
			return
		}
		require.Equal(t, d.Text.Len(), d.reading.Len())
		all := d.ReadingLayout(1, d.Text.Len())
		for n := 1; n <= d.Text.Len(); n++ {
			lo, hi := all.Span(n, n)
			require.Equal(t, string(d.reading.Line(n)), string(all.Text[lo:hi]))
		}
	})
}
