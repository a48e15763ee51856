package ignore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search/ignore"
)

func TestGlob(t *testing.T) {
	for _, tc := range []struct {
		glob, yes, no string // paths separated by spaces
	}{
		{"**/*.py", "a.py d/a.py .py d/.py", "a.pyc a.py/b"},
		{"*.py", "a.py .py", "d/a.py"},
		{"**/a", "a d/a d/e/a", "b ab a/b"},
		{"a/**", "a/b a/b/c a/", "a b/a"},
		{"a/**/b", "a/b a/c/b a/c/d/b", "a/bc ab a/cb"},
		{"**", "a a/b", ""},
		{"a**b", "ab axb", "a/b"},
		{"?", "a", "é / ab"},
		{"??", "é ab", "a"},
		{"[ab]c", "ac bc", "cc abc"},
		{"[!ab]c", "cc /c", "ac"},
		{"[^ab]c", "cc", "ac"},
		{"[]a]", "] a", "b"},
		{"[a-]", "a -", "b"},
		{"[a-c]", "a b c", "d"},
		{"{a,b}.c", "a.c b.c", "c.c {a,b}.c"},
		{"{a,}b", "ab", "b"},
		{"a}", "a", "a}"},
		{`\*`, "*", "a"},
		{`\{a\}`, "{a}", "a"},
		{"a.", "a.", "a"},
		{"**/a.", "", "a. d/a."},
		{"**/*.", "", "a."},
	} {
		g, err := ignore.ParseGlob(tc.glob, false)
		require.NoError(t, err, tc.glob)
		for _, p := range strings.Fields(tc.yes) {
			assert.True(t, g.Match(p), "%s matches %s", tc.glob, p)
		}
		for _, p := range strings.Fields(tc.no) {
			assert.False(t, g.Match(p), "%s does not match %s", tc.glob, p)
		}
	}
	folded, err := ignore.ParseGlob("**/a[b-d]É.Py", true)
	require.NoError(t, err)
	assert.True(t, folded.Match("d/ACÉ.pY"))
	assert.False(t, folded.Match("acé.py"), "only ASCII folds")
}

func TestGlobErrors(t *testing.T) {
	for glob, want := range map[string]string{
		"[a": "unclosed character class", "{a": "unclosed alternates", "{a,{b}}": "within alternates", `a\`: "backslash at the end",
		"[b-a]": "invalid range", "[à-ü]": "outside ASCII", "\xff": "not valid UTF-8", strings.Repeat("a", 5000): "longer than",
	} {
		_, err := ignore.ParseGlob(glob, false)
		assert.ErrorContains(t, err, want, "%.20s", glob)
	}
}

func TestRules(t *testing.T) {
	r, err := ignore.ParseRules([]byte("# comment\n\n*.log\n!keep.log\r\nbuild/\n/top\nsub/x\n[\n\\#odd\ntrailing   \nspace\\ \n"), false)
	require.NoError(t, err)
	for _, tc := range []struct {
		path string
		dir  bool
		want ignore.Verdict
	}{
		{"a.log", false, ignore.Ignore}, {"d/a.log", false, ignore.Ignore}, {"keep.log", false, ignore.Include}, {"d/keep.log", false, ignore.Include},
		{"build", true, ignore.Ignore}, {"build", false, ignore.None}, {"d/build", true, ignore.Ignore}, {"top", false, ignore.Ignore}, {"d/top", false, ignore.None},
		{"sub/x", false, ignore.Ignore}, {"d/sub/x", false, ignore.None}, {"#odd", false, ignore.Ignore}, {"trailing", false, ignore.Ignore}, {"space ", false, ignore.Ignore}, {"comment", false, ignore.None},
	} {
		assert.Equal(t, tc.want, r.Match(tc.path, tc.dir), tc.path)
	}
	cut, err := ignore.ParseRules([]byte("a\n\xff\nb\n"), false)
	require.NoError(t, err)
	assert.Equal(t, ignore.None, cut.Match("b", false), "nothing counts after a line that is no UTF-8")
	_, err = ignore.ParseRules([]byte("a\n[à-ü]\n"), false)
	assert.ErrorContains(t, err, "line 2")
	_, err = ignore.ParseRules([]byte(strings.Repeat("a\n", ignore.MaxRules+1)), false)
	assert.ErrorContains(t, err, "more than")
	var none *ignore.Rules
	assert.True(t, none.Empty())
	assert.Equal(t, ignore.None, none.Match("a", false))
}

func TestOverrides(t *testing.T) {
	var r ignore.Rules
	require.NoError(t, r.AddOverride("!*.md", false))
	assert.Equal(t, ignore.None, r.Override("a.py", false), "nothing includes, so that nothing else is left out")
	assert.Equal(t, ignore.Ignore, r.Override("a.md", false))
	require.NoError(t, r.AddOverride("*.py", true))
	assert.Equal(t, ignore.Include, r.Override("A.PY", false))
	assert.Equal(t, ignore.Ignore, r.Override("a.txt", false))
	assert.Equal(t, ignore.None, r.Override("dir", true))
	assert.Error(t, r.AddOverride("[", false))
}

func TestTypes(t *testing.T) {
	types := func(f ignore.TypeFlags) *ignore.Types {
		ty, err := ignore.NewTypes(f)
		require.NoError(t, err)
		return ty
	}
	py := types(ignore.TypeFlags{Select: []string{"py"}})
	assert.Equal(t, ignore.Include, py.Match("d/a.py", false))
	assert.Equal(t, ignore.Ignore, py.Match("d/a.js", false))
	assert.Equal(t, ignore.None, py.Match("d", true))
	assert.Equal(t, ignore.Ignore, py.Match("a.py.", false))
	not := types(ignore.TypeFlags{Deselect: []string{"py"}})
	assert.Equal(t, ignore.Ignore, not.Match("a.py", false))
	assert.Equal(t, ignore.None, not.Match("a.js", false))
	both := types(ignore.TypeFlags{Select: []string{"all"}, Deselect: []string{"js"}})
	assert.Equal(t, ignore.Include, both.Match("a.py", false))
	assert.Equal(t, ignore.Ignore, both.Match("a.js", false))
	assert.Equal(t, ignore.Ignore, both.Match("a.nothing", false))
	own := types(ignore.TypeFlags{Clear: []string{"py"}, Add: []string{"py:*.pie", "mine:include:py,js", "mine:x*"}, Select: []string{"mine"}})
	assert.Equal(t, ignore.Include, own.Match("a.pie", false))
	assert.Equal(t, ignore.Include, own.Match("a.js", false))
	assert.Equal(t, ignore.Include, own.Match("xa", false))
	assert.Equal(t, ignore.Ignore, own.Match("a.py", false))
	assert.Equal(t, types(ignore.TypeFlags{Select: []string{"py", "py"}}).Canonical(), py.Canonical())
	assert.True(t, types(ignore.TypeFlags{}).Empty())
	for _, f := range []ignore.TypeFlags{{Select: []string{"nosuch"}}, {Add: []string{"a"}}, {Add: []string{"a-b:*.c"}}, {Add: []string{"all:*.c"}}, {Add: []string{"a:include:nosuch"}}, {Add: []string{"a:b:c"}}, {Add: []string{"a:["}, Select: []string{"a"}}} {
		_, err := ignore.NewTypes(f)
		assert.Error(t, err, f)
	}
}

func TestHidden(t *testing.T) {
	for path, want := range map[string]bool{".a": true, "d/.a": true, "a": false, ".d/a": false, ".a.": false, "...": false} {
		assert.Equal(t, want, ignore.Hidden(path), path)
	}
}

func FuzzGlob(f *testing.F) {
	for _, g := range []string{"**/*.py", "a/**/b", "{a,b}c", "[!a-c]", `\*`, "**", "a}", "/**/"} {
		f.Add(g, "d/a.py")
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		for _, fold := range []bool{false, true} {
			g, err := ignore.ParseGlob(glob, fold)
			if err == nil && len(path) < 1000 {
				g.Match(path)
			}
		}
		if rules, err := ignore.ParseRules([]byte(glob), true); err == nil {
			rules.Match(path, true)
			rules.Override(path, false)
		}
	})
}
