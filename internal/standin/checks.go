package standin

import (
	"cmp"
	"net/http"
	"slices"
	"time"
)

// Statuses and conclusions of check runs and suites.
const (
	statusQueued     = "queued"
	statusInProgress = "in_progress"
	statusCompleted  = "completed"
)

var (
	appStatuses = []string{statusQueued, statusInProgress, statusCompleted}
	conclusions = []string{"action_required", "cancelled", "failure", "neutral", "skipped", "success", "timed_out"}
)

// CheckRun is a check run as the App left it.
type CheckRun struct {
	ID         int64
	SuiteID    int64
	Name       string
	HeadSHA    string
	Status     string // queued, in_progress, completed
	Conclusion string // "" unless completed
	DetailsURL string
	ExternalID string
	Started    time.Time
	Completed  *time.Time
	Title      string
	Summary    string
	Text       string
	// Annotations in the order in which they were sent.
	Annotations []Annotation
	Actions     []Action
	// Writes counts the requests that created or changed the run.
	Writes int
}

// Action is a button of a check run.
type Action struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Identifier  string `json:"identifier"`
}

// Annotation is a remark on lines of a file.
type Annotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn *int   `json:"start_column"`
	EndColumn   *int   `json:"end_column"`
	Level       string `json:"annotation_level"`
	Message     string `json:"message"`
	Title       string `json:"title"`
	RawDetails  string `json:"raw_details"`
}

type checkRun struct {
	CheckRun
	suite     *checkSuite
	hasOutput bool
}

// snapshot copies a run for a reader without the lock.
func (k *checkRun) snapshot() CheckRun {
	out := k.CheckRun
	out.Annotations = slices.Clone(k.Annotations)
	out.Actions = slices.Clone(k.Actions)
	return out
}

// checkRunJSON needs mu held.
func (g *GitHub) checkRunJSON(k *checkRun) object {
	r := k.suite.repo
	api := g.repoAPI(r)
	output := object{
		"title": nil, "summary": nil, "text": nil, "annotations_count": len(k.Annotations),
		"annotations_url": api + "/check-runs/" + itoa(k.ID) + "/annotations",
	}
	if k.hasOutput {
		output["title"], output["summary"], output["text"] = k.Title, k.Summary, orNull(k.Text)
	}
	return object{
		"id": k.ID, "node_id": nodeID("CheckRun", k.ID), "name": k.Name, "head_sha": k.HeadSHA, "external_id": k.ExternalID,
		"url": api + "/check-runs/" + itoa(k.ID), "html_url": g.repoHTML(r) + "/runs/" + itoa(k.ID), "details_url": cmp.Or(k.DetailsURL, g.appURL()),
		"status": k.Status, "conclusion": orNull(k.Conclusion), "started_at": stamp(k.Started), "completed_at": stampOrNull(k.Completed),
		"output": output, "check_suite": object{"id": k.suite.id}, "app": g.appJSON(), "pull_requests": g.pullsAtJSON(r, k.HeadSHA),
	}
}

// pullsAtJSON lists the open pull requests of the repository's own branches whose
// head is a commit. Those of forks are not listed, as on GitHub. Caller holds mu.
func (g *GitHub) pullsAtJSON(r *repository, sha string) []object {
	out := []object{}
	for _, i := range r.pullsOf() {
		if p := i.pull; i.state == stateOpen && p.head.sha == sha && p.head.repo == r {
			out = append(out, g.pullMinimalJSON(i))
		}
	}
	return out
}

// findRun needs mu held.
func (c *call) findRun() *checkRun {
	id := c.number("check_run_id")
	for _, k := range c.repo.runs {
		if k.ID == id {
			return k
		}
	}
	return nil
}

func createCheckRun(c *call) reply {
	var in checkInput
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	if in.Name == nil || *in.Name == "" {
		return unprocessable("\"name\" wasn't supplied.")
	}
	if in.HeadSHA == nil {
		return unprocessable("\"head_sha\" wasn't supplied.")
	}
	if problem := in.check(); problem != nil {
		return *problem
	}
	sha, err := c.repo.dir.commitOf(c.ctx(), *in.HeadSHA)
	if err != nil || len(*in.HeadSHA) < len(sha) {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: %s", *in.HeadSHA)
	}
	g := c.g
	g.mu.Lock()
	defer g.mu.Unlock()
	suite := g.suiteFor(c.repo, sha, "", nil)
	k := &checkRun{suite: suite, CheckRun: CheckRun{
		ID: g.nextID("check run"), SuiteID: suite.id, Name: *in.Name, HeadSHA: sha, Status: statusQueued, Started: g.now(),
	}}
	c.repo.runs = append(c.repo.runs, k)
	g.applyRun(k, in)
	g.emitCheckRun(k, "created", c.g.app.bot, nil)
	return created(g.checkRunJSON(k))
}

func updateCheckRun(c *call) reply {
	var in checkInput
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	if problem := in.check(); problem != nil {
		return *problem
	}
	g := c.g
	g.mu.Lock()
	defer g.mu.Unlock()
	k := c.findRun()
	if k == nil {
		return notFound()
	}
	g.applyRun(k, in)
	return ok(g.checkRunJSON(k))
}

// applyRun changes a run by a valid input. Annotations are appended; the rest
// replaces. Caller holds mu.
func (g *GitHub) applyRun(k *checkRun, in checkInput) {
	set := func(field *string, value *string) {
		if value != nil {
			*field = *value
		}
	}
	set(&k.Name, in.Name)
	set(&k.DetailsURL, in.DetailsURL)
	set(&k.ExternalID, in.ExternalID)
	if in.StartedAt != nil {
		k.Started = *in.StartedAt
	}
	if in.Status != nil && *in.Status != statusCompleted {
		k.Status, k.Conclusion, k.Completed = *in.Status, "", nil
	}
	wasCompleted := k.Status == statusCompleted
	if in.Conclusion != nil {
		now := g.now()
		k.Status, k.Conclusion, k.Completed = statusCompleted, *in.Conclusion, &now
	}
	if in.CompletedAt != nil {
		k.Completed = in.CompletedAt
	}
	if out := in.Output; out != nil {
		k.hasOutput = true
		set(&k.Title, out.Title)
		set(&k.Summary, out.Summary)
		set(&k.Text, out.Text)
		k.Annotations = append(k.Annotations, out.Annotations...)
	}
	if in.Actions != nil {
		k.Actions = in.Actions
	}
	k.Writes++
	k.suite.reset, k.suite.updated = false, g.now()
	if k.Status == statusCompleted && !wasCompleted {
		g.emitCheckRun(k, "completed", g.app.bot, nil)
	}
	g.broadcast()
}

func getCheckRun(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findRun()
	if k == nil {
		return notFound()
	}
	return ok(c.g.checkRunJSON(k))
}

// listRefRuns is GET /repos/{owner}/{repo}/commits/{ref}/check-runs.
func listRefRuns(c *call) reply {
	sha, err := c.repo.dir.commitOf(c.ctx(), c.params["ref"])
	if err != nil {
		return c.noCommit(c.params["ref"])
	}
	return c.listRuns(func(k *checkRun) bool { return k.HeadSHA == sha })
}

func listSuiteRuns(c *call) reply {
	id := c.number("check_suite_id")
	return c.listRuns(func(k *checkRun) bool { return k.SuiteID == id })
}

// listRuns answers with the runs that belong, filtered as the query asks. The
// default filter is the latest run of each name.
func (c *call) listRuns(belongs func(*checkRun) bool) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	name, status, appID := c.query.Get("check_name"), c.query.Get("status"), c.query.Get("app_id")
	seen := map[string]bool{}
	var all []*checkRun
	for _, k := range slices.Backward(c.repo.runs) {
		if !belongs(k) || c.query.Get("filter") != "all" && seen[k.Name] {
			continue
		}
		seen[k.Name] = true
		if name != "" && k.Name != name || status != "" && k.Status != status || appID != "" && appID != itoa(c.g.app.id) {
			continue
		}
		all = append(all, k)
	}
	part, link := cut(c, all)
	return ok(object{"total_count": len(all), "check_runs": mapped(part, c.g.checkRunJSON)}).linked(link)
}

func listAnnotations(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findRun()
	if k == nil {
		return notFound()
	}
	html := c.g.repoHTML(c.repo)
	return list(c, k.Annotations, func(a Annotation) object {
		return object{
			"path": a.Path, "blob_href": html + "/blob/" + k.HeadSHA + "/" + escapePath(a.Path), "start_line": a.StartLine, "end_line": a.EndLine,
			"start_column": a.StartColumn, "end_column": a.EndColumn, "annotation_level": a.Level,
			"title": orNull(a.Title), "message": a.Message, "raw_details": orNull(a.RawDetails),
		}
	})
}
