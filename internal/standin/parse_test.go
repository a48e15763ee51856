package standin

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseRawRefusesWhatIsNoDiff(t *testing.T) {
	for _, out := range []string{"x\x00y\x00", ":100644 100644 a b M\x00", ":100644 100644 a b R100\x00only\x00"} {
		_, _, err := parseRaw(out)
		assert.Error(t, err, "%q", out)
	}
	files, kinds, err := parseRaw(":100644 000000 aa bb D\x00gone\x00:100644 100644 cc dd R090\x00old\x00new\x00")
	require.NoError(t, err)
	assert.Equal(t, "DR", string(kinds))
	assert.Equal(t, changedFile{path: "gone", status: "removed", sha: "aa"}, files[0], "the blob that was")
	assert.Equal(t, changedFile{path: "new", oldPath: "old", status: "renamed", sha: "dd"}, files[1])
}

func TestPatchesNeedAFileEach(t *testing.T) {
	assert.Error(t, addPatches([]changedFile{{path: "a"}}, []byte("M"), ""))
}

func TestParsePaths(t *testing.T) {
	got := parsePaths("c1\x00A\x00new\x00M\x00c2\x00c2\x00D\x00gone\x00")
	assert.Equal(t, []string{"new"}, got["c1"]['A'])
	assert.Equal(t, []string{"c2"}, got["c1"]['M'], "a file may be named like a commit")
	assert.Equal(t, []string{"gone"}, got["c2"]['D'])
}

func TestPlainRef(t *testing.T) {
	for ref, want := range map[string]bool{
		"main": true, "a/b": true, "ü": true, "": false, "-x": false, "a..b": false, "a~1": false, "a^{}": false, "a b": false, "a@{1}": false,
		":/x": false, "a//b": false, "a.lock": false, "a/": false,
	} {
		assert.Equal(t, want, plainRef(ref), "%q", ref)
	}
}

func TestRouterPrefersLiterals(t *testing.T) {
	r := newRouter()
	for path, want := range map[string]string{
		"/repos/o/r/commits/a/b/check-runs": "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
		"/repos/o/r/commits/a/b":            "GET /repos/{owner}/{repo}/commits/{ref}",
		"/repos/o/r/issues/comments/5":      "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
		"/repos/o/r/contents/a%2Fb/c":       "GET /repos/{owner}/{repo}/contents/{path}",
	} {
		op, _ := r.find("GET", path)
		require.NotNil(t, op, path)
		assert.Equal(t, want, op.name)
	}
	_, params := r.find("GET", "/repos/o/r/contents/a%20b/c")
	assert.Equal(t, "a b/c", params["path"])
	op, _ := r.find("GET", "/repos/o/r/contents/%zz")
	assert.Nil(t, op)
}

// The pages of a list, in order, are the list, whatever the page size.
func TestPagesMakeTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int(), 0, 350).Draw(t, "all")
		size := rapid.IntRange(1, 100).Draw(t, "size")
		var got []int
		for page := 1; ; page++ {
			c := testCall(t, page, size)
			part, link := cut(c, all)
			got = append(got, part...)
			if !strings.Contains(link, `rel="next"`) {
				break
			}
		}
		assert.Equal(t, len(all), len(got))
		for i := range got {
			assert.Equal(t, all[i], got[i])
		}
	})
}

func FuzzParsers(f *testing.F) {
	f.Add(":100644 100644 a b M\x00x\x00", "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", "c1\x00A\x00new\x00")
	f.Add("", "", "")
	f.Add("M\x00", "@@", "A\x00")
	f.Fuzz(func(t *testing.T, raw, patch, paths string) {
		files, kinds, err := parseRaw(raw)
		if err == nil {
			require.Len(t, kinds, len(files))
			_ = addPatches(files, kinds, patch) // must not panic
		}
		for _, part := range splitPatch(patch) {
			require.True(t, strings.HasPrefix(part, "diff --git "))
		}
		parsePaths(paths)
		plainRef(paths)
	})
}

func testCall(t require.TestingT, page, size int) *call {
	req, err := http.NewRequest(http.MethodGet, fmt.Sprintf("http://127.0.0.1/x?page=%d&per_page=%d", page, size), nil)
	require.NoError(t, err)
	return &call{req: req, query: req.URL.Query(), path: "/x"}
}
