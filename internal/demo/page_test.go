package demo

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/microcosm-cc/bluemonday"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/testdata"
)

// openHouse raises the stage without the app and opens the first pull request.
func openHouse(t *testing.T) (*stage, standin.Pull, *httptest.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	h, err := testdata.Heron()
	require.NoError(t, err)
	gh, err := standin.New(standin.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	st := &stage{history: h, github: gh}
	t.Cleanup(func() { assert.NoError(t, st.close()) })
	require.NoError(t, gh.Start())
	require.NoError(t, st.populate(ctx))
	require.NoError(t, st.push(ctx))
	p := h.Pulls[1]
	stream, err := h.PullStream(p)
	require.NoError(t, err)
	require.NoError(t, gh.Import(ctx, p.Author, h.FullName(), stream))
	pull, err := gh.OpenPull(ctx, p.Author, h.FullName(), standin.PullRequest{Title: p.Title, Body: p.Body, Head: p.Branch})
	require.NoError(t, err)
	srv := httptest.NewServer((&page{hub: st.hub, intro: "An agent."}).routes())
	t.Cleanup(srv.Close)
	return st, pull, srv
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	if strings.Contains(res.Header.Get("Content-Type"), "html") {
		assert.Contains(t, res.Header.Get("Content-Security-Policy"), "default-src 'none'")
		assert.NotContains(t, string(body), "<script")
	}
	return res.StatusCode, string(body)
}

func TestPageShowsPullsCommentsAndSource(t *testing.T) {
	st, pull, srv := openHouse(t)
	link := "https://github.com/acme/heron/blob/" + pull.HeadSHA + "/heron/screen.py#L11-L18"
	_, err := st.github.Comment("mlind", st.hub.repo, pull.Number,
		"### Rescore: **fine**\n\n| a | b |\n|---|---|\n| [`heron/screen.py:11`]("+link+") | 2 |\n\n<details><summary>More</summary>\n\ninside\n\n</details>\n\n<script>alert(1)</script><img src=x onerror=alert(1)>")
	require.NoError(t, err)

	status, body := get(t, srv.URL+"/")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, body, "Tidy the modules")
	assert.Contains(t, body, "no check yet")

	status, body = get(t, srv.URL+"/pulls/1")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, body, "<strong>fine</strong>")
	assert.Contains(t, body, "<details><summary>More</summary>")
	assert.Contains(t, body, `href="/source/`+pull.HeadSHA+`/heron/screen.py?from=11&amp;to=18#L11"`)
	assert.Contains(t, body, "heron/limits.py → heron/budget.py")
	assert.NotContains(t, body, "alert(1)</script>")
	assert.NotContains(t, body, "onerror")

	status, body = get(t, srv.URL+"/source/"+pull.HeadSHA+"/heron/screen.py?from=11&to=18")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, body, `<tr id="L11" class="marked"><td>11</td><td>def render_request(request: Request) -&gt; str:</td></tr>`)
	assert.Contains(t, body, `<tr id="L19"><td>`)
}

func TestPageSaysWhatIsNotThere(t *testing.T) {
	_, pull, srv := openHouse(t)
	for _, path := range []string{"/pulls/99", "/pulls/x", "/nowhere", "/source/" + pull.HeadSHA + "/no/such/file.py",
		"/source/" + strings.Repeat("0", 40) + "/README.md", "/source/" + pull.HeadSHA + "/..%2f..%2fREADME.md"} {
		status, _ := get(t, srv.URL+path)
		assert.Equal(t, http.StatusNotFound, status, path)
	}
}

// textAndTags lists what a browser reads of HTML.
func textAndTags(t require.TestingT, source string) []string {
	var out []string
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		if z.Next() == html.ErrorToken {
			require.ErrorIs(t, z.Err(), io.EOF)
			return out
		}
		token := z.Token()
		if token.Type == html.SelfClosingTagToken {
			token.Type = html.StartTagToken // br, hr and input are the same either way
		}
		out = append(out, token.String())
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var l tail
	for range 2000 {
		_, _ = l.Write([]byte("a line of the log\n"))
	}
	_, _ = l.Write([]byte("the last\n"))
	got := l.String()
	assert.LessOrEqual(t, len(got), tailBytes)
	assert.True(t, strings.HasPrefix(got, "a line"), got[:20])
	assert.True(t, strings.HasSuffix(got, "the last\n"))
}

func TestPagePassesOnlyKnownTags(t *testing.T) {
	for source, want := range map[string]string{
		"<details><summary>a &lt; b</summary>\n\n**x**\n\n</details>": "<details><summary>a &lt; b</summary>\n<p><strong>x</strong></p>\n</details>",
		"<sub>small</sub> text":                                             "<p><sub>small</sub> text</p>\n",
		"a <b onclick=x>b</b> c":                                            "<p>a b</b> c</p>\n",
		"<script>alert(1)</script>":                                         "alert(1)",
		"<img src=x onerror=alert(1)>":                                      "",
		"<div\n onmouseover=x":                                              "",
		"<!-- <script> -->\n<script\n>x":                                    "\nx",
		"<details open ontoggle=x>":                                         "",
		"<scr<script>ipt>":                                                  "<p>&lt;script&gt;</p>\n",
		"[go](javascript:alert(1)) <javascript:alert(1)>":                   "<p>go javascript:alert(1)</p>\n",
		"[a](x:y) <script:x> [b](//c) [d](https://e)":                       "<p>a script:x b <a href=\"https://e\">d</a></p>\n",
		"[a](), [b](#b) and [c](<> \"t\")":                                  "<p>a, <a href=\"#b\">b</a> and c</p>\n",
		"<svg><style><img src=\"</style><img src=x onerror=alert(1)//\">\n": "<p></p>\n",
	} {
		got, err := pageHTML(source)
		require.NoError(t, err)
		assert.Equal(t, want, string(got), source)
	}
}

// TestSanitizerTakesNothingAway holds the page against a sanitizer that knows HTML:
// whatever the input, nothing is left that it would remove.
func TestSanitizerTakesNothingAway(t *testing.T) {
	policy := bluemonday.UGCPolicy()
	policy.AllowElements("details", "summary", "sub")
	policy.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[a-z]+$`)).OnElements("code")
	policy.AllowAttrs("type", "disabled", "checked").OnElements("input")
	policy.AllowAttrs("style").OnElements("th", "td")
	policy.RequireNoFollowOnLinks(false)
	pieces := []string{"<", ">", "</", "<!--", "-->", "details", "summary", "script", " onclick=x", "\"", "'", "a", " ", "\n", "\n\n", "`", "[x](", "javascript:", ")", "&lt;", "<details>", "</details>", "<sub>", "</sub>", "|a|\n|-|\n", "<![CDATA[", "<?", "=", "/"}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 25).Draw(t, "pieces"), "")
		got, err := pageHTML(source)
		require.NoError(t, err)
		assert.Equal(t, textAndTags(t, policy.Sanitize(string(got))), textAndTags(t, string(got)), source)
	})
}
