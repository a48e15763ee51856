package mutate_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/mutate"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/testenv"
)

// The audited agents' cards on the repositories that they rate.
func TestEveryKindOnRealRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of changes to real repositories are left out with -short")
	}
	testenv.EachMirror(t, func(t *testing.T, a testenv.Agent, dir string) {
		t.Parallel()
		doc, err := cardfile.Read(a.Card(t))
		require.NoError(t, err)
		repo, err := gitmirror.Open(context.Background(), dir)
		require.NoError(t, err)
		defer func() { require.NoError(t, repo.Close()) }()
		base, err := mutate.NewBase(context.Background(), rescore.Local(repo).At(doc.Card.PinnedCommit))
		require.NoError(t, err)
		r, err := mutate.Run(context.Background(), engine(t), base, doc.Card)
		require.NoError(t, err)
		assert.Empty(t, r.Skipped)
		assert.Greater(t, r.Total().Tried, 2000)
		for _, k := range r.Kinds() {
			assert.Empty(t, k.Examples)
		}
	})
}
