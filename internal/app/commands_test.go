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

// count tells how many exchanges after a mark were of an operation.
func (w *world) count(mark int, operation string) int {
	n := 0
	for _, op := range w.rest(mark) {
		if strings.Contains(op, operation) {
			n++
		}
	}
	return n
}

// A command that has to wait for another job on the pull request says once that it
// was seen, and does not ask GitHub each time whether its turn has come.
func TestWaitingCommandCostsNothing(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	subject := job.PullSubject(repoID(t, w), p.Number)
	require.NoError(t, w.app.Store().AcquireLease(w.ctx, subject, "another", patience))
	mark := w.gh.Mark()
	c, err := w.gh.Comment(person, fullName, p.Number, "/rescore")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return strings.Count(w.log.String(), `"job":"command"`) == 3 }, patience, pollEvery)
	assert.Equal(t, 1, w.count(mark, "/collaborators/"))
	require.NoError(t, w.app.Store().ReleaseLease(w.ctx, subject, "another"))
	w.idle()
	assert.Equal(t, []string{"eyes", "+1"}, w.reactions(p.Number, c.ID))
	assert.Equal(t, 2, w.count(mark, "/reactions"))
	assert.Equal(t, 2, w.count(mark, "/collaborators/"), "asked again before the work")
}

// Many commands at once that ask for the same are answered by the work that begins
// after them, not by as many check runs.
func TestManyCommandsAreAnsweredAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		p := w.quietPull("b")
		subject := job.PullSubject(repoID(t, w), p.Number)
		require.NoError(t, w.app.Store().AcquireLease(w.ctx, subject, "another", patience))
		var said []int64
		for range 6 {
			for _, body := range []string{"/rescore", "/rescore C2"} {
				c, err := w.gh.Comment(person, fullName, p.Number, body)
				require.NoError(t, err)
				said = append(said, c.ID)
			}
		}
		require.NoError(t, w.gh.WaitDelivered(w.ctx))
		require.NoError(t, w.app.Store().ReleaseLease(w.ctx, subject, "another"))
		w.idle()
		for _, id := range said {
			assert.Equal(t, []string{"eyes", "+1"}, w.reactions(p.Number, id))
		}
		assert.Len(t, w.checks(p.HeadSHA), 3, "one for each thing that was asked for")
		w.say(person, p.Number, "/rescore")
		assert.Len(t, w.checks(p.HeadSHA), 4, "one that comes later is worked")
	})
}

// Anybody may comment on a public repository: who may not give commands costs GitHub's
// budget once, however often they try.
func TestStrangersCommandsCostOneQuestion(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	w.gh.AddUser("mallory")
	require.NoError(t, w.gh.SetPrivate(person, fullName, false))
	mark := w.gh.Mark()
	for range 10 {
		w.say("mallory", p.Number, "/rescore all")
	}
	assert.Len(t, w.rest(mark), 1)
	w.say(person, p.Number, "/rescore all")
	assert.Len(t, w.checks(p.HeadSHA), 2, "nobody else is kept from it")
}

// A stranger's command that has to wait, because GitHub could not tell at first who they
// are, gets no answer either: neither when somebody else's for the same is done, nor of
// a failure.
func TestStrangersWaitingCommandIsNotAnswered(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	w.gh.AddUser("mallory")
	require.NoError(t, w.gh.SetPrivate(person, fullName, false))
	w.gh.FailNext("GET /repos/{owner}/{repo}/collaborators/{username}/permission", 1, standin.Fault{Status: 502, Message: "Bad Gateway"})
	c, err := w.gh.Comment("mallory", fullName, p.Number, "/rescore")
	require.NoError(t, err)
	w.say(person, p.Number, "/rescore")
	assert.Empty(t, w.reactions(p.Number, c.ID))
	assert.Len(t, w.checks(p.HeadSHA), 2)
}

// Somebody deleted or rewrote the comment: who asks for the result sees it again.
func TestCommandRestoresTheComment(t *testing.T) {
	w := newWorld(t, "").installed()
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	before := w.waitComment(p.Number, func(c standin.Comment) bool { return c.ViaApp })
	w.idle()
	require.NoError(t, w.gh.EditComment(person, before.ID, "all is well"))
	w.say(person, p.Number, "/rescore")
	require.Len(t, w.ours(p.Number), 1)
	assert.Contains(t, w.ours(p.Number)[0].Body, p.HeadSHA[:7])
	require.NoError(t, w.gh.DeleteComment(person, before.ID))
	w.say(person, p.Number, "/rescore")
	require.Len(t, w.ours(p.Number), 1)
	assert.Contains(t, w.ours(p.Number)[0].Body, p.HeadSHA[:7])
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
