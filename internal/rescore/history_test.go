package rescore_test

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// seed is a published report and the repository it rates.
type seed struct{ report, mirror string }

var seeds = []seed{
	{"seeds/taskweaver.md", "microsoft+TaskWeaver"},
	{"seeds/qwen-agent.md", "QwenLM+Qwen-Agent"},
}

func newEngine(tb testing.TB) *rescore.Engine {
	tb.Helper()
	e, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}})
	require.NoError(tb, err)
	return e
}

func (s seed) open(tb testing.TB) (*gitmirror.Repo, *scorecard.Card) {
	tb.Helper()
	data, err := os.ReadFile(testenv.Shared(tb, s.report))
	require.NoError(tb, err)
	doc, err := cardfile.Read(s.report, data)
	require.NoError(tb, err)
	repo, err := gitmirror.Open(context.Background(), testenv.Mirror(tb, s.mirror))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, repo.Close()) })
	return repo, doc.Card
}

// back walks the card back over n first-parent commits.
func back(tb testing.TB, repo *gitmirror.Repo, card *scorecard.Card, n int) []*outcome.Outcome {
	tb.Helper()
	ctx := context.Background()
	to, err := repo.Resolve(ctx, card.PinnedCommit+"~"+strconv.Itoa(n))
	require.NoError(tb, err)
	chain, err := repo.FirstParents(ctx, gitmirror.OID(card.PinnedCommit), to)
	require.NoError(tb, err)
	e, local := newEngine(tb), rescore.Local(repo)
	var out []*outcome.Outcome
	for _, head := range chain[1:] {
		o, err := e.Rescore(ctx, local, rescore.Request{Card: card, Head: string(head)})
		require.NoError(tb, err)
		out = append(out, o)
		card = o.After
	}
	return out
}

func BenchmarkReplay200(b *testing.B) {
	for _, s := range seeds {
		b.Run(s.mirror, func(b *testing.B) {
			repo, card := s.open(b)
			for b.Loop() {
				back(b, repo, card, 200)
			}
		})
	}
}
