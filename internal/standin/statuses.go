package standin

import (
	"net/http"
	"slices"
	"time"
)

// commitStatus is a status of the older kind, beside check runs.
type commitStatus struct {
	id                              int64
	sha                             string
	state, target, context, details string
	creator                         *account
	created                         time.Time
}

// statusJSON needs mu held.
func (g *GitHub) statusJSON(r *repository, s *commitStatus) object {
	return object{
		"id": s.id, "node_id": nodeID("StatusContext", s.id), "url": g.repoAPI(r) + "/statuses/" + s.sha,
		"avatar_url": g.accountJSON(s.creator)["avatar_url"], "state": s.state, "description": orNull(s.details), "target_url": orNull(s.target),
		"context": s.context, "created_at": stamp(s.created), "updated_at": stamp(s.created), "creator": g.accountJSON(s.creator),
	}
}

func createStatus(c *call) reply {
	in := struct {
		State       string `json:"state"`
		TargetURL   string `json:"target_url"`
		Description string `json:"description"`
		Context     string `json:"context"`
	}{Context: "default"}
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	if !slices.Contains([]string{"error", "failure", "pending", "success"}, in.State) {
		return invalid(fieldError{Resource: "Status", Field: "state", Code: "custom", Message: "state is not included in the list"})
	}
	sha, err := c.repo.dir.commitOf(c.ctx(), c.params["sha"])
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: %s", c.params["sha"])
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	s := &commitStatus{
		id: c.g.nextID("status"), sha: sha, state: in.State, target: in.TargetURL, context: in.Context, details: in.Description,
		creator: c.g.senderOf(c.who), created: c.g.now(),
	}
	c.repo.statuses = append(c.repo.statuses, s)
	c.g.broadcast()
	return created(c.g.statusJSON(c.repo, s))
}

// listStatuses lists the newest first.
func listStatuses(c *call) reply {
	sha, err := c.repo.dir.commitOf(c.ctx(), c.params["ref"])
	if err != nil {
		return c.noCommit(c.params["ref"])
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	var all []*commitStatus
	for _, s := range slices.Backward(c.repo.statuses) {
		if s.sha == sha {
			all = append(all, s)
		}
	}
	return list(c, all, func(s *commitStatus) object { return c.g.statusJSON(c.repo, s) })
}
