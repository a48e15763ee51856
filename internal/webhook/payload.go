package webhook

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// payload holds the fields that are read of any event, by GitHub's names. The
// rest is passed over, whatever it holds.
type payload struct {
	Action       string `json:"action"`
	Installation *struct {
		ID      int64    `json:"id"`
		Account *account `json:"account"`
	} `json:"installation"`
	Repository  *repository `json:"repository"`
	Sender      *account    `json:"sender"`
	PullRequest *struct {
		Number    int       `json:"number"`
		State     string    `json:"state"`
		UpdatedAt time.Time `json:"updated_at"`
		Head      struct {
			SHA string `json:"sha"`
		} `json:"head"`
		Base struct {
			Ref string `json:"ref"`
		} `json:"base"`
	} `json:"pull_request"`
	Changes struct {
		Base *struct {
			Ref struct {
				From string `json:"from"`
			} `json:"ref"`
		} `json:"base"`
		DefaultBranch json.RawMessage `json:"default_branch"`
	} `json:"changes"`
	Comment *struct {
		ID        int64     `json:"id"`
		Body      string    `json:"body"`
		UpdatedAt time.Time `json:"updated_at"`
		User      *account  `json:"user"`
	} `json:"comment"`
	Issue *struct {
		Number      int             `json:"number"`
		PullRequest json.RawMessage `json:"pull_request"`
	} `json:"issue"`
	CheckRun *struct {
		ID         int64  `json:"id"`
		HeadSHA    string `json:"head_sha"`
		ExternalID string `json:"external_id"`
		App        *app   `json:"app"`
	} `json:"check_run"`
	CheckSuite *struct {
		ID        int64     `json:"id"`
		HeadSHA   string    `json:"head_sha"`
		UpdatedAt time.Time `json:"updated_at"`
		App       *app      `json:"app"`
	} `json:"check_suite"`
	Ref                 string       `json:"ref"`
	Before              string       `json:"before"`
	After               string       `json:"after"`
	Repositories        []repository `json:"repositories"`
	RepositoriesAdded   []repository `json:"repositories_added"`
	RepositoriesRemoved []repository `json:"repositories_removed"`
}

type account struct {
	Login string `json:"login"`
	ID    int64  `json:"id"`
	Type  string `json:"type"`
}

type app struct {
	ID int64 `json:"id"`
}

type repository struct {
	ID            int64   `json:"id"`
	Name          string  `json:"name"`
	Owner         account `json:"owner"`
	DefaultBranch string  `json:"default_branch"`
	Archived      bool    `json:"archived"`
	Disabled      bool    `json:"disabled"`
	UpdatedAt     stamp   `json:"updated_at"`
	PushedAt      stamp   `json:"pushed_at"`
}

// stamp reads a time that GitHub writes as text in most events and as seconds in
// a push. Anything else counts as unknown.
type stamp struct{ time.Time }

// UnmarshalJSON reads either form.
func (s *stamp) UnmarshalJSON(data []byte) error {
	var seconds int64
	if json.Unmarshal(data, &seconds) == nil {
		s.Time = time.Unix(seconds, 0).UTC()
		return nil
	}
	if t, err := time.Parse(`"`+time.RFC3339+`"`, string(data)); err == nil {
		s.Time = t.UTC()
	}
	return nil
}

// PayloadError says that a payload does not have the shape of its event.
type PayloadError struct {
	Event, What string
	Cause       error
}

func (e *PayloadError) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("payload of %s: %s: %v", e.Event, e.What, e.Cause)
	}
	return fmt.Sprintf("payload of %s: %s", e.Event, e.What)
}

// Unwrap returns the cause.
func (e *PayloadError) Unwrap() error { return e.Cause }

// facts are the repository as the event tells it.
func (p *payload) facts() store.Repository {
	r := p.Repository
	f := store.Repository{
		ID: r.ID, Owner: r.Owner.Login, OwnerID: r.Owner.ID, Name: r.Name,
		DefaultBranch: r.DefaultBranch, State: store.StateActive, FactsAt: r.UpdatedAt.Time,
	}
	if p.Installation != nil {
		f.InstallationID = p.Installation.ID
	}
	if r.PushedAt.After(f.FactsAt) {
		f.FactsAt = r.PushedAt.Time
	}
	if f.FactsAt.IsZero() {
		f.FactsAt = time.Unix(0, 0).UTC()
	}
	switch {
	case r.Disabled:
		f.State = store.StateDisabled
	case r.Archived:
		f.State = store.StateArchived
	}
	return f
}

// origin is where the event's jobs come from.
func (p *payload) origin() job.Origin {
	return job.Origin{InstallationID: p.Installation.ID, RepoID: p.Repository.ID}
}
