package scorecard

import "slices"

// Severity says whether a card with the problem can be built on.
type Severity string

// The two severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Strictness says whose card is validated.
type Strictness int

// Lenient is for cards that others published: what is merely missing there is a
// warning. Strict is for what we write ourselves.
const (
	Lenient Strictness = iota
	Strict
)

// RuleFigures is the rule of problems with printed figures: the levels and what
// the file prints for them disagree.
const RuleFigures = "F-FIGURES"

// Problem is one fault of a card.
type Problem struct {
	Severity Severity
	Place    string // for example "C4 default S evidence 2"
	Rule     string // id of the rule that is broken; rubric.Rule has its text
	Message  string
	Fix      string // how to mend it
}

// String is one line: place, message, rule and fix.
func (p Problem) String() string {
	s := p.Place + ": " + p.Message + " (" + p.Rule + ")"
	if p.Fix != "" {
		s += "; " + p.Fix
	}
	return s
}

// quietRules are the rules that a report cannot satisfy because it has no room for
// what they ask.
var quietRules = []string{ruleQuote, ruleQuoteG1}

// Quiet reports whether the problem comes from the form of the file rather than
// from its author: reports hold no quotes. A reader of the card need not be told
// each time.
func (p Problem) Quiet() bool {
	return p.Severity == Warning && p.WantsQuote()
}

// WantsQuote reports whether the problem is a missing quote.
func (p Problem) WantsQuote() bool { return slices.Contains(quietRules, p.Rule) }

// HasErrors reports whether any of the problems keeps the card from being used.
func HasErrors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
}

// Rules that this package checks. Their texts are in package rubric.
const (
	ruleAboveS     = "R-ABOVE-S"
	ruleInferred   = "R-INFERRED-L2"
	ruleAltG1      = "R-ALT-G1"
	ruleWorstCase  = "R-WORSTCASE"
	ruleSASearch   = "R-SA-SEARCH"
	ruleEvidence   = "R-EVIDENCE"
	ruleQuote      = "R-QUOTE"
	ruleQuoteG1    = "R-QUOTE-G1"
	ruleGap        = "R-GAP"
	ruleCritical   = "R-CRITICAL-GAP"
	ruleOnAlt      = "Q-WORSTCASE"
	ruleHits       = "Q-SEARCH-HITS"
	ruleSearchRun  = "Q-SEARCH-RUN"
	ruleCriteria   = "F-CRITERIA"
	ruleMechanisms = "F-MECHANISMS"
	ruleAbsent     = "F-ABSENT"
	ruleLevel      = "F-LEVEL"
	ruleStatus     = "F-STATUS"
	ruleFinding    = "F-FINDING"
	ruleCap        = "F-CAP"
	ruleCitation   = "F-CITATION"
	ruleSearch     = "F-SEARCH"
	ruleGapForm    = "F-CRITICAL-GAP"
	ruleHead       = "F-HEAD"
	ruleProfile    = "F-PROFILE"
	ruleProse      = "F-PROSE"
	ruleTwo        = "F-RULE-OF-TWO"
	ruleFixes      = "F-FIXES"
	ruleLog        = "F-LOG"
	ruleLimits     = "F-LIMITATIONS"
)
