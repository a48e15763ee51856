package search_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// equalOrRefused compares every command with ripgrep. It wants more than the given
// number to be evaluated.
func equalOrRefused(t *testing.T, files tree, scope string, atLeast int, commands []string) {
	t.Helper()
	o := newOracle(t, checkout(t, files))
	evaluated := 0
	for _, command := range commands {
		why := differs(t, o, files, command, scope)
		if strings.HasPrefix(why, "refused: ") {
			continue
		}
		evaluated++
		assert.Empty(t, why, "%s | %s", command, scope)
	}
	assert.Greater(t, evaluated, atLeast, "of %d", len(commands))
}

// Of flags that exclude each other the last one holds, except where ripgrep's own
// parser of flags loses track.
func TestRivalFlagsInOneWord(t *testing.T) {
	files := tree{"a": "foo\nFOO\nfoo bar\nfoobar\n(?i)foo\n"}
	var commands []string
	for _, rivals := range []string{"is", "iS", "sS", "wx", "nN", "HI"} {
		for _, pair := range []string{rivals, rivals[1:] + rivals[:1]} {
			a, b := pair[:1], pair[1:]
			for _, form := range []string{"-%s%s", "-%s -%s", "-%s%sa", "-a%s%s", "-%s -%sa", "-%sa -%s", "-%sa -%sF", "-%s%s -a", "-%sa%s", "-%sae foo -%s"} {
				for _, pattern := range []string{"foo", "FOO"} {
					commands = append(commands, fmt.Sprintf("rg "+form+" -e '%s' .", a, b, pattern))
				}
			}
		}
	}
	equalOrRefused(t, files, "", len(commands)*2/3, commands)
	for _, command := range []string{"rg -wxa foo", "rg -iFsn foo", "rg -aSia foo"} {
		_, err := search.Parse(command, "")
		assert.ErrorContains(t, err, "ripgrep 13 applies both", command)
	}
}

// The same path with a trailing slash and without one, in the command and in the
// scope: a file has no slash.
func TestPathsWithAndWithoutSlash(t *testing.T) {
	files := tree{"d/x": "foo\n", "f": "foo\n"}
	o := newOracle(t, checkout(t, files))
	for _, scope := range []string{"d", "d/", "f", "f/", "d/ d", "d d/", "f/ f", "f f/", "f/ f f", "./f f/", "f/ d", "f f/ d/ d"} {
		for _, inCommand := range []string{"", "d", "d/", "f", "d/ f", "f d"} {
			command := "rg -n foo " + inCommand
			assert.Empty(t, differs(t, o, files, command, scope), "%s | %s", command, scope)
		}
	}
}

// Names that are more than one line, with all that is printed of them.
func TestNamesOfSeveralLines(t *testing.T) {
	files := tree{"d/\n": "foo\n", "e/\n/x": "foo\n", "f\n": "foo\nfoo\n", "g\n \nh": "foo\n", "i\n\n": "foo\n", "j\nk": "bar\n"}
	o := newOracle(t, checkout(t, files))
	for _, flag := range []string{"", "-n", "-l", "-c", "--files-without-match", "-I", "-H", "-o", "--vimgrep", "-v", "-lv", "--count-matches", "--include-zero -c"} {
		for _, rest := range []string{"foo", "bar", "foo d", "foo e d"} {
			command := "rg " + flag + " " + rest
			assert.Empty(t, countDiffers(t, o, files, command, ""), command)
		}
	}
}

// A search that comes to any file of the .git directory of a clone is refused, by
// whatever road it came.
func TestEveryFileOfGitIsNoticed(t *testing.T) {
	repo := testenv.NewRepo(t)
	repo.Write("a", "foo\n")
	repo.Commit("one")
	clone := t.TempDir()
	repo.Git("clone", "--quiet", "--no-local", ".", clone)
	names := 0
	require.NoError(t, filepath.WalkDir(clone+"/.git", func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.IsDir() {
			return nil
		}
		names++
		name, err := filepath.Rel(clone, path)
		require.NoError(t, err)
		glob := regexp.MustCompile("[0-9a-f]{38,}").ReplaceAllString(name, "*")
		for _, flags := range []string{"--hidden -g '/" + glob + "'", "-uu -g '/" + glob + "'", "-g '!x' --no-ignore -g '.git' -g '/" + glob + "'"} {
			q, err := search.Parse("rg foo "+flags, "")
			require.NoError(t, err)
			_, err = q.Run(t.Context(), tree{"a": "foo\n"})
			assert.ErrorContains(t, err, ".git/", flags)
		}
		return nil
	}))
	assert.Greater(t, names, 5)
	walked := tree{"a": "foo\n", ".gitignore": "!**/[!a-c]*\n"}
	equalOrRefused(t, walked, "", 0, []string{"rg -g 'a*' foo", "rg -g 'x' -g 'a' foo", "rg -g 'x' foo", "rg -g 'HEAD' ref"})
}

// Ignore files at every level of a deep tree, with many rules that nearly match.
func TestManyRulesAtManyLevels(t *testing.T) {
	files, dir := tree{}, ""
	for i := range 20 {
		dir += fmt.Sprintf("abcabc%d/", i)
		files[dir+".gitignore"] = strings.Repeat("**/a*b*c*/x?[a-z]*.{py,js}\n", 1_000)
		files[dir+"x.go"] = "foo\n"
	}
	begun := time.Now()
	assert.Equal(t, 20, run(t, files, "rg foo", "").Hits)
	assert.Less(t, time.Since(begun), 20*time.Second)
}
