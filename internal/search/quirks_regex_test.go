package search_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
)

// Assertions next to each other, in both directions in which ripgrep's engine
// reads, and with all that decides how it does.
func TestPairsOfAssertions(t *testing.T) {
	files := tree{
		"plain": "foo\nbar, foo\n\n! \n\nx\nfoo foo\n ,foo-x\n--, x\nab x",
		"crlf":  "foo\r\nbar, foo\r\n\r\n! \r\n\r\r\nfoo\r\r\nx",
		"wide":  "é foo\n日本, x\n\nfooé\n",
	}
	looks := []string{"^", "$", `\b`, `\B`, `(?-u:\b)`, `(?-u:\B)`}
	var commands []string
	for i, a := range looks {
		for j, b := range looks {
			for k, around := range []string{"%s%s", "foo%s%s", "%s%sx", "(?:x|%s)%s", "%s(?:|x)%s", "o(%s%s|,)"} {
				flags := []string{"", "-w", "-U", "-x", "-v", "-o", "--crlf", "-a", "-c -U", "--mmap", "--crlf -w"}
				for n := range 4 {
					flag := flags[(i+j+3*k+n*3)%len(flags)]
					commands = append(commands, fmt.Sprintf("rg -n %s -e '%s'", flag, fmt.Sprintf(around, a, b)))
				}
			}
		}
	}
	equalOrRefused(t, files, "", len(commands)/3, commands)
}

// ripgrep takes the end of the last match for the start of a line when it looks back
// for where a match begins. Most patterns with "^" do not notice.
func TestSingleMatchesWithStarts(t *testing.T) {
	files := tree{"a": "foo bar_1 é, foo\nfoo foo\n, x foo\n--, x\nab x\nx,foo,x\n  foofoo  foo\n", "b": "\n\nab\n ab ab", "c": "foo-x foo\r\nx  x\r\n"}
	var commands []string
	for _, pattern := range []string{"(^|,)foo", `(^|\s)foo`, `(^|,)\s*\w+`, "^foo", "b|^.*?", "[^-]|^[^z]*?", "^|x", "x|^", "^a|b", "(^|o)o*", "(^.*|foo)x", `\w+|^ +`, "(?:^|[^f])oo?", "x*|^y", "^.{0,3}?|o", "foo|x? *foo", ".|^..", "..?|^"} {
		for _, flag := range []string{"-o", "-ow", "--count-matches", "--vimgrep", "-Uo", "-oi", "-o -a", "-o --no-mmap"} {
			commands = append(commands, fmt.Sprintf("rg -nH %s -e '%s'", flag, pattern))
		}
	}
	equalOrRefused(t, files, "", len(commands)*2/3, commands)
	o := newOracle(t, checkout(t, files))
	assert.Empty(t, differs(t, o, files, `rg -o '(^|,)\s*\w+'`, "a"), "evaluated")
	assert.Contains(t, differs(t, o, files, "rg -o 'b|^.*?'", "a"), "ripgrep 13 misplaces")
}

// With --crlf a line is what comes before CRLF or LF, but whether the pattern sees
// the CR depends on the way by which ripgrep comes to the line.
func TestCarriageReturns(t *testing.T) {
	files := tree{}
	for i, end := range []string{"\n", "\r\n", "\r\r\n", "\r\r\r\n", "\r"} {
		files[fmt.Sprintf("f%d", i)] = "foo" + end + "\rfoo x" + end + end + " \r bar\rfoo" + end + "é"
	}
	var commands []string
	for _, pattern := range []string{"foo", "foo$", "^foo$", `o\b`, `$\b`, `foo$\B`, "^$", "", ".$", `\s$`, `[^x]$`, `x|é$`, `(foo|bar)$`, `\W`, "[a-z]+$", `o\s*$`, `(?-u:[^a])$`, "foo|$"} {
		for _, flag := range []string{"", "-w", "-x", "-v", "-c", "-i", "-a --no-mmap", "--trim", "-l", "--mmap", "-m1"} {
			commands = append(commands, fmt.Sprintf("rg -nH --crlf %s -e '%s'", flag, pattern))
			for f := range files {
				commands = append(commands, fmt.Sprintf("rg -nH --crlf %s -e '%s' %s", flag, pattern, f))
			}
		}
	}
	equalOrRefused(t, files, "", len(commands)*2/3, commands)
	o := newOracle(t, checkout(t, files))
	assert.Contains(t, differs(t, o, files, "rg --crlf 'foo$'", "f2"), "--crlf: whether the pattern sees")
}

// What is repeated no times matches nothing, but ripgrep still refuses a line end in
// it, and takes it for a reason to look at all lines at once.
func TestRepeatedNoTimes(t *testing.T) {
	files := tree{"a": "foo\nbar\n\nfoobar\n", "nul-late": strings.Repeat("foo\nbar\nxxxxxxx\n", 8_000) + "\x00\n"}
	var commands []string
	for _, part := range []string{"x", `\n`, `[\n]`, `(?:\n|x)`, `\s`, `(?:x|)`, `(\nx)`, "^", `\b`, `[^\n]`, `\r`, "x*"} {
		for _, form := range []string{"%s{0}", "foo%s{0}", "%s{0}bar", "foo%s{0}bar", "foo|%s{0}", "(?:%s{0}foo)+", "%s{0,0}?foo"} {
			for _, flag := range []string{"", "-U", "-w", "--crlf", "-o"} {
				commands = append(commands, fmt.Sprintf("rg -n %s -e '%s'", flag, fmt.Sprintf(form, part)))
			}
		}
	}
	equalOrRefused(t, files, "", len(commands)/2, commands)
}

// Unicode that is turned on again in a pattern without it.
func TestUnicodeTurnedOnAgain(t *testing.T) {
	files := tree{"a": "foo\né\nKéK\n\xff\n٣5\n"}
	var commands []string
	for _, inner := range []string{".", `\w`, `\b`, "é", `\d`, "[^a]", "(?i:k)", "foo", `\pL`, `\B`} {
		for _, form := range []string{"(?u)%s", "(?u:%s)", "(?-u:%s)", "f?(?iu:%s)", "(?u:%s)|o", "%s"} {
			commands = append(commands, "rg -n --no-unicode -e '"+fmt.Sprintf(form, inner)+"'", "rg -n -e '"+fmt.Sprintf(form, inner)+"'")
		}
	}
	equalOrRefused(t, files, "", len(commands)/2, commands)
}

// Where a NUL comes only after the first window, it matters how far a thread's buffer
// has grown, also for what ends the search of the file before it is read that far.
func TestLateNULAfterGrownBuffer(t *testing.T) {
	late := tree{"nul-late": "foo\n" + strings.Repeat("bar\n", 20_000) + "\x00\n"}
	grown := tree{"long": strings.Repeat("x", 300_000), "nul-late": late["nul-late"]}
	var commands []string
	for _, flag := range []string{"", "-l", "-m1", "-c", "-v", "-o", "--files-without-match", "-c -m1", "--binary", "--binary -l", "--binary -m1", "-a -l", "-a"} {
		commands = append(commands, "rg "+flag+" foo", "rg "+flag+" zzz")
	}
	equalOrRefused(t, late, "", len(commands)-1, commands)
	equalOrRefused(t, grown, "", len(commands)/4, commands)
	q, err := search.Parse("rg -l foo", "")
	require.NoError(t, err)
	_, err = q.Run(t.Context(), grown)
	assert.ErrorContains(t, err, "which files a thread read before")
}

// Matches on one long line cost no more than the line.
func TestManyMatchesOnALongLine(t *testing.T) {
	files := tree{"a": strings.Repeat("ab é", 400_000) + "\n" + strings.Repeat("x", 400_000)}
	for _, command := range []string{`rg -U 'a?\s*'`, "rg -U '(a|^)'", "rg -Uc 'b|$'", "rg --vimgrep 'a|b'", `rg -U --vimgrep 'a\s?'`, "rg -o '(^|x)'"} {
		begun := time.Now()
		run(t, files, command, "")
		assert.Less(t, time.Since(begun), 20*time.Second, command)
	}
}
