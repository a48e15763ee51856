package publish

import (
	"context"
	"errors"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/store"
)

// CheckAPI is what GitHub offers for check runs. *ghclient.Installation has it.
type CheckAPI interface {
	CreateCheck(ctx context.Context, r ghclient.Repo, o github.CreateCheckRunOptions) (*github.CheckRun, error)
	UpdateCheck(ctx context.Context, r ghclient.Repo, id int64, o github.UpdateCheckRunOptions) (*github.CheckRun, error)
	Checks(ctx context.Context, r ghclient.Repo, sha, checkName string) ([]*github.CheckRun, error)
}

// CheckRecords remembers the steps of a check run's life. *store.Store has it.
type CheckRecords interface {
	AddCheck(ctx context.Context, c store.Check) error
	SetCheckRun(ctx context.Context, externalID string, runID int64) error
	CompleteCheck(ctx context.Context, externalID, conclusion string) error
	VoidCheck(ctx context.Context, externalID, conclusion string) error
	SettleCheck(ctx context.Context, externalID string) error
}

// CheckHistory finds our check runs. *store.Store has it.
type CheckHistory interface {
	OpenChecks(ctx context.Context, repoID int64, subject string) ([]store.Check, error)
	ChecksAt(ctx context.Context, repoID int64, subject, head string) ([]store.Check, error)
}

// Checks publishes check runs under one fixed name.
type Checks struct {
	Records CheckRecords
	History CheckHistory
	Name    string
	Now     func() time.Time
}

// Target is what a check run speaks of.
type Target struct {
	Repo       ghclient.Repo
	Subject    string // see job.PullSubject and job.BranchSubject
	Head       string
	ExternalID string // the same for the same cause and input; see job.ExternalID
	Cause      string
	Input      string // digest of everything the result follows from
}

// Run is a check run on its way to being completed.
type Run struct {
	checks     *Checks
	api        CheckAPI
	target     Target
	externalID string // the target's, or that of the run that was taken over
	id         int64
	annotated  int  // annotations that GitHub holds already
	done       bool // completed by an earlier attempt
}

// Current returns the newest completed check of the target's subject at its head;
// ok is false when there is none, or when one is still open.
func (c *Checks) Current(ctx context.Context, t Target) (current store.Check, ok bool, err error) {
	at, err := c.History.ChecksAt(ctx, t.Repo.ID, t.Subject, t.Head)
	if err != nil || len(at) == 0 {
		return store.Check{}, false, err
	}
	return at[0], at[0].State == store.CheckCompleted, nil
}

// Reuse takes a completed run whose result still holds but whose publication was
// not finished: what is left is the comment.
func (c *Checks) Reuse(known store.Check) *Run {
	return &Run{checks: c, externalID: known.ExternalID, id: known.CheckRunID, done: true}
}

// Begin shows that work is on the way: a new check run in progress, so that an
// older result does not stand meanwhile. A run that an earlier attempt left open
// at the same head is taken over; those at other heads are closed.
func (c *Checks) Begin(ctx context.Context, api CheckAPI, t Target) (*Run, error) {
	run := &Run{checks: c, api: api, target: t, externalID: t.ExternalID}
	at, err := c.History.ChecksAt(ctx, t.Repo.ID, t.Subject, t.Head)
	if err != nil {
		return nil, err
	}
	for _, known := range at {
		if known.ExternalID == t.ExternalID && known.State == store.CheckCompleted && known.InputDigest != "" {
			run.id, run.done = known.CheckRunID, true
			return run, c.Supersede(ctx, api, t.Repo, t.Subject, t.Head)
		}
	}
	if err := c.Supersede(ctx, api, t.Repo, t.Subject, t.Head); err != nil {
		return nil, err
	}
	record := store.Check{RepoID: t.Repo.ID, Subject: t.Subject, Head: t.Head, ExternalID: t.ExternalID, Cause: t.Cause, InputDigest: t.Input}
	for _, known := range at {
		if known.State == store.CheckCompleted {
			continue
		}
		taken, err := run.takeOver(ctx, known, record)
		if err != nil || taken {
			return run, err
		}
		break
	}
	if err := c.Records.AddCheck(ctx, record); err != nil {
		return nil, err
	}
	return run, run.create(ctx)
}

// takeOver makes the run one that an earlier attempt left open. It is on record from
// then on with what it is to answer now. taken is false when that one turns out to be
// completed with the answer to something else.
func (r *Run) takeOver(ctx context.Context, known, record store.Check) (taken bool, err error) {
	other := *r
	other.externalID = known.ExternalID
	if err := other.resume(ctx, known.CheckRunID); err != nil {
		return false, err
	}
	another := known.InputDigest != record.InputDigest
	if other.done && another && known.ExternalID != record.ExternalID {
		return false, nil
	}
	if !other.done && another && other.annotated > 0 { // GitHub only ever adds annotations
		return false, other.giveUp(ctx, superseded)
	}
	*r = other
	if r.done {
		return true, nil
	}
	record.ExternalID = known.ExternalID
	return true, r.checks.Records.AddCheck(ctx, record)
}

// create asks for the check run, whose intent is on record.
func (r *Run) create(ctx context.Context) error {
	run, err := r.api.CreateCheck(ctx, r.target.Repo, github.CreateCheckRunOptions{
		Name: r.checks.Name, HeadSHA: r.target.Head, ExternalID: &r.externalID,
		Status: github.String(inProgress), StartedAt: &github.Timestamp{Time: r.checks.Now()},
		Output: &github.CheckRunOutput{
			Title:   github.String("Working out what changed"),
			Summary: github.String("The evidence behind the scorecard is being compared with this commit."),
		},
	})
	if errors.Is(err, ghclient.ErrNoCommit) { // there will never be one: nothing to complete
		return errors.Join(err, r.checks.Records.VoidCheck(ctx, r.externalID, ""))
	}
	if err != nil {
		return err
	}
	r.id = run.GetID()
	return r.checks.Records.SetCheckRun(ctx, r.externalID, r.id)
}

// resume finds out what became of a run that an earlier attempt began: GitHub may
// have it, even completed, without our having heard so. known is its id, 0 if we never
// heard it.
func (r *Run) resume(ctx context.Context, known int64) error {
	runs, err := r.api.Checks(ctx, r.target.Repo, r.target.Head, r.checks.Name)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if run.GetExternalID() != r.externalID {
			continue
		}
		r.id, r.annotated = run.GetID(), run.GetOutput().GetAnnotationsCount()
		if run.GetStatus() == completed {
			r.done = true
			return r.checks.Records.CompleteCheck(ctx, r.externalID, run.GetConclusion())
		}
		return r.checks.Records.SetCheckRun(ctx, r.externalID, r.id)
	}
	if known == 0 {
		return r.create(ctx)
	}
	// It has another name, that of an older configuration.
	_, err = r.api.UpdateCheck(ctx, r.target.Repo, known, github.UpdateCheckRunOptions{Name: r.checks.Name, Status: github.String(inProgress)})
	if errors.Is(err, ghclient.ErrNotFound) {
		return r.create(ctx)
	}
	r.id = known
	return err
}

const (
	inProgress = "in_progress"
	completed  = "completed"
)

// Settle records that everything that belongs to the result is published.
func (r *Run) Settle(ctx context.Context) error {
	return r.checks.Records.SettleCheck(ctx, r.externalID)
}

// Complete gives the run its result. When GitHub refuses the content, it is tried
// with less, for a run that stays open holds up a merge.
func (r *Run) Complete(ctx context.Context, content report.CheckRun) error {
	return r.CompleteAs(ctx, content, content.Conclusion)
}

// CompleteAs is Complete where the conclusion to show is not the subject's own, which
// is the one on record.
func (r *Run) CompleteAs(ctx context.Context, content report.CheckRun, own outcome.Conclusion) error {
	if r.done { // GitHub told only what it shows
		return r.checks.Records.CompleteCheck(ctx, r.externalID, string(own))
	}
	err := r.send(ctx, content)
	if errors.Is(err, ghclient.ErrInvalid) && len(content.Annotations) > 0 {
		content.Annotations = nil
		err = r.send(ctx, content)
	}
	if errors.Is(err, ghclient.ErrInvalid) {
		err = r.send(ctx, report.CheckRun{
			Conclusion: content.Conclusion, Title: content.Title,
			Summary: "GitHub refused the details of this result. The conclusion stands.",
		})
	}
	if err != nil {
		return err
	}
	r.done = true
	return r.checks.Records.CompleteCheck(ctx, r.externalID, string(own))
}

// send sends the annotations by fifties, since GitHub takes no more at a time and
// adds them up; the status is in the last request only.
func (r *Run) send(ctx context.Context, content report.CheckRun) error {
	rest := content.Annotations[min(r.annotated, len(content.Annotations)):]
	for {
		batch := rest[:min(len(rest), report.MaxAnnotationsPerRequest)]
		rest = rest[len(batch):]
		o := github.UpdateCheckRunOptions{Name: r.checks.Name, ExternalID: &r.externalID, Output: output(content, batch)}
		if len(rest) == 0 {
			o.Status, o.Conclusion = github.String(completed), github.String(string(content.Conclusion))
			o.CompletedAt = &github.Timestamp{Time: r.checks.Now()}
		} else {
			o.Status = github.String(inProgress)
		}
		if _, err := r.api.UpdateCheck(ctx, r.target.Repo, r.id, o); err != nil {
			return err
		}
		r.annotated += len(batch)
		if len(rest) == 0 {
			return nil
		}
	}
}

func output(content report.CheckRun, batch []report.Annotation) *github.CheckRunOutput {
	out := &github.CheckRunOutput{Title: &content.Title, Summary: &content.Summary}
	if content.Text != "" {
		out.Text = &content.Text
	}
	for _, a := range batch {
		annotation := &github.CheckRunAnnotation{
			Path: github.String(a.Path), StartLine: github.Int(a.StartLine), EndLine: github.Int(a.EndLine),
			AnnotationLevel: github.String(string(a.Level)), Message: github.String(a.Message), Title: github.String(a.Title),
		}
		if a.RawDetails != "" {
			annotation.RawDetails = github.String(a.RawDetails)
		}
		out.Annotations = append(out.Annotations, annotation)
	}
	return out
}
