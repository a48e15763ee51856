package scorecard

import (
	"fmt"
	"slices"
	"strconv"
)

// Card is one agent's scorecard at one pinned commit.
//
// Computed figures (scores, bands, confidence, permalinks) are not stored: they
// follow from the levels through Score and from the commit through Permalink.
// What a file printed for them is kept in Printed so that a reader can compare.
type Card struct {
	SchemaVersion       string // "2.0"
	ScorecardVersion    string // version of the method, "0.9"
	ID                  string // slug, [a-z0-9][a-z0-9-]*
	Name                string
	RepoURL             string // https, without a trailing slash or ".git"
	Subpath             string // "" when the whole repository is scored
	Description         string
	Category            string // category id, for example "agent_frameworks"
	PinnedCommit        string // 40 lower-case hex digits
	Version             string // "" when the report names none
	ScoredDate          string // YYYY-MM-DD
	ScoredConfiguration string
	Profile             []Capability // in the order of Capabilities
	Headline            string
	Criteria            []Criterion // exactly ten, C1..C10
	CriticalGaps        []CriticalGap
	RuleOfTwo           RuleOfTwo
	Fixes               []Fix
	ReauditLog          []LogEntry
	Limitations         []string

	Printed *Printed // figures as the source file printed them; nil for a card of our own making
}

// Capability is one line of the agent's surface: an id of Capabilities and
// "yes", "no" or "opt_in".
type Capability struct {
	ID    string
	Value string
}

// Capabilities lists the ids of the capability profile in their printed order.
var Capabilities = []string{
	"code_execution", "filesystem_write", "network_egress", "external_credentials",
	"persistent_memory", "untrusted_input", "third_party_extensions", "sub_agents",
	"external_communication",
}

// CriterionStatus tells whether a criterion is scored or absent as a whole.
type CriterionStatus string

// The two states of a criterion.
const (
	StatusScored            CriterionStatus = "scored"
	StatusStructuralAbsence CriterionStatus = "structural_absence"
)

// Criterion is one of C1..C10.
type Criterion struct {
	ID              string // "C1".."C10"
	Name            string
	OWASP           []string
	Question        string
	Summary         string
	Status          CriterionStatus
	Mechanisms      []Mechanism // default first, then at most one alt; one "structural absence" mechanism when absent as a whole
	Notes           string
	AbsenceEvidence []Evidence // when absent as a whole
}

// MechanismKind is "default" or "alt".
type MechanismKind string

// The two kinds of mechanism.
const (
	Default MechanismKind = "default"
	Alt     MechanismKind = "alt"
)

// Mechanism is a control that a criterion rates.
type Mechanism struct {
	Kind       MechanismKind
	Label      string
	Caps       []Cap        // in printed order; the effective one is EffectiveCap
	Parameters [4]Parameter // S, C, D, B
}

// Cap limits a mechanism's score. Max follows from the rubric.
type Cap struct {
	ID     string
	Reason string
}

// ParameterID is "S", "C", "D" or "B".
type ParameterID string

// The four parameters, in printed order.
const (
	S ParameterID = "S"
	C ParameterID = "C"
	D ParameterID = "D"
	B ParameterID = "B"
)

// ParameterName names a parameter of a criterion for people: "C4 S", or "C4 alt S" of
// its opt-in mechanism.
func ParameterName(criterion string, kind MechanismKind, id ParameterID) string {
	if kind == Alt {
		return criterion + " alt " + string(id)
	}
	return criterion + " " + string(id)
}

// ParameterIDs lists the four parameters in printed order; Mechanism.Parameters
// uses the same order.
var ParameterIDs = [4]ParameterID{S, C, D, B}

// RatingStatus says whether a level was read in code or inferred.
type RatingStatus string

// The two rating statuses.
const (
	Verified RatingStatus = "verified"
	Inferred RatingStatus = "inferred"
)

// Level is L0..L4 as 0..4.
type Level int

// MaxLevel is L4.
const MaxLevel Level = 4

// String returns "L0".."L4".
func (l Level) String() string { return "L" + strconv.Itoa(int(l)) }

// Parameter is one rated parameter of a mechanism.
type Parameter struct {
	ID       ParameterID
	Level    Level // 4 when SA
	SA       bool  // structural absence
	Status   RatingStatus
	Finding  string
	Gap      string // what the next level asks for; "" at L4 and SA
	Evidence []Evidence
}

// LevelString returns "SA" or the level.
func (p Parameter) LevelString() string {
	if p.SA {
		return "SA"
	}
	return p.Level.String()
}

// Evidence is one evidence item: a citation when File is set, else a search.
type Evidence struct {
	// Citation
	File     string
	Lines    LineRange
	Contains string // quote that must stand within the lines; "" when none was given
	// Search
	Search string // the command, `rg ...`
	Scope  string // scope paths separated by spaces
	Hits   int    // matching lines over the scope

	Note string
}

// IsSearch tells a search from a citation.
func (e Evidence) IsSearch() bool { return e.File == "" }

// CriticalGap is one entry of the report's critical gaps.
type CriticalGap struct {
	Summary   string
	OWASP     []string
	Criterion string
	Evidence  []Evidence
}

// RuleOfTwo is the report's Rule-of-Two check.
type RuleOfTwo struct {
	UntrustedInput      string
	SensitiveData       string
	StateChangeOrEgress string
	SameSession         bool
}

// Fix is one of the highest-impact improvements. Its estimated gain is computed.
type Fix struct {
	Summary   string
	Criterion string
	Parameter ParameterID
	From, To  Level
	Playbook  string // "" when none
}

// LogEntry is one change of level in the re-audit log.
type LogEntry struct {
	Criterion string
	Parameter ParameterID
	From, To  string // "L0".."L4" or "SA"
	Reason    string
}

// Printed holds the computed figures as a source file printed them, so that a
// disagreement with the levels can be shown instead of passed over.
type Printed struct {
	Total      string
	Band       string
	Applicable string             // the whole line, or the JSON object's text; "" when absent
	Criteria   []PrintedCriterion // in printed order
	Problems   []string           // places where a report contradicts itself (table against detail)
}

// PrintedCriterion is what a file printed for one criterion.
type PrintedCriterion struct {
	ID         string
	Score      string
	Raw        string
	Cap        string
	Counted    string // "default" or "alt"
	Confidence string
}

// ByID returns the criterion with the id, or nil.
func (c *Card) ByID(id string) *Criterion {
	for i := range c.Criteria {
		if c.Criteria[i].ID == id {
			return &c.Criteria[i]
		}
	}
	return nil
}

// ByKind returns the mechanism of the kind, or nil.
func (c *Criterion) ByKind(k MechanismKind) *Mechanism {
	for i := range c.Mechanisms {
		if c.Mechanisms[i].Kind == k {
			return &c.Mechanisms[i]
		}
	}
	return nil
}

// ByID returns the parameter with the id; it panics on an unknown id, which is a
// programming error.
func (m *Mechanism) ByID(id ParameterID) *Parameter {
	i := slices.Index(ParameterIDs[:], id)
	if i < 0 {
		panic(fmt.Sprintf("scorecard: no parameter %q", id))
	}
	return &m.Parameters[i]
}

// Clone returns a deep copy.
func (c *Card) Clone() *Card {
	out := *c
	out.Profile = slices.Clone(c.Profile)
	out.Criteria = make([]Criterion, len(c.Criteria))
	for i := range c.Criteria {
		out.Criteria[i] = c.Criteria[i].Clone()
	}
	out.CriticalGaps = slices.Clone(c.CriticalGaps)
	for i := range out.CriticalGaps {
		out.CriticalGaps[i].OWASP = slices.Clone(out.CriticalGaps[i].OWASP)
		out.CriticalGaps[i].Evidence = slices.Clone(out.CriticalGaps[i].Evidence)
	}
	out.Fixes = slices.Clone(c.Fixes)
	out.ReauditLog = slices.Clone(c.ReauditLog)
	out.Limitations = slices.Clone(c.Limitations)
	return &out
}

// Clone returns a deep copy.
func (c *Criterion) Clone() Criterion {
	out := *c
	out.OWASP = slices.Clone(c.OWASP)
	out.AbsenceEvidence = slices.Clone(c.AbsenceEvidence)
	out.Mechanisms = slices.Clone(c.Mechanisms)
	for i := range out.Mechanisms {
		out.Mechanisms[i].Caps = slices.Clone(out.Mechanisms[i].Caps)
		for j := range out.Mechanisms[i].Parameters {
			p := &out.Mechanisms[i].Parameters[j]
			p.Evidence = slices.Clone(p.Evidence)
		}
	}
	return out
}

// Permalink returns the web address of a citation at the card's pinned commit,
// in the form GitHub uses.
func (c *Card) Permalink(e Evidence) string {
	return Permalink(c.RepoURL, c.PinnedCommit, e.File, e.Lines)
}
