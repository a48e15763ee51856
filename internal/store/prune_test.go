package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

func subject(repo int64, number int) string { return fmt.Sprintf("repo/%d/pull/%d", repo, number) }

// filler writes records as the server would.
type filler struct {
	world
	t    *testing.T
	next int
}

func (f *filler) check(repo int64, subject, head, state string) string {
	f.t.Helper()
	ctx := f.ctx(f.t)
	f.next++
	id := fmt.Sprintf("%s@%s#%d", subject, head, f.next)
	require.NoError(f.t, f.AddCheck(ctx, store.Check{RepoID: repo, Subject: subject, Head: head, ExternalID: id, InputDigest: "x"}))
	if state == store.CheckCompleted {
		require.NoError(f.t, f.CompleteCheck(ctx, id, "neutral"))
	}
	return id
}

func (f *filler) pull(repo int64, number int, head, state string) {
	f.t.Helper()
	require.NoError(f.t, f.PutPull(f.ctx(f.t), store.Pull{RepoID: repo, Number: number, BaseRef: "main", Head: head, State: state, FactsAt: f.clock.Now()}))
}

func (f *filler) comment(repo int64, number int, slot string) {
	f.t.Helper()
	require.NoError(f.t, f.PutComment(f.ctx(f.t), store.Comment{RepoID: repo, Number: number, Slot: slot, CommentID: 1}))
}

func (f *filler) repository(id int64, state string) {
	f.t.Helper()
	require.NoError(f.t, f.PutRepository(f.ctx(f.t), store.Repository{ID: id, Owner: "o", Name: "n", State: state, FactsAt: f.clock.Now()}))
}

// forget runs the whole pruning once, as the worker does.
func forget(ctx context.Context, w world, since time.Time, limit int) (int64, error) {
	closed, err := w.ClosedPulls(ctx, since, limit)
	if err != nil {
		return 0, err
	}
	err = w.InTx(ctx, func(tx *store.Tx) error {
		for _, p := range closed {
			if err := tx.ForgetPull(ctx, p, subject(p.RepoID, p.Number), since); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	n, err := w.PrunePublished(ctx, since, limit)
	return n + int64(len(closed)), err
}

// left lists what is on record, in words.
func left(t *testing.T, w world) []string {
	t.Helper()
	ctx := w.ctx(t)
	var out []string
	for _, query := range []string{
		"SELECT external_id FROM checks",
		"SELECT 'pull ' || repo_id || '/' || number FROM pulls",
		"SELECT slot || ' ' || repo_id || '/' || number FROM comments",
		"SELECT 'progress ' || subject FROM progress",
		"SELECT 'baseline ' || repo_id FROM baselines",
	} {
		out = append(out, texts(ctx, t, w, query)...)
	}
	slices.Sort(out)
	return out
}

func texts(ctx context.Context, t *testing.T, w world, query string) []string {
	t.Helper()
	var out []string
	if w.IsSQLite() {
		rows, err := w.SQLite().QueryContext(ctx, query)
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var s string
			require.NoError(t, rows.Scan(&s))
			out = append(out, s)
		}
		require.NoError(t, rows.Err())
		return out
	}
	rows, err := w.Pool().Query(ctx, query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		out = append(out, s)
	}
	require.NoError(t, rows.Err())
	return out
}

// What can no longer be needed goes, a bounded number of rows at a time, and nothing
// else does.
func TestPruneForgetsWhatWasPublishedLongAgo(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		f := &filler{world: w, t: t}
		done, open := store.CheckCompleted, store.CheckInProgress
		var keep []string
		kept := func(what string) { keep = append(keep, what) }

		f.repository(1, store.StateActive)
		// An open pull request whose head went back to an older commit, and was quiet since.
		f.pull(1, 1, "a", store.PullOpen)
		kept("pull 1/1")
		kept(f.check(1, subject(1, 1), "a", done))
		f.check(1, subject(1, 1), "b", done)       // goes: neither the newest nor at the head
		kept(f.check(1, subject(1, 1), "b", open)) // not completed: it is still to be closed
		kept(f.check(1, subject(1, 1), "c", done))
		f.comment(1, 1, store.SlotScore)
		kept("score 1/1")
		f.comment(1, 1, store.ReplySlot(9)) // goes
		// One that was closed, with a check that was never completed: GitHub gave it up.
		f.pull(1, 2, "d", store.PullClosed)
		f.check(1, subject(1, 2), "d", done)
		f.check(1, subject(1, 2), "d", open)
		f.comment(1, 2, store.SlotScore)
		f.comment(1, 2, store.ReplySlot(10))
		// The default branch: the newest stays.
		f.check(1, "repo/1/default", "e", done)
		kept(f.check(1, "repo/1/default", "f", done))
		// A repository that was taken back, one that was so just now, and one that is archived.
		for repo, state := range map[int64]string{2: store.StateRemoved, 3: store.StateActive, 4: store.StateArchived} {
			f.repository(repo, state)
			f.pull(repo, 1, "a", store.PullOpen)
			id := f.check(repo, subject(repo, 1), "a", open)
			f.comment(repo, 1, store.SlotScore)
			_, err := w.AddBaseline(w.ctx(t), store.Baseline{RepoID: repo, Commit: "a", Origin: store.OriginAdvanced, Card: []byte("x")})
			require.NoError(t, err)
			if repo != 2 {
				kept(id)
				kept(fmt.Sprintf("baseline %d", repo))
				kept(fmt.Sprintf("pull %d/1", repo))
				kept(fmt.Sprintf("score %d/1", repo))
			}
		}
		require.NoError(t, w.SetDoneSeq(w.ctx(t), "old", 1))

		w.clock.Add(store.Retention)
		_, err := w.SetRepositoryState(w.ctx(t), 3, store.StateRemoved)
		require.NoError(t, err)
		// What is young stays, whatever it is.
		f.pull(1, 3, "g", store.PullClosed)
		kept("pull 1/3")
		kept(f.check(1, subject(1, 3), "g", done))
		kept(f.check(1, subject(1, 3), "h", done))
		f.comment(1, 3, store.ReplySlot(11))
		kept("reply-11 1/3")
		require.NoError(t, w.SetDoneSeq(w.ctx(t), "young", 1))
		kept("progress young")

		w.clock.Add(time.Second)
		since := w.clock.Now().Add(-store.Retention)
		slices.Sort(keep)
		for range 20 { // a row of each sort at a time, as if it were killed after each
			_, err := forget(w.ctx(t), w, since, 1)
			require.NoError(t, err)
			assert.Subset(t, left(t, w), keep, "gone too early")
		}
		assert.Equal(t, keep, left(t, w))
		n, err := forget(w.ctx(t), w, since, 1000)
		require.NoError(t, err)
		assert.Zero(t, n)
	})
}

func TestPruneIsBounded(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		f := &filler{world: w, t: t}
		for n := range 10 {
			f.check(1, "repo/1/default", fmt.Sprint("c", n), store.CheckCompleted)
			f.comment(1, 1, store.ReplySlot(int64(n)))
		}
		w.clock.Add(store.Retention + time.Second)
		since := w.clock.Now().Add(-store.Retention)
		for _, want := range []int64{8, 8, 3, 0} { // 9 checks and 10 comments, 4 each
			n, err := forget(w.ctx(t), w, since, 4)
			require.NoError(t, err)
			assert.Equal(t, want, n)
		}
	})
}

// A pull request that is told of between the look and the deed stays whole.
func TestForgetPullThatWasReopened(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		f := &filler{world: w, t: t}
		f.pull(1, 1, "a", store.PullClosed)
		f.check(1, subject(1, 1), "a", store.CheckCompleted)
		f.comment(1, 1, store.SlotScore)
		w.clock.Add(time.Hour)
		since := w.clock.Now()
		closed, err := w.ClosedPulls(ctx, since, 10)
		require.NoError(t, err)
		require.Len(t, closed, 1)
		f.pull(1, 1, "a", store.PullOpen)
		before := left(t, w)
		require.NoError(t, w.InTx(ctx, func(tx *store.Tx) error { return tx.ForgetPull(ctx, closed[0], subject(1, 1), since) }))
		assert.Equal(t, before, left(t, w))
		require.Len(t, before, 3)
	})
}

func TestPruneLeases(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		require.NoError(t, w.AcquireLease(ctx, "dead", "h", time.Second))
		w.clock.Add(24 * time.Hour)
		require.NoError(t, w.AcquireLease(ctx, "held", "h", time.Hour))
		require.NoError(t, w.AcquireLease(ctx, "just over", "h", time.Second))
		w.clock.Add(time.Minute)
		require.NoError(t, w.PruneLeases(ctx))
		assert.ElementsMatch(t, []string{"held", "just over"}, texts(ctx, t, w, "SELECT name FROM leases"))
	})
}
