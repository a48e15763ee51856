package webhook

import (
	"errors"

	"github.com/rescore-app/rescore/internal/command"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// issueComment reads a command from a new comment on a pull request by a person.
func issueComment(p *payload, _ int64) (job.Event, bool, error) {
	if p.Action != "created" || p.Issue == nil || p.Comment == nil {
		return job.Event{}, false, nil
	}
	onPull := len(p.Issue.PullRequest) > 0 && string(p.Issue.PullRequest) != "null"
	if !onPull || !isPerson(p.Comment.User) || !isPerson(p.Sender) {
		return job.Event{}, false, nil
	}
	c, ok := command.Parse(p.Comment.Body)
	if !ok {
		return job.Event{}, false, nil
	}
	if err := p.need(); err != nil {
		return job.Event{}, false, err
	}
	if p.Issue.Number <= 0 || p.Comment.ID <= 0 {
		return job.Event{}, false, errors.New("no comment on a pull request")
	}
	f := p.facts()
	return job.Event{
		Delivery:     store.Delivery{ContentKey: key("comment", p.Comment.ID, p.Comment.UpdatedAt.Unix())},
		Repositories: []store.Repository{f},
		Jobs: []job.Args{job.Command{
			Origin: p.origin(), Number: p.Issue.Number, CommentID: p.Comment.ID, Sender: p.Comment.User.Login,
			Verb: string(c.Verb), Criteria: c.Criteria, All: c.All, Word: c.Text,
		}},
	}, true, nil
}

// isPerson keeps bots, us among them, from talking to each other. A login has the
// letters of a name, or a suffix after an underscore for managed users.
func isPerson(a *account) bool {
	return a != nil && a.Type == "User" && validName(a.Login)
}

// checkRun posts a check of ours again.
func checkRun(p *payload, appID int64) (job.Event, bool, error) {
	if p.Action != "rerequested" || p.CheckRun == nil || p.CheckRun.App == nil || p.CheckRun.App.ID != appID {
		return job.Event{}, false, nil
	}
	if err := p.need(); err != nil {
		return job.Event{}, false, err
	}
	if !sha().MatchString(p.CheckRun.HeadSHA) {
		return job.Event{}, false, errors.New("no head commit")
	}
	number, known := job.PullOfExternalID(p.CheckRun.ExternalID)
	return job.Event{
		Repositories: []store.Repository{p.facts()},
		Jobs: []job.Args{job.Rerequest{
			Origin: p.origin(), Head: p.CheckRun.HeadSHA, Number: number, Suite: !known,
		}},
	}, true, nil
}

// checkSuite posts all checks of ours at a commit again.
func checkSuite(p *payload, appID int64) (job.Event, bool, error) {
	if p.Action != "rerequested" || p.CheckSuite == nil || p.CheckSuite.App == nil || p.CheckSuite.App.ID != appID {
		return job.Event{}, false, nil
	}
	if err := p.need(); err != nil {
		return job.Event{}, false, err
	}
	if !sha().MatchString(p.CheckSuite.HeadSHA) {
		return job.Event{}, false, errors.New("no head commit")
	}
	return job.Event{
		Repositories: []store.Repository{p.facts()},
		Jobs:         []job.Args{job.Rerequest{Origin: p.origin(), Head: p.CheckSuite.HeadSHA, Suite: true}},
	}, true, nil
}
