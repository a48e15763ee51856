package rescore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/bench"
	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

// kept is a generated repository, and a store that keeps results of searches.
type kept struct {
	*bench.Repository
	t     testing.TB
	store *store.Store
	card  *scorecard.Card // with ten searches over the whole tree
}

func newKept(t testing.TB, files int) *kept {
	t.Helper()
	repo, err := bench.Generate(context.Background(), t.TempDir(), files)
	require.NoError(t, err)
	k := &kept{Repository: repo, t: t, card: bench.WideCard(repo.Base)}
	k.newStore()
	return k
}

// newStore gives the repository a store that knows nothing.
func (k *kept) newStore() {
	s, err := store.Open(context.Background(), store.Options{Dir: k.t.TempDir()})
	require.NoError(k.t, err)
	k.t.Cleanup(func() { assert.NoError(k.t, s.Close()) })
	k.store = s
}

// caching returns an engine that uses a cache.
func caching(t testing.TB, c search.Cache) *rescore.Engine {
	t.Helper()
	e, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}, Cache: c})
	require.NoError(t, err)
	return e
}

func (k *kept) open() (rescore.Repo, func()) {
	repo, err := gitmirror.Open(context.Background(), k.Dir)
	require.NoError(k.t, err)
	return rescore.Local(repo), func() { require.NoError(k.t, repo.Close()) }
}

// verify verifies the card as a process of its own would.
func (k *kept) verify(engine, commit string) outcome.Cost {
	repo, done := k.open()
	defer done()
	cache := k.store.SearchCache(engine, 0)
	v, err := caching(k.t, cache).Verify(context.Background(), repo, k.card, commit)
	require.NoError(k.t, err)
	require.NoError(k.t, cache.Flush(context.Background()))
	for _, it := range v.Items {
		if it.Evidence.IsSearch() {
			require.Equal(k.t, outcome.CheckOK, it.State, "%s: %s", it.Evidence.Search, it.Got)
		}
	}
	return v.Cost
}

// A search over a tree that was counted reads nothing, over the next commit what
// stands in the directories of the change.
func TestVerifyReadsWhatItDoesNotKnow(t *testing.T) {
	const cited, searches, perDir = 40, 10, 50
	k := newKept(t, 2_000)
	cold := k.verify("1", k.Base)
	assert.Greater(t, cold.BlobsRead, int64(searches*1_900))
	assert.Zero(t, cold.ResultsReused)
	again := k.verify("1", k.Base)
	assert.EqualValues(t, cited, again.BlobsRead)
	assert.EqualValues(t, searches, again.ResultsReused, "one result a search: that of the root")
	next := k.verify("1", k.Five)
	assert.LessOrEqual(t, next.BlobsRead, int64(cited+searches*(cited+2*perDir)))
	assert.Less(t, next.BlobsRead, cold.BlobsRead/5)
	other := k.verify("2", k.Base)
	assert.Zero(t, other.ResultsReused, "results of another engine")
	assert.Equal(t, cold.BlobsRead, other.BlobsRead)
}

// What a clone without the file makes of it is never taken for what stands in it.
func TestCacheLearnsNothingOfMissingFiles(t *testing.T) {
	for _, name := range []string{"pic.png", "pic.gif", "plain.txt"} {
		t.Run(name, func(t *testing.T) {
			src := testenv.NewRepo(t)
			src.Write("a/"+name, "needle\n") // whatever its name says
			src.Write("a/code.py", "import needle\n")
			commit := src.Commit("c")
			blob := src.Git("rev-parse", commit+":a/"+name)
			lacking := filepath.Join(t.TempDir(), "lacking")
			require.NoError(t, os.CopyFS(lacking, os.DirFS(src.Dir())))
			require.NoError(t, os.Remove(filepath.Join(lacking, ".git", "objects", blob[:2], blob[2:])))
			s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
			require.NoError(t, err)
			defer s.Close()
			cache := search.WithCache(s.SearchCache("1", 0))
			item := scorecard.Evidence{Search: "rg -n needle", Scope: "a", Hits: 2}
			for _, dir := range []string{lacking, src.Dir(), lacking} {
				repo, err := gitmirror.Open(context.Background(), dir)
				require.NoError(t, err)
				c, err := evidence.Verify(context.Background(), rescore.Local(repo).At(commit), item, cache)
				require.NoError(t, err)
				if dir == src.Dir() {
					assert.Equal(t, outcome.CheckOK, c.State, "%s", c.Got)
				}
				require.NoError(t, repo.Close())
			}
		})
	}
}

// With a cache, cold or warm, everything comes out as without one.
func TestOutcomeDoesNotDependOnTheCache(t *testing.T) {
	k := newKept(t, 300)
	var force []string
	for i := range k.card.Criteria {
		force = append(force, k.card.Criteria[i].ID)
	}
	cache := k.store.SearchCache("1", 0)
	repo, done := k.open()
	defer done()
	for _, head := range []string{k.Quiet, k.Five} {
		req := rescore.Request{Card: k.card, Head: head, Force: force}
		want, err := newEngine(t).Rescore(context.Background(), repo, req)
		require.NoError(t, err)
		for range 2 {
			got, err := caching(t, cache).Rescore(context.Background(), repo, req)
			require.NoError(t, err)
			got.Cost = want.Cost
			assert.Equal(t, want, got)
		}
	}
	hits, _ := cache.Counts()
	assert.Positive(t, hits)
}

// BenchmarkVerify verifies forty citations and ten searches over the whole tree:
// without a cache, with an empty one, at a commit that was verified, and at one
// that follows it.
func BenchmarkVerify(b *testing.B) {
	for _, files := range []int{1_000, 10_000, 100_000} {
		k := newKept(b, files)
		run := func(name string, before func(), commit string, verify func(commit string) outcome.Cost) {
			b.Run(fmt.Sprintf("files=%d/%s", files, name), func(b *testing.B) {
				var cost outcome.Cost
				for b.Loop() {
					b.StopTimer()
					before()
					b.StartTimer()
					cost = verify(commit)
				}
				b.ReportMetric(float64(cost.BlobsRead), "blobs/op")
			})
		}
		cached := func(commit string) outcome.Cost { return k.verify("1", commit) }
		run("none", func() {}, k.Base, func(commit string) outcome.Cost {
			repo, done := k.open()
			defer done()
			v, err := newEngine(b).Verify(context.Background(), repo, k.card, commit)
			require.NoError(b, err)
			return v.Cost
		})
		run("cold", k.newStore, k.Base, cached)
		run("same", func() {}, k.Base, cached)
		run("next", func() { k.newStore(); cached(k.Base) }, k.Five, cached)
	}
}
