package standin_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

func contextFor(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(parent, d)
}

func body(s string) *github.IssueComment { return &github.IssueComment{Body: github.String(s)} }

func TestCommentLife(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	c := f.client()
	k, _, err := c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("first"))
	require.NoError(t, err)
	assert.Equal(t, "rescore[bot]", k.GetUser().GetLogin())
	assert.Equal(t, "Bot", k.GetUser().GetType())
	_, _, err = c.Issues.EditComment(f.ctx, owner, name, k.GetID(), body("second"))
	require.NoError(t, err)
	got, _, err := c.Issues.GetComment(f.ctx, owner, name, k.GetID())
	require.NoError(t, err)
	assert.Equal(t, "second", got.GetBody())
	seen, err := f.gh.WaitComment(f.ctx, repo, p.Number, func(k standin.Comment) bool { return k.ViaApp })
	require.NoError(t, err)
	assert.Equal(t, "second", seen.Body)
	_, err = c.Issues.DeleteComment(f.ctx, owner, name, k.GetID())
	require.NoError(t, err)
	_, resp, err := c.Issues.GetComment(f.ctx, owner, name, k.GetID())
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
	hooks := f.delivered()
	assert.Equal(t, []string{"issue_comment created", "issue_comment edited", "issue_comment deleted"}, names(hooks), "the App hears of its own comments")
	assert.Equal(t, "first", eventsOf[*github.IssueCommentEvent](hooks)[1].GetChanges().GetBody().GetFrom())
}

func TestCommentsOfPeople(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	k, err := f.gh.Comment(person, repo, p.Number, "/rescore")
	require.NoError(t, err)
	number, err := f.gh.OpenIssue(stranger, repo, "Plain", "")
	require.NoError(t, err)
	plain, err := f.gh.Comment(stranger, repo, number, "hello")
	require.NoError(t, err)
	require.NoError(t, f.gh.EditComment(person, k.ID, "/rescore all"))
	require.NoError(t, f.gh.DeleteComment(stranger, plain.ID))
	events := eventsOf[*github.IssueCommentEvent](f.delivered())
	require.Len(t, events, 4)
	assert.True(t, events[0].GetIssue().IsPullRequest())
	assert.False(t, events[1].GetIssue().IsPullRequest())
	assert.Equal(t, "edited", events[2].GetAction())
	assert.Equal(t, "deleted", events[3].GetAction())

	c := f.client()
	r, resp, err := c.Reactions.CreateIssueCommentReaction(f.ctx, owner, name, k.ID, "eyes")
	require.NoError(t, err)
	assert.Equal(t, http.StatusCreated, resp.StatusCode)
	_, resp, err = c.Reactions.CreateIssueCommentReaction(f.ctx, owner, name, k.ID, "eyes")
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, resp.StatusCode, "one of a kind")
	_, resp, err = c.Reactions.CreateIssueCommentReaction(f.ctx, owner, name, k.ID, "wave")
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
	seen, err := f.gh.Comments(repo, p.Number)
	require.NoError(t, err)
	assert.Equal(t, []string{"rescore[bot] eyes"}, seen[0].Reactions)
	list, _, err := c.Reactions.ListIssueCommentReactions(f.ctx, owner, name, k.ID, nil)
	require.NoError(t, err)
	require.Len(t, list, 1)
	_, err = c.Reactions.DeleteIssueCommentReaction(f.ctx, owner, name, k.ID, r.GetID())
	require.NoError(t, err)
	resp, err = c.Reactions.DeleteIssueCommentReaction(f.ctx, owner, name, k.ID, r.GetID())
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
}

func TestCommentPages(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	for i := range 65 {
		_, err := f.gh.Comment(person, repo, p.Number, fmt.Sprint(i))
		require.NoError(t, err)
	}
	c := f.client()
	var seen []string
	opts := &github.IssueListCommentsOptions{}
	pages := 0
	for {
		page, resp, err := c.Issues.ListComments(f.ctx, owner, name, p.Number, opts)
		require.NoError(t, err)
		pages++
		for _, k := range page {
			seen = append(seen, k.GetBody())
		}
		assert.Equal(t, 3, max(resp.LastPage, opts.Page), "the last page is named")
		if resp.NextPage == 0 {
			break
		}
		opts.Page = resp.NextPage
	}
	assert.Equal(t, 3, pages, "30 a page unless asked otherwise")
	require.Len(t, seen, 65)
	assert.Equal(t, "64", seen[64])
	page, _, err := c.Issues.ListComments(f.ctx, owner, name, p.Number, &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 500}})
	require.NoError(t, err)
	assert.Len(t, page, 65, "at most 100 a page")
	later := time.Now().Add(time.Hour)
	page, _, err = c.Issues.ListComments(f.ctx, owner, name, p.Number, &github.IssueListCommentsOptions{Since: &later})
	require.NoError(t, err)
	assert.Empty(t, page)
	_, resp, err := c.Issues.ListComments(f.ctx, owner, name, 999, nil)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
}

func TestCommentRefusals(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	c := f.client()
	longest := strings.Repeat("é", 65536)
	_, _, err := c.Issues.CreateComment(f.ctx, owner, name, p.Number, body(longest))
	require.NoError(t, err)
	_, resp, err := c.Issues.CreateComment(f.ctx, owner, name, p.Number, body(longest+"x"))
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "maximum is 65536")
	_, resp, err = c.Issues.CreateComment(f.ctx, owner, name, p.Number, &github.IssueComment{})
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))

	require.NoError(t, f.gh.Lock(repo, p.Number, true))
	_, resp, err = c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("x"))
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "issue is locked")
	_, _, err = c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "x", HeadSHA: p.HeadSHA})
	require.NoError(t, err, "a locked conversation does not stop checks")
	_, err = f.gh.Comment(person, repo, p.Number, "writers may")
	require.NoError(t, err)
	_, err = f.gh.Comment(stranger, repo, p.Number, "others may not")
	var refused *standin.RefusedError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, http.StatusForbidden, refused.Status)
}

func TestPeopleTouchTheirOwnComments(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	require.NoError(t, f.gh.SetRole(repo, stranger, standin.RoleRead))
	k, err := f.gh.Comment(person, repo, p.Number, "mine")
	require.NoError(t, err)
	c := f.userClient(stranger)
	own, _, err := c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("hers"))
	require.NoError(t, err)
	assert.Equal(t, stranger, own.GetUser().GetLogin())
	_, resp, err := c.Issues.EditComment(f.ctx, owner, name, k.ID, body("changed"))
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	_, _, err = f.userClient(person).Issues.EditComment(f.ctx, owner, name, own.GetID(), body("moderated"))
	require.NoError(t, err)
}

func TestRoles(t *testing.T) {
	f := newFixture(t)
	c := f.client()
	for role, permission := range map[standin.Role]string{
		standin.RoleAdmin: "admin", standin.RoleMaintain: "write", standin.RoleWrite: "write", standin.RoleTriage: "read", standin.RoleRead: "read", standin.RoleNone: "none",
	} {
		require.NoError(t, f.gh.SetRole(repo, stranger, role))
		level, _, err := c.Repositories.GetPermissionLevel(f.ctx, owner, name, stranger)
		require.NoError(t, err)
		assert.Equal(t, permission, level.GetPermission(), role)
		assert.Equal(t, string(role), level.GetRoleName())
	}
	_, resp, err := c.Repositories.GetPermissionLevel(f.ctx, owner, name, "nobody")
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "is not a user")
}
