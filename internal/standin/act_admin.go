package standin

import (
	"context"
	"fmt"
	"maps"
	"strings"
)

// onInstallation finds an installation and acts on it with mu held.
func (g *GitHub) onInstallation(id int64, act func(*installation) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.world.installations[id]
	if i == nil {
		return fmt.Errorf("find installation %d: no such installation", id)
	}
	i.updated = g.now()
	defer g.broadcast()
	return act(i)
}

// Suspend suspends an installation: its tokens stop working and only the
// "suspend" event itself is sent.
func (g *GitHub) Suspend(id int64) error {
	return g.onInstallation(id, func(i *installation) error {
		now := g.now()
		i.suspended, i.suspendedBy = &now, i.account
		g.emitInstallation(i, "suspend", nil)
		return nil
	})
}

// Unsuspend ends a suspension.
func (g *GitHub) Unsuspend(id int64) error {
	return g.onInstallation(id, func(i *installation) error {
		i.suspended, i.suspendedBy = nil, nil
		g.emitInstallation(i, "unsuspend", nil)
		return nil
	})
}

// Uninstall removes an installation; its tokens are worth nothing afterwards.
func (g *GitHub) Uninstall(id int64) error { return g.uninstall(id) }

func (g *GitHub) uninstall(id int64) error {
	return g.onInstallation(id, func(i *installation) error {
		g.emitInstallation(i, "deleted", object{"repositories": g.shortRepos(g.world.reposOf(i))})
		delete(g.world.installations, id)
		return nil
	})
}

// SetPermissions changes what an installation grants, as an owner does who has or
// has not accepted new permissions. With accepted, "new_permissions_accepted" is
// sent.
func (g *GitHub) SetPermissions(id int64, permissions map[string]string, accepted bool) error {
	return g.onInstallation(id, func(i *installation) error {
		i.permissions = maps.Clone(permissions)
		if accepted {
			g.emitInstallation(i, "new_permissions_accepted", nil)
		}
		return nil
	})
}

// SelectRepos adds repositories to an installation, or removes them from it. One
// that covered the whole account covers only its present repositories from then on.
func (g *GitHub) SelectRepos(id int64, add bool, repos ...string) error {
	return g.onInstallation(id, func(i *installation) error {
		if i.all {
			for _, r := range g.world.reposOf(i) {
				i.selected[r.id] = struct{}{}
			}
			i.all = false
		}
		var changed []*repository
		for _, name := range repos {
			r, err := g.world.repo(name)
			if err != nil {
				return err
			}
			if add {
				i.selected[r.id] = struct{}{}
			} else {
				delete(i.selected, r.id)
			}
			changed = append(changed, r)
		}
		action, added, removed := "added", g.shortRepos(changed), []object{}
		if !add {
			action, added, removed = "removed", []object{}, added
		}
		g.emitInstallation(i, action, object{
			"repository_selection": "selected", "repositories_added": added, "repositories_removed": removed, "requester": nil,
		})
		return nil
	})
}

// onRepo finds a repository and acts on it with mu held; the action's name is the
// repository event that is sent afterwards, with what act returns.
func (g *GitHub) onRepo(user, repo, action string, act func(*repository) (object, error)) error {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	more, err := act(r)
	if err != nil {
		return err
	}
	r.updated = g.now()
	if action != "" {
		g.emit(event{name: "repository", action: action, repo: r, sender: by, body: more})
	}
	g.broadcast()
	return nil
}

// Rename gives a repository a new name. The former one redirects.
func (g *GitHub) Rename(user, repo, name string) error {
	return g.onRepo(user, repo, "renamed", func(r *repository) (object, error) {
		old := r.name
		key := strings.ToLower(r.owner.login + "/" + name)
		if other := g.world.byName[key]; other != nil && other != r && !other.deleted && strings.EqualFold(other.name, name) {
			return nil, fmt.Errorf("rename %s: there is a repository %q already", repo, name)
		}
		r.name = name
		g.world.byName[key] = r
		return object{"changes": object{"repository": object{"name": object{"from": old}}}}, nil
	})
}

// Transfer gives a repository another owner. The former name redirects.
func (g *GitHub) Transfer(user, repo, owner string) error {
	return g.onRepo(user, repo, "transferred", func(r *repository) (object, error) {
		from := r.owner
		r.owner = g.ensureAccount(owner, kindOrg)
		g.world.byName[strings.ToLower(r.fullName())] = r
		kind := strings.ToLower(from.kind)
		return object{"changes": object{"owner": object{"from": object{kind: g.accountJSON(from)}}}}, nil
	})
}

// Archive makes a repository read-only.
func (g *GitHub) Archive(user, repo string) error {
	return g.onRepo(user, repo, "archived", func(r *repository) (object, error) { r.archived = true; return nil, nil })
}

// Unarchive ends that.
func (g *GitHub) Unarchive(user, repo string) error {
	return g.onRepo(user, repo, "unarchived", func(r *repository) (object, error) { r.archived = false; return nil, nil })
}

// SetPrivate changes who sees a repository.
func (g *GitHub) SetPrivate(user, repo string, private bool) error {
	action := "publicized"
	if private {
		action = "privatized"
	}
	return g.onRepo(user, repo, action, func(r *repository) (object, error) { r.private = private; return nil, nil })
}

// SetDisabled lets GitHub's staff block a repository. The App is told nothing.
func (g *GitHub) SetDisabled(user, repo string, disabled bool) error {
	return g.onRepo(user, repo, "", func(r *repository) (object, error) { r.disabled = disabled; return nil, nil })
}

// SetDefaultBranch changes the default branch and sends "edited".
func (g *GitHub) SetDefaultBranch(ctx context.Context, user, repo, branch string) error {
	return g.onRepo(user, repo, "edited", func(r *repository) (object, error) {
		if _, err := r.dir.run(ctx, "symbolic-ref", "HEAD", headsPrefix+branch); err != nil {
			return nil, fmt.Errorf("set default branch of %s: %w", repo, err)
		}
		old := r.defaultBranch
		r.defaultBranch = branch
		return object{"changes": object{"default_branch": object{"from": old}}}, nil
	})
}

// DeleteRepo deletes a repository. Pull requests from it stay, with no head
// repository.
func (g *GitHub) DeleteRepo(user, repo string) error {
	return g.onRepo(user, repo, "", func(r *repository) (object, error) {
		by := g.world.accounts[strings.ToLower(user)]
		g.emit(event{name: "repository", action: "deleted", repo: r, sender: by})
		r.deleted = true
		return nil, nil
	})
}

// Fork copies a repository to a user, with its default branch. The App is told
// nothing.
func (g *GitHub) Fork(ctx context.Context, user, repo string) (string, error) {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return "", err
	}
	g.mu.Lock()
	name := by.login + "/" + r.name
	opts := RepoOptions{DefaultBranch: r.defaultBranch, Private: r.private, From: r.dir.path, Rev: headsPrefix + r.defaultBranch}
	g.mu.Unlock()
	if _, err := g.AddRepo(ctx, name, opts); err != nil {
		return "", err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	fork, err := g.world.repo(name)
	if err != nil {
		return "", err
	}
	fork.parent = r
	return name, nil
}
