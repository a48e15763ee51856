package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/testdata"
)

// stage is the world of the demo: the stand-in, the app, and the repository.
type stage struct {
	history *testdata.History
	github  *standin.GitHub
	app     *service
	hub     *hub
	pulls   []int
}

// raise starts the stand-in and the app, installs the app on the organisation, and
// pushes the history.
func raise(ctx context.Context, dir string, h *testdata.History, version string) (st *stage, err error) {
	gh, err := standin.New(standin.Options{Dir: filepath.Join(dir, "github")})
	if err != nil {
		return nil, err
	}
	st = &stage{history: h, github: gh}
	defer func() {
		if err != nil {
			err = errors.Join(err, st.close())
		}
	}()
	if err := gh.Start(); err != nil {
		return nil, err
	}
	if err := st.populate(ctx); err != nil {
		return nil, err
	}
	if st.app, err = startService(ctx, filepath.Join(dir, "app"), gh, version); err != nil {
		return nil, err
	}
	gh.SetWebhook(st.app.hookURL(), "")
	if _, err := gh.Install(h.Owner, standin.InstallOptions{}); err != nil {
		return nil, err
	}
	return st, st.push(ctx)
}

// populate makes the organisation, its people and the empty repository.
func (st *stage) populate(ctx context.Context) error {
	h := st.history
	st.github.AddOrg(h.Owner)
	if _, err := st.github.AddRepo(ctx, h.FullName(), standin.RepoOptions{DefaultBranch: h.DefaultBranch, Description: h.Description}); err != nil {
		return err
	}
	for login := range h.People {
		st.github.AddUser(login)
		if err := st.github.SetRole(h.FullName(), login, standin.RoleWrite); err != nil {
			return err
		}
	}
	token, err := st.github.UserToken(h.Pulls[0].Author)
	if err != nil {
		return err
	}
	st.hub = &hub{github: st.github, repo: h.FullName(), token: token}
	return nil
}

func (st *stage) push(ctx context.Context) error {
	stream, err := st.history.Stream()
	if err != nil {
		return err
	}
	author := st.history.Commits[len(st.history.Commits)-1].Author
	return st.github.Import(ctx, author, st.history.FullName(), stream)
}

// baseline waits for the check of the default branch: from then on the scorecard of
// its tip is the one that pull requests are measured by.
func (st *stage) baseline(ctx context.Context) (standin.CheckRun, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tip, err := st.github.BranchSHA(ctx, st.history.FullName(), st.history.DefaultBranch)
	if err != nil {
		return standin.CheckRun{}, err
	}
	run, err := st.github.WaitCheck(ctx, st.history.FullName(), tip, completed)
	if err != nil {
		return standin.CheckRun{}, fmt.Errorf("wait for the check of %s: %w", st.history.DefaultBranch, err)
	}
	return run, nil
}

// answer is what the app published on a pull request.
type answer struct {
	Pull    standin.Pull
	Run     standin.CheckRun
	Comment standin.Comment
}

// open pushes the branch of a pull request, opens it, and waits for the answer.
func (st *stage) open(ctx context.Context, p testdata.Pull) (answer, error) {
	stream, err := st.history.PullStream(p)
	if err != nil {
		return answer{}, err
	}
	repo := st.history.FullName()
	if err := st.github.Import(ctx, p.Author, repo, stream); err != nil {
		return answer{}, err
	}
	pull, err := st.github.OpenPull(ctx, p.Author, repo, standin.PullRequest{Title: p.Title, Body: p.Body, Head: p.Branch})
	if err != nil {
		return answer{}, err
	}
	st.pulls = append(st.pulls, pull.Number)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	comment, err := st.github.WaitComment(ctx, repo, pull.Number, st.byApp)
	if err != nil {
		return answer{}, fmt.Errorf("wait for the comment on #%d: %w", pull.Number, err)
	}
	run, err := st.github.WaitCheck(ctx, repo, pull.HeadSHA, completed)
	if err != nil {
		return answer{}, fmt.Errorf("wait for the check of #%d: %w", pull.Number, err)
	}
	return answer{pull, run, comment}, nil
}

func completed(k standin.CheckRun) bool { return k.Status == "completed" }

func (st *stage) byApp(c standin.Comment) bool { return c.User == st.github.BotLogin() }

// exchange is a person's command and what came of it.
type exchange struct {
	Said standin.Comment
	Run  standin.CheckRun
}

// command comments on a pull request and waits until the app has acknowledged it
// as done.
func (st *stage) command(ctx context.Context, pull int, author, body string) (exchange, error) {
	repo := st.history.FullName()
	said, err := st.github.Comment(author, repo, pull, body)
	if err != nil {
		return exchange{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	said, err = st.github.WaitComment(ctx, repo, pull, func(c standin.Comment) bool {
		return c.ID == said.ID && st.reacted(c, "+1")
	})
	if err != nil {
		return exchange{}, fmt.Errorf("wait for the answer to %q: %w", body, err)
	}
	p, err := st.github.Pull(repo, pull)
	if err != nil {
		return exchange{}, err
	}
	run, err := st.github.WaitCheck(ctx, repo, p.HeadSHA, completed)
	return exchange{said, run}, err
}

func (st *stage) reacted(c standin.Comment, content string) bool {
	for _, r := range c.Reactions {
		if strings.HasSuffix(r, " "+content) && strings.HasPrefix(r, st.github.BotLogin()) {
			return true
		}
	}
	return false
}

func (st *stage) numbers() []int { return st.pulls }

// explain adds the end of the app's log to an error that made the demo stop.
func (st *stage) explain(err error) error {
	if log := st.app.log.String(); log != "" && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\nthe app's log ends:\n%s", err, log)
	}
	return err
}

func (st *stage) close() error {
	var errs []error
	if st.app != nil {
		errs = append(errs, st.app.close())
	}
	return errors.Join(append(errs, st.github.Close())...)
}
