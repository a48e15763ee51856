package gitmirror

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// Sentinels. Match them with errors.Is; the error that carries them says which
// repository, revision or object it is about.
var (
	// ErrNotRepository: the directory exists and holds no git repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrEmpty: the repository has no commit yet.
	ErrEmpty = errors.New("the repository has no commits yet")
	// ErrUnknownRev: no commit of that name here, or at the remote of a fetch.
	ErrUnknownRev = errors.New("unknown commit")
	// ErrNoMergeBase: the two commits share no history.
	ErrNoMergeBase = errors.New("no common ancestor")
	// ErrUnrelated: neither of two commits is an ancestor of the other.
	ErrUnrelated = errors.New("neither commit is an ancestor of the other")
	// ErrNotFound: the commit has nothing at that path.
	ErrNotFound = errors.New("no such path in the commit")
	// ErrMissing: the repository knows of the object and does not hold it. A
	// mirror gets it with FetchBlobs.
	ErrMissing = errors.New("object is not in this repository")
	// ErrTooLarge: an object, a listing or git's output exceeds its limit.
	ErrTooLarge = errors.New("larger than the limit")
	// ErrWrongType: the object is not of the type that was asked for.
	ErrWrongType = errors.New("object has another type")
	// ErrCorrupt: git or this package found the repository damaged. A mirror is
	// discarded when it is closed after that, and the next Get begins a new one.
	ErrCorrupt = errors.New("the repository is damaged")
	// ErrNoGit: there is no usable git executable.
	ErrNoGit = errors.New("git not found: install git 2.31 or newer and put it on the PATH")
	// ErrClosed: the Repo was used after Close.
	ErrClosed = errors.New("repository is closed")

	// ErrUnauthorized: the remote did not accept the token, or wants one.
	ErrUnauthorized = errors.New("the remote refused the credentials")
	// ErrForbidden: the remote knows the token and denies the access.
	ErrForbidden = errors.New("the remote denied access")
	// ErrRemoteNotFound: no such repository, or the token may not know of it.
	ErrRemoteNotFound = errors.New("the remote repository does not exist or is hidden from this token")
	// ErrRedirected: the repository moved. Ask the API for its present name by id.
	ErrRedirected = errors.New("the remote repository has moved")
	// ErrUnavailable: the remote or the network failed in a way that may pass.
	ErrUnavailable = errors.New("the remote is not available")
	// ErrRemoteURL: the URL is one that is never fetched from.
	ErrRemoteURL = errors.New("remote URL refused")
)

// GitError is a git process that failed.
type GitError struct {
	Args     []string // subcommand and arguments; never a secret
	ExitCode int      // -1 when a signal ended it
	Stderr   string   // the end of git's standard error, secrets replaced, bounded
	kind     error    // the sentinel that Stderr was recognised as, or nil
}

// Error names the subcommand, the status and what git said.
func (e *GitError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "git %s", e.Args[0])
	if e.kind != nil {
		fmt.Fprintf(&b, ": %s", e.kind)
	}
	fmt.Fprintf(&b, " (exit status %d", e.ExitCode)
	if said := cause(e.Stderr); said != "" {
		fmt.Fprintf(&b, ": %s", said)
	}
	b.WriteString(")")
	return b.String()
}

// cause returns the last few different lines, of those that git marks as errors
// when there are any.
func cause(text string) string {
	const most = 4
	marked := strings.Contains(text, "fatal: ") || strings.Contains(text, "error: ")
	var lines []string
	for _, line := range slices.Backward(strings.Split(text, "\n")) {
		line = strings.TrimSpace(line)
		if line == "" || slices.Contains(lines, line) {
			continue
		}
		if marked && !strings.Contains(line, "fatal: ") && !strings.Contains(line, "error: ") {
			continue
		}
		if lines = append(lines, line); len(lines) == most {
			break
		}
	}
	slices.Reverse(lines)
	return strings.Join(lines, "; ")
}

// Unwrap returns the sentinel, if git's words were recognised.
func (e *GitError) Unwrap() error { return e.kind }

// RevError is a revision that names no commit. It wraps ErrUnknownRev or ErrEmpty.
type RevError struct {
	Rev     string
	Shallow bool // the repository is a shallow clone, so history may be cut off
	kind    error
}

// Error names the revision and the remedy.
func (e *RevError) Error() string {
	switch {
	case errors.Is(e.kind, ErrEmpty):
		return fmt.Sprintf("revision %q: %s; commit something first", clip(e.Rev), e.kind)
	case e.Shallow:
		return fmt.Sprintf("revision %q: %s in this shallow clone; fetch the rest of its history with \"git fetch --unshallow\"", clip(e.Rev), e.kind)
	}
	return fmt.Sprintf("revision %q: %s in this repository; check the spelling, or fetch the commit first", clip(e.Rev), e.kind)
}

// Unwrap returns ErrUnknownRev or ErrEmpty.
func (e *RevError) Unwrap() error { return e.kind }

// diagnoses maps git's words (LC_ALL=C) to sentinels; the first match wins. The
// words are those of builtin/, http.c, remote-curl.c and object-file.c in git.
var diagnoses = []struct {
	words func() *regexp.Regexp
	kind  error
}{
	{lazy.Regexp(`could not read (Username|Password)|Authentication failed|returned error: 401`), ErrUnauthorized},
	{lazy.Regexp(`returned error: 403`), ErrForbidden},
	{lazy.Regexp(`returned error: 404|repository '.*' not found|does not appear to be a git repository`), ErrRemoteNotFound},
	{lazy.Regexp(`returned error: 30[1278]|unable to update url base from redirection`), ErrRedirected},
	{lazy.Regexp(`is corrupt|corrupt loose object|inflate: data stream error|object file .* is empty|unable to (unpack|parse) .* header|` +
		`packfile .* (cannot be|does not match|claims to have|signature mismatch)|is far too short to be a packfile|is not a GIT packfile|` +
		`index file .* (is too small|is corrupt)|wrong index v\d file size|non-monotonic index|failed to read object .* at offset|` +
		`bad config|not a git repository|garbage at end of|hash mismatch`), ErrCorrupt},
	{lazy.Regexp(`not our ref|couldn't find remote ref|bad object|Not a valid (commit|object) name`), ErrUnknownRev},
	{lazy.Regexp(`unable to read|[Cc]ould not read [0-9a-f]{40}|[Ff]ailed to traverse parents|could not fetch [0-9a-f]{40,} from promisor|revision walk setup failed`), ErrMissing},
	{lazy.Regexp(`transport '.*' not allowed|protocol '.*' is not (supported|allowed)`), ErrRemoteURL},
	{lazy.Regexp(`returned error: (429|5\d\d)|Could not resolve|Failed to connect|Connection (refused|reset|timed out)|` +
		`timed out|too slow|early EOF|unexpected disconnect|hung up|RPC failed|SSL|TLS|gnutls|HTTP/2 stream|Empty reply`), ErrUnavailable},
}

func diagnose(stderr string) error {
	for _, d := range diagnoses {
		if d.words().MatchString(stderr) {
			return d.kind
		}
	}
	return nil
}
