package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// installation learns which repositories the App was given and begins with each:
// its default branch, and the pull requests that were waiting.
func (w *Worker) installation(ctx context.Context, a attempt, args job.Installation) error {
	w.App.Forget(args.InstallationID) // its permissions may have changed
	switch args.Action {
	case "deleted":
		return w.uninstall(ctx, args.InstallationID)
	case "suspend":
		return w.revive(ctx, args.InstallationID)
	}
	if args.Action == "unsuspend" { // GitHub told nothing meanwhile
		if err := w.lostUntil(ctx, w.Now()); err != nil {
			return err
		}
	}
	given, err := w.given(ctx, args)
	if err != nil {
		return err
	}
	for _, r := range given {
		if len(args.Repos) > 0 && !slices.Contains(args.Repos, r.GetID()) {
			continue
		}
		if err := w.begin(ctx, args, r); err != nil {
			return err
		}
	}
	a.log.Info().Int("repositories", len(given)).Msg("installation read")
	return nil
}

// given asks GitHub for the repositories that the job is about, or all.
func (w *Worker) given(ctx context.Context, args job.Installation) ([]*github.Repository, error) {
	inst := w.App.Installation(args.InstallationID)
	if args.RepoID == 0 {
		return inst.Repositories(ctx)
	}
	r, err := inst.RepositoryByID(ctx, args.RepoID)
	return []*github.Repository{r}, err
}

// begin records a repository and puts its work in the queue, in one transaction.
func (w *Worker) begin(ctx context.Context, args job.Installation, r *github.Repository) error {
	installationID := args.InstallationID
	record := recordOf(installationID, r)
	jobs := []job.Args{job.Push{Origin: job.Origin{InstallationID: installationID, RepoID: record.ID}}}
	waiting, err := w.Store.OpenPulls(ctx, record.ID)
	if err != nil {
		return err
	}
	for _, number := range waiting {
		jobs = append(jobs, job.PullRequest{Origin: job.Origin{InstallationID: installationID, RepoID: record.ID}, Number: number})
	}
	return w.Store.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.PutRepository(ctx, record); err != nil {
			return err
		}
		if args.Action == "created" || args.Action == "added" { // what is open there from before is left alone
			if err := tx.SetAsked(ctx, record.ID, w.Now()); err != nil {
				return err
			}
		}
		if record.State != store.StateActive {
			return nil
		}
		return w.Queue.Insert(ctx, tx, jobs...)
	})
}

func recordOf(installationID int64, r *github.Repository) store.Repository {
	record := store.Repository{
		ID: r.GetID(), InstallationID: installationID, Owner: r.GetOwner().GetLogin(), OwnerID: r.GetOwner().GetID(),
		Name: r.GetName(), DefaultBranch: r.GetDefaultBranch(), State: store.StateActive, FactsAt: r.GetUpdatedAt().UTC(),
	}
	if pushed := r.GetPushedAt().UTC(); pushed.After(record.FactsAt) {
		record.FactsAt = pushed
	}
	if record.FactsAt.IsZero() {
		record.FactsAt = time.Unix(0, 0).UTC()
	}
	switch {
	case r.GetDisabled():
		record.State = store.StateDisabled
	case r.GetArchived():
		record.State = store.StateArchived
	}
	return record
}

// uninstall ends with the repositories of an installation. What was fetched of them
// is deleted by KeepHouse, on every replica that has it.
func (w *Worker) uninstall(ctx context.Context, installationID int64) error {
	repos, err := w.Store.Repositories(ctx, installationID)
	if err != nil {
		return err
	}
	for _, r := range repos {
		if _, err := w.Store.SetRepositoryState(ctx, r.ID, store.StateRemoved); err != nil {
			return err
		}
	}
	return nil
}

// reviveAll asks for every installation that is held to be suspended.
func (w *Worker) reviveAll(ctx context.Context) error {
	suspended, err := w.Store.Installations(ctx, store.StateSuspended)
	for _, id := range suspended {
		err = errors.Join(err, w.revive(ctx, id))
	}
	return err
}

// revive begins anew with an installation whose suspension is over, or ends with
// one that is gone. The word of a suspension can come after its end: deliveries keep
// no order, and a job may have been refused just before.
func (w *Worker) revive(ctx context.Context, id int64) error {
	suspended, err := w.App.IsSuspended(ctx, id)
	state, reason, action := store.StateActive, "", "unsuspend"
	switch {
	case errors.Is(err, ghclient.ErrNotFound):
		state, reason, action = store.StateRemoved, ghclient.ErrUninstalled.Error(), "deleted"
	case err != nil || suspended:
		return err
	}
	return w.Store.InTx(ctx, func(tx *store.Tx) error {
		changed, err := tx.SetInstallationState(ctx, id, state, reason)
		if err != nil || !changed {
			return err
		}
		return w.Queue.Insert(ctx, tx, job.Installation{Origin: job.Origin{InstallationID: id}, Action: action})
	})
}

// note remembers that work for an installation or a repository stands still, and
// why, so that it is told once and not tried again and again.
func (w *Worker) note(ctx context.Context, a attempt, repo store.Repository, reason error) {
	var changed bool
	var err error
	switch {
	case errors.Is(reason, ghclient.ErrSuspended):
		changed, err = w.Store.SetInstallationState(ctx, repo.InstallationID, store.StateSuspended, ghclient.ErrSuspended.Error())
	case errors.Is(reason, ghclient.ErrUninstalled):
		changed, err = w.Store.SetInstallationState(ctx, repo.InstallationID, store.StateRemoved, ghclient.ErrUninstalled.Error())
	case errors.Is(reason, ghclient.ErrPermission):
		changed, err = w.Store.SetInstallationState(ctx, repo.InstallationID, store.StateActive, ghclient.ErrPermission.Error())
	case errors.Is(reason, ghclient.ErrArchived):
		changed, err = w.Store.SetRepositoryState(ctx, repo.ID, store.StateArchived)
	case errors.Is(reason, gitmirror.ErrRemoteNotFound) && errors.Is(reason, ghclient.ErrNotFound): // by its id, too
		changed, err = w.Store.SetRepositoryState(ctx, repo.ID, store.StateRemoved)
	case errors.Is(reason, ghclient.ErrDisabled):
		changed, err = w.Store.SetRepositoryState(ctx, repo.ID, store.StateDisabled)
	}
	if err != nil {
		a.log.Warn().Err(err).Msg("state not recorded")
	}
	if changed {
		a.log.Error().Err(reason).Str("owner", repo.Owner).Msg("work stands still")
	}
}
