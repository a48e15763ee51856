package ghclient

import (
	"context"
	"fmt"

	"github.com/google/go-github/v66/github"
)

// wrote checks that a write was one: a redirect may turn it into a read that
// succeeds.
func wrote(op string, id int64) error {
	if id == 0 {
		return &Error{Op: op, Kind: ErrUnavailable, Message: "GitHub's answer names nothing that was written"}
	}
	return nil
}

// CreateCheck creates a check run.
func (i *Installation) CreateCheck(ctx context.Context, r Repo, o github.CreateCheckRunOptions) (*github.CheckRun, error) {
	const op = "create the check run"
	var run *github.CheckRun
	err := i.call(ctx, op, r, func(owner, name string) (resp *github.Response, err error) {
		run, resp, err = i.client.Checks.CreateCheckRun(ctx, owner, name, o)
		return resp, err
	})
	if err != nil {
		return nil, err
	}
	if run.GetHeadSHA() != o.HeadSHA {
		return nil, &Error{Op: op, Kind: ErrUnavailable, Message: fmt.Sprintf("the answer speaks of commit %q", run.GetHeadSHA())}
	}
	return run, wrote(op, run.GetID())
}

// UpdateCheck changes a check run.
func (i *Installation) UpdateCheck(ctx context.Context, r Repo, id int64, o github.UpdateCheckRunOptions) (*github.CheckRun, error) {
	const op = "update the check run"
	var run *github.CheckRun
	err := i.call(ctx, op, r, func(owner, name string) (resp *github.Response, err error) {
		run, resp, err = i.client.Checks.UpdateCheckRun(ctx, owner, name, id, o)
		return resp, err
	})
	if err != nil {
		return nil, err
	}
	if o.Status != nil && run.GetStatus() != *o.Status {
		return nil, &Error{Op: op, Kind: ErrUnavailable, Message: fmt.Sprintf("the check run is %q after the update", run.GetStatus())}
	}
	return run, wrote(op, run.GetID())
}

// Checks returns every check run of ours with the name at a commit.
func (i *Installation) Checks(ctx context.Context, r Repo, sha, checkName string) ([]*github.CheckRun, error) {
	opts := &github.ListCheckRunsOptions{
		CheckName: &checkName, Filter: github.String("all"), AppID: github.Int64(i.app.o.AppID),
		ListOptions: github.ListOptions{PerPage: pageSize},
	}
	var out []*github.CheckRun
	for {
		var next int
		err := i.call(ctx, "list the check runs of a commit", r, func(owner, name string) (*github.Response, error) {
			page, resp, err := i.client.Checks.ListCheckRunsForRef(ctx, owner, name, sha, opts)
			if err == nil {
				out, next = append(out, page.CheckRuns...), resp.NextPage
			}
			return resp, err
		})
		if err != nil || next == 0 {
			return out, err
		}
		opts.Page = next
	}
}

// Comments returns the comments on an issue or pull request that are to be kept, oldest
// first. There may be thousands, with texts of 64 KiB.
func (i *Installation) Comments(ctx context.Context, r Repo, number int, keep func(*github.IssueComment) bool) ([]*github.IssueComment, error) {
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: pageSize}}
	var out []*github.IssueComment
	for {
		var next int
		err := i.call(ctx, "list the comments", r, func(owner, name string) (*github.Response, error) {
			page, resp, err := i.client.Issues.ListComments(ctx, owner, name, number, opts)
			if err != nil {
				return resp, err
			}
			for _, c := range page {
				if keep(c) {
					out = append(out, c)
				}
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

// CreateComment writes a comment and returns its id.
func (i *Installation) CreateComment(ctx context.Context, r Repo, number int, body string) (int64, error) {
	const op = "write the comment"
	var comment *github.IssueComment
	err := i.call(ctx, op, r, func(owner, name string) (resp *github.Response, err error) {
		comment, resp, err = i.client.Issues.CreateComment(ctx, owner, name, number, &github.IssueComment{Body: &body})
		return resp, err
	})
	if err != nil {
		return 0, err
	}
	return comment.GetID(), wrote(op, comment.GetID())
}

// EditComment replaces a comment's text.
func (i *Installation) EditComment(ctx context.Context, r Repo, id int64, body string) error {
	const op = "edit the comment"
	var comment *github.IssueComment
	err := i.call(ctx, op, r, func(owner, name string) (resp *github.Response, err error) {
		comment, resp, err = i.client.Issues.EditComment(ctx, owner, name, id, &github.IssueComment{Body: &body})
		return resp, err
	})
	if err != nil {
		return err
	}
	return wrote(op, comment.GetID())
}

// DeleteComment removes a comment of ours; one that is gone is no error.
func (i *Installation) DeleteComment(ctx context.Context, r Repo, id int64) error {
	err := i.call(ctx, "delete the comment", r, func(owner, name string) (*github.Response, error) {
		return i.client.Issues.DeleteComment(ctx, owner, name, id)
	})
	return ignoreNotFound(err)
}

// React puts a reaction ("eyes", "+1", "confused") on a comment. GitHub keeps one
// of each kind, so that doing it again changes nothing. A comment that is gone is
// no error.
func (i *Installation) React(ctx context.Context, r Repo, commentID int64, content string) error {
	err := i.call(ctx, "react to the comment", r, func(owner, name string) (*github.Response, error) {
		_, resp, err := i.client.Reactions.CreateIssueCommentReaction(ctx, owner, name, commentID, content)
		return resp, err
	})
	return ignoreNotFound(err)
}
