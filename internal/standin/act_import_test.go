package standin_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestImportKeepsCommitIDsAndSendsPushes(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	src := testenv.NewRepo(t)
	src.Write("a.txt", "one\n")
	want := src.Commit("first")
	stream := src.GitInput(nil, "fast-export", "main")

	g, err := standin.New(standin.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	require.NoError(t, g.Start())
	g.AddOrg("acme")
	g.AddUser("ada")
	_, err = g.AddRepo(ctx, "acme/agent", standin.RepoOptions{})
	require.NoError(t, err)
	require.NoError(t, g.SetRole("acme/agent", "ada", standin.RoleWrite))
	app := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(app.Close)
	g.SetWebhook(app.URL, "")
	_, err = g.Install("acme", standin.InstallOptions{})
	require.NoError(t, err)

	require.NoError(t, g.Import(ctx, "ada", "acme/agent", stream))
	got, err := g.BranchSHA(ctx, "acme/agent", "main")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	require.NoError(t, g.WaitDelivered(ctx))
	var events []string
	for _, d := range g.Deliveries() {
		events = append(events, d.Event)
	}
	assert.Contains(t, events, "push")

	assert.ErrorContains(t, g.Import(ctx, "ada", "acme/agent", []byte("nonsense\n")), "import into acme/agent")
	require.Error(t, g.Import(ctx, "ada", "acme/nowhere", stream))
}
