package contract_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin/contract"
)

const user = `{"login":"ada","id":1,"node_id":"n","avatar_url":"u","gravatar_id":"","url":"u","html_url":"u","followers_url":"u",
"following_url":"u","gists_url":"u","starred_url":"u","subscriptions_url":"u","organizations_url":"u","repos_url":"u","events_url":"u",
"received_events_url":"u","type":"User","site_admin":false}`

const reaction = `{"id":1,"node_id":"n","user":` + user + `,"content":"eyes","created_at":"2024-01-01T00:00:00Z"}`

const reactions = "/repos/o/r/issues/comments/5/reactions"

func newChecker(t *testing.T) *contract.Checker {
	t.Helper()
	c, err := contract.New()
	require.NoError(t, err)
	return c
}

func exchange(method, path, request string, status int, response string) contract.Exchange {
	req := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(request))
	if request != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return contract.Exchange{
		Request: req, RequestBody: []byte(request), Status: status, ResponseBody: []byte(response),
		Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
	}
}

func TestRightExchangesPass(t *testing.T) {
	c := newChecker(t)
	for _, x := range []contract.Exchange{
		exchange("POST", reactions, `{"content":"eyes"}`, 201, reaction),
		exchange("POST", "/api/v3"+reactions, `{"content":"eyes"}`, 200, reaction),
		exchange("POST", "/repositories/7/issues/comments/5/reactions", `{"content":"eyes"}`, 201, reaction),
		exchange("GET", reactions+"?per_page=100&page=2", "", 200, "["+reaction+"]"),
		exchange("POST", reactions, `{"content":"eyes"}`, 403, `{"message":"Resource not accessible by integration"}`),
		exchange("DELETE", reactions+"/1", "", 204, ""),
		exchange("POST", "/app/installations/1/access_tokens", "null", 201, `{"token":"t","expires_at":"2024-01-01T00:00:00Z"}`),
	} {
		assert.Empty(t, c.Check(x), "%s %s", x.Request.Method, x.Request.URL)
	}
	assert.Equal(t, 4, c.Calls()["POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions"])
}

func TestWrongExchangesAreCaught(t *testing.T) {
	for what, tc := range map[string]struct {
		exchange contract.Exchange
		phase    string
		pointer  string
	}{
		"a missing field in an answer":     {exchange("POST", reactions, `{"content":"eyes"}`, 201, strings.Replace(reaction, `"node_id":"n",`, "", 1)), "response", "/node_id"},
		"a wrong type in an answer":        {exchange("POST", reactions, `{"content":"eyes"}`, 201, strings.Replace(reaction, `"id":1`, `"id":"1"`, 1)), "response", "/id"},
		"a wrong word in an answer":        {exchange("POST", reactions, `{"content":"eyes"}`, 201, strings.Replace(reaction, `"eyes"`, `"wave"`, 1)), "response", "/content"},
		"a bad date in an answer":          {exchange("POST", reactions, `{"content":"eyes"}`, 201, strings.Replace(reaction, "2024-01-01T00:00:00Z", "yesterday", 1)), "response", "/created_at"},
		"a deep field in a list":           {exchange("GET", reactions, "", 200, "["+strings.Replace(reaction, `"login":"ada",`, "", 1)+"]"), "response", ""},
		"an object for a list":             {exchange("GET", reactions, "", 200, reaction), "response", "/"},
		"an error without a message":       {exchange("GET", reactions, "", 503, `{"error":"x"}`), "response", ""},
		"a missing field in a request":     {exchange("POST", reactions, `{}`, 201, reaction), "request", "/content"},
		"a wrong word in a request":        {exchange("POST", reactions, `{"content":"wave"}`, 201, reaction), "request", "/content"},
		"a field that no request has":      {exchange("POST", reactions, `{"content":"eyes","colour":"red"}`, 201, reaction), "request", "/"},
		"a parameter that no query has":    {exchange("GET", reactions+"?pages=2", "", 200, "[]"), "request", "?pages"},
		"a path parameter of another type": {exchange("GET", "/repos/o/r/check-runs/x", "", 404, `{"message":"Not Found"}`), "request", "path:check_run_id"},
		"an operation nobody listed":       {exchange("GET", "/repos/o/r/secrets", "", 200, "[]"), "route", ""},
		"a path that {ref} would swallow":  {exchange("GET", "/repos/o/r/commits/main/comments", "", 200, "[]"), "route", ""},
		"completed without a conclusion":   {exchange("POST", "/repos/o/r/check-runs", `{"name":"n","head_sha":"s","status":"completed"}`, 404, `{"message":"Not Found"}`), "request", "/conclusion"},
	} {
		t.Run(what, func(t *testing.T) {
			c := newChecker(t)
			found := c.Check(tc.exchange)
			require.NotEmpty(t, found)
			assert.Equal(t, tc.phase, found[0].Phase, "%v", found)
			if tc.pointer != "" {
				assert.Contains(t, found[0].Pointer, tc.pointer, "%v", found)
			}
			assert.Equal(t, found, c.Violations(), "they are remembered")
			assert.NotEmpty(t, found[0].String())
		})
	}
}

func TestWebhooks(t *testing.T) {
	c := newChecker(t)
	installation := `{"action":"suspend"}`
	found := c.Webhook("installation", []byte(installation))
	require.NotEmpty(t, found)
	assert.Contains(t, found[0].Detail, `"installation" is missing`)
	assert.NotEmpty(t, c.Webhook("installation", []byte(`{`)))
	assert.NotEmpty(t, c.Webhook("star", []byte(`{"action":"created"}`)), "not one of ours")
	assert.NotEmpty(t, c.Webhook("push", []byte(`[]`)))
	assert.Equal(t, map[string]int{"webhook installation": 2, "webhook star": 1, "webhook push": 1}, c.Calls())
}

func TestTransportAndMiddlewareCheckWhatPasses(t *testing.T) {
	answers := map[string]string{reactions: "[" + reaction + "]", "/repos/o/r/issues/comments/6/reactions": `[{"id":1}]`}
	plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(w, answers[r.URL.Path])
		assert.NoError(t, err)
	})
	for where, build := range map[string]func(*contract.Checker) (http.Handler, *http.Client){
		"transport": func(c *contract.Checker) (http.Handler, *http.Client) {
			return plain, &http.Client{Transport: c.Transport(http.DefaultTransport)}
		},
		"middleware": func(c *contract.Checker) (http.Handler, *http.Client) { return c.Middleware(plain), http.DefaultClient },
	} {
		t.Run(where, func(t *testing.T) {
			c := newChecker(t)
			handler, client := build(c)
			server := httptest.NewServer(handler)
			defer server.Close()
			get := func(path string) string {
				resp, err := client.Get(server.URL + path)
				require.NoError(t, err)
				data, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				return string(data)
			}
			assert.Equal(t, answers[reactions], get(reactions), "the body passes unchanged")
			assert.Empty(t, c.Violations())
			get("/repos/o/r/issues/comments/6/reactions")
			assert.NotEmpty(t, c.Violations())
		})
	}
}

func TestGitPassesUnchecked(t *testing.T) {
	c := newChecker(t)
	server := httptest.NewServer(c.Middleware(http.NotFoundHandler()))
	defer server.Close()
	resp, err := http.Get(server.URL + "/o/r.git/info/refs?service=git-upload-pack")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Empty(t, c.Calls())
}
