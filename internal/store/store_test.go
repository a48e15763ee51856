package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

var t0 = time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC)

// clock is moved by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is an open store of one database and the way to open it again.
type world struct {
	*store.Store
	clock *clock
	opts  store.Options
}

func (w world) ctx(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// onBoth runs the conformance test on both databases.
func onBoth(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	onEach(t, func(t *testing.T, o store.Options) {
		c := &clock{now: t0}
		o.Now = c.Now
		s, err := store.Open(context.Background(), o)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		test(t, world{s, c, o})
	})
}

// onEach runs the test with an empty database of each kind.
func onEach(t *testing.T, test func(t *testing.T, o store.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, store.Options{Dir: t.TempDir()}) })
	t.Run("postgres", func(t *testing.T) { test(t, store.Options{DatabaseURL: testenv.PostgresURL(t)}) })
}

func TestDeliveriesAreTakenOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		first, fresh, err := w.AddDelivery(ctx, store.Delivery{ID: "a", ContentKey: "k1", Event: "push"})
		require.NoError(t, err)
		assert.True(t, fresh)
		for _, again := range []store.Delivery{{ID: "a", ContentKey: "k1", Event: "push"}, {ID: "a"}, {ID: "b", ContentKey: "k1"}} {
			_, fresh, err := w.AddDelivery(ctx, again)
			require.NoError(t, err)
			assert.False(t, fresh, "%+v", again)
		}
		second, fresh, err := w.AddDelivery(ctx, store.Delivery{ID: "c"})
		require.NoError(t, err)
		assert.True(t, fresh)
		third, fresh, err := w.AddDelivery(ctx, store.Delivery{ID: "d"}) // no content key: never equal
		require.NoError(t, err)
		assert.True(t, fresh)
		assert.Less(t, first, second)
		assert.Less(t, second, third)
		known, err := w.HasDelivery(ctx, "a")
		require.NoError(t, err)
		assert.True(t, known)
		known, err = w.HasDelivery(ctx, "b")
		require.NoError(t, err)
		assert.False(t, known)
	})
}

func TestDeliveryIsUndoneWithItsTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		boom := errors.New("boom")
		err := w.InTx(ctx, func(tx *store.Tx) error {
			_, fresh, err := tx.AddDelivery(ctx, store.Delivery{ID: "a"})
			require.NoError(t, err)
			require.True(t, fresh)
			return boom
		})
		require.ErrorIs(t, err, boom)
		_, fresh, err := w.AddDelivery(ctx, store.Delivery{ID: "a"})
		require.NoError(t, err)
		assert.True(t, fresh)
	})
}

func TestPruneKeepsWhatCanStillBeRedelivered(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		var last int64
		for _, id := range []string{"old", "newer", "newest"} {
			seq, _, err := w.AddDelivery(ctx, store.Delivery{ID: id})
			require.NoError(t, err)
			last = seq
			w.clock.Add(4 * 24 * time.Hour)
		}
		n, err := w.PruneDeliveries(ctx) // ages: 12, 8 and 4 days
		require.NoError(t, err)
		assert.Equal(t, int64(2), n)
		known, err := w.HasDelivery(ctx, "newest")
		require.NoError(t, err)
		assert.True(t, known)
		w.clock.Add(30 * 24 * time.Hour)
		_, err = w.PruneDeliveries(ctx)
		require.NoError(t, err)
		seq, _, err := w.AddDelivery(ctx, store.Delivery{ID: "later"})
		require.NoError(t, err)
		assert.Greater(t, seq, last, "numbers never start again")
	})
}

// What every push adds to is bounded: each repository keeps its newest baselines,
// whatever the others add.
func TestPruneKeepsTheNewestBaselines(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		add := func(repo int64, commit string) {
			_, err := w.AddBaseline(ctx, store.Baseline{RepoID: repo, Commit: commit, Origin: store.OriginAdvanced, Card: []byte("x")})
			require.NoError(t, err)
		}
		add(1, "quiet")
		for n := range 7 {
			add(2, fmt.Sprint("c", n))
			add(3, fmt.Sprint("c", n))
		}
		for _, want := range []int64{2 * 4, 0} {
			n, err := w.PruneBaselines(ctx, 3)
			require.NoError(t, err)
			assert.Equal(t, want, n)
		}
		for repo, want := range map[int64][]string{1: {"quiet"}, 2: {"c6", "c5", "c4"}, 3: {"c6", "c5", "c4"}} {
			rows, err := w.Baselines(ctx, repo, 100)
			require.NoError(t, err)
			var got []string
			for _, row := range rows {
				got = append(got, row.Commit)
			}
			assert.Equal(t, want, got)
		}
	})
}

func TestProgressNeverFalls(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		for _, step := range []struct{ set, want int64 }{{5, 5}, {3, 5}, {9, 9}} {
			require.NoError(t, w.SetDoneSeq(ctx, "s", step.set))
			got, err := w.DoneSeq(ctx, "s")
			require.NoError(t, err)
			assert.Equal(t, step.want, got)
		}
		other, err := w.DoneSeq(ctx, "other")
		require.NoError(t, err)
		assert.Zero(t, other)
	})
}

func TestInstallations(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		_, err := w.Installation(ctx, 1)
		require.ErrorIs(t, err, store.ErrNotFound)
		changed, err := w.SetInstallationState(ctx, 1, store.StateSuspended, "x")
		require.NoError(t, err)
		assert.False(t, changed, "an unknown installation")
		i := store.Installation{ID: 1, Account: "octo", AccountID: 9, State: store.StateActive}
		require.NoError(t, w.PutInstallation(ctx, i))
		changed, err = w.SetInstallationState(ctx, 1, store.StateSuspended, "suspended by its owner")
		require.NoError(t, err)
		assert.True(t, changed)
		changed, err = w.SetInstallationState(ctx, 1, store.StateSuspended, "suspended by its owner")
		require.NoError(t, err)
		assert.False(t, changed)
		got, err := w.Installation(ctx, 1)
		require.NoError(t, err)
		i.State, i.Reason = store.StateSuspended, "suspended by its owner"
		assert.Equal(t, i, got)
	})
}

func TestRepositoriesKeepTheNewestFacts(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		r := store.Repository{ID: 7, InstallationID: 1, Owner: "octo", OwnerID: 9, Name: "old", DefaultBranch: "main",
			State: store.StateActive, FactsAt: t0}
		require.NoError(t, w.PutRepository(ctx, r))
		w.clock.Add(time.Second)
		renamed := r
		renamed.Name, renamed.DefaultBranch, renamed.FactsAt = "new", "", t0.Add(time.Minute)
		require.NoError(t, w.PutRepository(ctx, renamed))
		require.NoError(t, w.PutRepository(ctx, r), "a late delivery with the old name")
		got, err := w.Repository(ctx, 7)
		require.NoError(t, err)
		want := renamed
		want.DefaultBranch = "main" // an unknown branch leaves the known one
		assert.Equal(t, want, got)
		assert.Equal(t, "octo/new", got.FullName())

		names, err := w.RepositoryNames(ctx, 7)
		require.NoError(t, err)
		require.Len(t, names, 2)
		assert.Equal(t, "old", names[0].Name)
		assert.Equal(t, "new", names[1].Name)

		require.NoError(t, w.RenameRepository(ctx, 7, "other", 10, "newest"))
		got, err = w.OwnerRepository(ctx, 10, "newest")
		require.NoError(t, err)
		assert.Equal(t, int64(7), got.ID)
		_, err = w.OwnerRepository(ctx, 9, "new")
		require.ErrorIs(t, err, store.ErrNotFound)
		require.ErrorIs(t, w.RenameRepository(ctx, 99, "x", 1, "y"), store.ErrNotFound)

		changed, err := w.SetRepositoryState(ctx, 7, store.StateArchived)
		require.NoError(t, err)
		assert.True(t, changed)
		changed, err = w.SetRepositoryState(ctx, 7, store.StateArchived)
		require.NoError(t, err)
		assert.False(t, changed)
		require.NoError(t, w.PutRepository(ctx, store.Repository{ID: 3, InstallationID: 1, Owner: "octo", Name: "b", State: store.StateActive, FactsAt: t0}))
		require.NoError(t, w.PutRepository(ctx, store.Repository{ID: 4, InstallationID: 2, Owner: "o", Name: "b", State: store.StateActive, FactsAt: t0}))
		list, err := w.Repositories(ctx, 1)
		require.NoError(t, err)
		require.Len(t, list, 2)
		assert.Equal(t, int64(3), list[0].ID)
		assert.Equal(t, store.StateArchived, list[1].State)
		for _, owner := range []store.Repository{{ID: 20, OwnerID: 30}, {ID: 21, OwnerID: 31}, {ID: 22, OwnerID: 31}} {
			owner.State, owner.FactsAt = store.StateRemoved, t0
			if owner.ID == 22 {
				owner.State = store.StateArchived
			}
			require.NoError(t, w.PutRepository(ctx, owner))
		}
		owners, err := w.Owners(ctx)
		require.NoError(t, err)
		assert.Equal(t, []int64{0, 10, 31}, owners)
		_, err = w.Repository(ctx, 99)
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestPullFactsAndDoubt(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		get := func() store.Pull {
			p, err := w.Pull(ctx, 1, 5)
			require.NoError(t, err)
			return p
		}
		p := store.Pull{RepoID: 1, Number: 5, BaseRef: "main", Head: "h1", State: store.PullOpen, FactsAt: t0}
		require.NoError(t, w.PutPull(ctx, p))
		assert.Equal(t, p, get())

		sameSecond := p
		sameSecond.Head = "h2"
		require.NoError(t, w.PutPull(ctx, sameSecond))
		assert.False(t, get().Doubtful, "the head is only a hint: git tells")

		disagree := p
		disagree.BaseRef = "next"
		require.NoError(t, w.PutPull(ctx, disagree))
		assert.True(t, get().Doubtful)
		require.NoError(t, w.PutPull(ctx, disagree))
		assert.True(t, get().Doubtful, "stays until settled")

		require.NoError(t, w.ConfirmPull(ctx, disagree))
		assert.False(t, get().Doubtful)
		assert.Equal(t, "next", get().BaseRef)

		later := p
		later.FactsAt, later.State = t0.Add(time.Second), store.PullClosed
		require.NoError(t, w.PutPull(ctx, later))
		require.NoError(t, w.PutPull(ctx, p))
		require.NoError(t, w.ConfirmPull(ctx, p))
		assert.Equal(t, later, get(), "older facts are passed over")

		require.NoError(t, w.PutPull(ctx, store.Pull{RepoID: 1, Number: 9, BaseRef: "main", State: store.PullOpen, FactsAt: t0}))
		require.NoError(t, w.PutPull(ctx, store.Pull{RepoID: 1, Number: 8, BaseRef: "main", State: store.PullOpen, FactsAt: t0}))
		require.NoError(t, w.PutPull(ctx, store.Pull{RepoID: 1, Number: 7, BaseRef: "other", State: store.PullOpen, FactsAt: t0}))
		require.NoError(t, w.PutPull(ctx, store.Pull{RepoID: 2, Number: 6, BaseRef: "main", State: store.PullOpen, FactsAt: t0}))
		open, err := w.OpenPulls(ctx, 1)
		require.NoError(t, err)
		assert.Equal(t, []int{7, 8, 9}, open)
		for number, state := range map[int]string{11: store.PullOpen, 12: store.PullClosed, 10: store.PullOpen} {
			require.NoError(t, w.PutPull(ctx, store.Pull{RepoID: 1, Number: number, Head: "shared", State: state, FactsAt: t0}))
		}
		require.NoError(t, w.PutPull(ctx, store.Pull{RepoID: 2, Number: 13, Head: "shared", State: store.PullOpen, FactsAt: t0}))
		open, err = w.OpenPullsAt(ctx, 1, "shared")
		require.NoError(t, err)
		assert.Equal(t, []int{10, 11}, open)
		_, err = w.Pull(ctx, 1, 1000)
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestBaselinesAreHistory(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		add := func(b store.Baseline) bool {
			fresh, err := w.AddBaseline(ctx, b)
			require.NoError(t, err)
			return fresh
		}
		b := store.Baseline{RepoID: 1, Commit: "c1", CardPath: "p", CardBlob: "b1", Origin: store.OriginImported,
			Card: []byte(`{"a":1}`), Scorer: "v1"}
		assert.True(t, add(b))
		assert.False(t, add(b), "the same again")
		b2 := b
		b2.Commit, b2.Origin, b2.OutcomeDigest, b2.Card = "c2", store.OriginAdvanced, "d", []byte(`{"a":2}`)
		assert.True(t, add(b2))
		b3 := b2
		b3.CardBlob = "b2"
		assert.True(t, add(b3), "another card at the same commit")

		list, err := w.Baselines(ctx, 1, 2)
		require.NoError(t, err)
		require.Len(t, list, 2)
		assert.Equal(t, "b2", list[0].CardBlob)
		assert.Equal(t, "c2", list[1].Commit)
		assert.Equal(t, t0, list[1].CreatedAt)
		assert.Equal(t, "d", list[1].OutcomeDigest)
		card, err := w.BaselineCard(ctx, list[1].ID)
		require.NoError(t, err)
		assert.JSONEq(t, `{"a":2}`, string(card))
		_, err = w.BaselineCard(ctx, 999)
		require.ErrorIs(t, err, store.ErrNotFound)

		for _, card := range [][]byte{nil, make([]byte, store.MaxCard+1)} {
			b.Card = card
			_, err := w.AddBaseline(ctx, b)
			require.ErrorContains(t, err, "the limit is")
		}
	})
}

func TestChecks(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		c := store.Check{RepoID: 1, Subject: "pull/5", Head: "h", ExternalID: "e1", Cause: "d1", InputDigest: "i"}
		require.NoError(t, w.AddCheck(ctx, c))
		require.NoError(t, w.AddCheck(ctx, c), "again after a crash")
		open, err := w.OpenChecks(ctx, 1, "pull/5")
		require.NoError(t, err)
		require.Len(t, open, 1)
		assert.Equal(t, store.CheckCreating, open[0].State)
		assert.Zero(t, open[0].CheckRunID)

		newest := func() (store.Check, error) {
			at, err := w.ChecksAt(ctx, 1, "pull/5", "h")
			if err != nil || len(at) == 0 {
				return store.Check{}, err
			}
			return at[0], nil
		}
		require.NoError(t, w.SetCheckRun(ctx, "e1", 77))
		got, err := newest()
		require.NoError(t, err)
		assert.Equal(t, store.CheckInProgress, got.State)
		require.NoError(t, w.CompleteCheck(ctx, "e1", "neutral"))
		require.NoError(t, w.SetCheckRun(ctx, "e1", 77))
		got, err = newest()
		require.NoError(t, err)
		want := c
		want.ID, want.CheckRunID, want.State, want.Conclusion, want.CreatedAt = got.ID, 77, store.CheckCompleted, "neutral", t0
		assert.Equal(t, want, got, "a completed check does not open again")
		open, err = w.OpenChecks(ctx, 1, "pull/5")
		require.NoError(t, err)
		assert.Empty(t, open)

		require.NoError(t, w.AddCheck(ctx, c))
		require.NoError(t, w.SettleCheck(ctx, "e1"))
		got, err = newest()
		require.NoError(t, err)
		assert.Equal(t, store.CheckCompleted, got.State, "nor does the same decision open it")
		assert.True(t, got.Settled)
		require.NoError(t, w.VoidCheck(ctx, "e1", "neutral"))
		got, err = newest()
		require.NoError(t, err)
		assert.Empty(t, got.InputDigest)
		require.NoError(t, w.AddCheck(ctx, c))
		revived, err := w.OpenChecks(ctx, 1, "pull/5")
		require.NoError(t, err)
		require.Len(t, revived, 1, "a voided one is begun again")
		require.NoError(t, w.CompleteCheck(ctx, "e1", "neutral"))

		require.NoError(t, w.AddCheck(ctx, store.Check{RepoID: 1, Subject: "pull/5", Head: "h", ExternalID: "e2"}))
		require.NoError(t, w.AddCheck(ctx, store.Check{RepoID: 1, Subject: "push", Head: "h", ExternalID: "e3"}))
		at, err := w.ChecksAt(ctx, 1, "pull/5", "h")
		require.NoError(t, err)
		require.Len(t, at, 2)
		assert.Equal(t, "e2", at[0].ExternalID, "newest first")
		ofHead, err := w.ChecksOfHead(ctx, 1, "h")
		require.NoError(t, err)
		assert.Len(t, ofHead, 3)
		ofHead, err = w.ChecksOfHead(ctx, 2, "h")
		require.NoError(t, err)
		assert.Empty(t, ofHead, "another repository's")
	})
}

func TestComments(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		_, err := w.Comment(ctx, 1, 5, store.SlotScore)
		require.ErrorIs(t, err, store.ErrNotFound)
		c := store.Comment{RepoID: 1, Number: 5, Slot: store.SlotScore, CommentID: 3, BodyDigest: "x"}
		require.NoError(t, w.PutComment(ctx, c))
		c.BodyDigest = "y"
		require.NoError(t, w.PutComment(ctx, c))
		require.NoError(t, w.PutComment(ctx, store.Comment{RepoID: 1, Number: 5, Slot: store.ReplySlot(8), CommentID: 4}))
		got, err := w.Comment(ctx, 1, 5, store.SlotScore)
		require.NoError(t, err)
		assert.Equal(t, c, got)
		require.NoError(t, w.DropComment(ctx, 1, 5, store.SlotScore))
		_, err = w.Comment(ctx, 1, 5, store.SlotScore)
		require.ErrorIs(t, err, store.ErrNotFound)
		_, err = w.Comment(ctx, 1, 5, "reply-8")
		require.NoError(t, err)
	})
}

func TestLeases(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		const ttl = 15 * time.Second
		require.NoError(t, w.AcquireLease(ctx, "x", "a", ttl))
		require.ErrorIs(t, w.AcquireLease(ctx, "x", "b", ttl), store.ErrHeld)
		require.NoError(t, w.AcquireLease(ctx, "y", "b", ttl), "another name")
		require.ErrorIs(t, w.RenewLease(ctx, "x", "b", ttl), store.ErrHeld)

		w.clock.Add(10 * time.Second)
		require.NoError(t, w.RenewLease(ctx, "x", "a", ttl))
		w.clock.Add(10 * time.Second)
		require.ErrorIs(t, w.AcquireLease(ctx, "x", "b", ttl), store.ErrHeld, "renewed")
		require.NoError(t, w.ReleaseLease(ctx, "x", "b"), "not held: nothing happens")
		require.ErrorIs(t, w.AcquireLease(ctx, "x", "b", ttl), store.ErrHeld)

		w.clock.Add(6 * time.Second) // past the end
		require.ErrorIs(t, w.RenewLease(ctx, "x", "a", ttl), store.ErrHeld, "an expired lease is lost even when nobody took it")
		require.NoError(t, w.AcquireLease(ctx, "x", "b", ttl))
		require.NoError(t, w.ReleaseLease(ctx, "x", "b"))
		require.NoError(t, w.AcquireLease(ctx, "x", "c", ttl))
		require.NoError(t, w.DropLeases(ctx))
		require.NoError(t, w.AcquireLease(ctx, "x", "d", ttl))
	})
}

func TestOnlyOneGetsTheLease(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		var wg sync.WaitGroup
		results := make(chan error, 20)
		for i := range 20 {
			wg.Go(func() { results <- w.AcquireLease(ctx, "x", fmt.Sprint(i), time.Minute) })
		}
		wg.Wait()
		close(results)
		won := 0
		for err := range results {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, store.ErrHeld)
			}
		}
		assert.Equal(t, 1, won)
	})
}

func TestReplicas(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		alive := func() []string {
			ids, err := w.Alive(ctx, 20*time.Second)
			require.NoError(t, err)
			return ids
		}
		assert.Empty(t, alive())
		require.NoError(t, w.Beat(ctx, "b"))
		w.clock.Add(15 * time.Second)
		require.NoError(t, w.Beat(ctx, "a"))
		assert.Equal(t, []string{"a", "b"}, alive())
		w.clock.Add(10 * time.Second)
		assert.Equal(t, []string{"a"}, alive())
		require.NoError(t, w.Beat(ctx, "b"))
		require.NoError(t, w.Retire(ctx, "a"))
		assert.Equal(t, []string{"b"}, alive())
		w.clock.Add(time.Hour)
		assert.Empty(t, alive())
	})
}

// The databases' own clocks are used when none is injected.
func TestLeaseByTheDatabasesClock(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		require.NoError(t, w.Close())
		o := w.opts
		o.Now = nil
		s, err := store.Open(context.Background(), o)
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		ctx := w.ctx(t)
		require.NoError(t, s.AcquireLease(ctx, "x", "a", time.Minute))
		require.ErrorIs(t, s.AcquireLease(ctx, "x", "b", time.Minute), store.ErrHeld)
		require.NoError(t, s.AcquireLease(ctx, "y", "a", -time.Second))
		require.NoError(t, s.AcquireLease(ctx, "y", "b", time.Minute), "already expired")
		require.NoError(t, s.Beat(ctx, "a"))
		alive, err := s.Alive(ctx, time.Minute)
		require.NoError(t, err)
		assert.Equal(t, []string{"a"}, alive)
	})
}
