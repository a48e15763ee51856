package webhook

import (
	"errors"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// installation follows the App's life on an account.
func installation(p *payload, _ int64) (job.Event, bool, error) {
	if p.Installation == nil || p.Installation.ID <= 0 || p.Installation.Account == nil || !validName(p.Installation.Account.Login) {
		return job.Event{}, false, errors.New("no installation with an account")
	}
	i := store.Installation{
		ID: p.Installation.ID, Account: p.Installation.Account.Login, AccountID: p.Installation.Account.ID, State: store.StateActive,
	}
	e := job.Event{Installation: &i, Known: true}
	learn := job.Installation{Origin: job.Origin{InstallationID: i.ID}, Action: p.Action}
	switch p.Action {
	case "created", "unsuspend", "new_permissions_accepted":
		e.Jobs = []job.Args{learn}
	case "suspend":
		i.State, i.Reason = store.StateSuspended, "the installation was suspended by its owner"
		e.Jobs = []job.Args{learn} // the event may be older than the end of the suspension
	case "deleted":
		i.State, i.Reason = store.StateRemoved, "the App was uninstalled"
		e.Jobs = []job.Args{learn}
	default:
		return job.Event{}, false, nil
	}
	return e, true, nil
}

// installationRepositories follows which repositories the App is given.
func installationRepositories(p *payload, _ int64) (job.Event, bool, error) {
	if p.Installation == nil || p.Installation.ID <= 0 {
		return job.Event{}, false, errors.New("no installation")
	}
	e := job.Event{Removed: ids(p.RepositoriesRemoved)}
	if a := p.Installation.Account; a != nil && validName(a.Login) {
		e.Installation = &store.Installation{ID: p.Installation.ID, Account: a.Login, AccountID: a.ID, State: store.StateActive}
	}
	if added := ids(p.RepositoriesAdded); len(added) > 0 {
		e.Jobs = []job.Args{job.Installation{
			Origin: job.Origin{InstallationID: p.Installation.ID}, Action: "added", Repos: added,
		}}
	}
	return e, len(e.Jobs) > 0 || len(e.Removed) > 0, nil
}

func ids(list []repository) []int64 {
	var out []int64
	for _, r := range list {
		if r.ID > 0 {
			out = append(out, r.ID)
		}
	}
	return out
}

// repositoryEvent follows names, owners, the default branch and whether there is
// anything to write to. A new default branch is looked at anew.
func repositoryEvent(p *payload, _ int64) (job.Event, bool, error) {
	if err := p.need(); err != nil {
		return job.Event{}, false, err
	}
	f := p.facts()
	e := job.Event{Repositories: []store.Repository{f}}
	switch p.Action {
	case "deleted":
		e.Removed = []int64{f.ID}
	case "edited":
		if len(p.Changes.DefaultBranch) > 0 {
			e.Jobs = []job.Args{job.Push{Origin: p.origin()}}
		}
	case "unarchived", "transferred": // what stood still goes on, pull requests as well
		e.Jobs = []job.Args{job.Installation{Origin: p.origin(), Action: p.Action}}
	}
	return e, true, nil
}
