package policy

import (
	"time"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Path is where a repository keeps its policy; the same path in the owner's
// ".github" repository holds the default for all of the owner's repositories.
const Path = ".github/rescore.yml"

// Version is the only version of the file's form.
const Version = 1

// When says when the comment on a pull request is written.
type When string

// The choices of comment.when.
const (
	// Changed writes it when a criterion was touched, and keeps one that stands
	// up to date.
	Changed When = "changed"
	Always  When = "always"
	Never   When = "never"
)

// Policy is what a repository asks of the app. Without a file it is Default.
type Policy struct {
	Name       string   // file it was read from; "" for Default
	Card       string   // path of the committed card; "" looks in the usual places
	Judges     []string // in order; empty leaves the choice to the configuration
	DryRun     bool     // what would fail is told and does not fail
	FailOn     FailOn
	Exceptions []Exception
	Comment    When
}

// FailOn is what makes a check fail. Its zero value never does.
type FailOn struct {
	// Drop fails when the total falls by that much or more, in thousandths,
	// before any rounding; 0 when not asked for.
	Drop int
	// Minimum fails when the printed total is lower, in thousandths; 0 when not
	// asked for. Printed means rounded to one decimal, which also gives the band.
	Minimum int
	// NewCriticalGap fails when a criterion owes a critical gap that it did not
	// owe before.
	NewCriticalGap bool
	// NeedsReview fails while evidence broke and nobody has decided.
	NeedsReview bool
	// Parameters may not fall, in either mechanism.
	Parameters []Selector
}

// Selector names parameters: "C4.S", "C4.*", "*.D" or "*.*".
type Selector struct {
	Criterion string                // "C1".."C10" or "*"
	Parameter scorecard.ParameterID // or "*"
}

// Matches reports whether the selector names the parameter.
func (s Selector) Matches(criterion string, id scorecard.ParameterID) bool {
	return (s.Criterion == "*" || s.Criterion == criterion) && (s.Parameter == "*" || s.Parameter == id)
}

// Exception keeps a known weakness of one criterion, or of one of its
// parameters, from failing the check until a date. It is told in every check.
type Exception struct {
	Criterion string
	Parameter scorecard.ParameterID // "" for the whole criterion
	Reason    string
	Expires   time.Time // start of the last day on which it holds, in UTC
}

// Active reports whether the exception holds at now: through its last day, UTC.
func (e Exception) Active(now time.Time) bool {
	return now.Before(e.Expires.AddDate(0, 0, 1))
}

// place names what is excepted: "C4" or "C4 S".
func (e Exception) place() string {
	if e.Parameter == "" {
		return e.Criterion
	}
	return e.Criterion + " " + string(e.Parameter)
}

// Default is the policy of a repository without a file: a check never fails.
func Default() *Policy { return &Policy{Comment: Changed} }

// WantsComment reports whether the comment is to be written: standing says that
// one already stands on the pull request.
func (p *Policy) WantsComment(o *outcome.Outcome, standing bool) bool {
	switch p.Comment {
	case Always:
		return true
	case Never:
		return false
	}
	return standing || touched(o) > 0
}

// touched counts the criteria that were not carried.
func touched(o *outcome.Outcome) int {
	n := 0
	for i := range o.Criteria {
		if o.Criteria[i].Verdict != outcome.Carried {
			n++
		}
	}
	return n
}
