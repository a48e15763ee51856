package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/store"
)

// Pull requests can share a head: anybody may open a second one from the same branch
// into another base, whose policy is milder. GitHub keeps checks by commit and name and
// counts the newest, so that a milder result would hide a failure that is to hold up
// the first. While a pull request fails, the others at its head fail with it.

// failingBeside returns the lowest number of the other open pull requests at the head
// that fail by themselves, 0 when none does.
func (e *evaluation) failingBeside(ctx context.Context) (int, error) {
	if e.number == 0 {
		return 0, nil
	}
	beside, err := e.w.beside(ctx, e.repo.ID, e.number, string(e.head))
	for _, n := range beside {
		at, err := e.w.resultsAt(ctx, e.repo.ID, n, string(e.head))
		if err != nil {
			return 0, err
		}
		if len(at) > 0 && fails(at[0]) {
			return n, nil
		}
	}
	return 0, err
}

// fails reports whether a result is a failure of the subject's own.
func fails(c store.Check) bool {
	return c.State == store.CheckCompleted && c.Conclusion == string(outcome.Failure)
}

// resultsAt returns the checks of a pull request at a head, newest first.
func (w *Worker) resultsAt(ctx context.Context, repoID int64, number int, head string) ([]store.Check, error) {
	return w.Store.ChecksAt(ctx, repoID, job.PullSubject(repoID, number), head)
}

// withFailing makes what fails at the same head part of the digest of an input.
func withFailing(input string, failing int) string {
	if failing == 0 {
		return input
	}
	sum := sha256.Sum256(fmt.Append(nil, input, "\x00", failing))
	return hex.EncodeToString(sum[:])
}

// beside returns the other open pull requests at a head.
func (w *Worker) beside(ctx context.Context, repoID int64, number int, head string) ([]int, error) {
	at, err := w.Store.OpenPullsAt(ctx, repoID, head)
	return slices.DeleteFunc(at, func(n int) bool { return n == number }), err
}

// failWith makes a check fail because of another at its head.
func failWith(check report.CheckRun, failing int) report.CheckRun {
	if failing == 0 || check.Conclusion == outcome.Failure {
		return check
	}
	check.Conclusion = outcome.Failure
	check.Title = escape.ClipBytes(fmt.Sprintf("Fails with pull request %d, which has the same head; by itself: %s", failing, check.Title), report.MaxTitle)
	check.Summary = escape.ClipBytes(fmt.Sprintf("GitHub counts the newest check of a commit, whichever pull request it speaks of. "+
		"The head of this one is also that of pull request %d, which fails; this result would hide that. "+
		"It counts by itself once the other passes or is closed; where that one got another head, `/rescore` looks again.\n\n%s",
		failing, check.Summary), report.MaxCheckText)
	return check
}

// lookBeside has the other open pull requests at a head worked again if this one fails
// there, or did: their results depend on it. Those that fail by themselves do not.
func (w *Worker) lookBeside(ctx context.Context, repo store.Repository, number int, head string) error {
	beside, err := w.beside(ctx, repo.ID, number, head)
	if err != nil || number == 0 || len(beside) == 0 {
		return err
	}
	own, err := w.resultsAt(ctx, repo.ID, number, head)
	if err != nil || !slices.ContainsFunc(own, fails) {
		return err
	}
	var jobs []job.Args
	for _, n := range beside {
		at, err := w.resultsAt(ctx, repo.ID, n, head)
		if err != nil {
			return err
		}
		if len(at) == 0 || !fails(at[0]) {
			jobs = append(jobs, job.PullRequest{Origin: job.Origin{InstallationID: repo.InstallationID, RepoID: repo.ID}, Number: n})
		}
	}
	return w.Store.InTx(ctx, func(tx *store.Tx) error { return w.Queue.Insert(ctx, tx, jobs...) })
}
