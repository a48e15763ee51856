package standin

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// commentURL is a comment's web address. Caller holds mu.
func (g *GitHub) commentURL(k *comment) string {
	return g.issueHTML(k.issue) + "#issuecomment-" + itoa(k.id)
}

// commentJSON needs mu held.
func (g *GitHub) commentJSON(k *comment) object {
	r := k.issue.repo
	api := g.repoAPI(r)
	out := object{
		"id": k.id, "node_id": nodeID("IssueComment", k.id), "url": api + "/issues/comments/" + itoa(k.id), "html_url": g.commentURL(k),
		"issue_url": api + "/issues/" + itoa(int64(k.issue.number)), "user": g.accountJSON(k.user), "body": k.body,
		"created_at": stamp(k.created), "updated_at": stamp(k.updated), "author_association": r.association(k.user),
		"performed_via_github_app": nil, "reactions": g.reactionRollup(k),
	}
	if k.viaApp {
		out["performed_via_github_app"] = g.appJSON()
	}
	return out
}

// association is author_association: coarse, and no measure of permission.
func (r *repository) association(a *account) string {
	role, collaborator := r.roles[a.id]
	switch {
	case a == r.owner:
		return "OWNER"
	case collaborator && role.canWrite() && r.owner.kind == kindOrg:
		return "MEMBER"
	case collaborator:
		return "COLLABORATOR"
	}
	return "NONE"
}

var reactionContents = []string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}

// reactionRollup needs mu held.
func (g *GitHub) reactionRollup(k *comment) object {
	out := object{"url": g.repoAPI(k.issue.repo) + "/issues/comments/" + itoa(k.id) + "/reactions", "total_count": len(k.reactions)}
	for _, content := range reactionContents {
		n := 0
		for _, r := range k.reactions {
			if r.content == content {
				n++
			}
		}
		out[content] = n
	}
	return out
}

// findComment needs mu held.
func (c *call) findComment() *comment {
	k := c.g.world.comments[c.number("comment_id")]
	if k == nil || k.issue.repo != c.repo {
		return nil
	}
	return k
}

// findIssue needs mu held.
func (c *call) findIssue() *issue { return c.repo.issues[int(c.number("issue_number"))] }

func listComments(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	i := c.findIssue()
	if i == nil {
		return notFound()
	}
	all := i.comments
	if since, err := time.Parse(time.RFC3339, c.query.Get("since")); err == nil {
		all = slices.DeleteFunc(slices.Clone(all), func(k *comment) bool { return k.updated.Before(since) })
	}
	return list(c, all, c.g.commentJSON)
}

func getComment(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findComment()
	if k == nil {
		return notFound()
	}
	return ok(c.g.commentJSON(k))
}

// commentBody reads and checks the body of a new or changed comment.
func (c *call) commentBody() (string, *reply) {
	var in struct {
		Body *string `json:"body"`
	}
	if problem := c.decode(&in); problem != nil {
		return "", problem
	}
	if in.Body == nil {
		no := unprocessable("\"body\" wasn't supplied.")
		return "", &no
	}
	return *in.Body, checkComment(*in.Body)
}

func checkComment(body string) *reply {
	var no reply
	switch {
	case utf8.RuneCountInString(body) > maxCommentChars:
		no = invalid(fieldError{Resource: "IssueComment", Code: "unprocessable", Field: "data", Message: "Body is too long (maximum is 65536 characters)"})
	case body == "":
		no = invalid(fieldError{Resource: "IssueComment", Code: "missing_field", Field: "body"})
	default:
		return nil
	}
	return &no
}

func createComment(c *call) reply {
	body, problem := c.commentBody()
	if problem != nil {
		return *problem
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	i := c.findIssue()
	if i == nil {
		return notFound()
	}
	if i.locked {
		return refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	}
	k := c.g.addComment(i, c.g.senderOf(c.who), body, c.who.installation() != nil)
	return created(c.g.commentJSON(k)).withHeader("Location", c.g.repoAPI(c.repo)+"/issues/comments/"+itoa(k.id))
}

// addComment needs mu held.
func (g *GitHub) addComment(i *issue, by *account, body string, viaApp bool) *comment {
	now := g.now()
	k := &comment{id: g.nextID("comment"), issue: i, user: by, body: body, viaApp: viaApp, created: now, updated: now}
	i.comments = append(i.comments, k)
	i.updated = now
	g.world.comments[k.id] = k
	g.emitComment(k, "created", by, nil)
	g.broadcast()
	return k
}

func updateComment(c *call) reply {
	body, problem := c.commentBody()
	if problem != nil {
		return *problem
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findComment()
	if k == nil {
		return notFound()
	}
	if no := c.mayTouch(k); no != nil {
		return *no
	}
	c.g.editComment(k, c.g.senderOf(c.who), body)
	return ok(c.g.commentJSON(k))
}

// mayTouch refuses an App the comments of others, as GitHub does unless it has
// write access to the issue; a person needs to be the author or a writer.
func (c *call) mayTouch(k *comment) *reply {
	if user := c.who.token.user; user != nil && user != k.user && !c.repo.roleOf(user).canWrite() {
		no := refuse(http.StatusForbidden, "Must have admin rights to Repository.")
		return &no
	}
	return nil
}

// editComment needs mu held.
func (g *GitHub) editComment(k *comment, by *account, body string) {
	before := k.body
	k.body, k.updated = body, g.now()
	g.emitComment(k, "edited", by, object{"changes": object{"body": object{"from": before}}})
	g.broadcast()
}

func deleteComment(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findComment()
	if k == nil {
		return notFound()
	}
	if no := c.mayTouch(k); no != nil {
		return *no
	}
	c.g.dropComment(k, c.g.senderOf(c.who))
	return noContent()
}

// dropComment needs mu held.
func (g *GitHub) dropComment(k *comment, by *account) {
	k.issue.comments = slices.DeleteFunc(k.issue.comments, func(other *comment) bool { return other == k })
	delete(g.world.comments, k.id)
	g.emitComment(k, "deleted", by, nil)
	g.broadcast()
}

// reactionJSON needs mu held.
func (g *GitHub) reactionJSON(r *reaction) object {
	return object{"id": r.id, "node_id": nodeID("Reaction", r.id), "user": g.accountJSON(r.user), "content": r.content, "created_at": stamp(r.created)}
}

// createReaction answers 200 when the reaction stands already.
func createReaction(c *call) reply {
	var in struct {
		Content string `json:"content"`
	}
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	if !slices.Contains(reactionContents, in.Content) {
		return invalid(fieldError{Resource: "Reaction", Field: "content", Code: "invalid"})
	}
	g := c.g
	g.mu.Lock()
	defer g.mu.Unlock()
	k := c.findComment()
	if k == nil {
		return notFound()
	}
	by := g.senderOf(c.who)
	for _, r := range k.reactions {
		if r.user == by && r.content == in.Content {
			return ok(g.reactionJSON(r))
		}
	}
	r := &reaction{id: g.nextID("reaction"), user: by, content: in.Content, created: g.now()}
	k.reactions = append(k.reactions, r)
	g.broadcast()
	return created(g.reactionJSON(r))
}

func listReactions(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findComment()
	if k == nil {
		return notFound()
	}
	return list(c, k.reactions, c.g.reactionJSON)
}

func deleteReaction(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findComment()
	if k == nil {
		return notFound()
	}
	n := len(k.reactions)
	id := c.number("reaction_id")
	k.reactions = slices.DeleteFunc(k.reactions, func(r *reaction) bool { return r.id == id })
	if len(k.reactions) == n {
		return notFound()
	}
	c.g.broadcast()
	return noContent()
}
