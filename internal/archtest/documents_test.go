package archtest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/archtest"
	"github.com/rescore-app/rescore/internal/config"
	"github.com/rescore-app/rescore/internal/testenv"
	"github.com/rescore-app/rescore/internal/webhook"
)

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code     = regexp.MustCompile("`([^`\n]+)`")
	block    = regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$")
	heading  = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
	unspoken = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	ourPath  = regexp.MustCompile(`^Makefile$|^(internal|cmd|docs|config|rubric|testdata|\.ci|\.github)/[\w./-]*\w/?$|^[\w.-]+\.(md|go|yml|mod)$`)
)

// documents are the pages that people read, by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	files, err := archtest.Files(testenv.ModuleRoot(t), ".md")
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range files {
		if !strings.Contains(f.Path, "testdata/") {
			out[f.Path] = string(f.Data)
		}
	}
	require.Contains(t, out, "README.md")
	return out
}

// anchors are the headings of a page as a link names them.
func anchors(text string) (out []string) {
	for _, m := range heading.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
		out = append(out, strings.ReplaceAll(unspoken.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return out
}

// deadLink says what is wrong with a link of a page, "" when it leads somewhere. Links
// to other places of the web are not followed.
func deadLink(root, page, target string) string {
	if strings.Contains(target, ":") {
		return ""
	}
	file, anchor, within := strings.Cut(target, "#")
	path := filepath.Join(root, filepath.Dir(page), file)
	if file == "" {
		path = filepath.Join(root, page)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err.Error()
	case !within || info.IsDir():
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if !slices.Contains(anchors(string(text)), anchor) {
		return path + " has no heading for #" + anchor
	}
	return ""
}

func TestLinksLeadSomewhere(t *testing.T) {
	root := testenv.ModuleRoot(t)
	for page, text := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(block.ReplaceAllString(text, ""), ""), -1) {
			assert.Empty(t, deadLink(root, page, m[1]), "%s links to %s", page, m[1])
		}
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "docs"), 0o700))
	page := "# A page\n\n## What's `here`, now\n\n```\n# no heading\n```\n"
	require.NoError(t, os.WriteFile(filepath.Join(root, "docs", "a.md"), []byte(page), 0o600))
	for target, dead := range map[string]bool{
		"a.md": false, "#whats-here-now": false, "a.md#a-page": false, "../docs/": false, "https://example.com/x#y": false,
		"b.md": true, "#elsewhere": true, "a.md#elsewhere": true, "#no-heading": true, "docs/a.md": true,
	} {
		assert.Equal(t, dead, deadLink(root, "docs/a.md", target) != "", target)
	}
}

// A path that a document names is there.
func TestPathsInDocumentsExist(t *testing.T) {
	root := testenv.ModuleRoot(t)
	for page, text := range documents(t) {
		for _, m := range code.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
			if !strings.Contains(m[1], "/") || !ourPath.MatchString(m[1]) || isOfOthers(m[1]) {
				continue
			}
			_, err := os.Stat(filepath.Join(root, m[1]))
			assert.NoError(t, err, "%s names %s", page, m[1])
		}
	}
}

// isOfOthers reports whether a path is one in the repository of an agent.
func isOfOthers(path string) bool { return strings.HasPrefix(path, ".github/rescore") }

func TestReadmeNamesEverySetting(t *testing.T) {
	readme := readRoot(t, "README.md")
	for _, name := range config.Variables() {
		if !strings.HasSuffix(name, "_FILE") {
			assert.Contains(t, readme, "`"+name+"`", "README.md does not name the variable")
		}
	}
}

// The README says to subscribe the App to every event that is read, and to no other.
// GitHub sends those of installations unasked.
func TestReadmeSubscribesToWhatIsRead(t *testing.T) {
	m := regexp.MustCompile(`Subscribe to: (.+)\.\n`).FindStringSubmatch(readRoot(t, "README.md"))
	require.NotNil(t, m)
	var named []string
	for name := range strings.SplitSeq(m[1], ", ") {
		named = append(named, strings.ReplaceAll(strings.ToLower(name), " ", "_"))
	}
	read := slices.DeleteFunc(webhook.Events(), func(e string) bool { return strings.HasPrefix(e, "installation") })
	assert.ElementsMatch(t, read, named)
}

func TestIndexListsEveryPage(t *testing.T) {
	index := readRoot(t, "docs/README.md")
	pages, err := filepath.Glob(filepath.Join(testenv.ModuleRoot(t), "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" {
			assert.Contains(t, index, "("+name+")", "docs/README.md does not list %s", name)
		}
	}
}

// Who looks for a room finds it on the map.
func TestArchitectureNamesEveryRoom(t *testing.T) {
	page := readRoot(t, "docs/architecture.md")
	for _, room := range archtest.Rooms {
		name := filepath.Base(room.Path)
		assert.Regexp(t, `\*\*`+name+`\*\*|`+"`"+regexp.QuoteMeta(room.Path)+`(/[\w./]+)?`+"`", page, "docs/architecture.md does not name %s", room.Path)
	}
}

// The table of where to change what is true: its paths exist, its names stand in one of
// the files of their row, and its tests are there.
func TestWhereToChangeWhat(t *testing.T) {
	root := testenv.ModuleRoot(t)
	tests := map[string]bool{}
	for _, f := range moduleFiles(t) {
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(f.Data), -1) {
			tests[m[1]] = true
		}
	}
	_, section, ok := strings.Cut(readRoot(t, "CONTRIBUTING.md"), "\n## Where to change what\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| .+ \|$`).FindAllString(section, -1)
	require.Greater(t, len(rows), 10)
	for _, row := range rows[1:] {
		var text strings.Builder
		var names []string
		for _, m := range code.FindAllStringSubmatch(row, -1) {
			switch token := m[1]; {
			case strings.HasPrefix(token, "Test"):
				assert.True(t, tests[token], "there is no test %s; it stands in %s", token, row)
			case ourPath.MatchString(token):
				readInto(t, &text, filepath.Join(root, token))
			default:
				names = append(names, token)
			}
		}
		for _, name := range names {
			assert.Regexp(t, `\b`+regexp.QuoteMeta(name)+`\b`, text.String(), "no file of its row holds %s: %s", name, row)
		}
	}
}

// readInto appends a file, or the files of a directory, to the text.
func readInto(t *testing.T, text *strings.Builder, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if !assert.NoError(t, err) {
		return
	}
	files := []string{path}
	if info.IsDir() {
		files, err = filepath.Glob(filepath.Join(path, "*.*"))
		require.NoError(t, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		text.Write(data)
	}
}
