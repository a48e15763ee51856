package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/riverqueue/river"
)

// The kinds.
const (
	KindPush         = "push"
	KindPullRequest  = "pull_request"
	KindCommand      = "command"
	KindRerequest    = "rerequest"
	KindInstallation = "installation"
	KindSweep        = "sweep"
)

// Priorities, from 1 (first) to 4: what a person waits for goes first.
const (
	priorityAsked      = 1
	priorityPull       = 2
	priorityPush       = 3
	priorityBackground = 4
)

// Queues. Background work has one worker of its own, so that a large
// installation never stands in the way of a pull request.
const (
	QueueDefault    = river.QueueDefault
	QueueBackground = "background"
)

// Origin says where a job comes from. Delivery and Seq are set when the job is
// stored; a job of our own making has neither.
type Origin struct {
	Delivery       string `json:"delivery,omitempty"` // X-GitHub-Delivery
	Seq            int64  `json:"seq,omitempty"`      // the delivery's number in the store
	InstallationID int64  `json:"installation_id"`
	RepoID         int64  `json:"repo_id,omitempty"`
}

// From returns the origin itself; it lets code read the origin of any kind.
func (o Origin) From() Origin { return o }

// Args are the arguments of one kind of job.
type Args interface {
	river.JobArgs
	From() Origin
	// subject is what the job makes right, so that one job covers the deliveries
	// before it; "" for jobs that are each done for themselves.
	subject() string
	// stamped returns the arguments with the delivery they come from.
	stamped(delivery string, seq int64) Args
}

func (o Origin) stamp(delivery string, seq int64) Origin {
	o.Delivery, o.Seq = delivery, seq
	return o
}

// Push makes the baseline and the check of the default branch right.
type Push struct {
	Origin
	After string `json:"after,omitempty"` // commit that was pushed; "" for wherever the branch stands
}

// PullRequest makes the check and the comment of a pull request right.
type PullRequest struct {
	Origin
	Number int    `json:"number"`
	Head   string `json:"head,omitempty"` // as the event told; git says what it is now
	Action string `json:"action,omitempty"`
}

// Command does what a person asked in a comment.
type Command struct {
	Origin
	Number    int      `json:"number"`
	CommentID int64    `json:"comment_id"`
	Sender    string   `json:"sender"` // login
	Verb      string   `json:"verb"`   // see package command
	Criteria  []string `json:"criteria,omitempty"`
	All       bool     `json:"all,omitempty"`
	Word      string   `json:"word,omitempty"` // what was not understood, bounded
}

// Rerequest posts a check again as a new run.
type Rerequest struct {
	Origin
	Head   string `json:"head"`
	Number int    `json:"number,omitempty"` // pull request; 0 for the default branch
	Suite  bool   `json:"suite,omitempty"`  // every check of ours at the head
}

// Installation learns which repositories the App was given, and begins with them. With a
// RepoID it is about that one alone.
type Installation struct {
	Origin
	Action string  `json:"action"`
	Repos  []int64 `json:"repos,omitempty"` // those the event names; none means all
}

// Sweep asks GitHub to deliver failed deliveries again and tidies up.
type Sweep struct{}

// Kind names the kind.
func (Push) Kind() string { return KindPush }

// Kind names the kind.
func (PullRequest) Kind() string { return KindPullRequest }

// Kind names the kind.
func (Command) Kind() string { return KindCommand }

// Kind names the kind.
func (Rerequest) Kind() string { return KindRerequest }

// Kind names the kind.
func (Installation) Kind() string { return KindInstallation }

// Kind names the kind.
func (Sweep) Kind() string { return KindSweep }

func (a Push) stamped(d string, n int64) Args         { a.Origin = a.stamp(d, n); return a }
func (a PullRequest) stamped(d string, n int64) Args  { a.Origin = a.stamp(d, n); return a }
func (a Command) stamped(d string, n int64) Args      { a.Origin = a.stamp(d, n); return a }
func (a Rerequest) stamped(d string, n int64) Args    { a.Origin = a.stamp(d, n); return a }
func (a Installation) stamped(d string, n int64) Args { a.Origin = a.stamp(d, n); return a }

func (a Push) subject() string        { return BranchSubject(a.RepoID) }
func (a PullRequest) subject() string { return PullSubject(a.RepoID, a.Number) }
func (a Command) subject() string     { return AskedSubject(a) }
func (Rerequest) subject() string     { return "" }
func (Installation) subject() string  { return "" }

// InsertOpts sets the queue and the priority.
func (a Push) InsertOpts() river.InsertOpts {
	if a.Seq == 0 { // of our own making: the first check of a repository, nobody waits for it
		return river.InsertOpts{Priority: priorityBackground}
	}
	return river.InsertOpts{Priority: priorityPush}
}

// InsertOpts sets the priority.
func (a PullRequest) InsertOpts() river.InsertOpts {
	if a.Seq == 0 { // of our own making, perhaps one of many: what somebody just did goes first
		return river.InsertOpts{Priority: priorityBackground}
	}
	return river.InsertOpts{Priority: priorityPull}
}

// InsertOpts sets the priority.
func (Command) InsertOpts() river.InsertOpts { return river.InsertOpts{Priority: priorityAsked} }

// InsertOpts sets the priority.
func (Rerequest) InsertOpts() river.InsertOpts { return river.InsertOpts{Priority: priorityAsked} }

// InsertOpts sets the queue.
func (Installation) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Priority: priorityBackground, Queue: QueueBackground}
}

// InsertOpts sets the queue. One sweep at a time waits or runs: a second finds
// nothing the first does not.
func (Sweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		Priority: priorityBackground, Queue: QueueBackground,
		UniqueOpts: river.UniqueOpts{ByQueue: true, ByState: unfinished},
	}
}

// PullSubject names what is published for a pull request: one job at a time works
// on a subject.
func PullSubject(repoID int64, number int) string {
	return fmt.Sprintf("repo/%d/pull/%d", repoID, number)
}

// AskedSubject names what a command asks for. Of several that ask for the same work, a
// run that begins after all of them came is the answer to all.
func AskedSubject(a Command) string {
	words := strings.Join(a.Criteria, ",")
	if a.All {
		words = "all"
	}
	return fmt.Sprintf("%s/%s/%s", PullSubject(a.RepoID, a.Number), a.Verb, words)
}

// Told names, in the store's progress, the last delivery that told of a subject:
// work that began before it may be about an old head.
func Told(subject string) string { return "told/" + subject }

// BranchSubject names what is published for the default branch.
func BranchSubject(repoID int64) string { return fmt.Sprintf("repo/%d/default", repoID) }

// ExternalID is what we tell GitHub of a check run so that it is found again:
// which pull request it speaks of (0 for the default branch), and a digest of
// what caused it. The same cause always gives the same id; a caller whose answers to
// one cause may differ names in it what they follow from.
func ExternalID(number int, head, cause string) string {
	sum := sha256.Sum256([]byte(head + "\x00" + cause))
	id := hex.EncodeToString(sum[:10])
	if number == 0 {
		return "default/" + id
	}
	return fmt.Sprintf("pull/%d/%s", number, id)
}

// PullOfExternalID reads the pull request from an id that ExternalID made: 0 for
// the default branch. ok is false for any other text.
func PullOfExternalID(id string) (number int, ok bool) {
	if strings.HasPrefix(id, "default/") {
		return 0, true
	}
	rest, ok := strings.CutPrefix(id, "pull/")
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(rest, "/")
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n <= 0 {
		return 0, false
	}
	return int(n), true
}
