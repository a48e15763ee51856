package testdata

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

//go:embed all:demo
var files embed.FS

// CardPath is where Heron keeps its scorecard.
const CardPath = ".github/rescore/scorecard.json"

// Expectation says what a pull request of the history does to the controls, and
// so what a truthful answer to it must say.
type Expectation string

// What the three pull requests do.
const (
	Weakens     Expectation = "weakens"     // a control that a rating rests on is taken away
	Moves       Expectation = "moves"       // code moves, nothing it does changes
	Strengthens Expectation = "strengthens" // a control appears where the card records a lack
)

// History is the written history of a repository.
type History struct {
	Owner         string            `yaml:"owner"`
	Name          string            `yaml:"name"`
	Description   string            `yaml:"description"`
	DefaultBranch string            `yaml:"default_branch"`
	People        map[string]Person `yaml:"people"` // by login
	Commits       []Commit          `yaml:"commits"`
	Scored        string            `yaml:"scored"` // tag of the commit that the scorecard is pinned to
	Pulls         []Pull            `yaml:"pulls"`
}

// Person is an author.
type Person struct {
	Name  string `yaml:"name"`
	Email string `yaml:"email"`
}

// Commit lays the files of a directory over its parent.
type Commit struct {
	Dir     string    `yaml:"dir"`
	Remove  []string  `yaml:"remove"`
	Author  string    `yaml:"author"` // login
	Date    time.Time `yaml:"date"`
	Tag     string    `yaml:"tag"`
	Message string    `yaml:"message"`
}

// Pull is a branch from the tip of the default branch, and what its author says.
type Pull struct {
	Branch  string      `yaml:"branch"`
	Author  string      `yaml:"author"` // login
	Title   string      `yaml:"title"`
	Body    string      `yaml:"body"`
	Commits []Commit    `yaml:"commits"`
	Expect  Expectation `yaml:"expect"`
}

// Heron reads the history of Heron.
func Heron() (*History, error) {
	data, err := files.ReadFile("demo/history.yaml")
	if err != nil {
		return nil, fmt.Errorf("read Heron's history: %w", err)
	}
	var h History
	if err := yaml.UnmarshalWithOptions(data, &h, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read Heron's history: %w", err)
	}
	return &h, nil
}

// CardMarkdown returns Heron's scorecard as a report, for import. The same card
// as JSON is the file at CardPath in the repository.
func CardMarkdown() ([]byte, error) { return files.ReadFile("demo/scorecard.md") }

// CardJSON returns Heron's scorecard as it stands in the repository.
func CardJSON() ([]byte, error) {
	return files.ReadFile(path.Join("demo/history/08-scorecard", CardPath))
}

// FullName returns "owner/name".
func (h *History) FullName() string { return h.Owner + "/" + h.Name }

// tree returns the files that a commit lays over its parent, sorted by path.
func (c Commit) tree() ([]file, error) {
	root := path.Join("demo", c.Dir)
	var out []file
	err := fs.WalkDir(files, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		out = append(out, file{path: strings.TrimPrefix(name, root+"/"), data: data})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the files of %s: %w", c.Dir, err)
	}
	return out, nil
}

type file struct {
	path string
	data []byte
}
