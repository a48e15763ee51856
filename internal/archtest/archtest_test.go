package archtest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/archtest"
	"github.com/rescore-app/rescore/internal/testenv"
)

func moduleFiles(t *testing.T) []archtest.File {
	t.Helper()
	files, err := archtest.Files(testenv.ModuleRoot(t), ".go", ".md", ".yml", ".yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestRoad(t *testing.T) {
	packages, err := archtest.Packages(moduleFiles(t))
	require.NoError(t, err)
	broken := archtest.Check(archtest.Rooms, packages)
	assert.Empty(t, broken, "%s", strings.Join(broken, "\n"))
	unused := archtest.Unused(archtest.Rooms, packages)
	assert.Empty(t, unused, "%s", strings.Join(unused, "\n"))
}

func TestUnusedCatches(t *testing.T) {
	rooms := []archtest.Room{
		{Path: "internal/a", May: []string{"internal/b", "internal/c/...", "internal/d"}, Libraries: []string{"example.com/x", "example.com/y"}},
		{Path: "internal/b"},
	}
	packages := []archtest.Package{
		{Path: "internal/a/inner", Imports: []string{"fmt", archtest.Module + "/internal/b", archtest.Module + "/internal/c/d", "example.com/x/z"}},
		{Path: "internal/b", Imports: []string{archtest.Module + "/internal/d"}},
	}
	assert.Equal(t, []string{"internal/a may import internal/d and does not", "internal/a may import example.com/y and does not"},
		archtest.Unused(rooms, packages))
}

func TestForm(t *testing.T) {
	broken, err := archtest.Form(moduleFiles(t))
	require.NoError(t, err)
	assert.Empty(t, broken, "%s", strings.Join(broken, "\n"))
}

func TestNothingWorksAtStart(t *testing.T) {
	broken, err := archtest.Start(moduleFiles(t))
	require.NoError(t, err)
	assert.Empty(t, broken, "%s", strings.Join(broken, "\n"))
}

func TestNothingIsMarkedUnfinished(t *testing.T) {
	broken := archtest.Unfinished(moduleFiles(t))
	assert.Empty(t, broken, "%s", strings.Join(broken, "\n"))
}

// Every room has packages: a room nobody lives in is a rule that checks nothing.
func TestEveryRoomExists(t *testing.T) {
	packages, err := archtest.Packages(moduleFiles(t))
	require.NoError(t, err)
	for _, room := range archtest.Rooms {
		found := false
		for _, p := range packages {
			found = found || p.Path == room.Path || strings.HasPrefix(p.Path, room.Path+"/")
		}
		assert.True(t, found, "room %s has no package", room.Path)
	}
}

// The checker itself: each forbidden edge is caught, and its neighbours are not.
func TestCheckCatchesForbiddenEdges(t *testing.T) {
	const m = archtest.Module + "/"
	for name, tc := range map[string]struct {
		pkg, imp string
		test     bool
		want     string // part of the sentence; "" when allowed
	}{
		"pure room opens files":           {pkg: "internal/scorecard", imp: "os", want: "a pure room does no I/O"},
		"pure room speaks HTTP":           {pkg: "internal/report", imp: "net/http", want: "a pure room does no I/O"},
		"pure room speaks SQL":            {pkg: "internal/policy", imp: "database/sql", want: "a pure room does no I/O"},
		"pure room parses URLs":           {pkg: "internal/report", imp: "net/url"},
		"pure room takes any library":     {pkg: "internal/linemap", imp: "github.com/x/y", want: "only the libraries listed"},
		"pure room takes its library":     {pkg: "internal/policy", imp: "github.com/goccy/go-yaml/ast"},
		"library of a like name":          {pkg: "internal/policy", imp: "github.com/goccy/go-yaml2", want: "only the libraries listed"},
		"pure room's test opens files":    {pkg: "internal/scorecard", imp: "os", test: true},
		"someone else runs git":           {pkg: "internal/worker", imp: "os/exec", want: "start processes"},
		"gitmirror runs git":              {pkg: "internal/gitmirror", imp: "os/exec"},
		"a room below gitmirror":          {pkg: "internal/gitmirror/inner", imp: "os/exec"},
		"a room beside gitmirror":         {pkg: "internal/gitmirror2", imp: "os/exec", want: "in no room"},
		"lower room imports a stage":      {pkg: "internal/plan", imp: m + "internal/worker", want: "the road does not lead there"},
		"text imports what follows it":    {pkg: "internal/syntax", imp: m + "internal/evidence", want: "the road does not lead there"},
		"card imports the outcome":        {pkg: "internal/scorecard", imp: m + "internal/outcome", want: "the road does not lead there"},
		"stages call each other":          {pkg: "internal/webhook", imp: m + "internal/worker", want: "the road does not lead there"},
		"publisher calls back":            {pkg: "internal/publish", imp: m + "internal/worker", want: "the road does not lead there"},
		"webhook makes jobs":              {pkg: "internal/webhook", imp: m + "internal/job"},
		"pipeline knows a judge":          {pkg: "internal/rescore", imp: m + "internal/judge/evidence", want: "the road does not lead there"},
		"judge calls the pipeline":        {pkg: "internal/judge/evidence", imp: m + "internal/rescore", want: "the road does not lead there"},
		"judge imports its own interface": {pkg: "internal/judge/evidence", imp: m + "internal/judge"},
		"product imports test support":    {pkg: "internal/app", imp: m + "internal/testenv", want: "only tests import it"},
		"command imports test support":    {pkg: "cmd/rescore", imp: m + "internal/testenv", want: "only tests import it"},
		"a test imports test support":     {pkg: "internal/app", imp: m + "internal/testenv", test: true},
		"a test imports the checker":      {pkg: "internal/app", imp: m + "internal/archtest", test: true, want: "nothing imports the checker"},
		"the app imports the command":     {pkg: "internal/app", imp: m + "cmd/rescore", want: "the road does not lead there"},
		"unknown room":                    {pkg: "internal/attic", imp: "fmt", want: "in no room"},
	} {
		t.Run(name, func(t *testing.T) {
			p := archtest.Package{Path: tc.pkg}
			if tc.test {
				p.TestImports = []string{tc.imp}
			} else {
				p.Imports = []string{tc.imp}
			}
			got := archtest.Check(archtest.Rooms, []archtest.Package{p})
			if tc.want == "" {
				assert.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			assert.Contains(t, got[0], tc.want)
		})
	}
}

// A forbidden import is caught from source text on, not only in hand-made data.
func TestForbiddenImportIsFoundInSource(t *testing.T) {
	files := []archtest.File{
		{Path: "internal/plan/plan.go", Data: []byte("// Package plan plans.\npackage plan\n\nimport _ \"os\"\n")},
		{Path: "internal/plan/plan_test.go", Data: []byte("package plan_test\n\nimport _ \"os/exec\"\n")},
		{Path: "internal/plan/testdata/x.go", Data: []byte("not Go at all")},
	}
	packages, err := archtest.Packages(files)
	require.NoError(t, err)
	assert.Equal(t, []archtest.Package{{Path: "internal/plan", Imports: []string{"os"}, TestImports: []string{"os/exec"}}}, packages)
	assert.Equal(t, []string{"internal/plan imports os: a pure room does no I/O"}, archtest.Check(archtest.Rooms, packages))
}

func TestFormCatches(t *testing.T) {
	long := "// Package a is long and imports nothing.\npackage a\n" + strings.Repeat("\n// word\n", archtest.MaxLines)
	generated := "// Code generated by a test. DO NOT EDIT.\n\n" + long
	for name, tc := range map[string]struct {
		file archtest.File
		want string
	}{
		"fine":           {file: archtest.File{Path: "a/a.go", Data: []byte("// Package a is fine and imports nothing.\npackage a\n")}},
		"command":        {file: archtest.File{Path: "cmd/a/main.go", Data: []byte("// Command a is fine.\npackage main\n")}},
		"no imports":     {file: archtest.File{Path: "a/a.go", Data: []byte("// Package a is fine.\npackage a\n")}, want: "says nothing of imports"},
		"no comment":     {file: archtest.File{Path: "a/a.go", Data: []byte("package a\n")}, want: "no package comment"},
		"wrong comment":  {file: archtest.File{Path: "a/a.go", Data: []byte("// Package b is another.\npackage a\n")}, want: "no package comment"},
		"not formatted":  {file: archtest.File{Path: "a/a.go", Data: []byte("// Package a imports nothing.\npackage a\nvar  X = 1\n")}, want: "not formatted"},
		"too long":       {file: archtest.File{Path: "a/a.go", Data: []byte(long)}, want: "is the limit"},
		"long generated": {file: archtest.File{Path: "a/a.go", Data: []byte(generated)}},
		"long test":      {file: archtest.File{Path: "a/a_test.go", Data: []byte(long)}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := archtest.Form([]archtest.File{tc.file})
			require.NoError(t, err)
			if tc.want == "" {
				assert.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			assert.Contains(t, got[0], tc.want)
		})
	}
}

func TestStartCatches(t *testing.T) {
	for code, want := range map[string]string{
		"var x = regexp.MustCompile(`a`)":                                       "regexp.MustCompile at the start",
		"var x = func() any { return template.Must(nil, nil) }()":               "template.Must at the start",
		"var xs = []any{1, regexp.MustCompile(`a`)}":                            "regexp.MustCompile at the start",
		"var x = sync.OnceValue(func() any { return regexp.MustCompile(`a`) })": "",
		"func f() { _ = regexp.MustCompile(`a`) }":                              "",
		"var x = lazy.Regexp(`a` + \"b\")":                                      "",
		"var x = lazy.Regexp(`a(`)":                                             "missing closing )",
		"var x = []struct{ r any }{{lazy.Regexp(`a` + `*` + `*`)}}":             "invalid nested repetition operator",
		"var x = lazy.Regexp(`a` + word)":                                       "is not written out",
	} {
		got, err := archtest.Start([]archtest.File{{Path: "a/a.go", Data: []byte("// Package a is.\npackage a\n\n" + code + "\n")}})
		require.NoError(t, err)
		if want == "" {
			assert.Empty(t, got, code)
			continue
		}
		require.Len(t, got, 1, code)
		assert.Contains(t, got[0], want, code)
	}
}

func TestUnfinishedCatches(t *testing.T) {
	mark := "TO" + "DO"
	got := archtest.Unfinished([]archtest.File{
		{Path: "a.md", Data: []byte("fine\n- " + mark + ": finish\n")},
		{Path: "b.md", Data: []byte("AU" + mark + " is a word of its own\n")},
	})
	assert.Equal(t, []string{"a.md:2: - " + mark + ": finish"}, got)
}
