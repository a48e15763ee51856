package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/standin"
)

// quietPull opens a pull request that touches nothing and waits for its check.
func (w *world) quietPull(branch string) standin.Pull {
	w.t.Helper()
	w.branch(branch)
	w.source.Write("docs/"+branch+".txt", "x\n")
	p := w.open(branch)
	w.settled(p.Number, p.HeadSHA)
	w.idle()
	return p
}

// reactions of ours on a comment.
func (w *world) reactions(number int, id int64) []string {
	w.t.Helper()
	for _, c := range w.comments(number) {
		if c.ID == id {
			var out []string
			for _, r := range c.Reactions {
				if rest, ok := strings.CutPrefix(r, w.gh.BotLogin()+" "); ok {
					out = append(out, rest)
				}
			}
			return out
		}
	}
	return nil
}

// say comments as a person and waits until the app has worked it.
func (w *world) say(user string, number int, body string) standin.Comment {
	w.t.Helper()
	c, err := w.gh.Comment(user, w.name(), number, body)
	require.NoError(w.t, err)
	w.idle()
	return c
}

func TestCommandsByRole(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		p := w.quietPull("b")
		roles := map[standin.Role]bool{
			standin.RoleAdmin: true, standin.RoleMaintain: true, standin.RoleWrite: true,
			standin.RoleTriage: false, standin.RoleRead: false, standin.RoleNone: false,
		}
		for role := range roles {
			user := "user-" + string(role)
			w.gh.AddUser(user)
			if role != standin.RoleNone {
				require.NoError(t, w.gh.SetRole(fullName, user, role))
			}
		}
		// A stranger may comment only where the repository is seen.
		require.NoError(t, w.gh.SetPrivate(person, fullName, false))
		for role, may := range roles {
			before := len(w.checks(p.HeadSHA))
			c := w.say("user-"+string(role), p.Number, "/rescore")
			if may {
				assert.Equal(t, []string{"eyes", "+1"}, w.reactions(p.Number, c.ID), role)
				assert.Len(t, w.checks(p.HeadSHA), before+1, role)
			} else {
				assert.Empty(t, w.reactions(p.Number, c.ID), role)
				assert.Len(t, w.checks(p.HeadSHA), before, role)
			}
		}
		assert.Empty(t, w.ours(p.Number))
	})
}

// A command that has to wait for another job on the pull request says once that it
// was seen: reactions count as content, of which there are few an hour.
func TestWaitingCommandReactsOnce(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	subject := job.PullSubject(repoID(t, w), p.Number)
	require.NoError(t, w.app.Store().AcquireLease(w.ctx, subject, "another", patience))
	mark := w.gh.Mark()
	c, err := w.gh.Comment(person, fullName, p.Number, "/rescore")
	require.NoError(t, err)
	runs := 0
	_, err = w.gh.WaitExchange(w.ctx, mark, func(x standin.Exchange) bool {
		if strings.HasPrefix(x.Operation, "GET /repos/{owner}/{repo}/collaborators/") {
			runs++
		}
		return runs == 3
	})
	require.NoError(t, err)
	require.NoError(t, w.app.Store().ReleaseLease(w.ctx, subject, "another"))
	w.idle()
	assert.Equal(t, []string{"eyes", "+1"}, w.reactions(p.Number, c.ID))
	posts := 0
	for _, operation := range w.rest(mark) {
		if strings.HasSuffix(operation, "/reactions") {
			posts++
		}
	}
	assert.Equal(t, 2, posts)
}

func TestCommandVerifiesCriteriaAnew(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	latest := func() standin.CheckRun {
		runs := w.checks(p.HeadSHA)
		return runs[len(runs)-1]
	}
	w.say(person, p.Number, "/rescore C2 C4")
	assert.Equal(t, "success", latest().Conclusion)
	assert.Contains(t, latest().Title, "2 criteria re-verified")
	w.say(person, p.Number, "Everything, please:\n\n/rescore all")
	assert.Contains(t, latest().Title, "10 criteria re-verified")
	assert.Len(t, w.checks(p.HeadSHA), 3)
	for _, r := range w.checks(p.HeadSHA) {
		assert.Equal(t, "completed", r.Status)
	}
	require.Len(t, w.ours(p.Number), 1)
	assert.Contains(t, w.ours(p.Number)[0].Body, "No changes.")
}

func TestHelpAndUnknownCommands(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	c := w.say(person, p.Number, "/rescore help")
	assert.Equal(t, []string{"+1"}, w.reactions(p.Number, c.ID))
	require.Len(t, w.ours(p.Number), 1)
	assert.Contains(t, w.ours(p.Number)[0].Body, "`/rescore C2 C4`")

	c = w.say(person, p.Number, "/rescore everything @octo/all")
	assert.Equal(t, []string{"confused"}, w.reactions(p.Number, c.ID))
	require.Len(t, w.ours(p.Number), 2)
	assert.Contains(t, w.ours(p.Number)[1].Body, "`/rescore everything @octo/all` is not a command")
	assert.Len(t, w.checks(p.HeadSHA), 1, "nothing was worked out")
}

func TestWhatIsNoCommand(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	issue, err := w.gh.OpenIssue(person, fullName, "an issue", "")
	require.NoError(t, err)
	for i, body := range []string{"> /rescore", "```\n/rescore\n```", "please /rescore", "/rescored"} {
		c := w.say(person, p.Number, body)
		assert.Empty(t, w.reactions(p.Number, c.ID), fmt.Sprint(i))
	}
	c := w.say(person, issue, "/rescore")
	assert.Empty(t, w.reactions(issue, c.ID))
	c = w.say(person, p.Number, "nothing")
	require.NoError(t, w.gh.EditComment(person, c.ID, "/rescore"))
	w.idle()
	assert.Empty(t, w.reactions(p.Number, c.ID), "an edited comment")
	assert.Len(t, w.checks(p.HeadSHA), 1)
}

// A command about a pull request that the app never heard of: it asks GitHub.
func TestCommandOnUnknownPullRequest(t *testing.T) {
	w := newWorld(t, "").installed()
	end := w.gh.FailDelivery(func(d standin.Delivery) *standin.DeliveryFault {
		if d.Event == "pull_request" {
			return &standin.DeliveryFault{Drop: true}
		}
		return nil
	})
	w.branch("b")
	w.source.Write("docs/b.txt", "x\n")
	p := w.open("b")
	w.idle()
	end()
	assert.Empty(t, w.checks(p.HeadSHA))
	w.say(person, p.Number, "/rescore")
	assert.Equal(t, "success", w.settled(p.Number, p.HeadSHA).Conclusion)
}

func TestRerequestedCheckIsANewRun(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	first := w.checks(p.HeadSHA)[0]
	require.NoError(t, w.gh.RerequestCheck(person, fullName, first.ID))
	w.idle()
	require.Len(t, w.checks(p.HeadSHA), 2)
	assert.Equal(t, "completed", w.checks(p.HeadSHA)[1].Status)

	require.NoError(t, w.gh.RerequestSuite(w.ctx, person, fullName, p.HeadSHA))
	w.idle()
	assert.Len(t, w.checks(p.HeadSHA), 3)

	w.source.Checkout("main")
	require.NoError(t, w.gh.RerequestCheck(person, fullName, w.checks(w.source.Head())[0].ID))
	w.idle()
	assert.Len(t, w.checks(w.source.Head()), 2)
}
