package search_test

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestRefusalsNameTheCause(t *testing.T) {
	for command, want := range map[string]string{
		"":                                  "single rg command",
		"grep foo":                          "must begin with rg",
		"./rg foo":                          "must begin with rg",
		"rg":                                "no pattern",
		"rg foo | head":                     "pipes",
		"rg foo && rg bar":                  "pipes",
		"rg foo; rg bar":                    "single rg command",
		"rg foo > out":                      "redirections",
		"rg foo < in":                       "redirections",
		"rg foo &":                          "single rg command",
		"! rg foo":                          "single rg command",
		"FOO=1 rg foo":                      "assignments",
		"(rg foo)":                          "shell syntax",
		"rg $(cat p)":                       "single quotes",
		"rg `cat p`":                        "single quotes",
		"rg $HOME":                          "single quotes",
		`rg "$HOME"`:                        "single quotes",
		"rg foo *.py":                       "quote it",
		"rg fo[o]":                          "quote it",
		"rg fo?":                            "quote it",
		"rg foo -g *.{py,js}":               "quote it",
		"rg ~foo":                           "~",
		"rg $'foo'":                         "quoting",
		"rg @(a|b)":                         "single quotes",
		"rg foo # comment":                  "comment",
		"rg 'foo":                           "not valid shell",
		"rg foo\nbar":                       "one line",
		"rg -P foo":                         "-P: the PCRE2",
		"rg --pcre2 foo":                    "--pcre2: the PCRE2",
		"rg --engine=pcre2 foo":             "PCRE2",
		"rg -nP foo":                        "-P",
		"rg -f patterns":                    "-f: it reads patterns",
		"rg --pre cat foo":                  "--pre: it would run",
		"rg -z foo":                         "-z: it would run",
		"rg -A 2 foo":                       "-A: lines of context",
		"rg -C2 foo":                        "-C: lines of context",
		"rg -r x foo":                       "-r: replaced text",
		"rg --json foo":                     "output form",
		"rg -p foo":                         "output form",
		"rg --files":                        "--files",
		"rg -q foo":                         "prints nothing",
		"rg --stats foo":                    "--stats",
		"rg -L foo":                         "symbolic links",
		"rg -E latin1 foo":                  "only auto and none",
		"rg --color always foo":             "only never and auto",
		"rg --sort modified foo":            "file times",
		"rg --ignore-file x foo":            "outside the command",
		"rg --null-data foo":                "NUL",
		"rg --no-such-flag foo":             "no such flag",
		"rg -y foo":                         "-y: ripgrep 13 has no such flag",
		"rg --count=3 foo":                  "takes no value",
		"rg foo -m":                         "-m: it needs a value",
		"rg foo -m -n":                      "-m: it needs a value",
		"rg foo -m x":                       "not a number",
		"rg -m 0 foo":                       "searches nothing",
		"rg -m 1 -m 2 foo":                  "given twice",
		"rg foo --max-filesize 1T":          "not a size",
		"rg -t nosuch foo":                  `unrecognized file type: "nosuch"`,
		"rg --type-add x foo":               "invalid type definition",
		"rg --type-add x:include:y f":       `there is no type "y"`,
		"rg foo -g '['":                     "unclosed character class",
		"rg foo -g '{a,{b}}'":               "alternates within",
		"rg foo -g 'a\\'":                   "backslash at the end",
		"rg foo -g '[à-ü]'":                 "outside ASCII",
		"rg 'a(b'":                          "unclosed group",
		"rg '(?=a)'":                        "look-around",
		`rg 'a\nb'`:                         "cannot match without -U",
		"rg foo /etc":                       "absolute path",
		"rg foo ../x":                       "leads out of the repository",
		"rg foo a/../../x":                  "leads out of the repository",
		"rg foo a//b":                       "without empty or dot components",
		"rg foo -":                          "standard input",
		"rg -l -0 foo":                      "one line",
		"rg -e=foo":                         "is not evaluated",
		"rg -ow ''":                         "matches the empty string",
		`rg -o '\bfoo'`:                     "loses some",
		"rg -U --crlf foo":                  "--crlf with -U",
		"rg '$^'":                           "ripgrep 13 misses lines",
		"rg " + strings.Repeat("x", 20_000): "longer than",
	} {
		_, err := search.Parse(command, "src")
		var refused *search.UnsupportedError
		if assert.ErrorAs(t, err, &refused, "%.60s", command) {
			assert.Contains(t, err.Error(), want, "%.60s", command)
			assert.NotEmpty(t, refused.Reason)
		}
	}
	for scope, want := range map[string]string{"-x": "hyphen", "/etc": "absolute", "../..": "out of the repository", strings.Repeat("a b c d e f g h ", 20): ""} {
		_, err := search.Parse("rg foo", scope)
		if want == "" {
			assert.NoError(t, err, "repeated paths count once")
			continue
		}
		assert.ErrorContains(t, err, want)
	}
}

func TestKeyIsMeaning(t *testing.T) {
	same := [][2]string{
		{"rg -n -i 'foo'", `rg -ni "foo"`},
		{"rg -i -S foo", "rg -S foo"},
		{"rg -S -s foo", "rg foo"},
		{"rg -e foo -e bar", "rg --regexp=foo -ebar"},
		{"rg foo -g '*.py'", "rg --glob '*.py' foo"},
		{"rg foo -t py", "rg foo --type=py -tpy"},
		{"rg -uu foo", "rg --hidden --no-ignore foo"},
		{"rg foo$", "rg 'foo$'"},
		{`rg "a\$\"\b"`, `rg 'a$"\b'`},
		{`rg a\\.b`, `rg 'a\.b'`},
		{"rg -F a.b", `rg 'a\.b'`},
		{"rg --no-heading --color never -j4 foo", "rg foo"},
		{"rg foo src", "rg foo src --"},
	}
	different := [][2]string{
		{"rg foo", "rg Foo"}, {"rg foo", "rg -i foo"}, {"rg foo", "rg -v foo"}, {"rg foo", "rg foo -g '*.py'"}, {"rg foo -g '*.py'", "rg foo --iglob '*.py'"},
		{"rg foo -g a -g b", "rg foo -g b -g a"}, {"rg foo", "rg --hidden foo"}, {"rg foo", "rg -c foo"}, {"rg foo", "rg -m1 foo"}, {"rg foo", "rg foo other"}, {"rg -w foo", "rg -x foo"},
	}
	key := func(command string) string {
		q, err := search.Parse(command, "src")
		require.NoError(t, err, command)
		assert.True(t, strings.HasPrefix(q.Key(), search.EngineVersion+":"))
		return q.Key()
	}
	for _, p := range same {
		assert.Equal(t, key(p[0]), key(p[1]), p)
	}
	for _, p := range different {
		assert.NotEqual(t, key(p[0]), key(p[1]), p)
	}
}

func TestScope(t *testing.T) {
	for _, tc := range []struct {
		command, scope string
		want           []string
	}{
		{"rg foo", "", []string{""}},
		{"rg foo", "src", []string{"src"}},
		{"rg foo", "./src/ src  tests", []string{"src", "tests"}},
		{"rg foo Dockerfile", "Dockerfile", []string{"Dockerfile"}},
		{"rg foo a b", "", []string{"a", "b"}},
		{"rg foo a", "b", []string{"b"}},
		{"rg foo", ".", []string{""}},
	} {
		q, err := search.Parse(tc.command, tc.scope)
		require.NoError(t, err)
		assert.Equal(t, tc.want, q.Scope(), "%s | %s", tc.command, tc.scope)
	}
}

// A scope path that the command repeats is searched once; one that it names
// twice is searched twice.
func TestRepeatedPaths(t *testing.T) {
	files := tree{"a/x": "foo\n", "b": "foo\n"}
	for _, tc := range []struct {
		command, scope string
		want           int
	}{
		{"rg foo a", "a", 1}, {"rg foo a/", "a", 1}, {"rg foo a a", "a", 2}, {"rg foo a", "a b", 2}, {"rg foo a a/x", "", 2}, {"rg foo", "a a", 1},
	} {
		assert.Equal(t, tc.want, run(t, files, tc.command, tc.scope).Hits, "%s | %s", tc.command, tc.scope)
	}
}

func TestScopeThatIsNotThere(t *testing.T) {
	files := tree{"a": "foo\n"}
	assert.Equal(t, search.Result{}, run(t, files, "rg foo", "missing"))
	assert.Equal(t, search.Result{}, run(t, files, "rg foo a", "missing"), "without a scope ripgrep is not run")
	assert.Equal(t, 1, run(t, files, "rg foo", "missing a").Hits)
	assert.True(t, run(t, tree{}, "rg foo", "").ScopeExists, "the root is always there")
	assert.Equal(t, search.Result{}, run(t, files, "rg foo", "a/"), "a file with a slash")
}

func TestUnsupportedInTheTree(t *testing.T) {
	link := tree{"real/a": "foo\n", "link": linkMark + "real", "file": linkMark + "real/a", ".gitignore": linkMark + "real/a"}
	for _, tc := range []struct{ command, scope, want string }{
		{"rg foo", "link", "symbolic link"},
		{"rg foo", "file", "symbolic link"},
		{"rg foo", "link/a", "through a symbolic link"},
		{"rg foo", "", "ignore file that is a symbolic link"},
		{"rg --hidden --no-ignore foo", "", ".git/"},
		{"rg -g '*' --no-ignore foo", "", ".git/"},
	} {
		q, err := search.Parse(tc.command, tc.scope)
		require.NoError(t, err)
		for _, src := range []search.Source{link, statTree{link}} {
			_, err = q.Run(context.Background(), src)
			var refused *search.UnsupportedError
			if assert.ErrorAs(t, err, &refused, tc) {
				assert.Contains(t, err.Error(), tc.want)
			}
		}
	}
	assert.Equal(t, 1, run(t, link, "rg --no-ignore foo", "").Hits, "links on the way are not followed")
	both := tree{"a/x": "foo\n", "b/x": "foo\n", ".gitignore": "/a/b/x\n"}
	q, err := search.Parse("rg foo", "a b")
	require.NoError(t, err)
	_, err = q.Run(context.Background(), both)
	assert.ErrorContains(t, err, "which of the scope paths it walks first")
	assert.Equal(t, 1, run(t, both, "rg -j1 foo", "a b").Hits, "with one thread the first one counts")
}

// The table of flags is ripgrep's: every flag of its help is known, and it knows
// every flag that is accepted.
func TestFlagsAreRipgreps(t *testing.T) {
	rg := testenv.Ripgrep(t)
	help, err := exec.Command(rg, "--help").Output()
	require.NoError(t, err)
	flags := regexp.MustCompile(`(?m)^ {4,8}(?:-(.), )?--([a-z0-9-]+)( <)?`).FindAllStringSubmatch(string(help), -1)
	require.Greater(t, len(flags), 80)
	for _, f := range flags {
		value := ""
		if f[3] != "" {
			value = " 1"
		}
		for _, command := range []string{fmt.Sprintf("rg --%s%s foo", f[2], value), fmt.Sprintf("rg -%s%s foo", f[1], value)} {
			if strings.Contains(command, "rg - ") || strings.HasPrefix(command, "rg -  ") || f[1] == "" && !strings.Contains(command, "--") {
				continue
			}
			_, err := search.Parse(command, "")
			if err != nil {
				assert.NotContains(t, err.Error(), "no such flag", command)
				assert.NotContains(t, err.Error(), "takes no value", command)
				assert.NotContains(t, err.Error(), "needs a value", command)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"rg -n -i 'a|b' -g '*.py'", `rg "a\"b" x`, "rg -e a -e b -- c", "rg a\\ b", "rg 'a' && b", "rg -tpy -Tc --type-add 'x:*.y' z"} {
		f.Add(s, "a ./b c/")
	}
	files := tree{"a": "foo\n", "b/c.py": "bar\n", ".gitignore": "x\n"}
	f.Fuzz(func(t *testing.T, command, scope string) {
		q, err := search.Parse(command, scope)
		if err != nil {
			var refused *search.UnsupportedError
			require.ErrorAs(t, err, &refused, "%q %q", command, scope)
			return
		}
		again, err := search.Parse(command, scope)
		require.NoError(t, err)
		require.Equal(t, q.Key(), again.Key())
		res, err := q.Run(context.Background(), files)
		if err == nil {
			require.GreaterOrEqual(t, res.Hits, 0)
		}
		q.Touches(changes(files, tree{}))
	})
}
