package publish

import (
	"context"
	"errors"
	"fmt"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/store"
)

// superseded is the answer of a run whose place another one took.
var superseded = report.CheckRun{
	Conclusion: outcome.Neutral, Title: "Superseded by a newer commit",
	Summary: "A newer commit took this one's place, or the pull request was closed, before the result was ready.",
}

// Supersede closes the subject's open runs at other heads than the given one; ""
// closes all of them.
func (c *Checks) Supersede(ctx context.Context, api CheckAPI, repo ghclient.Repo, subject, head string) error {
	return c.closeOpen(ctx, api, repo, subject, head, superseded)
}

// CloseAll completes every open run of a subject with the content.
func (c *Checks) CloseAll(ctx context.Context, api CheckAPI, repo ghclient.Repo, subject string, content report.CheckRun) error {
	return c.closeOpen(ctx, api, repo, subject, "", content)
}

func (c *Checks) closeOpen(ctx context.Context, api CheckAPI, repo ghclient.Repo, subject, except string, content report.CheckRun) error {
	open, err := c.History.OpenChecks(ctx, repo.ID, subject)
	if err != nil {
		return err
	}
	for _, old := range open {
		if old.Head == except {
			continue
		}
		if err := c.closeRun(ctx, api, repo, old, content); err != nil {
			return fmt.Errorf("close the check run of %.7s: %w", old.Head, err)
		}
	}
	return nil
}

// closeRun completes one run, if GitHub has it.
func (c *Checks) closeRun(ctx context.Context, api CheckAPI, repo ghclient.Repo, old store.Check, content report.CheckRun) error {
	r := &Run{checks: c, api: api, externalID: old.ExternalID, target: Target{Repo: repo, Head: old.Head}}
	runs, err := api.Checks(ctx, repo, old.Head, c.Name)
	if err != nil && !errors.Is(err, ghclient.ErrNotFound) && !errors.Is(err, ghclient.ErrNoCommit) {
		return err
	}
	for _, run := range runs {
		if run.GetExternalID() != old.ExternalID {
			continue
		}
		if run.GetStatus() == completed {
			return c.Records.CompleteCheck(ctx, old.ExternalID, run.GetConclusion())
		}
		r.id, r.annotated = run.GetID(), run.GetOutput().GetAnnotationsCount()
		return r.giveUp(ctx, content)
	}
	if r.id = old.CheckRunID; r.id != 0 { // it has another name, that of an older configuration
		if err := r.giveUp(ctx, content); !errors.Is(err, ghclient.ErrNotFound) {
			return err
		}
	}
	return c.Records.VoidCheck(ctx, old.ExternalID, "") // GitHub never had it
}

// giveUp completes a run without the result that it was begun for.
func (r *Run) giveUp(ctx context.Context, content report.CheckRun) error {
	if err := r.Complete(ctx, content); err != nil {
		return err
	}
	return r.checks.Records.VoidCheck(ctx, r.externalID, string(content.Conclusion))
}
