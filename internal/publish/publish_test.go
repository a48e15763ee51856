package publish_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/standin/contract"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

const (
	fullName = "octo/agent"
	person   = "ada"
	marker   = "<!-- rescore:score -->"
)

var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

type fixture struct {
	t        *testing.T
	ctx      context.Context
	gh       *standin.GitHub
	store    *store.Store
	app      *ghclient.App
	api      *ghclient.Installation
	checks   *publish.Checks
	comments *publish.Comments
	repo     ghclient.Repo
	heads    []string // commits of the pull request's branch, oldest first
	pull     int
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	opts := standin.Options{Key: sharedKey()}
	contract.Watch(t, &opts)
	f := &fixture{t: t, ctx: ctx}
	source := testenv.NewRepo(t)
	source.Write("a.txt", "one\n")
	source.Commit("first")
	source.Branch("change")
	for i := range 3 {
		source.Write("a.txt", strings.Repeat("line\n", 200+i))
		f.heads = append(f.heads, source.Commit("change"))
	}
	gh, err := standin.New(opts)
	require.NoError(t, err)
	require.NoError(t, gh.Start())
	t.Cleanup(func() { require.NoError(t, gh.Close()) })
	f.gh = gh
	gh.AddOrg("octo")
	gh.AddUser(person)
	_, err = gh.AddRepo(ctx, fullName, standin.RepoOptions{From: source.Dir(), Rev: "main"})
	require.NoError(t, err)
	require.NoError(t, gh.SetRole(fullName, person, standin.RoleWrite))
	id, err := gh.Install("octo", standin.InstallOptions{})
	require.NoError(t, err)
	_, err = gh.Push(ctx, person, fullName, "change", source.Dir(), "change")
	require.NoError(t, err)
	p, err := gh.OpenPull(ctx, person, fullName, standin.PullRequest{Title: "t", Head: "change"})
	require.NoError(t, err)
	f.pull = p.Number
	r, err := gh.Repository(fullName)
	require.NoError(t, err)
	f.repo = ghclient.Repo{ID: r.ID, Owner: "octo", Name: "agent"}
	f.app, err = ghclient.New(ghclient.Options{APIURL: gh.APIURL(), AppID: gh.AppID(), Key: sharedKey()})
	require.NoError(t, err)
	f.api = f.app.Installation(id)
	f.store, err = store.Open(ctx, store.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, f.store.Close()) })
	f.checks = &publish.Checks{Records: f.store, History: f.store, Name: "Rescore", Now: time.Now}
	f.comments = &publish.Comments{Records: f.store, Login: f.app.Login}
	return f
}

func (f *fixture) target(head, cause string) publish.Target {
	return publish.Target{
		Repo: f.repo, Subject: job.PullSubject(f.repo.ID, f.pull), Head: head,
		ExternalID: job.ExternalID(f.pull, head, cause), Cause: cause, Input: "input",
	}
}

func (f *fixture) place() publish.Place {
	return publish.Place{Repo: f.repo, Number: f.pull, Slot: store.SlotScore, Marker: marker}
}

func content(annotations int) report.CheckRun {
	c := report.CheckRun{Conclusion: outcome.Success, Title: "3.0 holds", Summary: "summary", Text: "text"}
	for i := range annotations {
		c.Annotations = append(c.Annotations, report.Annotation{
			Path: "a.txt", StartLine: i + 1, EndLine: i + 1, Level: report.LevelNotice, Title: "t", Message: fmt.Sprint(i), RawDetails: "raw",
		})
	}
	return c
}

func (f *fixture) runs(head string) []standin.CheckRun {
	f.t.Helper()
	runs, err := f.gh.CheckRuns(fullName, head)
	require.NoError(f.t, err)
	return runs
}

func (f *fixture) standing() []standin.Comment {
	f.t.Helper()
	comments, err := f.gh.Comments(fullName, f.pull)
	require.NoError(f.t, err)
	return comments
}

// publishOnce is one attempt of a job: the check begun and completed, the comment
// made to say body.
func (f *fixture) publishOnce(head, cause, body string, annotations int) error {
	run, err := f.checks.Begin(f.ctx, f.api, f.target(head, cause))
	if err != nil {
		return err
	}
	if err := run.Complete(f.ctx, content(annotations)); err != nil {
		return err
	}
	return f.upsert(f.place(), body)
}

func TestCheckIsBegunThenCompleted(t *testing.T) {
	f := newFixture(t)
	head := f.heads[2]
	run, err := f.checks.Begin(f.ctx, f.api, f.target(head, "d1"))
	require.NoError(t, err)
	runs := f.runs(head)
	require.Len(t, runs, 1)
	assert.Equal(t, "in_progress", runs[0].Status)
	assert.Equal(t, "Rescore", runs[0].Name)
	_, ok, err := f.checks.Current(f.ctx, f.target(head, "d1"))
	require.NoError(t, err)
	assert.False(t, ok)

	require.NoError(t, run.Complete(f.ctx, content(2)))
	runs = f.runs(head)
	require.Len(t, runs, 1)
	assert.Equal(t, "completed", runs[0].Status)
	assert.Equal(t, "success", runs[0].Conclusion)
	assert.Equal(t, "3.0 holds", runs[0].Title)
	assert.Len(t, runs[0].Annotations, 2)
	number, ok := job.PullOfExternalID(runs[0].ExternalID)
	assert.True(t, ok)
	assert.Equal(t, f.pull, number)
	current, ok, err := f.checks.Current(f.ctx, f.target(head, "d1"))
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, "input", current.InputDigest)
	assert.Equal(t, runs[0].ID, current.CheckRunID)
}

func TestManyAnnotationsGoByFifties(t *testing.T) {
	f := newFixture(t)
	mark := f.gh.Mark()
	require.NoError(t, f.publishOnce(f.heads[2], "d1", marker+"\nx", 120))
	run := f.runs(f.heads[2])[0]
	assert.Equal(t, "completed", run.Status)
	require.Len(t, run.Annotations, 120)
	for i, a := range run.Annotations {
		assert.Equal(t, fmt.Sprint(i), a.Message)
	}
	patches := 0
	for _, x := range f.gh.JournalSince(mark) {
		if x.Method == http.MethodPatch {
			patches++
		}
	}
	assert.Equal(t, 3, patches)
}

// A second job at the same head makes a new run: the old result does not stand
// while the new one is worked out.
func TestRerunIsANewRun(t *testing.T) {
	f := newFixture(t)
	head := f.heads[2]
	require.NoError(t, f.publishOnce(head, "d1", marker+"\nx", 1))
	run, err := f.checks.Begin(f.ctx, f.api, f.target(head, "d2"))
	require.NoError(t, err)
	runs := f.runs(head)
	require.Len(t, runs, 2)
	assert.Equal(t, "in_progress", runs[1].Status)
	require.NoError(t, run.Complete(f.ctx, content(1)))
	assert.Len(t, f.runs(head)[1].Annotations, 1, "annotations of the old run are not added to")
}

// The same job again, after it was done, changes nothing and asks nothing.
func TestSameCauseIsPublishedOnce(t *testing.T) {
	f := newFixture(t)
	head := f.heads[2]
	require.NoError(t, f.publishOnce(head, "d1", marker+"\nx", 1))
	mark := f.gh.Mark()
	require.NoError(t, f.publishOnce(head, "d1", marker+"\nx", 1))
	assert.Empty(t, f.gh.JournalSince(mark))
	assert.Len(t, f.runs(head), 1)
	assert.Len(t, f.standing(), 1)
}

// Whichever request fails, before or after it took effect, and however often:
// in the end there is one completed run with every annotation once, and one comment.
func TestAnyRequestMayFail(t *testing.T) {
	const annotations = 120
	count := func() int {
		f := newFixture(t)
		mark := f.gh.Mark()
		require.NoError(t, f.publishOnce(f.heads[2], "d1", marker+"\nbody", annotations))
		return len(f.gh.JournalSince(mark))
	}()
	faults := map[string]standin.Fault{
		"refused":      {Status: 502, Message: "Bad Gateway"},
		"answer lost":  {Status: 502, Message: "Bad Gateway", AfterWork: true},
		"rate limited": standin.SecondaryLimited(http.StatusForbidden, time.Second),
	}
	for name, fault := range faults {
		for n := 1; n <= count; n++ {
			t.Run(fmt.Sprintf("%s at %d", name, n), func(t *testing.T) {
				f := newFixture(t)
				seen := 0
				f.gh.Fail(func(standin.Request) *standin.Fault {
					if seen++; seen == n {
						return &fault
					}
					return nil
				})
				attempts := 0
				for err := f.publishOnce(f.heads[2], "d1", marker+"\nbody", annotations); err != nil; attempts++ {
					require.Less(t, attempts, 5, "%v", err)
					var limit *ghclient.RateLimitError
					if errors.As(err, &limit) {
						waitUntil(f.ctx, limit.Until)
					}
					err = f.publishOnce(f.heads[2], "d1", marker+"\nbody", annotations)
				}
				runs := f.runs(f.heads[2])
				require.Len(t, runs, 1)
				assert.Equal(t, "completed", runs[0].Status)
				assert.Len(t, runs[0].Annotations, annotations)
				comments := f.standing()
				require.Len(t, comments, 1)
				assert.Equal(t, marker+"\nbody", comments[0].Body)
			})
		}
	}
}

// waitUntil waits for the moment that GitHub named.
func waitUntil(ctx context.Context, at time.Time) {
	ctx, cancel := context.WithDeadline(ctx, at)
	defer cancel()
	<-ctx.Done()
}

// A job that died left a run open; the next job, about a newer commit, closes it.
func TestOpenRunOfAnOldHeadIsClosed(t *testing.T) {
	f := newFixture(t)
	_, err := f.checks.Begin(f.ctx, f.api, f.target(f.heads[1], "d1"))
	require.NoError(t, err)
	lost := f.target(f.heads[0], "d0") // decided upon, never sent
	require.NoError(t, f.store.AddCheck(f.ctx, store.Check{RepoID: f.repo.ID, Subject: lost.Subject, Head: lost.Head, ExternalID: lost.ExternalID}))
	require.NoError(t, f.publishOnce(f.heads[2], "d2", marker+"\nx", 0))
	old := f.runs(f.heads[1])
	require.Len(t, old, 1)
	assert.Equal(t, "completed", old[0].Status)
	assert.Equal(t, "neutral", old[0].Conclusion)
	assert.Equal(t, "Superseded by a newer commit", old[0].Title)
	assert.Empty(t, f.runs(f.heads[0]))
	open, err := f.store.OpenChecks(f.ctx, f.repo.ID, lost.Subject)
	require.NoError(t, err)
	assert.Empty(t, open)
}

// A job that died left a run open at the same head: the next job takes it over
// instead of adding another.
func TestOpenRunOfTheSameHeadIsTakenOver(t *testing.T) {
	f := newFixture(t)
	head := f.heads[2]
	_, err := f.checks.Begin(f.ctx, f.api, f.target(head, "d1"))
	require.NoError(t, err)
	require.NoError(t, f.publishOnce(head, "d2", marker+"\nx", 3))
	runs := f.runs(head)
	require.Len(t, runs, 1)
	assert.Equal(t, "completed", runs[0].Status)
	assert.Len(t, runs[0].Annotations, 3)
}

func TestSubjectsWithOneHeadAreKeptApart(t *testing.T) {
	f := newFixture(t)
	head := f.heads[2]
	other := f.target(head, "d1")
	other.Subject, other.ExternalID = job.BranchSubject(f.repo.ID), job.ExternalID(0, head, "d1")
	_, err := f.checks.Begin(f.ctx, f.api, other)
	require.NoError(t, err)
	require.NoError(t, f.publishOnce(head, "d1", marker+"\nx", 0))
	runs := f.runs(head)
	require.Len(t, runs, 2)
	assert.Equal(t, "in_progress", runs[0].Status, "the other subject's run is left alone")
	assert.Equal(t, "completed", runs[1].Status)
}

// GitHub refuses a content: the run is completed with less.
func TestRefusedContentIsCompletedAllTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		refuse func(body string) bool
		want   string
	}{
		"annotations refused": {func(b string) bool { return strings.Contains(b, `"annotations"`) }, "summary"},
		"text refused":        {func(b string) bool { return strings.Contains(b, `"text"`) }, "GitHub refused the details of this result. The conclusion stands."},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.gh.Fail(func(r standin.Request) *standin.Fault {
				if r.Method == http.MethodPatch && c.refuse(string(r.Body)) {
					return &standin.Fault{Status: 422, Message: "Invalid request."}
				}
				return nil
			})
			require.NoError(t, f.publishOnce(f.heads[2], "d1", marker+"\nx", 2))
			runs := f.runs(f.heads[2])
			require.Len(t, runs, 1)
			assert.Equal(t, "completed", runs[0].Status)
			assert.Equal(t, "success", runs[0].Conclusion)
			assert.Equal(t, c.want, runs[0].Summary)
		})
	}
}

func TestUnknownCommitIsFinal(t *testing.T) {
	f := newFixture(t)
	target := f.target(strings.Repeat("1", 40), "d1")
	_, err := f.checks.Begin(f.ctx, f.api, target)
	require.ErrorIs(t, err, ghclient.ErrNoCommit)
	open, err := f.store.OpenChecks(f.ctx, f.repo.ID, target.Subject)
	require.NoError(t, err)
	assert.Empty(t, open)
}

// A run that another attempt left open is taken over with what it answers now: an
// input that comes back later is not taken for answered by it.
func TestRunThatIsTakenOverAnswersItsNewInput(t *testing.T) {
	for name, c := range map[string]struct {
		lose  string // the request whose answer is lost
		input string // of who takes over
		runs  int
	}{
		"open, another input":      {"POST /repos/{owner}/{repo}/check-runs", "other", 1},
		"open, the same input":     {"POST /repos/{owner}/{repo}/check-runs", "input", 1},
		"answered, another input":  {"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", "other", 2},
		"answered, the same input": {"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", "input", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			head := f.heads[2]
			first, second := f.target(head, "first"), f.target(head, "second")
			second.Input = c.input
			begun := func(target publish.Target, title string) error {
				run, err := f.checks.Begin(f.ctx, f.api, target)
				if err != nil {
					return err
				}
				answer := content(0)
				answer.Title = title
				return run.Complete(f.ctx, answer)
			}
			f.gh.FailNext(c.lose, 1, standin.Fault{Drop: true, AfterWork: true})
			require.Error(t, begun(first, "first answer"))
			require.NoError(t, begun(second, "second answer"))
			current, ok, err := f.checks.Current(f.ctx, second)
			require.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, c.input, current.InputDigest)
			runs := f.runs(head)
			require.Len(t, runs, c.runs)
			for _, r := range runs {
				assert.Equal(t, "completed", r.Status)
				if r.ID == current.CheckRunID && c.input == "other" {
					assert.Equal(t, "second answer", r.Title)
				}
			}
		})
	}
}
