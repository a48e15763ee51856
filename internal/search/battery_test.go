package search_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
)

// batteryTree holds one file for each thing that content and names can do.
func batteryTree() tree {
	filler := strings.Repeat("filler line without it\n", 4000) // over the size of a buffer
	return tree{
		"a.py":                "foo\nFoo bar\n\nbaz foo foo\nfoobar\n",
		"crlf.txt":            "foo\r\nbar foo\r\n\r\nfoo",
		"no-end.js":           "x\nfoo",
		"empty.py":            "",
		"one-feed":            "\n",
		"blank.py":            "\n  \n\t\nfoo  \n",
		"bom.py":              "\xef\xbb\xbffoo\nfoo\n",
		"utf16le.txt":         utf16Text("foo\nbär foo\n\n", false),
		"utf16be.txt":         utf16Text("foo\r\nß foo", true),
		"utf16nul.txt":        utf16Text("foo\nbar\x00\nfoo\n", false),
		"mark-only":           "\xff\xfe",
		"two-marks":           "\xff\xfe\xff\xfef\x00o\x00o\x00",
		"half-unit":           "\xff\xfef\x00o\x00o\x00\n\x00f",
		"invalid.txt":         "foo\xff\n\xfffoo\n\xc3\nfo\xc3\xa9o é foo\n",
		"unicode.md":          "ſ K ß É é\nfooé éfoo\n日本 foo 日本\n",
		"nul-first.bin":       "\x00foo\nfoo\n",
		"nul-later.bin":       "foo\nfoo\nbar\x00\nfoo\n",
		"nul-late.bin":        "foo\n" + filler + "foo\n\x00\nfoo\n",
		"nul-after-match.bin": "ab\nfoo\n" + filler + "x\x00y\n",
		"long-line.min.js":    strings.Repeat("var x = 1;", 20_000) + "foo" + strings.Repeat("y", 100) + "\nfoo\n",
		"large.txt":           filler + "foo\n" + filler + "foo",
		"sub/a.py":            "foo\nno\n",
		"sub/UP.PY":           "FOO\n",
		"sub/deep/b.ts":       "foo\n",
		"sub/deep/er/c.py":    "foo\nfoo\n",
		"sub/ignored.log":     "foo\n",
		"sub/kept.log":        "foo\n",
		"sub/sub/a.py":        "foo\n",
		"build/out.py":        "foo\n",
		".hidden":             "foo\n",
		".config/x.py":        "foo\n",
		"vendor/v.py":         "foo\n",
		"docs/a b.md":         "foo\n",
		"docs/naïve.md":       "foo\n",
		"docs/\xff.md":        "foo\n",
		"docs/end.":           "foo\n",
		".gitignore":          "*.log\n!kept.log\n/build/\nsub/sub/a.py\n",
		".ignore":             "vendor\n",
		"sub/.rgignore":       "deep/er\n",
		"lfs.bin":             "version https://git-lfs.github.com/spec/v1\noid sha256:foo\nsize 1\n",
		"link":                linkMark + "a.py",
		"linked":              linkMark + "sub",
		"third_party/mod":     subMark,
	}
}

func TestBatteryEqualsRipgrep(t *testing.T) {
	files := batteryTree()
	o := newOracle(t, checkout(t, files))
	forms := []string{
		"", "-n", "-N", "-i", "-S", "-s", "-w", "-x", "-F", "-v", "-o", "-c", "-co", "--count-matches", "-l", "--files-without-match", "-U", "-Uc", "-Uo", "-Uv", "--vimgrep", "-I", "-H", "-nI",
		"-a", "--binary", "-uuu -g '!.git'", "-u", "--hidden -g '!.git'", "--no-ignore", "--no-ignore-vcs", "--no-ignore-dot", "--no-ignore-parent", "-m 1", "-m 2 -c", "-E none", "--crlf", "--trim", "--mmap", "--no-mmap", "--mmap -c", "--include-zero -c",
		"-g '*.py'", "-g '!*.py'", "-g '*.{py,ts}'", "-g '**/deep/**'", "-g '/sub/**'", "--iglob '*.py'", "-g 'sub/' -g '*.md'", "-t py", "-T py", "-tpy -g '*.md'", "--type-add 'min:*.min.js' -tmin", "--type-clear py --type-add 'py:*.ts' -tpy",
		"--max-depth 1", "--max-depth 2", "--max-filesize 1K", "-j1", "--sort path", "--ignore-file-case-insensitive", "-vc", "-vo", "-vw", "-li", "-c -m1 -v",
	}
	scopes := []string{"", "sub", "sub/ docs", "a.py", "a.py empty.py missing", "nul-later.bin", "nul-late.bin nul-first.bin", "nul-after-match.bin utf16nul.txt", "crlf.txt blank.py", "sub/deep/../x", "sub sub/deep", "sub/ignored.log build", ".config .hidden", "docs/end.", "third_party", "third_party/mod", "third_party/mod a.py"}
	evaluated := 0
	for i, f := range forms {
		for j, scope := range scopes {
			pattern := []string{"'foo'", "'^$'", "'o+'", `'\bfoo\b'`, "'bar|foo$'", "'Foo'", "''"}[(i+j)%7]
			why := differs(t, o, files, fmt.Sprintf("rg %s -e %s", f, pattern), scope)
			if strings.HasPrefix(why, "refused: ") {
				continue
			}
			evaluated++
			assert.Empty(t, why, "rg %s -e %s | %s", f, pattern, scope)
		}
	}
	assert.Greater(t, evaluated, len(forms)*len(scopes)*3/4, "nearly all is evaluated")
}

// Hostile contents and names end soon and with a clear word.
func TestHostileTrees(t *testing.T) {
	deep := strings.Repeat("d/", 1_500) + "f.py"
	files := tree{
		"million.txt":   strings.Repeat("foo\n", 1_000_000),
		"line.txt":      strings.Repeat("foo bar ", 6<<20) + "end",
		deep:            "foo\n",
		"\xff\xfe\n":    "foo\n",
		"nul.bin":       strings.Repeat("foo\n\x00", 100_000),
		"rules/.ignore": strings.Repeat("*/**/a*b*c*d*e*f*g*\n", 4_000),
		"rules/" + strings.Repeat("abcdefg", 30) + "/" + strings.Repeat("abcdefg", 30): "foo\n",
	}
	begun := time.Now()
	res := run(t, files, "rg -n foo", "")
	assert.True(t, res.Truncated)
	assert.Len(t, res.Matches, search.MaxMatches)
	assert.Equal(t, 1_000_000+1+1+2, res.Hits, "the name with a line feed counts twice, the file under the rules not at all")
	for _, m := range res.Matches {
		assert.LessOrEqual(t, len(m.Text), search.MaxTextBytes+100)
	}
	long := run(t, files, "rg -n end$", "line.txt")
	require.Len(t, long.Matches, 1)
	assert.Contains(t, long.Matches[0].Text, search.CutMark)
	assert.Less(t, time.Since(begun), time.Minute)
}

// A pattern that is dear to match ends when the context does.
func TestDearPatternIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	q, err := search.Parse(`rg -n '(\w{1,60}\d){2}x'`, "")
	require.NoError(t, err)
	line := strings.Repeat("a1é2", 2_000_000)
	begun := time.Now()
	_, err = q.Run(ctx, tree{"a": line + "\n" + line})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(begun), 20*time.Second)
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q, err := search.Parse("rg -n '[a-z]+[0-9]'", "")
	require.NoError(t, err)
	_, err = q.Run(ctx, tree{"a": strings.Repeat("x", 4<<20) + "\n"})
	assert.ErrorIs(t, err, context.Canceled)
}

// A file that the source cannot give is an error, unless its name says that it
// is of a format that ripgrep takes for binary: then it is named.
func TestFilesThatCannotBeRead(t *testing.T) {
	files := tree{"a.py": "foo\n", "font.ttf": "\x00\x01", "big.txt": "foo\n"}
	q, err := search.Parse("rg -n foo", "")
	require.NoError(t, err)
	res, err := q.Run(context.Background(), partial{files, "font.ttf"})
	require.NoError(t, err)
	assert.Equal(t, []string{"font.ttf"}, res.Unread)
	assert.Equal(t, 2, res.Hits)
	_, err = q.Run(context.Background(), partial{files, "big.txt"})
	assert.ErrorIs(t, err, search.ErrTooLarge)
	for _, command := range []string{"rg -a foo", "rg foo font.ttf", "rg -uuu -g '!.git' foo"} {
		q, err := search.Parse(command, "")
		require.NoError(t, err)
		_, err = q.Run(context.Background(), partial{files, "font.ttf"})
		assert.ErrorIs(t, err, search.ErrTooLarge, command)
	}
}

// partial is a tree without the content of one file.
type partial struct {
	tree
	missing string
}

func (p partial) Read(ctx context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		if f.Path == p.missing {
			return fmt.Errorf("read %q: %w", f.Path, search.ErrTooLarge)
		}
		if err := p.tree.Read(ctx, []search.File{f}, fn); err != nil {
			return err
		}
	}
	return nil
}
