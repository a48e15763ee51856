package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/store"
)

// openChecks counts how often the open checks of a subject are asked for, to be closed.
type openChecks struct {
	publish.CheckHistory
	asked int
}

func (o *openChecks) OpenChecks(ctx context.Context, repoID int64, subject string) ([]store.Check, error) {
	o.asked++
	return o.CheckHistory.OpenChecks(ctx, repoID, subject)
}

// However the last run of a job ends, its open check is closed: it would hold up a
// merge for good. The lease is free after it.
func TestLastRunClosesTheCheckHoweverItEnds(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		fn    func(context.Context, *tenant) error
		spoil func(t *testing.T, w *Worker)
		want  string
	}{
		"an error": {fn: func(context.Context, *tenant) error { return boom }, want: "boom"},
		"a panic":  {fn: func(context.Context, *tenant) error { panic("oh no") }, want: "panic: oh no"},
		"no mirror": {
			fn: func(context.Context, *tenant) error { return nil },
			spoil: func(t *testing.T, w *Worker) {
				root := t.TempDir()
				var err error
				w.Mirrors, err = gitmirror.OpenMirrors(root)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(root, "07"), nil, 0o600)) // where the mirror of 7 would be
			},
			want: "mirror of repository 7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := subjectWorker(t, store.Options{Dir: t.TempDir()})
			_, err := w.Queue.Accept(context.Background(), pullDelivery("first", 7, 5))
			require.NoError(t, err)
			spy := &openChecks{CheckHistory: w.Store}
			w.Checks.History = spy
			if c.spoil != nil {
				c.spoil(t, w)
			}
			a := jobAttempt(1)
			for a.row.Attempt = 1; a.row.Attempt <= a.row.MaxAttempts; a.row.Attempt++ {
				assert.Zero(t, spy.asked, "there will be another run")
				err := w.onSubject(context.Background(), a, job.Origin{RepoID: 7}, job.PullSubject(7, 5), asked{}, c.fn)
				require.ErrorContains(t, err, c.want)
			}
			assert.Equal(t, 1, spy.asked)
			require.NoError(t, w.Store.AcquireLease(context.Background(), job.PullSubject(7, 5), "next", leaseTTL))
		})
	}
}
