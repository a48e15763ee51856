package standin_test

import (
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

func output(summary string, annotations ...*github.CheckRunAnnotation) *github.CheckRunOutput {
	return &github.CheckRunOutput{Title: github.String("Title"), Summary: github.String(summary), Annotations: annotations}
}

func annotations(n int) []*github.CheckRunAnnotation {
	var out []*github.CheckRunAnnotation
	for i := range n {
		out = append(out, &github.CheckRunAnnotation{
			Path: github.String("src/gate.go"), StartLine: github.Int(i + 1), EndLine: github.Int(i + 2),
			AnnotationLevel: github.String("warning"), Message: github.String(fmt.Sprintf("note %d", i)),
		})
	}
	return out
}

func TestCheckRunFromStartToEnd(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	c := f.client()
	run, _, err := c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{
		Name: "Rescore", HeadSHA: p.HeadSHA, Status: github.String("in_progress"), ExternalID: github.String("job-1"),
		Output: output("started", annotations(50)...),
	})
	require.NoError(t, err)
	assert.Equal(t, "in_progress", run.GetStatus())
	assert.Equal(t, 50, run.GetOutput().GetAnnotationsCount())
	require.Len(t, run.PullRequests, 1)
	assert.Equal(t, p.Number, run.PullRequests[0].GetNumber())

	done, _, err := c.Checks.UpdateCheckRun(f.ctx, owner, name, run.GetID(), github.UpdateCheckRunOptions{
		Name: "Rescore", Status: github.String("completed"), Conclusion: github.String("neutral"),
		Output:  output("**3.0**", annotations(20)...),
		Actions: []*github.CheckRunAction{{Label: "Re-audit", Description: "Judge again", Identifier: "reaudit"}},
	})
	require.NoError(t, err)
	assert.Equal(t, "completed", done.GetStatus())
	assert.Equal(t, "neutral", done.GetConclusion())
	assert.Equal(t, 70, done.GetOutput().GetAnnotationsCount(), "annotations are appended")
	assert.False(t, done.GetCompletedAt().IsZero())

	var all []*github.CheckRunAnnotation
	opts := &github.ListOptions{PerPage: 30}
	for {
		page, resp, err := c.Checks.ListCheckRunAnnotations(f.ctx, owner, name, run.GetID(), opts)
		require.NoError(t, err)
		all = append(all, page...)
		if resp.NextPage == 0 {
			break
		}
		opts.Page = resp.NextPage
	}
	require.Len(t, all, 70)
	assert.Equal(t, "note 19", all[69].GetMessage())

	got, err := f.gh.WaitCheck(f.ctx, repo, p.HeadSHA, func(k standin.CheckRun) bool { return k.Status == "completed" })
	require.NoError(t, err)
	assert.Equal(t, "**3.0**", got.Summary)
	assert.Equal(t, "job-1", got.ExternalID)
	assert.Equal(t, 2, got.Writes)
	assert.Equal(t, "reaudit", got.Actions[0].Identifier)

	again, _, err := c.Checks.UpdateCheckRun(f.ctx, owner, name, run.GetID(), github.UpdateCheckRunOptions{Name: "Rescore", Status: github.String("in_progress")})
	require.NoError(t, err)
	assert.Empty(t, again.GetConclusion(), "a run that starts again has no conclusion")
}

func TestCheckRunLimits(t *testing.T) {
	f := newFixture(t)
	sha := f.pull("feature").HeadSHA
	c := f.client()
	long := strings.Repeat("é", 65535)
	column := annotations(1)
	column[0].StartColumn = github.Int(1)
	titled := annotations(1)
	titled[0].Title = github.String(strings.Repeat("x", 256))
	huge := annotations(1)
	huge[0].Message = github.String(strings.Repeat("x", 64<<10+1))
	action := func(label, description, id string) []*github.CheckRunAction {
		return []*github.CheckRunAction{{Label: label, Description: description, Identifier: id}}
	}
	four := append(append(action("a", "a", "a"), action("b", "b", "b")...), append(action("c", "c", "c"), action("d", "d", "d")...)...)
	for _, tc := range []struct {
		name string
		opts github.CreateCheckRunOptions
		says string // "" when GitHub takes it
	}{
		{"longest summary", github.CreateCheckRunOptions{Output: output(long)}, ""},
		{"summary too long", github.CreateCheckRunOptions{Output: output(long + "x")}, "Only 65535 characters"},
		{"text too long", github.CreateCheckRunOptions{Output: &github.CheckRunOutput{Title: github.String("t"), Summary: github.String("s"), Text: github.String(long + "x")}}, "Only 65535 characters"},
		{"50 annotations", github.CreateCheckRunOptions{Output: output("s", annotations(50)...)}, ""},
		{"51 annotations", github.CreateCheckRunOptions{Output: output("s", annotations(51)...)}, "No more than 50 items"},
		{"column over lines", github.CreateCheckRunOptions{Output: output("s", column...)}, "start_column"},
		{"annotation title", github.CreateCheckRunOptions{Output: output("s", titled...)}, "Only 255 characters"},
		{"annotation message", github.CreateCheckRunOptions{Output: output("s", huge...)}, "64 KB"},
		{"no title", github.CreateCheckRunOptions{Output: &github.CheckRunOutput{Summary: github.String("s")}}, "title"},
		{"no name", github.CreateCheckRunOptions{Name: ""}, "name"},
		{"four actions", github.CreateCheckRunOptions{Actions: four}, "No more than 3 items"},
		{"label", github.CreateCheckRunOptions{Actions: action(strings.Repeat("x", 21), "d", "i")}, "Only 20 characters"},
		{"description", github.CreateCheckRunOptions{Actions: action("l", strings.Repeat("x", 41), "i")}, "Only 40 characters"},
		{"identifier", github.CreateCheckRunOptions{Actions: action("l", "d", strings.Repeat("x", 21))}, "Only 20 characters"},
		{"no conclusion", github.CreateCheckRunOptions{Status: github.String("completed")}, "conclusion"},
		{"odd status", github.CreateCheckRunOptions{Status: github.String("waiting")}, "waiting"},
		{"odd conclusion", github.CreateCheckRunOptions{Conclusion: github.String("stale")}, "stale"},
		{"unknown commit", github.CreateCheckRunOptions{HeadSHA: strings.Repeat("1", 40)}, "No commit found for SHA"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.name != "no name" {
				tc.opts.Name = "Rescore"
			}
			if tc.opts.HeadSHA == "" {
				tc.opts.HeadSHA = sha
			}
			_, resp, err := c.Checks.CreateCheckRun(f.ctx, owner, name, tc.opts)
			if tc.says == "" {
				require.NoError(t, err)
				return
			}
			assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
			assert.ErrorContains(t, err, tc.says)
		})
	}
}

func TestLatestRunsOfACommit(t *testing.T) {
	f := newFixture(t)
	sha := f.pull("feature").HeadSHA
	c := f.client()
	for _, n := range []string{"Rescore", "Rescore", "Other"} {
		_, _, err := c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: n, HeadSHA: sha, Conclusion: github.String("success")})
		require.NoError(t, err)
	}
	for _, ref := range []string{sha, "feature", "heads/feature"} {
		latest, _, err := c.Checks.ListCheckRunsForRef(f.ctx, owner, name, ref, nil)
		require.NoError(t, err)
		assert.Equal(t, 2, latest.GetTotal(), ref)
	}
	all, _, err := c.Checks.ListCheckRunsForRef(f.ctx, owner, name, sha, &github.ListCheckRunsOptions{Filter: github.String("all"), CheckName: github.String("Rescore")})
	require.NoError(t, err)
	assert.Equal(t, 2, all.GetTotal())
	suites, _, err := c.Checks.ListCheckSuitesForRef(f.ctx, owner, name, sha, nil)
	require.NoError(t, err)
	require.Equal(t, 1, suites.GetTotal(), "one suite a commit")
	assert.Equal(t, "success", suites.CheckSuites[0].GetConclusion())
	assert.Equal(t, "feature", suites.CheckSuites[0].GetHeadBranch())
	runs, _, err := c.Checks.ListCheckRunsCheckSuite(f.ctx, owner, name, suites.CheckSuites[0].GetID(), nil)
	require.NoError(t, err)
	assert.Equal(t, 2, runs.GetTotal())
	suite, _, err := c.Checks.GetCheckSuite(f.ctx, owner, name, suites.CheckSuites[0].GetID())
	require.NoError(t, err)
	assert.Equal(t, sha, suite.GetHeadSHA())
	made, resp, err := c.Checks.CreateCheckSuite(f.ctx, owner, name, github.CreateCheckSuiteOptions{HeadSHA: sha})
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, resp.StatusCode, "it is there already")
	assert.Equal(t, suite.GetID(), made.GetID())
	_, resp, err = c.Checks.ListCheckRunsForRef(f.ctx, owner, name, "nowhere", nil)
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
}

func TestRerequestAndActions(t *testing.T) {
	f := newFixture(t)
	sha := f.pull("feature").HeadSHA
	c := f.client()
	run, _, err := c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "Rescore", HeadSHA: sha, Conclusion: github.String("failure")})
	require.NoError(t, err)
	f.delivered()

	require.NoError(t, f.gh.RerequestCheck(person, repo, run.GetID()))
	require.NoError(t, f.gh.ClickAction(person, repo, run.GetID(), "explain"))
	require.NoError(t, f.gh.RerequestSuite(f.ctx, person, repo, sha))
	hooks := f.delivered()
	assert.Equal(t, []string{"check_run rerequested", "check_run requested_action", "check_suite rerequested"}, names(hooks))
	events := eventsOf[*github.CheckRunEvent](hooks)
	assert.Equal(t, run.GetID(), events[0].GetCheckRun().GetID())
	assert.Equal(t, "queued", events[0].GetCheckRun().GetCheckSuite().GetStatus(), "the old failure does not stand")
	assert.Equal(t, "explain", events[1].GetRequestedAction().Identifier)
	assert.Equal(t, person, events[1].GetSender().GetLogin())

	_, err = c.Checks.ReRequestCheckRun(f.ctx, owner, name, run.GetID())
	require.NoError(t, err)
	_, err = c.Checks.ReRequestCheckSuite(f.ctx, owner, name, run.GetCheckSuite().GetID())
	require.NoError(t, err)
	assert.Len(t, f.delivered(), 2)
	assert.ErrorContains(t, f.gh.RerequestCheck(person, repo, 5), "no such run")
}

func TestForkSuitesNameNoPull(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.gh.SetPrivate(person, repo, false))
	fork, err := f.gh.Fork(f.ctx, stranger, repo)
	require.NoError(t, err)
	_, err = f.gh.Commit(f.ctx, stranger, fork, "patch", "From outside", standin.File{Path: "x", Content: "y"})
	require.NoError(t, err)
	p, err := f.gh.OpenPull(f.ctx, stranger, repo, standin.PullRequest{Title: "Patch", Head: stranger + ":patch"})
	require.NoError(t, err)
	c := f.client()
	run, _, err := c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "Rescore", HeadSHA: p.HeadSHA})
	require.NoError(t, err, "the fork's commit is in the base repository")
	assert.Empty(t, run.PullRequests)
	suites, _, err := c.Checks.ListCheckSuitesForRef(f.ctx, owner, name, p.HeadSHA, nil)
	require.NoError(t, err)
	assert.Nil(t, suites.CheckSuites[0].HeadBranch)
}

func TestStatuses(t *testing.T) {
	f := newFixture(t)
	sha := f.pull("feature").HeadSHA
	c := f.client()
	_, _, err := c.Repositories.CreateStatus(f.ctx, owner, name, sha, &github.RepoStatus{State: github.String("success"), Context: github.String("rescore")})
	require.NoError(t, err)
	list, _, err := c.Repositories.ListStatuses(f.ctx, owner, name, sha, nil)
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, "rescore[bot]", list[0].GetCreator().GetLogin())
	_, resp, err := c.Repositories.CreateStatus(f.ctx, owner, name, sha, &github.RepoStatus{State: github.String("odd")})
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
}

func TestWaitCheckEndsWithItsContext(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := contextFor(f.ctx, 10*time.Millisecond)
	defer cancel()
	_, err := f.gh.WaitCheck(ctx, repo, "", func(standin.CheckRun) bool { return true })
	assert.ErrorContains(t, err, "wait for a check run")
}
