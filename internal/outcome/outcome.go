package outcome

import "github.com/rescore-app/rescore/internal/scorecard"

// Schema names the JSON form.
const Schema = "rescore.outcome/1"

// State is what became of an evidence item at head.
type State string

// The states, from what holds to what does not.
const (
	Intact       State = "intact"
	Moved        State = "moved"
	Reformatted  State = "reformatted"
	Edited       State = "edited"
	Gone         State = "gone"
	Unverifiable State = "unverifiable"
)

// Holds reports whether the item still proves what it proved.
func (s State) Holds() bool { return s == Intact || s == Moved || s == Reformatted }

// Verdict is the outcome of one criterion.
type Verdict string

// The verdicts.
const (
	Carried     Verdict = "carried"      // no evidence file changed
	Reverified  Verdict = "reverified"   // touched, everything holds
	Rejudged    Verdict = "rejudged"     // a judge decided
	NeedsReview Verdict = "needs_review" // evidence broke and nobody has decided yet
)

// Flag marks something a reader should look at although no level moved.
type Flag string

// The flags.
const (
	PossibleImprovement Flag = "possible_improvement" // an L0 or a critical gap rests on code that changed
	CapInQuestion       Flag = "cap_in_question"      // evidence of a capped mechanism broke; the cap stays
)

// Conclusion is the check run's conclusion.
type Conclusion string

// The conclusions we use.
const (
	Success Conclusion = "success"
	Neutral Conclusion = "neutral"
	Failure Conclusion = "failure"
)

// Line is one matching line of a search, or one changed line.
type Line struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Item is one evidence item before and after.
type Item struct {
	Before scorecard.Evidence
	After  scorecard.Evidence // where the item stands at head; equals Before when gone or unverifiable
	State  State
	Reason string   // plain words for edited, gone, unverifiable; where it holds, a note or ""
	New    []Line   // search: lines that match at head and did not before (bounded)
	Lost   []Line   // search: lines that matched before and no longer do (bounded)
	Quote  []string // citation, edited or gone: the cited lines before (bounded), for a reader
	Now    []string // citation, edited: the lines at head that took their place (bounded)
	// Ambiguous: two places at head are equally good; After names the first.
	Ambiguous bool
}

// Parameter is one parameter of a touched mechanism.
type Parameter struct {
	ID            scorecard.ParameterID
	Before, After scorecard.Parameter
	DecidedBy     string // judge name, "rule" for a consequence of the method, "" when nothing was decided
	NeedsReview   bool
	Items         []Item
}

// Mechanism is one mechanism of a touched criterion.
type Mechanism struct {
	Kind       scorecard.MechanismKind
	Parameters []Parameter
}

// Span is a figure before and after with the interval of what is unproven, in
// thousandths of a point.
type Span struct {
	Before, After, Low, High int
}

// Criterion is the outcome of one criterion. A carried one has no Mechanisms.
type Criterion struct {
	ID          string
	Name        string
	Verdict     Verdict
	Counted     scorecard.MechanismKind // at head
	CapBefore   string
	CapAfter    string
	Score       Span
	TouchedBy   []string // changed paths that its evidence reads, sorted
	Flags       []Flag
	Mechanisms  []Mechanism
	Gaps        []Gap  // critical gaps of this criterion with evidence that was read
	CarriedFrom string // commit at which the criterion was last verified or judged
}

// Gap is a critical gap's evidence before and after.
type Gap struct {
	Summary string
	Items   []Item
}

// LogEntry is one change of level.
type LogEntry struct {
	Criterion string
	Parameter scorecard.ParameterID
	Mechanism scorecard.MechanismKind
	From, To  string // "L0".."L4" or "SA"
	By        string // judge name, "rule", or a person's login
	Reason    string
}

// Watch is a changed, uncited line that the rubric says may bear on a criterion.
type Watch struct {
	Criterion string `json:"criterion"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Signal    string `json:"signal"`
}

// ProseRef is a `path:lines` token inside prose and what became of it.
type ProseRef struct {
	Where  string // for example "rule_of_two.untrusted_input" or "C4.notes"
	Before string // token as written
	After  string // token at head; equals Before when it was not followed
	State  State  // moved, intact, edited, gone, or unverifiable when it does not map to one place
	Reason string
}

// Cost counts the work.
type Cost struct {
	BlobsRead    int64 `json:"blobs_read"`
	GitProcesses int64 `json:"git_processes"`
	ElapsedMS    int64 `json:"elapsed_ms"`
	// ResultsReused are results of searches, in a directory or a file, that were
	// known from other commits.
	ResultsReused int64 `json:"results_reused,omitempty"`
}

// Scorer says what produced the outcome.
type Scorer struct {
	Version string   `json:"version"`
	Rubric  string   `json:"rubric"`
	Judges  []string `json:"judges"`
}

// Outcome is the whole result.
type Outcome struct {
	Repo       string
	CardCommit string // commit the given card is pinned to
	Base, Head string
	Scorer     Scorer
	Score      Span // thousandths of the total
	BandBefore string
	BandAfter  string
	Conclusion Conclusion
	Title      string   // one line, the verdict in plain words
	Reasons    []string // why the conclusion is what it is, worst first
	Criteria   []Criterion
	Log        []LogEntry
	Watch      []Watch
	Prose      []ProseRef
	NewGaps    []string // criteria that owe a critical gap at head and did not before
	Cost       Cost

	Before *scorecard.Card // the card at base
	After  *scorecard.Card // the card at head
}
