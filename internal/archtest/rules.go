package archtest

import (
	"slices"
	"strings"
)

// Module is the path of this module.
const Module = "github.com/rescore-app/rescore"

// MaxLines is the length of a non-test Go file that no file may exceed.
const MaxLines = 400

// Room is one package (with the packages below it) and what it may import.
type Room struct {
	// Path is relative to the module, for example "internal/plan". A package
	// belongs to the room with the longest path that is a prefix of its own.
	Path string
	// May lists the rooms of this module that it may import. A trailing "/..."
	// allows every package below. Packages of one room may import each other.
	May []string
	// Pure rooms import no I/O from the standard library, and of other modules
	// only what Libraries lists.
	Pure bool
	// Libraries lists the modules of others that a pure room may import.
	Libraries []string
}

// Rooms lists every room, lower ones first. A package in none of them is an
// error: a new room must say what it may import.
var Rooms = []Room{
	{Path: "internal/lazy", Pure: true},
	{Path: "internal/nearest", Pure: true},

	// The method and the card.
	{Path: "rubric", Pure: true, Libraries: []string{"github.com/goccy/go-yaml"}},
	{Path: "internal/scorecard", Pure: true, May: []string{"rubric"}},
	{Path: "internal/outcome", Pure: true, May: []string{"internal/scorecard"}},
	{Path: "docs/schema", Pure: true},
	{Path: "internal/cardfile", Pure: true, May: []string{"rubric", "internal/scorecard"}},

	// Evidence: from two commits to the state of every item.
	{Path: "internal/linemap", Pure: true},
	{Path: "internal/syntax", Pure: true, May: []string{"internal/linemap"}},
	{Path: "internal/search", Pure: true,
		Libraries: []string{"mvdan.cc/sh/v3"}},
	{Path: "internal/plan", Pure: true, May: []string{"internal/scorecard", "internal/search"}},
	{Path: "internal/gitmirror", May: []string{"internal/search"}},
	{Path: "internal/evidence", Pure: true,
		May: []string{"internal/scorecard", "internal/outcome", "internal/search", "internal/linemap", "internal/syntax"}},

	// Judging and the pipeline.
	{Path: "internal/judge", May: []string{"internal/scorecard", "internal/outcome"}},
	{Path: "internal/rescore", May: []string{"rubric", "internal/scorecard", "internal/outcome", "internal/search",
		"internal/plan", "internal/evidence", "internal/gitmirror", "internal/judge"}},

	// What people read and decide.
	{Path: "internal/policy", Pure: true, May: []string{"rubric", "internal/scorecard", "internal/outcome"},
		Libraries: []string{"github.com/goccy/go-yaml"}},
	{Path: "internal/report", Pure: true, May: []string{"rubric", "internal/scorecard", "internal/outcome", "internal/linemap"}},
	{Path: "internal/explain", Pure: true, May: []string{"rubric", "internal/scorecard"}},
	{Path: "internal/lint", Pure: true, May: []string{"internal/scorecard", "internal/outcome", "internal/plan"}},
	{Path: "internal/cardrepo", Pure: true, May: []string{"rubric", "internal/scorecard", "internal/search", "internal/plan"}},
	{Path: "internal/mutate", May: []string{"internal/scorecard", "internal/outcome", "internal/search", "internal/plan",
		"internal/evidence", "internal/gitmirror", "internal/rescore", "internal/cardrepo"}},
	{Path: "internal/bench", May: []string{"internal/cardrepo", "internal/scorecard", "internal/outcome", "internal/cardfile",
		"internal/gitmirror", "internal/rescore", "internal/standin"}},
	{Path: "internal/command", Pure: true, Libraries: []string{"github.com/yuin/goldmark"}},

	// The serving side.
	{Path: "internal/config", May: []string{"internal/judge/known"}},
	{Path: "internal/job", May: []string{"internal/store"}},
	{Path: "internal/store"},
	{Path: "internal/ghclient"},
	{Path: "internal/webhook", May: []string{"internal/job", "internal/store", "internal/command"}},
	{Path: "internal/publish", May: []string{"internal/ghclient", "internal/store", "internal/report", "internal/outcome"}},
	{Path: "internal/worker", May: []string{"internal/scorecard", "internal/outcome", "internal/cardfile",
		"internal/gitmirror", "internal/rescore", "internal/policy", "internal/report/...", "internal/command",
		"internal/job", "internal/store", "internal/ghclient", "internal/publish"}},
	{Path: "internal/app", May: []string{"rubric", "internal/..."}},

	// The stand-in, the demo and the command line.
	{Path: "internal/standin"},
	{Path: "testdata", Pure: true, Libraries: []string{"github.com/goccy/go-yaml"}},
	{Path: "internal/demo", May: []string{"testdata", "internal/app", "internal/config", "internal/standin"}},
	{Path: "cmd", May: []string{"rubric", "docs/schema", "internal/..."}},

	// Support of the tests.
	{Path: "internal/testenv"},
	{Path: "internal/archtest"},
}

// ioPackages are the packages of the standard library that touch the world; a
// trailing "/" takes in everything below.
var ioPackages = []string{
	"os", "os/", "net", "net/http", "net/http/", "net/rpc", "net/rpc/", "net/smtp", "net/textproto",
	"database/sql", "database/sql/", "syscall", "plugin", "log/syslog", "io/ioutil", "crypto/tls",
}

// anyone lists what every room may import.
var anyone = []string{"internal/lazy", "internal/nearest"}

// executors are the rooms whose code, outside tests, may start a process.
var executors = []string{"internal/gitmirror", "internal/standin", "internal/testenv", "internal/bench"}

// Executors returns the rooms whose code may start a process.
func Executors() []string { return slices.Clone(executors) }

// testOnly are packages that only tests may import.
var testOnly = []string{"internal/testenv", "internal/archtest", "internal/standin/contract"}

// within reports whether the package path lies in the room or below it.
func within(room, path string) bool {
	return path == room || strings.HasPrefix(path, room+"/")
}

// roomOf returns the room of a package path relative to the module.
func roomOf(rooms []Room, path string) (Room, bool) {
	var best Room
	found := false
	for _, r := range rooms {
		if within(r.Path, path) && (!found || len(r.Path) > len(best.Path)) {
			best, found = r, true
		}
	}
	return best, found
}

// listed reports whether list names the package path, itself or by a pattern:
// "dir/..." is everything at and below dir, "dir/" everything below it.
func listed(list []string, path string) bool {
	for _, entry := range list {
		switch {
		case strings.HasSuffix(entry, "/..."):
			if within(strings.TrimSuffix(entry, "/..."), path) {
				return true
			}
		case strings.HasSuffix(entry, "/"):
			if strings.HasPrefix(path, entry) {
				return true
			}
		case entry == path:
			return true
		}
	}
	return false
}
