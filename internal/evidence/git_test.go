package evidence_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// clone reads a real repository for tests, through git's own plumbing.
type clone struct {
	t     testing.TB
	dir   string
	in    io.WriteCloser
	out   *bufio.Reader
	reads int
}

func openClone(t testing.TB, dir string) *clone {
	cmd := exec.Command("git", "-C", dir, "cat-file", "--batch")
	cmd.Env = testenv.GitEnv(t)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &clone{t: t, dir: dir, in: in, out: bufio.NewReader(out)}
}

func (c *clone) git(args ...string) string {
	cmd := exec.Command("git", append([]string{"-C", c.dir}, args...)...)
	cmd.Env = testenv.GitEnv(c.t)
	out, err := cmd.Output()
	require.NoError(c.t, err, "git %v", args)
	return string(out)
}

// object returns the content of an object, or false when there is none.
func (c *clone) object(name string) ([]byte, bool) {
	c.reads++
	_, err := fmt.Fprintln(c.in, name)
	require.NoError(c.t, err)
	head, err := c.out.ReadString('\n')
	require.NoError(c.t, err)
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, false
	}
	size, err := strconv.Atoi(fields[2])
	require.NoError(c.t, err)
	data := make([]byte, size+1)
	_, err = io.ReadFull(c.out, data)
	require.NoError(c.t, err)
	return data[:size], true
}

// changes lists what differs between two commits.
func (c *clone) changes(base, head string) []search.Change {
	var out []search.Change
	fields := strings.Split(strings.TrimSuffix(c.git("diff-tree", "-r", "-z", "--raw", "--no-renames", base, head), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		var ch search.Change
		if mode := parseMode(c.t, meta[0]); mode != 0 {
			ch.Old = &search.File{Path: fields[i+1], Mode: mode, OID: meta[2]}
		}
		if mode := parseMode(c.t, meta[1]); mode != 0 {
			ch.New = &search.File{Path: fields[i+1], Mode: mode, OID: meta[3]}
		}
		out = append(out, ch)
	}
	return out
}

func parseMode(t testing.TB, s string) uint32 {
	n, err := strconv.ParseUint(s, 8, 32)
	require.NoError(t, err)
	return uint32(n)
}

// commits is the tree of one commit.
type commit struct {
	*clone
	id string
}

func (c commit) List(_ context.Context, paths []string) ([]search.File, error) {
	args := append([]string{"--literal-pathspecs", "ls-tree", "-r", "-z", c.id, "--"}, slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == "" || p == "." })...)
	var out []search.File
	for _, line := range strings.Split(strings.TrimSuffix(c.git(args...), "\x00"), "\x00") {
		meta, path, ok := strings.Cut(line, "\t")
		if ok {
			f := strings.Fields(meta)
			out = append(out, search.File{Path: path, Mode: parseMode(c.t, f[0]), OID: f[2]})
		}
	}
	return out, nil
}

func (c commit) Read(_ context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		data, ok := c.object(f.OID)
		if !ok {
			return fmt.Errorf("%s: %w", f.Path, evidence.ErrMissing)
		}
		if err := fn(f, data); err != nil {
			return err
		}
	}
	return nil
}

// commitPair is the source of two commits.
type commitPair struct {
	*clone
	base, head string
}

func (p commitPair) Prefetch(context.Context, []string) error { return nil }
func (p commitPair) Old() search.Source                       { return commit{p.clone, p.base} }
func (p commitPair) New() search.Source                       { return commit{p.clone, p.head} }
func (p commitPair) Blob(_ context.Context, oid string, limit int64) ([]byte, error) {
	data, ok := p.object(oid)
	switch {
	case !ok:
		return nil, fmt.Errorf("blob %s: %w", oid, evidence.ErrMissing)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("blob %s: %w", oid, evidence.ErrTooLarge)
	}
	return data, nil
}

// audited is what the corpus records of one agent.
type audited struct {
	name, commit string
	citations    []scorecard.Evidence // distinct, sorted by place
	references   int                  // citations with repetitions
	searches     []scorecard.Evidence // distinct
}

// corpus reads every citation and search of a facts file, wherever they stand.
func corpus(t testing.TB, agent testenv.Agent) audited {
	data, err := os.ReadFile(agent.Facts(t))
	require.NoError(t, err)
	var facts map[string]any
	require.NoError(t, json.NewDecoder(bytes.NewReader(data)).Decode(&facts))
	a := audited{name: agent.ID, commit: facts["pinned_commit"].(string)}
	seen := map[scorecard.Evidence]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if e, ok := fact(t, v); ok {
				if !e.IsSearch() {
					a.references++
				}
				if !seen[e] && e.IsSearch() {
					a.searches = append(a.searches, e)
				} else if !seen[e] {
					a.citations = append(a.citations, e)
				}
				seen[e] = true
				return
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(facts)
	slices.SortFunc(a.citations, func(a, b scorecard.Evidence) int {
		return strings.Compare(a.File+":"+a.Lines.String(), b.File+":"+b.Lines.String())
	})
	return a
}

func fact(t testing.TB, v map[string]any) (scorecard.Evidence, bool) {
	if file, ok := v["file"].(string); ok {
		lines, err := scorecard.ParseLines(v["lines"].(string))
		require.NoError(t, err)
		return scorecard.Evidence{File: file, Lines: lines}, true
	}
	if command, ok := v["search"].(string); ok {
		return scorecard.Evidence{Search: command, Scope: v["scope"].(string), Hits: int(v["hits"].(float64))}, true
	}
	return scorecard.Evidence{}, false
}
