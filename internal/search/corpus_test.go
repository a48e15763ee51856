package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// gitTree is a Source that runs git on a bare repository.
type gitTree struct {
	t           testing.TB
	dir, commit string
}

func (g gitTree) git(stdin string, args ...string) []byte {
	g.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = g.dir, testenv.GitEnv(g.t)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(g.t, err, "git %v: %s", args, stderr.String())
	return out
}

func (g gitTree) List(_ context.Context, paths []string) ([]search.File, error) {
	args := []string{"ls-tree", "-r", "-z", g.commit, "--"}
	for _, p := range paths {
		if p != "" && p != "." {
			args = append(args, p)
			continue
		}
		args = args[:5]
		break
	}
	var out []search.File
	for entry := range strings.SplitSeq(string(g.git("", args...)), "\x00") {
		meta, path, ok := strings.Cut(entry, "\t")
		if !ok {
			continue
		}
		fields := strings.Fields(meta)
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			return nil, err
		}
		out = append(out, search.File{Path: path, Mode: uint32(mode), OID: fields[2]})
	}
	return out, nil
}

func (g gitTree) Read(_ context.Context, files []search.File, fn func(search.File, []byte) error) error {
	var want strings.Builder
	for _, f := range files {
		fmt.Fprintln(&want, f.OID)
	}
	out := g.git(want.String(), "cat-file", "--batch")
	for _, f := range files {
		head, rest, _ := bytes.Cut(out, []byte{'\n'})
		fields := strings.Fields(string(head))
		if len(fields) != 3 || fields[0] != f.OID {
			return fmt.Errorf("cat-file says %q for %s", head, f.OID)
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			return err
		}
		if err := fn(f, rest[:n]); err != nil {
			return err
		}
		out = rest[n+1:]
	}
	return nil
}

// corpusSearch is a search of a card: what it must yield at the pinned commit.
type corpusSearch struct {
	Search, Scope string
	Hits          int
}

// corpusSearches reads the searches of a card of the corpus, each once.
func corpusSearches(t *testing.T, a testenv.Agent) (commit string, searches []corpusSearch) {
	t.Helper()
	data, err := os.ReadFile(a.Facts(t))
	require.NoError(t, err)
	var card struct {
		Commit string `json:"pinned_commit"`
	}
	require.NoError(t, json.Unmarshal(data, &card))
	var any1 any
	require.NoError(t, json.Unmarshal(data, &any1))
	seen := map[corpusSearch]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if cmd, ok := v["search"].(string); ok {
				scope, _ := v["scope"].(string)
				hits, _ := v["hits"].(float64)
				s := corpusSearch{cmd, scope, int(hits)}
				if !seen[s] {
					seen[s] = true
					searches = append(searches, s)
				}
			}
			for _, x := range v {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(any1)
	return card.Commit, searches
}

func TestCorpusSearchesReproduce(t *testing.T) {
	testenv.EachMirror(t, func(t *testing.T, a testenv.Agent, dir string) {
		commit, searches := corpusSearches(t, a)
		require.NotEmpty(t, searches)
		src := gitTree{t, dir, commit}
		for _, s := range searches {
			q, err := search.Parse(s.Search, s.Scope)
			require.NoError(t, err, s.Search)
			res, err := q.Run(context.Background(), src)
			require.NoError(t, err, s.Search)
			assert.True(t, res.ScopeExists, s.Search)
			assert.Equal(t, s.Hits, res.Hits, "%s in %s: %+v", s.Search, s.Scope, res.Matches)
		}
	})
}

// Every search of the corpus is one that is evaluated.
func TestCorpusSearchesParse(t *testing.T) {
	testenv.EachAgent(t, func(t *testing.T, a testenv.Agent) {
		_, searches := corpusSearches(t, a)
		for _, s := range searches {
			_, err := search.Parse(s.Search, s.Scope)
			assert.NoError(t, err, s.Search)
		}
	})
}
