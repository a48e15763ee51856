package standin

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Comment is a comment of an issue or pull request.
type Comment struct {
	ID      int64
	User    string
	Body    string
	ViaApp  bool
	Created time.Time
	Updated time.Time
	// Reactions are "login content", in order.
	Reactions []string
	URL       string
}

// Pull is a pull request.
type Pull struct {
	Number           int
	Title, Body      string
	User             string
	State            string // open, closed
	Draft, Merged    bool
	Locked           bool
	BaseRef, BaseSHA string
	HeadRef, HeadSHA string
	HeadRepo         string // full name; "" when the fork is gone
	MergeSHA         string // of the merge
	URL              string
}

// Repository is a repository.
type Repository struct {
	ID            int64
	FullName      string
	DefaultBranch string
	Private       bool
	Archived      bool
	Dir           string // the bare git directory
}

// CheckRuns returns the App's runs on a commit, oldest first.
func (g *GitHub) CheckRuns(repo, sha string) ([]CheckRun, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.world.repo(repo)
	if err != nil {
		return nil, err
	}
	return r.runsOn(sha), nil
}

// runsOn needs mu held. An empty sha means every commit.
func (r *repository) runsOn(sha string) []CheckRun {
	var out []CheckRun
	for _, k := range r.runs {
		if sha == "" || k.HeadSHA == sha {
			out = append(out, k.snapshot())
		}
	}
	return out
}

// Comments returns the comments of an issue or pull request, oldest first.
func (g *GitHub) Comments(repo string, number int) ([]Comment, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i, err := g.world.issue(repo, number)
	if err != nil {
		return nil, err
	}
	var out []Comment
	for _, k := range i.comments {
		out = append(out, g.commentSnapshot(k))
	}
	return out, nil
}

// commentSnapshot needs mu held.
func (g *GitHub) commentSnapshot(k *comment) Comment {
	c := Comment{ID: k.id, User: k.user.login, Body: k.body, ViaApp: k.viaApp, Created: k.created, Updated: k.updated, URL: g.commentURL(k)}
	for _, r := range k.reactions {
		c.Reactions = append(c.Reactions, r.user.login+" "+r.content)
	}
	return c
}

// Pull returns a pull request.
func (g *GitHub) Pull(repo string, number int) (Pull, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i, err := g.pullOf(repo, number)
	if err != nil {
		return Pull{}, err
	}
	return g.pullSnapshot(i), nil
}

// Pulls returns all pull requests of a repository by number.
func (g *GitHub) Pulls(repo string) ([]Pull, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.world.repo(repo)
	if err != nil {
		return nil, err
	}
	var out []Pull
	for _, i := range r.pullsOf() {
		out = append(out, g.pullSnapshot(i))
	}
	return out, nil
}

// pullOf finds a pull request. Caller holds mu.
func (g *GitHub) pullOf(repo string, number int) (*issue, error) {
	i, err := g.world.issue(repo, number)
	if err != nil {
		return nil, err
	}
	if i.pull == nil {
		return nil, fmt.Errorf("find pull request %s#%d: it is an issue", repo, number)
	}
	return i, nil
}

// pullSnapshot needs mu held.
func (g *GitHub) pullSnapshot(i *issue) Pull {
	p := i.pull
	out := Pull{
		Number: i.number, Title: i.title, Body: i.body, User: i.user.login, State: i.state, Draft: p.draft, Merged: p.merged != nil,
		Locked: i.locked, BaseRef: p.base.ref, BaseSHA: p.base.sha, HeadRef: p.head.ref, HeadSHA: p.head.sha, MergeSHA: p.mergeSHA, URL: g.issueHTML(i),
	}
	if p.head.repo != nil && !p.head.repo.deleted {
		out.HeadRepo = p.head.repo.fullName()
	}
	return out
}

// Repository returns a repository by its present or a former name.
func (g *GitHub) Repository(repo string) (Repository, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.world.repo(repo)
	if err != nil {
		return Repository{}, err
	}
	return Repository{r.id, r.fullName(), r.defaultBranch, r.private, r.archived, r.dir.path}, nil
}

// BranchSHA returns the commit of a branch, or "" when there is none.
func (g *GitHub) BranchSHA(ctx context.Context, repo, branch string) (string, error) {
	g.mu.Lock()
	r, err := g.world.repo(repo)
	g.mu.Unlock()
	if err != nil {
		return "", err
	}
	return r.dir.branchSHA(ctx, branch), nil
}

// WaitCheck waits until a run on a commit ("" for any) satisfies match and returns
// it; the latest of several. match must not call the stand-in.
func (g *GitHub) WaitCheck(ctx context.Context, repo, sha string, match func(CheckRun) bool) (CheckRun, error) {
	var found CheckRun
	err := g.wait(ctx, "a check run on "+repo+" "+sha, func() bool {
		r, err := g.world.repo(repo)
		if err != nil {
			return false
		}
		for _, k := range slices.Backward(r.runsOn(sha)) {
			if match(k) {
				found = k
				return true
			}
		}
		return false
	})
	return found, err
}

// WaitComment waits until a comment of an issue or pull request satisfies match
// and returns it; the latest of several. match must not call the stand-in.
func (g *GitHub) WaitComment(ctx context.Context, repo string, number int, match func(Comment) bool) (Comment, error) {
	var found Comment
	err := g.wait(ctx, fmt.Sprintf("a comment on %s#%d", repo, number), func() bool {
		i, err := g.world.issue(repo, number)
		if err != nil {
			return false
		}
		for _, k := range slices.Backward(i.comments) {
			if c := g.commentSnapshot(k); match(c) {
				found = c
				return true
			}
		}
		return false
	})
	return found, err
}

// WaitPull waits until some pull request of a repository satisfies match and
// returns it. match must not call the stand-in.
func (g *GitHub) WaitPull(ctx context.Context, repo string, match func(Pull) bool) (Pull, error) {
	var found Pull
	err := g.wait(ctx, "a pull request of "+repo, func() bool {
		r, err := g.world.repo(repo)
		if err != nil {
			return false
		}
		for _, i := range r.pullsOf() {
			if p := g.pullSnapshot(i); match(p) {
				found = p
				return true
			}
		}
		return false
	})
	return found, err
}

// WaitDelivered waits until no webhook is waiting or on its way. It does not
// return while deliveries are held back.
func (g *GitHub) WaitDelivered(ctx context.Context) error {
	return g.wait(ctx, "webhooks to be delivered", func() bool { return len(g.hooks.pending) == 0 && g.hooks.busy == 0 })
}

// WaitDelivery waits until a tried webhook satisfies match and returns it. match
// must not call the stand-in.
func (g *GitHub) WaitDelivery(ctx context.Context, match func(Delivery) bool) (Delivery, error) {
	var found Delivery
	err := g.wait(ctx, "a delivery", func() bool {
		for _, d := range g.tried() {
			if match(d) {
				found = d
				return true
			}
		}
		return false
	})
	return found, err
}
