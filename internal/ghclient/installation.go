package ghclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

// Repo is a repository: its id, which stays, and the name it is asked for by.
type Repo struct {
	ID      int64
	Owner   string
	OwnerID int64
	Name    string
}

// name is a repository under one of its names.
func (r Repo) name() Repo { return Repo{ID: r.ID, Owner: r.Owner, Name: r.Name} }

// Installation is the App on one account, with a token that is renewed before it
// expires and kept in memory only. It is safe for concurrent use.
type Installation struct {
	app    *App
	id     int64
	tokens *ghinstallation.Transport
	client *github.Client
}

// Installation returns the installation with the id. Nothing is sent yet.
func (a *App) Installation(id int64) *Installation {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i, ok := a.installations[id]; ok {
		return i
	}
	if len(a.installations) >= maxInstallations {
		clear(a.installations) // tokens are cheap to make again
	}
	t := ghinstallation.NewFromAppsTransport(a.signed(a.budgetOf(id)), id)
	t.BaseURL = strings.TrimRight(a.root.String(), "/")
	i := &Installation{app: a, id: id, tokens: t, client: a.newClient(t)}
	a.installations[id] = i
	return i
}

// budgetOf returns an installation's budget. The caller holds the lock.
func (a *App) budgetOf(id int64) *budget {
	if b, ok := a.budgets[id]; ok {
		return b
	}
	if len(a.budgets) >= maxInstallations {
		clear(a.budgets)
	}
	a.budgets[id] = newBudget()
	return a.budgets[id]
}

// Forget drops an installation's token, for example when it was refused. What may be
// sent for it stays as it is: GitHub's limits do not end with a token.
func (a *App) Forget(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.installations, id)
}

// Token returns a token for git, with at least a minute of life.
func (i *Installation) Token(ctx context.Context) (string, error) {
	limited, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	token, err := i.tokens.Token(limited)
	if err != nil {
		return "", classify(ctx, "get a token for the installation", err)
	}
	return token, nil
}

// call runs one request. When the repository has another name now, the name is
// asked for by id and the request is sent once more.
func (i *Installation) call(ctx context.Context, op string, r Repo, request func(owner, name string) (*github.Response, error)) error {
	r = i.app.present(r)
	resp, err := request(r.Owner, r.Name)
	err = classify(ctx, op, err)
	switch {
	case errors.Is(err, errMoved):
		moved, lookErr := i.follow(ctx, r)
		if lookErr != nil {
			return fmt.Errorf("%s: %w", op, lookErr)
		}
		_, err = request(moved.Owner, moved.Name)
		if err = classify(ctx, op, err); errors.Is(err, errMoved) {
			return &Error{Op: op, Kind: ErrUnavailable, Message: "GitHub redirects from the new name as well"}
		}
	case err == nil && i.wasRedirected(resp):
		_, _ = i.follow(ctx, r) // the answer is good; when this fails, only the name stays old
	}
	if errors.Is(err, ErrToken) {
		i.app.Forget(i.id)
	}
	return err
}

// wasRedirected reports whether a read was answered under another address.
func (i *Installation) wasRedirected(resp *github.Response) bool {
	if resp == nil || resp.Request == nil {
		return false
	}
	return strings.HasPrefix(resp.Request.URL.Path, i.app.root.Path+"repositories/") && resp.Request.Response != nil
}

// follow asks for a repository by id and tells its present name.
func (i *Installation) follow(ctx context.Context, r Repo) (Repo, error) {
	repo, err := i.RepositoryByID(ctx, r.ID)
	if err != nil {
		return Repo{}, err
	}
	moved := RepoOf(repo)
	i.app.mu.Lock()
	if len(i.app.moved) >= maxMoved {
		clear(i.app.moved)
	}
	i.app.moved[r.name()] = moved
	delete(i.app.moved, moved.name()) // it may have left this name before
	i.app.mu.Unlock()
	i.app.o.Moved(ctx, moved)
	return moved, nil
}

// maxMoved bounds how many renames are remembered.
const maxMoved = 1000

// present returns a repository under its present name, if we learned of a rename
// and the caller has not yet.
func (a *App) present(r Repo) Repo {
	a.mu.Lock()
	defer a.mu.Unlock()
	if moved, ok := a.moved[r.name()]; ok {
		return moved
	}
	return r
}

// RepoOf reads the id and the name of a repository.
func RepoOf(r *github.Repository) Repo {
	return Repo{ID: r.GetID(), Owner: r.GetOwner().GetLogin(), OwnerID: r.GetOwner().GetID(), Name: r.GetName()}
}

// RepositoryByID returns a repository by its id, under whatever name.
func (i *Installation) RepositoryByID(ctx context.Context, id int64) (*github.Repository, error) {
	const op = "look up a repository by id"
	repo, _, err := i.client.Repositories.GetByID(ctx, id)
	if err != nil {
		return nil, classify(ctx, op, err)
	}
	if repo.GetID() != id || repo.GetName() == "" || repo.GetOwner().GetLogin() == "" {
		return nil, &Error{Op: op, Kind: ErrUnavailable, Message: "an incomplete answer"}
	}
	return repo, nil
}

// pageSize is GitHub's largest page.
const pageSize = 100

// Repositories returns every repository that the App was given.
func (i *Installation) Repositories(ctx context.Context) ([]*github.Repository, error) {
	opts := &github.ListOptions{PerPage: pageSize}
	var out []*github.Repository
	for {
		page, resp, err := i.client.Apps.ListRepos(ctx, opts)
		if err != nil {
			return nil, classify(ctx, "list the installation's repositories", err)
		}
		out = append(out, page.Repositories...)
		if resp.NextPage == 0 {
			return out, nil
		}
		opts.Page = resp.NextPage
	}
}

// Pull returns a pull request.
func (i *Installation) Pull(ctx context.Context, r Repo, number int) (*github.PullRequest, error) {
	var pull *github.PullRequest
	err := i.call(ctx, "read the pull request", r, func(owner, name string) (resp *github.Response, err error) {
		pull, resp, err = i.client.PullRequests.Get(ctx, owner, name, number)
		return resp, err
	})
	return pull, err
}

// OpenPull is what is known of an open pull request from the list of them.
type OpenPull struct {
	Number           int
	Head, BaseRef    string
	Created, Updated time.Time
}

// OpenPulls returns every open pull request of a repository.
func (i *Installation) OpenPulls(ctx context.Context, r Repo) ([]OpenPull, error) {
	opts := &github.PullRequestListOptions{State: "open", ListOptions: github.ListOptions{PerPage: pageSize}}
	var out []OpenPull
	for {
		var next int
		err := i.call(ctx, "list the open pull requests", r, func(owner, name string) (*github.Response, error) {
			page, resp, err := i.client.PullRequests.List(ctx, owner, name, opts)
			if err != nil {
				return resp, err
			}
			for _, p := range page { // without the texts, of which there may be much
				out = append(out, OpenPull{Number: p.GetNumber(), Head: p.GetHead().GetSHA(), BaseRef: p.GetBase().GetRef(),
					Created: p.GetCreatedAt().UTC(), Updated: p.GetUpdatedAt().UTC()})
			}
			next = resp.NextPage
			return resp, nil
		})
		if err != nil || next == 0 {
			return out, err
		}
		opts.Page = next
	}
}

// Role returns what a person may do in a repository: GitHub's role_name ("admin",
// "maintain", "write", "triage", "read", or a role of the organisation's own with
// the base permission in permission). Both are "none" for a stranger.
func (i *Installation) Role(ctx context.Context, r Repo, login string) (role, permission string, err error) {
	err = i.call(ctx, "ask for a person's permission", r, func(owner, name string) (*github.Response, error) {
		level, resp, err := i.client.Repositories.GetPermissionLevel(ctx, owner, name, login)
		role, permission = level.GetRoleName(), level.GetPermission()
		return resp, err
	})
	if errors.Is(err, ErrNotFound) { // "is not a user", or a repository the App lost
		return "none", "none", nil
	}
	return role, permission, err
}
