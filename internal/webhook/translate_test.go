package webhook_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/webhook"
)

const appID = 4242

var (
	head = strings.Repeat("a", 40)
	base = strings.Repeat("b", 40)
	zero = strings.Repeat("0", 40)
)

// object is JSON that a case changes.
type object = map[string]any

func repo() object {
	return object{
		"id": 7, "name": "agent", "owner": object{"login": "octo", "id": 2}, "default_branch": "main",
		"archived": false, "updated_at": "2025-03-01T12:00:00Z",
	}
}

func user(login, kind string) object { return object{"login": login, "id": 5, "type": kind} }

func common(action string) object {
	return object{"action": action, "installation": object{"id": 1}, "repository": repo(), "sender": user("ada", "User")}
}

func with(o object, more object) object {
	maps.Copy(o, more)
	return o
}

func pullEvent(action string) object {
	return with(common(action), object{"pull_request": object{
		"number": 5, "state": "open", "updated_at": "2025-03-01T12:00:05Z",
		"head": object{"sha": head}, "base": object{"ref": "main", "sha": base},
	}})
}

func pushEvent(ref, before, after string) object {
	r := repo()
	r["pushed_at"], r["updated_at"] = 1740830500, "2025-03-01T12:00:00Z"
	return object{"ref": ref, "before": before, "after": after, "installation": object{"id": 1}, "repository": r}
}

func commentEvent(body string) object {
	return with(common("created"), object{
		"issue":   object{"number": 5, "pull_request": object{"url": "x"}},
		"comment": object{"id": 99, "body": body, "updated_at": "2025-03-01T12:00:07Z", "user": user("ada", "User")},
	})
}

func translate(t *testing.T, event string, o object) (job.Event, bool, error) {
	t.Helper()
	data, err := json.Marshal(o)
	require.NoError(t, err)
	return webhook.Translate(event, "guid", data, appID)
}

// mustTranslate requires an event of ours.
func mustTranslate(t *testing.T, event string, o object) job.Event {
	t.Helper()
	e, ok, err := translate(t, event, o)
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, "guid", e.Delivery.ID)
	assert.Equal(t, event, e.Delivery.Event)
	return e
}

func origin() job.Origin { return job.Origin{InstallationID: 1, RepoID: 7} }

func facts() store.Repository {
	return store.Repository{ID: 7, InstallationID: 1, Owner: "octo", OwnerID: 2, Name: "agent", DefaultBranch: "main",
		State: store.StateActive, FactsAt: time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func TestPullRequest(t *testing.T) {
	for _, action := range []string{"opened", "synchronize", "reopened", "ready_for_review", "closed"} {
		e := mustTranslate(t, "pull_request", pullEvent(action))
		assert.Equal(t, []job.Args{job.PullRequest{Origin: origin(), Number: 5, Head: head, Action: action}}, e.Jobs)
		assert.Equal(t, []store.Repository{facts()}, e.Repositories)
		want := &store.Pull{RepoID: 7, Number: 5, BaseRef: "main", Head: head, State: store.PullOpen,
			FactsAt: time.Date(2025, 3, 1, 12, 0, 5, 0, time.UTC), Action: action}
		if action == "closed" {
			want.State = store.PullClosed
		}
		assert.Equal(t, want, e.Pull)
		assert.Equal(t, &store.Installation{ID: 1, Account: "octo", AccountID: 2, State: store.StateActive}, e.Installation)
		assert.False(t, e.Known)
	}
	_, ok, err := translate(t, "pull_request", pullEvent("labeled"))
	require.NoError(t, err)
	assert.False(t, ok)
	_, ok, _ = translate(t, "pull_request", with(pullEvent("edited"), object{"changes": object{"title": object{"from": "x"}}}))
	assert.False(t, ok, "a new title")
	e := mustTranslate(t, "pull_request", with(pullEvent("edited"), object{"changes": object{"base": object{"ref": object{"from": "x"}}}}))
	assert.Equal(t, "x", e.Pull.BaseFrom)
	e = mustTranslate(t, "pull_request", with(pullEvent("synchronize"), object{"before": base, "after": head}))
	assert.Equal(t, base, e.Pull.HeadFrom)
}

func TestPush(t *testing.T) {
	e := mustTranslate(t, "push", pushEvent("refs/heads/main", base, head))
	assert.Equal(t, []job.Args{job.Push{Origin: origin(), After: head}}, e.Jobs)
	assert.Equal(t, int64(1740830500), e.Repositories[0].FactsAt.Unix(), "the newer of the two times")
	mustTranslate(t, "push", pushEvent("refs/heads/main", zero, head))
	for name, o := range map[string]object{
		"another branch": pushEvent("refs/heads/feature", base, head),
		"a tag":          pushEvent("refs/tags/main", base, head),
		"deleted":        pushEvent("refs/heads/main", base, zero),
	} {
		_, ok, err := translate(t, "push", o)
		require.NoError(t, err, name)
		assert.False(t, ok, name)
	}
}

func TestComment(t *testing.T) {
	e := mustTranslate(t, "issue_comment", commentEvent("/rescore C4, C2"))
	assert.Equal(t, []job.Args{job.Command{
		Origin: origin(), Number: 5, CommentID: 99, Sender: "ada", Verb: "rescore", Criteria: []string{"C2", "C4"},
	}}, e.Jobs)
	e = mustTranslate(t, "issue_comment", commentEvent("/rescore everything"))
	assert.Equal(t, "everything", e.Jobs[0].(job.Command).Word)

	ignored := map[string]func(object){
		"edited":             func(o object) { o["action"] = "edited" },
		"deleted":            func(o object) { o["action"] = "deleted" },
		"on an issue":        func(o object) { delete(o["issue"].(object), "pull_request") },
		"null pull request":  func(o object) { o["issue"].(object)["pull_request"] = nil },
		"by a bot":           func(o object) { o["comment"].(object)["user"] = user("x[bot]", "Bot") },
		"sent by a bot":      func(o object) { o["sender"] = user("x[bot]", "Bot") },
		"by nobody":          func(o object) { o["comment"].(object)["user"] = nil },
		"strange login":      func(o object) { o["comment"].(object)["user"] = user("a/b", "User") },
		"no command":         func(o object) { o["comment"].(object)["body"] = "please /rescore" },
		"quoted":             func(o object) { o["comment"].(object)["body"] = "> /rescore" },
		"no body":            func(o object) { delete(o["comment"].(object), "body") },
		"nothing in it":      func(o object) { delete(o, "comment") },
		"an organization's?": func(o object) { o["comment"].(object)["user"] = user("octo", "Organization") },
	}
	for name, change := range ignored {
		o := commentEvent("/rescore")
		change(o)
		_, ok, err := translate(t, "issue_comment", o)
		require.NoError(t, err, name)
		assert.False(t, ok, name)
	}
}

func TestRerequests(t *testing.T) {
	run := func(app int, externalID string) object {
		return with(common("rerequested"), object{"check_run": object{"id": 3, "head_sha": head, "external_id": externalID, "app": object{"id": app}}})
	}
	for external, want := range map[string]job.Rerequest{
		"pull/12/abc":                 {Origin: origin(), Head: head, Number: 12},
		"default/abc":                 {Origin: origin(), Head: head},
		"something else":              {Origin: origin(), Head: head, Suite: true},
		"pull/-3/abc":                 {Origin: origin(), Head: head, Suite: true},
		"pull/99999999999999999999/a": {Origin: origin(), Head: head, Suite: true},
	} {
		assert.Equal(t, []job.Args{want}, mustTranslate(t, "check_run", run(appID, external)).Jobs, external)
	}
	_, ok, err := translate(t, "check_run", run(1, "pull/12/abc"))
	require.NoError(t, err)
	assert.False(t, ok, "another app's check")
	created := run(appID, "pull/12/abc")
	created["action"] = "created"
	_, ok, _ = translate(t, "check_run", created)
	assert.False(t, ok)

	suite := with(common("rerequested"), object{"check_suite": object{"id": 3, "head_sha": head, "app": object{"id": appID}}})
	assert.Equal(t, []job.Args{job.Rerequest{Origin: origin(), Head: head, Suite: true}}, mustTranslate(t, "check_suite", suite).Jobs)
	suite["action"] = "requested" // GitHub sends one for every push
	_, ok, _ = translate(t, "check_suite", suite)
	assert.False(t, ok)
}

func TestInstallation(t *testing.T) {
	o := func(action string) object {
		return object{"action": action, "installation": object{"id": 1, "account": object{"login": "octo", "id": 2}}}
	}
	for action, want := range map[string]struct {
		state string
		jobs  int
	}{
		"created": {store.StateActive, 1}, "unsuspend": {store.StateActive, 1}, "new_permissions_accepted": {store.StateActive, 1},
		"suspend": {store.StateSuspended, 1}, "deleted": {store.StateRemoved, 1},
	} {
		e := mustTranslate(t, "installation", o(action))
		assert.True(t, e.Known)
		assert.Equal(t, want.state, e.Installation.State, action)
		assert.Len(t, e.Jobs, want.jobs, action)
	}
	_, ok, err := translate(t, "installation", o("somethingnew"))
	require.NoError(t, err)
	assert.False(t, ok)
}

func TestInstallationRepositories(t *testing.T) {
	o := object{"action": "added", "installation": object{"id": 1, "account": object{"login": "octo", "id": 2}},
		"repositories_added": []object{{"id": 8}, {"id": 9}}, "repositories_removed": []object{{"id": 3}}}
	e := mustTranslate(t, "installation_repositories", o)
	assert.Equal(t, []job.Args{job.Installation{Origin: job.Origin{InstallationID: 1}, Action: "added", Repos: []int64{8, 9}}}, e.Jobs)
	assert.Equal(t, []int64{3}, e.Removed)
}

func TestRepository(t *testing.T) {
	e := mustTranslate(t, "repository", common("renamed"))
	assert.Equal(t, []store.Repository{facts()}, e.Repositories)
	assert.Empty(t, e.Jobs)
	archived := common("archived")
	archived["repository"].(object)["archived"] = true
	assert.Equal(t, store.StateArchived, mustTranslate(t, "repository", archived).Repositories[0].State)
	assert.Equal(t, []int64{7}, mustTranslate(t, "repository", common("deleted")).Removed)
	for _, action := range []string{"unarchived", "transferred"} { // its pull requests go on as well
		assert.Equal(t, []job.Args{job.Installation{Origin: origin(), Action: action}}, mustTranslate(t, "repository", common(action)).Jobs)
	}
	branch := with(common("edited"), object{"changes": object{"default_branch": object{"from": "master"}}})
	assert.Equal(t, []job.Args{job.Push{Origin: origin()}}, mustTranslate(t, "repository", branch).Jobs)
}

func TestUnknownEventsAskForNothing(t *testing.T) {
	for _, event := range []string{"star", "ping", "an_event_of_the_future", ""} {
		_, ok, err := webhook.Translate(event, "guid", []byte("not even JSON"), appID)
		require.NoError(t, err)
		assert.False(t, ok)
	}
}

func TestIncompletePayloadsAreRefused(t *testing.T) {
	var payloadError *webhook.PayloadError
	for name, c := range map[string]struct {
		event  string
		change func(object) object
	}{
		"no installation": {"pull_request", func(object) object { o := pullEvent("opened"); delete(o, "installation"); return o }},
		"no repository":   {"pull_request", func(object) object { o := pullEvent("opened"); delete(o, "repository"); return o }},
		"no pull request": {"pull_request", func(object) object { return common("opened") }},
		"head is no id": {"pull_request", func(object) object {
			o := pullEvent("opened")
			o["pull_request"].(object)["head"] = object{"sha": "HEAD"}
			return o
		}},
		"base is an option": {"pull_request", func(object) object {
			o := pullEvent("opened")
			o["pull_request"].(object)["base"] = object{"ref": "--upload-pack=x"}
			return o
		}},
		"base climbs": {"pull_request", func(object) object {
			o := pullEvent("opened")
			o["pull_request"].(object)["base"] = object{"ref": "a/../b"}
			return o
		}},
		"name with a slash": {"push", func(object) object {
			o := pushEvent("refs/heads/main", base, head)
			o["repository"].(object)["name"] = "a/b"
			return o
		}},
		"name climbs": {"push", func(object) object {
			o := pushEvent("refs/heads/main", base, head)
			o["repository"].(object)["name"] = ".."
			return o
		}},
		"after is no id": {"push", func(object) object { return pushEvent("refs/heads/main", base, "-x") }},
		"negative repository id": {"push", func(object) object {
			o := pushEvent("refs/heads/main", base, head)
			o["repository"].(object)["id"] = -7
			return o
		}},
		"number is text": {"pull_request", func(object) object { o := pullEvent("opened"); o["pull_request"].(object)["number"] = "5"; return o }},
		"no account":     {"installation", func(object) object { return object{"action": "created", "installation": object{"id": 1}} }},
	} {
		_, ok, err := translate(t, c.event, c.change(nil))
		require.ErrorAs(t, err, &payloadError, name)
		assert.False(t, ok, name)
	}
}

// Two hooks send one event under two delivery ids: equal content, equal key.
// Whatever makes it another event gives another key.
func TestContentKeys(t *testing.T) {
	seen := map[string]string{}
	add := func(name, event string, o object) {
		e := mustTranslate(t, event, o)
		require.NotEmpty(t, e.Delivery.ContentKey, name)
		require.Equal(t, e.Delivery.ContentKey, mustTranslate(t, event, o).Delivery.ContentKey)
		require.NotContains(t, seen, e.Delivery.ContentKey, "%s and %s", name, seen[e.Delivery.ContentKey])
		seen[e.Delivery.ContentKey] = name
	}
	add("opened", "pull_request", pullEvent("opened"))
	add("reopened", "pull_request", pullEvent("reopened"))
	again := pullEvent("reopened")
	again["pull_request"].(object)["updated_at"] = "2025-03-01T12:00:06Z"
	add("reopened later", "pull_request", again)
	other := pullEvent("opened")
	other["pull_request"].(object)["number"] = 6
	add("another number", "pull_request", other)
	moved := pullEvent("opened")
	moved["pull_request"].(object)["head"] = object{"sha": base}
	add("another head", "pull_request", moved)
	add("push", "push", pushEvent("refs/heads/main", base, head))
	add("push back", "push", pushEvent("refs/heads/main", head, base))
	later := pushEvent("refs/heads/main", base, head)
	later["repository"].(object)["pushed_at"] = 1740830501
	add("the same push later", "push", later)
	add("comment", "issue_comment", commentEvent("/rescore"))
	comment := commentEvent("/rescore")
	comment["comment"].(object)["id"] = 100
	add("another comment", "issue_comment", comment)
}

// A translation of anything is either nothing, an error, or whole.
func FuzzTranslate(f *testing.F) {
	events := []string{"push", "pull_request", "issue_comment", "check_run", "check_suite", "installation", "installation_repositories", "repository"}
	for i, o := range []object{
		pushEvent("refs/heads/main", base, head), pullEvent("opened"), commentEvent("/rescore all"), common("rerequested"), common("rerequested"),
		{"action": "created", "installation": object{"id": 1, "account": object{"login": "octo"}}}, common("added"), common("renamed"),
	} {
		data, err := json.Marshal(o)
		require.NoError(f, err)
		f.Add(i, string(data))
	}
	f.Fuzz(func(t *testing.T, n int, data string) {
		event := events[(n%len(events)+len(events))%len(events)]
		e, ok, err := webhook.Translate(event, "guid", []byte(data), appID)
		if err != nil || !ok {
			require.Empty(t, e.Jobs, fmt.Sprint(err))
			return
		}
		for _, j := range e.Jobs {
			o := j.From()
			require.Positive(t, o.InstallationID)
			if j.Kind() != job.KindInstallation {
				require.Positive(t, o.RepoID)
				require.NotEmpty(t, e.Repositories)
				require.NotContains(t, e.Repositories[0].Name, "/")
			}
			args, err := json.Marshal(j)
			require.NoError(t, err)
			if j.Kind() != job.KindInstallation {
				require.Less(t, len(args), 2000, "arguments are ids, not payloads")
			}
		}
	})
}
