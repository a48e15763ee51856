package rescore

import (
	"context"
	"slices"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// stepInput is one move of a card from the commit it is pinned to.
type stepInput struct {
	card       *scorecard.Card
	base, head string
	force      []string
	since      map[string]string
	search     []search.Option
}

// step holds what one move of the card works on.
type step struct {
	in       stepInput
	engine   *Engine
	repo     Repo
	changes  []search.Change
	plan     *plan.Plan
	follower *evidence.Follower
	followed map[scorecard.Evidence]outcome.Item
	after    *scorecard.Card
	out      *outcome.Outcome
}

func (e *Engine) step(ctx context.Context, repo Repo, in stepInput) (*outcome.Outcome, error) {
	changes, err := repo.Diff(ctx, in.base, in.head)
	if err != nil {
		return nil, err
	}
	p, err := plan.Make(in.card, changes)
	if err != nil {
		return nil, err
	}
	s := &step{in: in, engine: e, repo: repo, changes: changes, plan: p, followed: map[scorecard.Evidence]outcome.Item{}}
	s.after = in.card.Clone()
	s.after.PinnedCommit, s.after.Printed = in.head, nil
	s.out = &outcome.Outcome{
		Repo: in.card.RepoURL, Base: in.base, Head: in.head, Before: in.card, After: s.after,
	}
	s.follower = evidence.New(repo.Pair(in.base, in.head), changes, evidence.Options{Search: in.search})
	if err := s.follow(ctx); err != nil {
		return nil, err
	}
	for i := range in.card.Criteria {
		if err := s.criterion(ctx, i); err != nil {
			return nil, err
		}
	}
	if err := s.prose(ctx); err != nil {
		return nil, err
	}
	s.gapsOwed()
	s.score()
	return s.out, nil
}

// active reports whether the criterion is read at all.
func (s *step) active(id string) bool {
	return len(s.plan.Touched[id]) > 0 || slices.Contains(s.in.force, id)
}

// criterion carries the i-th criterion or works it through the judges.
func (s *step) criterion(ctx context.Context, i int) error {
	before := &s.in.card.Criteria[i]
	out := outcome.Criterion{
		ID: before.ID, Name: before.Name, Verdict: outcome.Carried, TouchedBy: s.plan.Touched[before.ID],
		CarriedFrom: s.in.since[before.ID],
	}
	if s.active(before.ID) {
		if err := s.work(ctx, before, &s.after.Criteria[i], &out); err != nil {
			return err
		}
	}
	s.out.Criteria = append(s.out.Criteria, out)
	return nil
}
