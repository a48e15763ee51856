package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// proposal is what a pull request does to the scorecard itself. It never moves a
// level of the result: the base branch's card is the one that holds until the
// change is merged and verified there.
type proposal struct {
	notes  []string // Markdown of our own making
	doubts []string // plain text; not empty when the card changes
}

// maxDifferences bounds how many differing ratings are listed.
const maxDifferences = 12

// proposedCard reports how the card at head differs from the one that holds. It is
// verified at head, where it would hold from.
func (e *evaluation) proposedCard(ctx context.Context, p rules, b baseline, o *outcome.Outcome) (proposal, error) {
	if e.number == 0 {
		return proposal{}, nil
	}
	at, err := e.find(ctx, e.head, pathsOf(p)...)
	if errors.Is(err, errNoFile) {
		if _, err := e.find(ctx, e.base, b.path); err != nil {
			return proposal{}, ignoreNoFile(err) // the branch never had it
		}
		return proposal{doubts: []string{"This pull request removes the scorecard."},
			notes: []string{fmt.Sprintf("This pull request removes the scorecard at %s.", escape.Code(b.path))}}, nil
	}
	if err != nil {
		return proposal{}, err
	}
	before, err := e.find(ctx, e.base, at.path)
	if err != nil && !errors.Is(err, errNoFile) {
		return proposal{}, err
	}
	if at.oid == before.oid || at.oid == b.blob {
		return proposal{}, nil
	}
	card, checked, err := e.verifiedAtHead(ctx, at)
	var rejected *rejection
	if errors.As(err, &rejected) {
		return proposal{
			doubts: []string{fmt.Sprintf("The scorecard that this pull request brings would not be accepted: %s.", rejected.title)},
			notes: []string{fmt.Sprintf("The scorecard at %s that this pull request brings would not be accepted: %s.\n\n%s\n",
				escape.Code(at.path), escape.Markdown(rejected.title), bullets(rejected.lines))},
		}, nil
	}
	if err != nil {
		return proposal{}, err
	}
	return difference(at.path, checked, card, o.After), nil
}

func ignoreNoFile(err error) error {
	if errors.Is(err, errNoFile) {
		return nil
	}
	return err
}

// verifiedAtHead reads the card at head, brings it from the commit it is pinned to
// to head, and returns it with how many of its evidence items were checked.
func (e *evaluation) verifiedAtHead(ctx context.Context, f file) (*scorecard.Card, int, error) {
	card, err := e.readCard(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	engine, err := e.w.Engine(nil)
	if err != nil {
		return nil, 0, err
	}
	commit := string(e.head)
	if _, err := e.fetch(ctx, card.PinnedCommit); err == nil {
		commit = card.PinnedCommit
	} else if !errors.Is(err, gitmirror.ErrUnknownRev) {
		return nil, 0, err
	}
	v, err := engine.Verify(ctx, e.source(), card, commit)
	if err != nil {
		return nil, 0, err
	}
	if err := notVerified(f.path, v); err != nil {
		return nil, 0, err
	}
	if commit == string(e.head) {
		return card, len(v.Items), nil
	}
	o, err := engine.Rescore(ctx, e.source(), rescore.Request{Card: card, Base: commit, Head: string(e.head)})
	if err != nil {
		return nil, 0, err
	}
	return o.After, len(v.Items), nil
}

// difference lists the ratings in which the proposed card differs from the one
// that holds.
func difference(path string, checked int, proposed, holds *scorecard.Card) proposal {
	p := proposal{doubts: []string{"This pull request changes the scorecard; the change holds once it is merged and verified."}}
	p.notes = append(p.notes, fmt.Sprintf(
		"This pull request changes the scorecard at %s: %s verified. It would say %s where the evidence carried along gives %s. It holds once it is merged.",
		escape.Code(path), count(checked, "evidence item"),
		scorecard.Format1(proposed.Total()), scorecard.Format1(holds.Total())))
	all := differences(proposed, holds)
	for i, d := range all {
		if i == maxDifferences {
			p.notes = append(p.notes, fmt.Sprintf("%d more ratings differ.", len(all)-maxDifferences))
			break
		}
		p.notes = append(p.notes, fmt.Sprintf("%s %s %s: %s proposed, %s carried.", d.criterion, d.mechanism, d.parameter, d.proposed, d.holds))
	}
	return p
}

// rating is one in which two cards differ; "-" stands for a mechanism that only
// one of them scores.
type rating struct {
	criterion       string
	mechanism       scorecard.MechanismKind
	parameter       scorecard.ParameterID
	proposed, holds string
}

// differences compares the levels of two cards, parameter by parameter.
func differences(proposed, holds *scorecard.Card) []rating {
	var out []rating
	for i := range holds.Criteria {
		c := &holds.Criteria[i]
		other := proposed.ByID(c.ID)
		for _, kind := range []scorecard.MechanismKind{scorecard.Default, scorecard.Alt} {
			for k, id := range scorecard.ParameterIDs {
				was, is := levelOf(c, kind, k), levelOf(other, kind, k)
				if was != is {
					out = append(out, rating{c.ID, kind, id, is, was})
				}
			}
		}
	}
	return out
}

func levelOf(c *scorecard.Criterion, kind scorecard.MechanismKind, parameter int) string {
	if c == nil || c.ByKind(kind) == nil {
		return "-"
	}
	return c.ByKind(kind).Parameters[parameter].LevelString()
}

// withoutCard plans the answer where no card holds: what to do, or, when the pull
// request brings the first card, whether it would be accepted.
func (e *evaluation) withoutCard(ctx context.Context, p rules) (plan, error) {
	if e.number == 0 {
		return e.tell("none", noCard(pathsOf(p), e.baseRef)), nil
	}
	f, err := e.find(ctx, e.head, pathsOf(p)...)
	if errors.Is(err, errNoFile) {
		return e.tell("none", noCard(pathsOf(p), e.baseRef)), nil
	}
	if err != nil {
		return plan{}, err
	}
	card, checked, err := e.verifiedAtHead(ctx, f)
	var rejected *rejection
	if errors.As(err, &rejected) {
		return e.tell("first", notAccepted(rejected, "this branch")), nil
	}
	if err != nil {
		return plan{}, err
	}
	return e.tell("first", neutral(
		fmt.Sprintf("First scorecard: %s, %s verified", scorecard.Format1(card.Total()), count(checked, "evidence item")),
		fmt.Sprintf("This pull request brings the first scorecard, at %s. All of its evidence holds. It is the baseline from the moment it is on %s.",
			escape.Code(f.path), escape.Code(e.baseRef)))), nil
}
