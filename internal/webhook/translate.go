package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/store"
)

// translation turns one event's payload into an event of ours. ok is false when
// there is nothing to do, ErrShape when the payload is not what it claims to be.
type translation func(p *payload, appID int64) (e job.Event, ok bool, err error)

// translations by event. A new event is added here; the App has to be subscribed to
// it, which README.md says how to do.
var translations = map[string]translation{
	"push":                      push,
	"pull_request":              pullRequest,
	"issue_comment":             issueComment,
	"check_run":                 checkRun,
	"check_suite":               checkSuite,
	"installation":              installation,
	"installation_repositories": installationRepositories,
	"repository":                repositoryEvent,
}

// Events lists the events that are translated, sorted.
func Events() []string { return slices.Sorted(maps.Keys(translations)) }

// Translate turns a delivery into what is stored of it. ok is false for events
// and actions that ask for nothing. appID tells our checks from other apps'.
func Translate(event, delivery string, data []byte, appID int64) (e job.Event, ok bool, err error) {
	translate, known := translations[event]
	if !known {
		return job.Event{}, false, nil
	}
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return job.Event{}, false, &PayloadError{Event: event, What: "not the JSON it should be", Cause: err}
	}
	e, ok, err = translate(&p, appID)
	if err != nil {
		return job.Event{}, false, &PayloadError{Event: event, What: "incomplete", Cause: err}
	}
	if !ok {
		return job.Event{}, false, nil
	}
	e.Delivery.ID, e.Delivery.Event, e.Delivery.Action = delivery, event, p.Action
	if e.Installation == nil && p.Installation != nil && p.Repository != nil {
		e.Installation = &store.Installation{
			ID: p.Installation.ID, Account: p.Repository.Owner.Login, AccountID: p.Repository.Owner.ID, State: store.StateActive,
		}
	}
	return e, true, nil
}

// need requires what every event of a repository has: it, its owner, and the
// installation. Events of a webhook that is not the App's have no installation.
func (p *payload) need() error {
	switch {
	case p.Installation == nil || p.Installation.ID <= 0:
		return errors.New("no installation: is the webhook set up on the App?")
	case p.Repository == nil || p.Repository.ID <= 0:
		return errors.New("no repository")
	case !validName(p.Repository.Owner.Login) || !validName(p.Repository.Name):
		return errors.New("no repository name")
	}
	return nil
}

// validName bounds the names that end in addresses and paths.
func validName(s string) bool {
	return s != "" && len(s) <= 100 && s != "." && s != ".." && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// maxRef bounds a branch name, in bytes: git itself allows about as much.
const maxRef = 255

// validRef refuses what can be no branch name; git checks the rest.
func validRef(name string) bool {
	return name != "" && len(name) <= maxRef && name[0] != '-' && !strings.Contains(name, "..") &&
		!strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) })
}

// sha is a full object id.
var sha = lazy.Regexp(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// key joins what tells an event from every other.
func key(parts ...any) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = fmt.Sprint(p)
	}
	return strings.Join(words, "/")
}

// push advances the baseline when it is the default branch that moved. Other
// branches matter only through their pull requests, and tags not at all.
func push(p *payload, _ int64) (job.Event, bool, error) {
	if err := p.need(); err != nil {
		return job.Event{}, false, err
	}
	if !sha().MatchString(p.After) || !sha().MatchString(p.Before) {
		return job.Event{}, false, errors.New("before or after is no commit id")
	}
	if isZero(p.After) || p.Ref != "refs/heads/"+p.Repository.DefaultBranch {
		return job.Event{}, false, nil
	}
	f := p.facts()
	return job.Event{
		Delivery:     store.Delivery{ContentKey: key("push", f.ID, p.Ref, p.Before, p.After, p.Repository.PushedAt.Unix())},
		Repositories: []store.Repository{f},
		Jobs:         []job.Args{job.Push{Origin: p.origin(), After: p.After}},
	}, true, nil
}

// pullActions are the actions after which a pull request's result may differ.
var pullActions = []string{"opened", "synchronize", "reopened", "ready_for_review", "edited", "closed"}

func pullRequest(p *payload, _ int64) (job.Event, bool, error) {
	if !slices.Contains(pullActions, p.Action) || (p.Action == "edited" && p.Changes.Base == nil) {
		return job.Event{}, false, nil
	}
	if err := p.need(); err != nil {
		return job.Event{}, false, err
	}
	pr := p.PullRequest
	if pr == nil || pr.Number <= 0 || !sha().MatchString(pr.Head.SHA) || !validRef(pr.Base.Ref) {
		return job.Event{}, false, errors.New("no pull request with a head and a base")
	}
	f := p.facts()
	state := store.PullOpen
	if p.Action == "closed" || pr.State == "closed" {
		state = store.PullClosed
	}
	return job.Event{
		Delivery:     store.Delivery{ContentKey: key("pull", f.ID, pr.Number, p.Action, pr.Head.SHA, pr.Base.Ref, pr.UpdatedAt.Unix())},
		Repositories: []store.Repository{f},
		Pull: &store.Pull{
			RepoID: f.ID, Number: pr.Number, BaseRef: pr.Base.Ref, Head: pr.Head.SHA, State: state, FactsAt: pr.UpdatedAt.UTC(),
			Action: p.Action, BaseFrom: p.baseFrom(), HeadFrom: p.headFrom(),
		},
		Jobs: []job.Args{job.PullRequest{Origin: p.origin(), Number: pr.Number, Head: pr.Head.SHA, Action: p.Action}},
	}, true, nil
}

// baseFrom is the base before an edit of the base, bounded; "" when there was none.
func (p *payload) baseFrom() string {
	if p.Changes.Base == nil || !validRef(p.Changes.Base.Ref.From) {
		return ""
	}
	return p.Changes.Base.Ref.From
}

// headFrom is the head before a push, "" when there was none.
func (p *payload) headFrom() string {
	if !sha().MatchString(p.Before) {
		return ""
	}
	return p.Before
}
