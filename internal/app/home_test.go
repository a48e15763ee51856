package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

// newHome gives the owner a ".github" repository with a policy.
func newHome(t testing.TB, w *world, policy string) {
	t.Helper()
	home := testenv.NewRepo(t)
	home.Write(policyPath, policy)
	home.Commit("policy")
	_, err := w.gh.AddRepo(w.ctx, owner+"/.github", standin.RepoOptions{From: home.Dir(), Rev: "main"})
	require.NoError(t, err)
}
