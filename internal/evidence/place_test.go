package evidence

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/syntax"
)

func documentOf(name, content string) *document {
	return &document{Document: syntax.New(name, linemap.Split([]byte(content)))}
}

// words is the text without white space and without whatever a formatter may choose.
func words(b []byte) string {
	chosen := strings.NewReplacer(`\`, "", `'`, "", `"`, "", ",", "", ";", "", "(", "", ")", "", "|", "", "u", "", "U", "", "f", "", "F", "", "{", "", "}", "", "\x01", "", "\ufeff", "")
	valid := strings.ToValidUTF8(chosen.Replace(string(b)), "?") // what is no text is told in what is left
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\f\v\n", r) {
			return -1
		}
		return r
	}, valid))
}

// Whatever two texts hold, an answer comes, and a place that it names is there.
func FuzzPlace(f *testing.F) {
	f.Add("a.py", "a\nb\nc\n", "a\nx\nb\nc\n", 2, 3)
	f.Add("a.ts", "f(a,\n b)\n", "f(a, b)\n", 1, 2)
	f.Add("a.cs", "\ufeffusing A;\n\n", "using A;\n \n", 1, 1)
	f.Add("a.md", "one\ntwo\n", "one two\n", 1, 2)
	f.Add("a.yml", "a:\n- 'b'\n", "a:\n  - \"b\"\n", 1, 2)
	f.Add("a.css", "a{b:.5}\n", "a {\n  b: 0.5;\n}\n", 1, 1)
	f.Add("a.c", "#define A \\\n 1\n", "#define A 1\n", 1, 2)
	f.Fuzz(func(t *testing.T, name, old, new string, first, last int) {
		p := &pair{old: documentOf(name, old), new: documentOf(name, new)}
		if !p.old.Text.Has(first, last) {
			return
		}
		block := words(p.old.Text.Lines(first, last))
		if got := p.place(first, last); got.standing == standsExact || got.standing == standsLaidOut && block != "" {
			require.True(t, p.new.Text.Has(got.first, got.last))
			if read := p.placeRead(first, last); read.standing != standsNot && read == got {
				require.Contains(t, string(p.new.ReadingLayout(got.first, got.last).Text), string(p.old.ReadingLayout(first, last).Text))
			} else {
				require.Contains(t, words(p.new.Text.Lines(got.first, got.last)), block)
			}
		}
		if r := p.correspond(first, last); r.found() {
			require.True(t, p.new.Text.Has(r.first, r.last), "%+v", r)
			require.LessOrEqual(t, r.share, 1.0)
		}
	})
}
