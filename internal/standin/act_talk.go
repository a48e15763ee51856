package standin

import (
	"context"
	"fmt"
)

// OpenIssue opens a plain issue and returns its number. The App is told nothing.
func (g *GitHub) OpenIssue(user, repo, title, body string) (int, error) {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.newIssue(r, by, title, body).number, nil
}

// Comment writes a comment on an issue or pull request and sends "created". A
// locked conversation refuses those who cannot write to the repository.
func (g *GitHub) Comment(user, repo string, number int, body string) (Comment, error) {
	by, _, err := g.lookup(user, repo)
	if err != nil {
		return Comment{}, err
	}
	if problem := checkComment(body); problem != nil {
		return Comment{}, problem.problem("comment")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i, err := g.world.issue(repo, number)
	if err != nil {
		return Comment{}, err
	}
	if i.locked && !i.repo.roleOf(by).canWrite() {
		return Comment{}, &RefusedError{"comment", 403, "Unable to create comment because issue is locked."}
	}
	return g.commentSnapshot(g.addComment(i, by, body, false)), nil
}

// lookupComment needs mu held.
func (g *GitHub) lookupComment(user string, id int64) (*account, *comment, error) {
	by, err := g.world.account(user)
	if err != nil {
		return nil, nil, err
	}
	k := g.world.comments[id]
	if k == nil {
		return nil, nil, fmt.Errorf("find comment %d: no such comment", id)
	}
	return by, k, nil
}

// EditComment changes a comment and sends "edited".
func (g *GitHub) EditComment(user string, id int64, body string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	by, k, err := g.lookupComment(user, id)
	if err != nil {
		return err
	}
	g.editComment(k, by, body)
	return nil
}

// DeleteComment deletes a comment and sends "deleted".
func (g *GitHub) DeleteComment(user string, id int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	by, k, err := g.lookupComment(user, id)
	if err != nil {
		return err
	}
	g.dropComment(k, by)
	return nil
}

// Lock locks a conversation, or unlocks it. The App is told nothing.
func (g *GitHub) Lock(repo string, number int, locked bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	i, err := g.world.issue(repo, number)
	if err != nil {
		return err
	}
	i.locked = locked
	return nil
}

// RerequestCheck asks for a check run again, as the button on the page does.
func (g *GitHub) RerequestCheck(user, repo string, run int64) error {
	return g.onRun(user, repo, run, func(by *account, k *checkRun) { g.rerequestRun(k, by) })
}

// ClickAction presses one of a check run's own buttons.
func (g *GitHub) ClickAction(user, repo string, run int64, identifier string) error {
	return g.onRun(user, repo, run, func(by *account, k *checkRun) {
		g.emitCheckRun(k, "requested_action", by, object{"requested_action": object{"identifier": identifier}})
	})
}

// onRun finds a check run and acts on it with mu held.
func (g *GitHub) onRun(user, repo string, id int64, act func(*account, *checkRun)) error {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, k := range r.runs {
		if k.ID == id {
			act(by, k)
			return nil
		}
	}
	return fmt.Errorf("find check run %d of %s: no such run", id, repo)
}

// rerequestRun resets the suite and sends "rerequested". Caller holds mu.
func (g *GitHub) rerequestRun(k *checkRun, by *account) {
	k.suite.reset = true
	g.emitCheckRun(k, "rerequested", by, nil)
	g.broadcast()
}

// RerequestSuite asks for all checks of a commit again.
func (g *GitHub) RerequestSuite(ctx context.Context, user, repo, sha string) error {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return err
	}
	g.mu.Lock()
	var suite *checkSuite
	for _, s := range r.suites {
		if s.sha == sha {
			suite = s
		}
	}
	g.mu.Unlock()
	if suite == nil {
		return fmt.Errorf("find check suite of %s: none for %s", repo, sha)
	}
	return g.rerequestSuite(ctx, suite, by)
}

func (g *GitHub) rerequestSuite(ctx context.Context, s *checkSuite, by *account) error {
	heads, err := s.repo.dir.headsOf(ctx, []*checkSuite{s})
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s.reset = true
	g.emit(event{name: "check_suite", action: "rerequested", repo: s.repo, sender: by, body: object{"check_suite": g.checkSuiteJSON(s, heads[s.sha])}})
	g.broadcast()
	return nil
}
