package standin

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// AddUser adds a person.
func (g *GitHub) AddUser(login string) { g.addAccount(login, kindUser) }

// AddOrg adds an organisation.
func (g *GitHub) AddOrg(login string) { g.addAccount(login, kindOrg) }

// addAccount is idempotent.
func (g *GitHub) addAccount(login, kind string) *account {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ensureAccount(login, kind)
}

// ensureAccount needs mu held.
func (g *GitHub) ensureAccount(login, kind string) *account {
	key := strings.ToLower(login)
	if a := g.world.accounts[key]; a != nil {
		return a
	}
	a := &account{id: g.nextID("account"), login: login, kind: kind}
	g.world.accounts[key] = a
	return a
}

func (g *GitHub) newApp() *app {
	g.mu.Lock()
	defer g.mu.Unlock()
	slug := g.opts.AppSlug
	return &app{
		id: g.nextID("app"), slug: slug, name: g.opts.AppName,
		owner: g.ensureAccount(g.opts.AppOwner, kindOrg), bot: g.ensureAccount(slug+"[bot]", kindBot),
		created: g.now(), permissions: g.opts.Permissions, events: g.opts.Events,
		hookURL: g.opts.WebhookURL, secret: g.opts.WebhookSecret,
	}
}

// RepoOptions say how AddRepo makes a repository.
type RepoOptions struct {
	// DefaultBranch is "main" when empty.
	DefaultBranch string
	Private       bool
	Description   string
	// From is a git directory (bare, or a work tree) whose commit Rev becomes the
	// default branch. Its objects are borrowed, not copied: it must outlive the
	// stand-in. Empty: the repository is empty.
	From string
	// Rev is HEAD when empty.
	Rev string
}

// AddRepo adds a repository "owner/name". The owner becomes a user unless it is
// known already. No event is sent. It returns the repository's id.
func (g *GitHub) AddRepo(ctx context.Context, fullName string, opts RepoOptions) (int64, error) {
	owner, name, ok := strings.Cut(fullName, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return 0, fmt.Errorf("add repository %q: the name must read owner/name", fullName)
	}
	if opts.DefaultBranch == "" {
		opts.DefaultBranch = "main"
	}
	g.refs.Lock()
	defer g.refs.Unlock()
	r, err := g.newRepo(owner, name, opts)
	if err != nil {
		return 0, err
	}
	if err := r.dir.initRepo(ctx, opts.DefaultBranch); err != nil {
		return 0, fmt.Errorf("add repository %q: %w", fullName, err)
	}
	if opts.From != "" {
		if err := r.dir.borrow(ctx, opts.From, opts.Rev, opts.DefaultBranch); err != nil {
			return 0, fmt.Errorf("add repository %q: %w", fullName, err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.world.repos[r.id] = r
	g.world.byName[strings.ToLower(r.fullName())] = r
	g.broadcast()
	return r.id, nil
}

// newRepo makes the record of a repository, not yet known to the world.
func (g *GitHub) newRepo(owner, name string, opts RepoOptions) (*repository, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r := g.world.byName[strings.ToLower(owner+"/"+name)]; r != nil && !r.deleted && strings.EqualFold(r.name, name) {
		return nil, fmt.Errorf("add repository %q: there is one already", owner+"/"+name)
	}
	id := g.nextID("repository")
	now := g.now()
	return &repository{
		id: id, owner: g.ensureAccount(owner, kindUser), name: name,
		dir:         g.git.dir(filepath.Join(g.opts.Dir, strconv.FormatInt(id, 10)+".git")),
		description: opts.Description, defaultBranch: opts.DefaultBranch, private: opts.Private,
		roles: map[int64]Role{}, created: now, updated: now, pushed: now, issues: map[int]*issue{},
	}, nil
}

// borrow lets the repository use the objects of another one and sets a branch to
// one of its commits.
func (d gitDir) borrow(ctx context.Context, from, rev, branch string) error {
	if rev == "" {
		rev = "HEAD"
	}
	sha, objects, err := d.runner.lookInto(ctx, from, rev)
	if err != nil {
		return err
	}
	alternates := filepath.Join(d.path, "objects", "info", "alternates")
	if err := os.MkdirAll(filepath.Dir(alternates), 0o755); err != nil {
		return fmt.Errorf("borrow objects: %w", err)
	}
	if err := os.WriteFile(alternates, []byte(objects+"\n"), 0o644); err != nil {
		return fmt.Errorf("borrow objects: %w", err)
	}
	_, err = d.run(ctx, "update-ref", "refs/heads/"+branch, sha)
	return err
}

// lookInto finds a commit and the object directory of a repository that is not ours.
func (r gitRunner) lookInto(ctx context.Context, from, rev string) (sha, objects string, err error) {
	dir := from
	if _, err := os.Stat(filepath.Join(from, ".git")); err == nil {
		dir = filepath.Join(from, ".git")
	}
	source := r.dir(dir)
	if sha, err = source.text(ctx, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}"); err != nil {
		return "", "", fmt.Errorf("find commit %q in %s: %w", rev, from, err)
	}
	if objects, err = source.text(ctx, "rev-parse", "--path-format=absolute", "--git-path", "objects"); err != nil {
		return "", "", fmt.Errorf("find the objects of %s: %w", from, err)
	}
	return sha, objects, nil
}

// SetRole makes a user a collaborator with a role, or takes the role away with
// RoleNone. No event is sent.
func (g *GitHub) SetRole(repo, login string, role Role) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.world.repo(repo)
	if err != nil {
		return err
	}
	a := g.ensureAccount(login, kindUser)
	if role == RoleNone {
		delete(r.roles, a.id)
	} else {
		r.roles[a.id] = role
	}
	return nil
}

// UserToken returns a personal token of a user, for the REST API and for git
// with any user name.
func (g *GitHub) UserToken(login string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a, err := g.world.account(login)
	if err != nil {
		return "", err
	}
	value := "ghp_" + randomHex(18)
	g.tokens[value] = &token{user: a}
	return value, nil
}

// InstallOptions say what an installation covers.
type InstallOptions struct {
	// Repos are full names; empty means all of the account, also later ones.
	Repos []string
	// Permissions granted. Nil: what the App asks for.
	Permissions map[string]string
}

// Install installs the App on an account and sends installation "created". It
// returns the installation's id.
func (g *GitHub) Install(login string, opts InstallOptions) (int64, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a, err := g.world.account(login)
	if err != nil {
		return 0, err
	}
	if i := g.world.installationOn(a); i != nil {
		return 0, fmt.Errorf("install the App on %q: it is installed already (id %d)", login, i.id)
	}
	now := g.now()
	i := &installation{
		id: g.nextID("installation"), account: a, all: len(opts.Repos) == 0, selected: map[int64]struct{}{},
		permissions: maps.Clone(opts.Permissions), events: g.app.events, created: now, updated: now,
	}
	if i.permissions == nil {
		i.permissions = maps.Clone(g.app.permissions)
	}
	for _, name := range opts.Repos {
		r, err := g.world.repo(name)
		if err != nil {
			return 0, err
		}
		i.selected[r.id] = struct{}{}
	}
	g.world.installations[i.id] = i
	g.emitInstallation(i, "created", object{"repositories": g.shortRepos(g.world.reposOf(i)), "requester": nil})
	g.broadcast()
	return i.id, nil
}
