package evidence_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// repeated draws lines that mostly repeat.
func repeated(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"}", "", "return None", "pass", "check(user)", "if a:", "    check(user)", "\tcheck(user)", "check( user )"}), 1, 15).Draw(t, label)
}

// In files whose lines repeat, what holds is there, equal but for layout, and
// nothing that only has lines added around it fails to hold.
func TestHoldingIsSound(t *testing.T) {
	squeeze := func(lines []string) string {
		return strings.Join(strings.Fields(strings.Join(lines, " ")), "")
	}
	rapid.Check(t, func(t *rapid.T) {
		base := repeated(t, "base")
		first := rapid.IntRange(1, len(base)).Draw(t, "first")
		last := rapid.IntRange(first, len(base)).Draw(t, "last")
		e := scorecard.Evidence{File: "a.py", Lines: scorecard.LineRange{First: first, Last: last, Form: scorecard.Long}}
		old := tree{"a.py": block(base...), "b.py": block(repeated(t, "b")...)}
		head := tree{"a.py": block(repeated(t, "head")...), "b.py": block(repeated(t, "b head")...), "c.py": block(repeated(t, "c")...)}
		if rapid.Bool().Draw(t, "removed") {
			delete(head, "a.py")
		}
		it := follow(t, old, head, e)
		if it.State.Holds() {
			lines := strings.Split(strings.TrimSuffix(head[it.After.File], "\n"), "\n")
			require.LessOrEqual(t, it.After.Lines.Last, len(lines))
			now := lines[it.After.Lines.First-1 : it.After.Lines.Last]
			assert.Equal(t, squeeze(base[first-1:last]), squeeze(now))
			if it.State != outcome.Reformatted {
				assert.Equal(t, base[first-1:last], now)
			}
		}
		above := rapid.SliceOfN(rapid.SampledFrom([]string{"}", "x = 1", "check(user)"}), 0, 4).Draw(t, "above")
		grown := append(append(append([]string{}, above...), base...), rapid.SliceOfN(rapid.SampledFrom([]string{"}", "pass", "check(user)"}), 0, 4).Draw(t, "below")...)
		it = follow(t, old, tree{"a.py": block(grown...), "b.py": old["b.py"]}, e)
		assert.True(t, it.State.Holds(), "%s %s", it.State, it.Reason)
	})
}

// Whatever stands around the lines, in whatever language: an answer comes, and a
// place that it names verifies.
func TestAnswerForAnySurroundings(t *testing.T) {
	lines := []string{
		"", "}", "{", ")", "(", "]", "[", "pass", "return", "  return x;", "check(user)", "    check(user)", "if a:", "if (a) {", "} else {", "else:", "try:",
		"except X:", "  pass", "def f(a):", "class A:", "function f() {", "f() {", "fi", "done", "if x; then", "exit 1", "[table]", "---", "key: |", "  key: 1", "- item",
		"FROM a AS b", "FROM b", "USER x", "'''", `"""`, "`", "`${`a`}", "/*", "*/", "<!--", "-->", "#if 0", "#else", "#endif", "__END__", "=pod", "=cut", "<<E", "E",
		`R"x(`, `)x"`, "[==[", "]==]", "a = 1 \\", "A = 1", "A = 2", "case 1:", "default:", "x(); return", "return {", "if True: return", "//go:build x", "package a",
	}
	files := []string{"a.py", "a.ts", "a.go", "a.sh", "a.yml", "a.toml", "a.json", "Dockerfile", "a.c", "a.rs", "a.rb", "a.pl", "a.lua", "a.php", "a.html", "a.tf", "a.md", "a.env", "a.cfg", "Makefile", "a"}
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.SampledFrom(files).Draw(t, "file")
		draw := func(label string) []string { return rapid.SliceOfN(rapid.SampledFrom(lines), 1, 14).Draw(t, label) }
		base, other := draw("base"), draw("head")
		first := rapid.IntRange(1, len(base)).Draw(t, "first")
		last := rapid.IntRange(first, len(base)).Draw(t, "last")
		e := scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: first, Last: last, Form: scorecard.Long}}
		if rapid.Bool().Draw(t, "whole") {
			other = append(append(other, base[first-1:last]...), draw("below")...)
		}
		it := follow(t, tree{file: block(base...), "b/" + file: block(draw("b")...)}, tree{file: block(other...), "b/" + file: block(draw("b head")...), "c/" + file: block(draw("c")...)}, e)
		assert.NotEmpty(t, it.State)
		it = follow(t, tree{file: block(base...)}, tree{file: block(base...), "b": "x\n"}, e)
		assert.Equal(t, outcome.Intact, it.State)
	})
}

// nonsense matches a count that is none: less than one line, or more than there are.
var nonsense = regexp.MustCompile(`(^|[ (])(-\d+|0) |\b1 lines|\b([2-9]|\d\d+) line (was|of)\b`)

// Whatever is put among, taken out of or changed in cited lines, what is said of it
// counts lines that are there.
func TestMessagesCountWhatIsThere(t *testing.T) {
	lines := []string{"}", ")", "", "x = load_source(7)", "check(user, policy)", "    return None", "deny(user, reason)", "else:"}
	reason := func(t require.TestingT, base, head []string, first, last int) string {
		e := scorecard.Evidence{File: "a.ts", Lines: scorecard.LineRange{First: first, Last: last, Form: scorecard.Long}}
		it := follow(t, tree{"a.ts": block(base...)}, tree{"a.ts": block(head...)}, e)
		assert.NotRegexp(t, nonsense, it.Reason, "%s\n%s", strings.Join(base, "\n"), strings.Join(head, "\n"))
		return it.Reason
	}
	cited := []string{lines[3], lines[4], lines[6]}
	assert.Equal(t, "1 line was added among the cited lines", reason(t, cited, []string{lines[3], "new_statement(state)", lines[4], lines[6]}, 1, 3))
	assert.Equal(t, "1 of the 3 cited lines changed or went", reason(t, cited, []string{lines[3], lines[4]}, 1, 3))
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SliceOfN(rapid.SampledFrom(lines), 3, 12).Draw(t, "base")
		first := rapid.IntRange(1, len(base)).Draw(t, "first")
		last := rapid.IntRange(first, len(base)).Draw(t, "last")
		var head []string
		for _, line := range base {
			head = append(head, rapid.SliceOfN(rapid.SampledFrom(append(lines, "new_statement(state)")), 0, 6).Draw(t, "before it")...)
			if rapid.IntRange(0, 9).Draw(t, "kept") > 0 {
				head = append(head, line)
			}
		}
		reason(t, base, head, first, last)
	})
}
