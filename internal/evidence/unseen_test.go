package evidence_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// A search that proves an absence is not misled by what hides a line from it in the same
// change.
func TestLinesHiddenFromASearch(t *testing.T) {
	base := tree{"src/a.js": "run(x)\n", "src/old.js": "y = 1\n", ".gitignore": "dist/\n"}
	with := func(files map[string]string) tree {
		t := maps.Clone(base)
		maps.Copy(t, files)
		return t
	}
	for _, c := range []struct {
		name, search string
		head         tree
		state        outcome.State
	}{
		{"by an ignore file that was added", "rg -n 'eval\\('", with(map[string]string{"src/b.js": "eval(x)\n", "src/.ignore": "b.js\n"}), outcome.Edited},
		{"by one for ripgrep", "rg -n 'eval\\('", with(map[string]string{"src/b.js": "eval(x)\n", "src/.rgignore": "*.js\n!a.js\n!old.js\n"}), outcome.Edited},
		{"by one above that was edited", "rg -n 'eval\\('", with(map[string]string{"src/b.js": "eval(x)\n", ".gitignore": "dist/\nb.js\n"}), outcome.Edited},
		{"in a file that was there", "rg -n 'eval\\('", with(map[string]string{"src/old.js": "eval(x)\n", "src/.ignore": "old.js\n"}), outcome.Edited},
		{"by a NUL", "rg -n 'eval\\('", with(map[string]string{"src/b.js": "// \x00\neval(x)\n"}), outcome.Edited},
		{"by a NUL at the end", "rg -n 'eval\\(' -g '*.js'", with(map[string]string{"src/b.js": "eval(x)\n// \x00\n"}), outcome.Edited},

		{"nothing that matches", "rg -n 'eval\\('", with(map[string]string{"src/b.js": "f(x)\n", "src/.ignore": "b.js\n"}), outcome.Intact},
		{"an ignore file that a glob overrules", "rg -n 'eval\\(' -g '*.js'", with(map[string]string{"src/b.js": "eval(x)\n", "src/.ignore": "b.js\n"}), outcome.Edited},
		{"a file that the globs leave out", "rg -n 'eval\\(' -g '*.py'", with(map[string]string{"src/b.js": "eval(x)\n", "src/.ignore": "b.js\n"}), outcome.Intact},
		{"a NUL and nothing that matches", "rg -n 'eval\\('", with(map[string]string{"src/b.js": "// \x00\nf(x)\n"}), outcome.Intact},
		{"an image", "rg -n 'eval\\('", with(map[string]string{"src/b.png": "\x00\neval(x)\n"}), outcome.Intact},
		{"a file without a language", "rg -n 'eval\\('", with(map[string]string{"src/weights": "\x00\neval(x)\n"}), outcome.Intact},
	} {
		e := scorecard.Evidence{Search: c.search, Scope: "src", Hits: 0}
		it := follow(t, base, c.head, e)
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
		if c.state == outcome.Edited {
			assert.NotEmpty(t, it.New, c.name)
			assert.Equal(t, "eval(x)", it.New[0].Text, c.name)
		}
	}
}
