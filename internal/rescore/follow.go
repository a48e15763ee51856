package rescore

import (
	"context"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// follow finds the state of every evidence item of every active criterion. All
// blobs that are surely needed are fetched in one go.
func (s *step) follow(ctx context.Context) error {
	var items []scorecard.Evidence
	seen := map[scorecard.Evidence]bool{}
	for i := range s.in.card.Criteria {
		c := &s.in.card.Criteria[i]
		if !s.active(c.ID) {
			continue
		}
		for _, e := range evidenceOf(s.in.card, c) {
			if !seen[e] {
				seen[e] = true
				items = append(items, e)
			}
		}
	}
	if len(items) == 0 {
		return nil
	}
	if err := s.follower.Prefetch(ctx, items); err != nil {
		return fmt.Errorf("fetch the files that evidence rests on: %w", err)
	}
	for _, e := range items {
		it, err := s.follower.Follow(ctx, e)
		if err != nil {
			return fmt.Errorf("follow %s: %w", describe(e), err)
		}
		s.followed[e] = it
	}
	return s.recheck(ctx)
}

// recheck checks in full, at head, what the forced criteria rest on.
func (s *step) recheck(ctx context.Context) error {
	var held []scorecard.Evidence // as on the card at base, in card order
	for i := range s.in.card.Criteria {
		c := &s.in.card.Criteria[i]
		if !slices.Contains(s.in.force, c.ID) {
			continue
		}
		for _, e := range evidenceOf(s.in.card, c) {
			if s.followed[e].State.Holds() && !slices.Contains(held, e) {
				held = append(held, e)
			}
		}
	}
	if len(held) == 0 {
		return nil
	}
	atHead := make([]scorecard.Evidence, len(held))
	for i, e := range held {
		atHead[i] = s.followed[e].After
	}
	checks, err := evidence.VerifyAll(ctx, s.repo.At(s.in.head), atHead, s.in.search...)
	if err != nil {
		return fmt.Errorf("check evidence at %.12s: %w", s.in.head, err)
	}
	for i, e := range held {
		s.followed[e] = degrade(s.followed[e], checks[i])
	}
	return nil
}

// degrade turns a failed check at head into the state it means.
func degrade(it outcome.Item, c evidence.Check) outcome.Item {
	switch c.State {
	case outcome.CheckOK:
		return it
	case outcome.CheckMissing:
		it.State = outcome.Gone
	case outcome.CheckUnrunnable:
		it.State = outcome.Unverifiable
	default:
		it.State = outcome.Edited
		if it.After.IsSearch() {
			it.After.Hits = c.Hits
		}
	}
	it.Reason = fmt.Sprintf("checked in full: expected %s, got %s", c.Expected, c.Got)
	return it
}

// evidenceOf lists everything the criterion rests on: its mechanisms, a whole
// absence, and the critical gaps that name it.
func evidenceOf(card *scorecard.Card, c *scorecard.Criterion) []scorecard.Evidence {
	var out []scorecard.Evidence
	for i := range c.Mechanisms {
		for j := range c.Mechanisms[i].Parameters {
			out = append(out, c.Mechanisms[i].Parameters[j].Evidence...)
		}
	}
	out = append(out, c.AbsenceEvidence...)
	for i := range card.CriticalGaps {
		if card.CriticalGaps[i].Criterion == c.ID {
			out = append(out, card.CriticalGaps[i].Evidence...)
		}
	}
	return out
}

func describe(e scorecard.Evidence) string {
	if e.IsSearch() {
		return fmt.Sprintf("search %q in %q", e.Search, e.Scope)
	}
	return fmt.Sprintf("citation %s:%s", e.File, e.Lines)
}
