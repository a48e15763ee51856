package standin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// accountJSON is a user, organisation or bot in short. Caller holds mu.
func (g *GitHub) accountJSON(a *account) object {
	if a == nil {
		return nil
	}
	api := g.url + apiPrefix + "/users/" + strings.ReplaceAll(strings.ReplaceAll(a.login, "[", "%5B"), "]", "%5D")
	html := g.url + "/" + a.login
	if a.kind == kindBot {
		html = g.url + "/apps/" + strings.TrimSuffix(a.login, "[bot]")
	}
	return object{
		"login": a.login, "id": a.id, "node_id": nodeID(a.kind, a.id), "type": a.kind, "site_admin": false, "user_view_type": "public",
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", g.url, a.id), "gravatar_id": "", "url": api, "html_url": html,
		"followers_url": api + "/followers", "following_url": api + "/following{/other_user}", "gists_url": api + "/gists{/gist_id}",
		"starred_url": api + "/starred{/owner}{/repo}", "subscriptions_url": api + "/subscriptions", "organizations_url": api + "/orgs",
		"repos_url": api + "/repos", "events_url": api + "/events{/privacy}", "received_events_url": api + "/received_events",
	}
}

// accountOrNull is accountJSON, or null. Caller holds mu.
func (g *GitHub) accountOrNull(a *account) any {
	if a == nil {
		return nil
	}
	return g.accountJSON(a)
}

// appJSON is the App as checks, comments and GET /app show it. Caller holds mu.
func (g *GitHub) appJSON() object {
	a := g.app
	return object{
		"id": a.id, "slug": a.slug, "node_id": nodeID("Integration", a.id), "client_id": fmt.Sprintf("Iv1.%016x", a.id),
		"owner": g.accountJSON(a.owner), "name": a.name, "description": "", "external_url": g.appURL(),
		"html_url": g.appURL(), "created_at": stamp(a.created), "updated_at": stamp(a.created),
		"permissions": a.permissions, "events": a.events,
	}
}

// appURL is the App's home page, and where a check run's details link goes unless
// the App says otherwise. Caller holds mu.
func (g *GitHub) appURL() string { return g.url + "/apps/" + g.app.slug }

// installationJSON needs mu held.
func (g *GitHub) installationJSON(i *installation) object {
	selection := "selected"
	if i.all {
		selection = "all"
	}
	html := fmt.Sprintf("%s/settings/installations/%d", g.url, i.id)
	if i.account.kind == kindOrg {
		html = fmt.Sprintf("%s/organizations/%s/settings/installations/%d", g.url, i.account.login, i.id)
	}
	return object{
		"id": i.id, "account": g.accountJSON(i.account), "app_id": g.app.id, "app_slug": g.app.slug, "client_id": fmt.Sprintf("Iv1.%016x", g.app.id),
		"target_id": i.account.id, "target_type": i.account.kind, "repository_selection": selection,
		"access_tokens_url": fmt.Sprintf("%s%s/app/installations/%d/access_tokens", g.url, apiPrefix, i.id),
		"repositories_url":  g.url + apiPrefix + "/installation/repositories", "html_url": html,
		"permissions": i.permissions, "events": i.events, "created_at": stamp(i.created), "updated_at": stamp(i.updated),
		"single_file_name": nil, "has_multiple_single_files": false, "single_file_paths": []string{},
		"suspended_at": stampOrNull(i.suspended), "suspended_by": g.accountOrNull(i.suspendedBy),
	}
}

func getApp(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	body := c.g.appJSON()
	body["installations_count"] = len(c.g.world.installations)
	return ok(body)
}

func listInstallations(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	all := slices.SortedFunc(maps.Values(c.g.world.installations), func(a, b *installation) int { return cmp.Compare(a.id, b.id) })
	return list(c, all, c.g.installationJSON)
}

func getInstallation(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return c.g.installationReply(c.g.world.installations[c.number("installation_id")])
}

// installationReply needs mu held.
func (g *GitHub) installationReply(i *installation) reply {
	if i == nil {
		return notFound()
	}
	return ok(g.installationJSON(i))
}

func deleteInstallation(c *call) reply {
	if err := c.g.uninstall(c.number("installation_id")); err != nil {
		return notFound()
	}
	return noContent()
}

func getRepoInstallation(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return c.g.installationReply(c.g.world.covering(c.repo))
}

func getOrgInstallation(c *call) reply  { return c.accountInstallation(c.params["org"], kindOrg) }
func getUserInstallation(c *call) reply { return c.accountInstallation(c.params["username"], kindUser) }

func (c *call) accountInstallation(login, kind string) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	a := c.g.world.accounts[strings.ToLower(login)]
	if a == nil || a.kind != kind {
		return notFound()
	}
	return c.g.installationReply(c.g.world.installationOn(a))
}

func listInstallationRepos(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	i := c.who.installation()
	var all []*repository
	for _, r := range c.g.world.reposOf(i) {
		if c.who.reaches(r) {
			all = append(all, r)
		}
	}
	part, link := cut(c, all)
	selection := c.g.installationJSON(i)["repository_selection"]
	return ok(object{"total_count": len(all), "repository_selection": selection, "repositories": mapped(part, c.g.repoJSON)}).linked(link)
}

func revokeToken(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	delete(c.g.tokens, bearer(c.req))
	return noContent()
}

func getHookConfig(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return ok(c.g.hookConfigJSON())
}

// hookConfigJSON hides the secret, as GitHub does. Caller holds mu.
func (g *GitHub) hookConfigJSON() object {
	return object{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": g.app.hookURL}
}

func updateHookConfig(c *call) reply {
	var in struct {
		URL    *string `json:"url"`
		Secret *string `json:"secret"`
	}
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	if in.URL != nil {
		c.g.app.hookURL = *in.URL
	}
	if in.Secret != nil {
		c.g.app.secret = *in.Secret
	}
	return ok(c.g.hookConfigJSON())
}

// tokenRequest is the body of POST access_tokens.
type tokenRequest struct {
	Repositories  []string          `json:"repositories"`
	RepositoryIDs []int64           `json:"repository_ids"`
	Permissions   map[string]string `json:"permissions"`
}

// createToken is POST /app/installations/{installation_id}/access_tokens.
func createToken(c *call) reply {
	var in tokenRequest
	if len(c.body) > 0 { // the body is optional; "null" is taken too
		if problem := c.decode(&in); problem != nil {
			return *problem
		}
	}
	g := c.g
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.world.installations[c.number("installation_id")]
	switch {
	case i == nil:
		return notFound()
	case i.suspended != nil:
		return refuse(http.StatusForbidden, "This installation has been suspended")
	}
	t := &token{installation: i, permissions: maps.Clone(i.permissions), expires: g.now().Add(tokenLifetime)}
	repos, problem := g.narrow(t, in)
	if problem != nil {
		return *problem
	}
	value := "ghs_" + randomHex(18)
	g.tokens[value] = t
	body := object{
		"token": value, "expires_at": stamp(t.expires), "permissions": t.permissions,
		"repository_selection": g.installationJSON(i)["repository_selection"],
	}
	if t.scope != nil {
		body["repository_selection"] = "selected"
		body["repositories"] = mapped(repos, g.repoJSON)
	}
	return created(body)
}

// narrow limits a token to the asked repositories and permissions. Caller holds mu.
func (g *GitHub) narrow(t *token, in tokenRequest) ([]*repository, *reply) {
	var repos []*repository
	if len(in.Repositories)+len(in.RepositoryIDs) > 0 {
		t.scope = map[int64]struct{}{}
		for _, r := range g.world.reposOf(t.installation) {
			if slices.Contains(in.RepositoryIDs, r.id) || slices.ContainsFunc(in.Repositories, func(n string) bool { return strings.EqualFold(n, r.name) }) {
				t.scope[r.id] = struct{}{}
				repos = append(repos, r)
			}
		}
		if len(repos) < len(in.Repositories)+len(in.RepositoryIDs) {
			no := refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
			return nil, &no
		}
	}
	if in.Permissions == nil {
		return repos, nil
	}
	asked := maps.Clone(in.Permissions)
	for name, level := range asked {
		if !(&token{installation: t.installation, permissions: t.permissions}).has(need{name, level}) {
			no := refuse(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
			return nil, &no
		}
	}
	if len(asked) > 0 {
		asked["metadata"] = "read"
		t.permissions = asked
	}
	return repos, nil
}

// cloneJSON copies a JSON value, so that a payload keeps what was true then.
func cloneJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}
