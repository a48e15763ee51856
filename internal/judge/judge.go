// Package judge is what every judge sees and says: the case of one mechanism
// whose evidence did not all hold, and the rulings on its parameters.
//
// Judges live in packages below this one, one each, and package known lists them.
// They never read a repository on their own account and never see a criterion that
// is carried; a judge may import scorecard, outcome and this package.
package judge

import (
	"context"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Judge decides levels where evidence no longer holds.
//
// Judges are asked in the configured order; each sees in Parameter.Current what
// the ones before it ruled and may rule again on what is not settled.
type Judge interface {
	// Name is the judge's name in configuration, outcome and log.
	Name() string
	// Rule returns at most one ruling per parameter; none means nothing to say.
	// An error means that the judge could not work, not that a rating fell.
	Rule(ctx context.Context, c Case) ([]Ruling, error)
}

// Case is one mechanism of a touched criterion.
type Case struct {
	Criterion  string
	Mechanism  scorecard.MechanismKind
	Caps       []scorecard.Cap
	Parameters [4]Parameter // S, C, D, B
}

// Parameter is one parameter as the card at base rates it, with the state of
// each of its evidence items at head.
type Parameter struct {
	Before  scorecard.Parameter
	Items   []outcome.Item
	Current *Ruling // what earlier judges ruled; nil when nothing
}

// Broken counts the items that do not hold.
func (p Parameter) Broken() int {
	n := 0
	for _, it := range p.Items {
		if !it.State.Holds() {
			n++
		}
	}
	return n
}

// Ruling is a judge's word on one parameter.
type Ruling struct {
	Parameter scorecard.ParameterID
	Level     scorecard.Level
	SA        bool
	Status    scorecard.RatingStatus
	By        string // the judge's name; filled in by the caller
	Reason    string // one sentence for the re-audit log
	Settled   bool   // false: a person has to look, and the score is an interval until then
	// PossibleImprovement says that the code changed where the card records a
	// lack. It never raises a level.
	PossibleImprovement bool
}

// Broken reports whether any item of the case does not hold.
func (c Case) Broken() bool {
	for _, p := range c.Parameters {
		if p.Broken() > 0 {
			return true
		}
	}
	return false
}
