package evidence_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

func withQuote(t *testing.T, place, quote string) scorecard.Evidence {
	e := cite(t, place)
	e.Contains = quote
	return e
}

func TestQuotes(t *testing.T) {
	base := "a\nif user.ok( now ):\n    run('x  y')\nb\n"
	for _, c := range []struct {
		name, quote, head string
		state             outcome.State
		after             string
	}{
		{"stands", "run('x", "\n" + base, outcome.Moved, "run('x"},
		{"spans lines", "now ): run(", "\n" + base, outcome.Moved, "now ): run("},
		{"does not stand", "deny", "\n" + base, outcome.Edited, "if user.ok( now ):"},
		{"stands in other white space", "if user.ok( now ):", "a\nif user.ok(  now  ):\n    run('x  y')\nb\n", outcome.Reformatted, "if user.ok( now ):"},
		{"is laid out anew", "if user.ok( now ):", "a\nif user.ok(now):\n    run('x  y')\nb\n", outcome.Reformatted, "if user.ok(now):"},
		{"stood in the line that was edited", "run('x  y')", "a\nif user.ok( now ):\n    run('z')\nb\n", outcome.Edited, "if user.ok( now ):"},
	} {
		it := follow(t, tree{"a.py": base}, tree{"a.py": c.head}, withQuote(t, "a.py:2-3", c.quote))
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
		assert.Equal(t, c.after, it.After.Contains, c.name)
	}
}

// What a file became that is no text any more, and what the card has wrong.
func TestTroubles(t *testing.T) {
	src := block(withGate(4)...)
	for _, c := range []struct {
		name      string
		old, head string // contents; "" for none
		state     outcome.State
		reason    string
	}{
		{"binary", src, strings.ReplaceAll(src, "\n", "\x00\n"), outcome.Gone, "a.py is binary at head"},
		{"empty", src, "\n", outcome.Gone, "nothing like the cited lines"},
		{"a link", src, "mode 120000", outcome.Gone, "a.py is a symbolic link at head"},
		{"a submodule", src, "mode 160000", outcome.Gone, "a.py is a submodule at head"},
		{"an LFS pointer", src, "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n", outcome.Unverifiable, "Git LFS pointer"},
		{"removed", src, "", outcome.Gone, "a.py was removed"},
		{"not there before", "", src, outcome.Unverifiable, "a.py did not exist at the base commit"},
		{"a link before", "mode 120000", src, outcome.Unverifiable, "was a symbolic link"},
		{"binary before", "\x00" + src, src, outcome.Unverifiable, "at the base commit a.py is binary"},
		{"fewer lines than cited", "one\ntwo\n", src, outcome.Unverifiable, "a.py has 2 lines at the base commit, the card cites lines 5-8"},
	} {
		old, head := tree{"keep": "x"}, tree{"keep": "x"}
		if c.old != "" {
			old["a.py"] = c.old
		}
		if c.head != "" {
			head["a.py"] = c.head
		}
		it := follow(t, old, head, cite(t, "a.py:5-8"))
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
		assert.Contains(t, it.Reason, c.reason, c.name)
		assert.Equal(t, it.Before, it.After, c.name)
	}
}

func TestModeAloneIsNoChange(t *testing.T) {
	s := newSource(tree{"a.sh": "run\n"}, tree{"a.sh": "run\n"})
	old := s.old.file("a.sh")
	now := old
	now.Mode = search.ModeExec
	it, err := evidence.New(s, []search.Change{{Old: &old, New: &now}}, evidence.Options{}).Follow(context.Background(), cite(t, "a.sh:1"))
	require.NoError(t, err)
	assert.Equal(t, outcome.Intact, it.State)
	assert.Empty(t, s.reads)
}

func TestUntouchedFiles(t *testing.T) {
	s := newSource(tree{"a.py": "x\n", "b.py": "1\n"}, tree{"a.py": "x\n", "b.py": "2\n"})
	f := s.follower()
	it, err := f.Follow(context.Background(), cite(t, "a.py:1"))
	require.NoError(t, err)
	assert.Equal(t, outcome.Intact, it.State)
	it, err = f.Follow(context.Background(), cite(t, "none.py:1"))
	require.NoError(t, err)
	assert.Equal(t, outcome.Gone, it.State)
	assert.Contains(t, it.Reason, "none.py is no file at head, nor was it at the base commit")
	assert.Empty(t, s.reads)
}

// A citation costs the blobs that it needs, each once, fetched in one go.
func TestCost(t *testing.T) {
	src := block(withGate(4)...)
	for _, c := range []struct {
		name       string
		old, head  tree
		reads      int
		fetches    int
		afterwards outcome.State
	}{
		{"untouched", tree{"a.py": src, "b.py": "1\n"}, tree{"a.py": src, "b.py": "2\n"}, 0, 0, outcome.Intact},
		{"shifted", tree{"a.py": src, "b.py": "1\n"}, tree{"a.py": "\n" + src, "b.py": "2\n"}, 2, 1, outcome.Moved},
		{"renamed", tree{"a.py": src}, tree{"b.py": src}, 0, 0, outcome.Moved},
		{"renamed and edited", tree{"a.py": src}, tree{"b.py": "\n" + src}, 2, 1, outcome.Moved},
		{"edited", tree{"a.py": src, "b.py": "1\n"}, tree{"a.py": strings.Replace(src, "confirmed", "seen", 1), "b.py": "2\n"}, 2, 1, outcome.Edited},
	} {
		s := newSource(c.old, c.head)
		f := s.follower()
		items := []scorecard.Evidence{cite(t, "a.py:5-8"), cite(t, "a.py:6"), cite(t, "a.py:5-7")}
		require.NoError(t, f.Prefetch(context.Background(), items))
		for range 2 {
			for _, e := range items {
				_, err := f.Follow(context.Background(), e)
				require.NoError(t, err)
			}
		}
		it, err := f.Follow(context.Background(), items[0])
		require.NoError(t, err)
		assert.Equal(t, c.afterwards, it.State, c.name)
		assert.Len(t, s.reads, c.reads, c.name)
		assert.Equal(t, c.fetches, s.fetches, c.name)
	}
}

func TestAmbiguous(t *testing.T) {
	src := block(withGate(4)...)
	without := block(splice(withGate(4), 5, 4)...)
	t.Run("two new places", func(t *testing.T) {
		it := follow(t, tree{"a.py": src}, tree{"a.py": without, "b.py": block(gate...), "c.py": block(gate...)}, cite(t, "a.py:5-8"))
		assert.Equal(t, outcome.Edited, it.State)
		assert.True(t, it.Ambiguous)
		assert.Equal(t, "b.py", it.After.File)
		assert.Contains(t, it.Reason, "b.py:1-4")
		assert.Contains(t, it.Reason, "c.py:1-4")
		assert.Equal(t, gate, it.Quote)
	})
	t.Run("one of two comes with what surrounded it", func(t *testing.T) {
		along := append(program(12)[2:4], gate...)
		head := tree{"a.py": block(splice(withGate(4), 3, 6)...), "b.py": block(gate...), "c.py": block(along...)}
		it := follow(t, tree{"a.py": src}, head, cite(t, "a.py:5-8"))
		assert.Equal(t, outcome.Moved, it.State, it.Reason)
		assert.Equal(t, "c.py", it.After.File)
	})
	t.Run("the file whole in two places", func(t *testing.T) {
		it := follow(t, tree{"a.py": src}, tree{"x/b.py": src, "y/c.py": src}, cite(t, "a.py:5-8"))
		assert.Equal(t, outcome.Edited, it.State)
		assert.True(t, it.Ambiguous)
		assert.Contains(t, it.Reason, "x/b.py")
		assert.Contains(t, it.Reason, "y/c.py")
	})
	t.Run("the file whole in two places, one of its own name", func(t *testing.T) {
		it := follow(t, tree{"p/a.py": src}, tree{"x/a.py": src, "y/c.py": src}, cite(t, "p/a.py:5-8"))
		assert.Equal(t, outcome.Moved, it.State, it.Reason)
		assert.Equal(t, "x/a.py", it.After.File)
	})
	t.Run("twins renamed together", func(t *testing.T) {
		it := follow(t, tree{"one/init.py": src, "two/init.py": src}, tree{"lib/one/init.py": src, "lib/two/init.py": src}, cite(t, "two/init.py:5-8"))
		assert.Equal(t, outcome.Moved, it.State, it.Reason)
		assert.Equal(t, "lib/two/init.py", it.After.File)
	})
}

// Lines that say little are not known again by themselves.
func TestLittleInformation(t *testing.T) {
	base := splice(program(12), 5, 0, "    return None")
	without := block(append(program(12), "x")...)
	it := follow(t, tree{"a.py": block(base...)}, tree{"a.py": without, "b.py": "    return None\n"}, cite(t, "a.py:5"))
	assert.Equal(t, outcome.Gone, it.State, it.Reason)
	// With what surrounded them they are.
	along := append(append(program(12)[1:4], "    return None"), program(12)[4:8]...)
	rest := append(program(12)[:1], program(12)[8:]...)
	it = follow(t, tree{"a.py": block(base...)}, tree{"a.py": block(rest...), "b.py": block(append([]string{"first"}, along...)...)}, cite(t, "a.py:5"))
	assert.Equal(t, outcome.Moved, it.State, it.Reason)
	assert.Equal(t, "b.py:5", it.After.File+":"+it.After.Lines.String())
}

// Without the text at base a quote can still tell the lines apart.
func TestMissingBase(t *testing.T) {
	src := block(withGate(4)...)
	quote := "raise PermissionError(call.name)"
	for _, c := range []struct {
		name, place, quote, head string
		state                    outcome.State
		lines                    string
	}{
		{"no quote", "a.py:5-8", "", "\n" + src, outcome.Unverifiable, "5-8"},
		{"same place", "a.py:5-8", quote, src + "\n", outcome.Intact, "5-8"},
		{"a line elsewhere", "a.py:7", quote, "\n" + src, outcome.Moved, "8"},
		{"several lines elsewhere", "a.py:5-8", quote, "\n\n\n\n" + src, outcome.Unverifiable, "5-8"},
		{"twice", "a.py:5-8", quote, src + src, outcome.Unverifiable, "5-8"},
		{"nowhere", "a.py:5-8", quote, "x\n", outcome.Unverifiable, "5-8"},
		{"a quote that says little", "a.py:5-8", "run(call)", src + "\n", outcome.Unverifiable, "5-8"},
	} {
		s := newSource(tree{"a.py": src}, tree{"a.py": c.head})
		s.missing[s.old.file("a.py").OID] = true
		it, err := s.follower().Follow(context.Background(), withQuote(t, c.place, c.quote))
		require.NoError(t, err)
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
		assert.Equal(t, c.lines, it.After.Lines.String(), c.name)
		assert.Contains(t, it.Reason, "not to be had", c.name)
	}
}

func TestTooLarge(t *testing.T) {
	s := newSource(tree{"a.py": "x\n"}, tree{"a.py": strings.Repeat("x\n", 1<<20)})
	f := evidence.New(s, s.changes(), evidence.Options{MaxFile: 1 << 20})
	it, err := f.Follow(context.Background(), cite(t, "a.py:1"))
	require.NoError(t, err)
	assert.Equal(t, outcome.Unverifiable, it.State)
	assert.Contains(t, it.Reason, "larger than 1 MiB")
}

// unreadable fails to read blobs, or to fetch them.
type unreadable struct {
	*source
	blob, fetch error
}

func (u unreadable) Prefetch(context.Context, []string) error { return u.fetch }
func (u unreadable) Blob(context.Context, string, int64) ([]byte, error) {
	return nil, u.blob
}

func TestFailuresAreErrors(t *testing.T) {
	broken := errors.New("connection reset")
	s := newSource(tree{"a.py": "x\n"}, tree{"a.py": "y\n"})
	f := evidence.New(unreadable{source: s, blob: broken}, s.changes(), evidence.Options{})
	_, err := f.Follow(context.Background(), cite(t, "a.py:1"))
	require.ErrorIs(t, err, broken)
	assert.Contains(t, err.Error(), `"a.py"`)

	f = evidence.New(unreadable{source: s, fetch: broken}, s.changes(), evidence.Options{})
	require.ErrorIs(t, f.Prefetch(context.Background(), []scorecard.Evidence{cite(t, "a.py:1")}), broken)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = s.follower().Follow(ctx, cite(t, "a.py:1"))
	require.ErrorIs(t, err, context.Canceled)
}

func TestToken(t *testing.T) {
	s := newSource(tree{"a.py": "x\ny\n"}, tree{"a.py": "z\nx\ny\n"})
	it, err := s.follower().Token(context.Background(), "a.py", scorecard.LineRange{First: 2, Last: 2})
	require.NoError(t, err)
	assert.Equal(t, outcome.Moved, it.State)
	assert.Equal(t, "3", it.After.Lines.String())
}

// Hostile files end in bounded time with a clear word.
func TestHostileFiles(t *testing.T) {
	huge := bytes.Repeat([]byte("a\n"), 1_000_000)
	mixed := []byte(strings.Repeat("check(user)\n\n}\n", 30_000))
	long := bytes.Repeat([]byte("x y "), 2_000_000)
	for name, c := range map[string]struct{ old, head []byte }{
		"a million equal lines":        {huge, append([]byte("b\n"), huge[:1_500_000]...)},
		"repeating lines, cut":         {mixed, append([]byte("x\n"), mixed[30_001:]...)},
		"repeating lines, doubled":     {mixed, bytes.ReplaceAll(mixed, []byte("}"), []byte("}\n}"))},
		"a line of 8 MB, edited":       {append([]byte("1\n2\n3\n4\n"), long...), append([]byte("1\n2\n3\n4\nz"), long...)},
		"invalid UTF-8":                {[]byte("\xff\xfe\n\xff\n\xfe\n\x80\n\x81\n\x82\n"), []byte("\xff\xfe\n\xff\n\xfe\n\x80\n\x83\n\x82\n")},
		"a bracket never closed":       {[]byte(strings.Repeat("f(\n", 100_000)), []byte(strings.Repeat("f( \n", 99_999))},
		"words that are nearly alike":  {[]byte(strings.Repeat("alpha beta gamma\n", 400)), []byte(strings.Repeat("alphx betx gammx\n", 400))},
		"many tokens in unlike lines":  {[]byte(strings.Repeat(strings.Repeat("(", 500)+"\n", 500)), []byte(strings.Repeat(strings.Repeat("[", 500)+"\n", 500))},
		"a string never closed, twice": {[]byte("x\n'''\n" + strings.Repeat("y\n", 1000)), []byte("x\n\"\"\"\n'''\n" + strings.Repeat("y\n", 1000))},
		"brackets that do not match":   {[]byte(strings.Repeat("(\n", 200_000) + strings.Repeat("}\n", 200_000)), []byte("x\n" + strings.Repeat("(\n", 200_000) + strings.Repeat("}\n", 200_000))},
		"conditions in conditions":     {deep(100_000), append([]byte("x\n"), deep(100_000)...)},
		"templates in templates":       {[]byte(strings.Repeat("`${", 200_000)), []byte("x\n" + strings.Repeat("`${", 200_000))},
	} {
		start := time.Now()
		for _, file := range []string{"a.ts", "a.sh", "a.yml"} {
			follow(t, tree{file: string(c.old)}, tree{file: string(c.head)}, cite(t, fmt.Sprintf("%s:%d", file, bytes.Count(c.old, []byte{'\n'})/2+1)))
		}
		it := follow(t, tree{"a.py": string(c.old)}, tree{"a.py": string(c.head)}, cite(t, "a.py:5"))
		took := time.Since(start)
		assert.Less(t, took, time.Minute, name)
		t.Logf("%s: %s in %v", name, it.State, took.Round(time.Millisecond))
		for _, q := range it.Quote {
			assert.LessOrEqual(t, len(q), 1600, name)
		}
	}
}

// deep is n conditions, each inside the one before.
func deep(n int) []byte {
	return []byte(strings.Repeat("if (a) {\n", n) + "gate();\n" + strings.Repeat("}\n", n))
}

func TestHostileNames(t *testing.T) {
	for _, name := range []string{"a\nb.py", "\xff\xfe.py", "-x.py", strings.Repeat("d/", 2000) + "a.py", "a b.py", "\".py"} {
		e := scorecard.Evidence{File: name, Lines: scorecard.LineRange{First: 1, Last: 1}}
		it := follow(t, tree{name: "x\n"}, tree{name: "y\nx\n"}, e)
		assert.Equal(t, outcome.Moved, it.State)
		it = follow(t, tree{name: "unique_line_of_code()\n"}, tree{"other.py": "unique_line_of_code()\n"}, e)
		assert.Equal(t, outcome.Moved, it.State, "%q: %s", name, it.Reason)
	}
}

// A change of thousands of files costs no more reads than its bounds say.
func TestManyFilesChanged(t *testing.T) {
	old, head := tree{"a.py": block(withGate(4)...)}, tree{}
	for i := range 2000 {
		old[fmt.Sprintf("old/f%d.py", i)] = fmt.Sprintf("old_%d\n", i)
		head[fmt.Sprintf("new/f%d.py", i)] = fmt.Sprintf("new_%d\n", i)
	}
	s := newSource(old, head)
	it, err := s.follower().Follow(context.Background(), cite(t, "a.py:5-8"))
	require.NoError(t, err)
	assert.Equal(t, outcome.Gone, it.State)
	assert.Less(t, len(s.reads), 100)
}
