package mutate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Run makes every kind of change for every distinct evidence item of the card,
// which must verify at the base, and rescores after each. Items that do not
// verify are named in the result and left out. Errors are those of reading the
// base and of the context.
func Run(ctx context.Context, engine *rescore.Engine, base *Base, card *scorecard.Card) (*Result, error) {
	items := distinct(card)
	checks, err := evidence.VerifyAll(ctx, base.Unchanged(), items)
	if err != nil {
		return nil, fmt.Errorf("verify the card: %w", err)
	}
	r := &runner{engine: engine, base: base, result: newResult()}
	for i, e := range items {
		if checks[i].State != outcome.CheckOK {
			r.result.Skipped = append(r.result.Skipped, fmt.Sprintf("%s: expected %s, got %s", name(e), checks[i].Expected, checks[i].Got))
			continue
		}
		r.focus = focus(card, e)
		if e.IsSearch() {
			err = r.search(ctx, e)
		} else {
			err = r.citation(ctx, e)
		}
		if err != nil {
			return nil, fmt.Errorf("mutate %s: %w", name(e), err)
		}
	}
	return r.result, nil
}

// distinct lists the card's evidence, each place and each search once.
func distinct(card *scorecard.Card) []scorecard.Evidence {
	seen := map[scorecard.Evidence]bool{}
	var out []scorecard.Evidence
	for i := range card.Criteria {
		for e := range plan.Evidence(card, &card.Criteria[i]) {
			if k := key(e); !seen[k] {
				seen[k] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// key is an item without what does not bear on its state.
func key(e scorecard.Evidence) scorecard.Evidence {
	e.Note = ""
	return e
}

func name(e scorecard.Evidence) string {
	if e.IsSearch() {
		return fmt.Sprintf("search %q in %q", e.Search, e.Scope)
	}
	return fmt.Sprintf("%s:%s", e.File, e.Lines)
}

// focus is the card with this one item as its whole evidence, so that whatever
// moves moves because of it.
func focus(card *scorecard.Card, e scorecard.Evidence) *scorecard.Card {
	out := card.Clone()
	out.PinnedCommit = baseCommit
	only := func(list []scorecard.Evidence) []scorecard.Evidence {
		for _, have := range list {
			if key(have) == key(e) {
				return []scorecard.Evidence{have}
			}
		}
		return nil
	}
	for i := range out.Criteria {
		c := &out.Criteria[i]
		c.AbsenceEvidence = only(c.AbsenceEvidence)
		for j := range c.Mechanisms {
			for k := range c.Mechanisms[j].Parameters {
				p := &c.Mechanisms[j].Parameters[k]
				p.Evidence = only(p.Evidence)
			}
		}
	}
	for i := range out.CriticalGaps {
		out.CriticalGaps[i].Evidence = only(out.CriticalGaps[i].Evidence)
	}
	return out
}

// runner carries one run.
type runner struct {
	engine *rescore.Engine
	base   *Base
	focus  *scorecard.Card
	result *Result
}

func (r *runner) citation(ctx context.Context, e scorecard.Evidence) error {
	t := r.base.Unchanged()
	f, _ := t.at(e.File)
	data, err := t.content(ctx, f)
	if err != nil {
		return err
	}
	c := newCitation(t, e, string(data))
	r.result.Citations++
	for _, m := range slices.Concat(c.harmless(), c.harmful()) {
		if !m.holds && !m.off && c.survives(text(ctx, m.head, e.File)) {
			r.result.same(m.kind)
			continue
		}
		want := expected{holds: m.holds, state: m.state, file: m.file, lines: e.Lines.At(m.first, cmp.Or(m.count, e.Lines.Count()))}
		if err := r.try(ctx, m, e, want); err != nil {
			return err
		}
	}
	return nil
}

func text(ctx context.Context, t Tree, p string) string {
	f, ok := t.at(p)
	if !ok {
		return ""
	}
	data, err := t.content(ctx, f)
	if err != nil {
		return ""
	}
	return string(data)
}

// search tries what is done to a search; running it in full says what that does.
func (r *runner) search(ctx context.Context, e scorecard.Evidence) error {
	s, err := newSearching(ctx, r.base.Unchanged(), e)
	if err != nil {
		return err
	}
	if s.home == "" {
		r.result.Skipped = append(r.result.Skipped, name(e)+": no line was found that it would print")
		return nil
	}
	r.result.Searches++
	mutants, err := s.mutants(ctx)
	if err != nil {
		return err
	}
	for _, m := range mutants {
		res, err := s.query.Run(ctx, m.head)
		if err != nil {
			return err
		}
		absent, err := s.query.Absent(ctx, m.head)
		if err != nil {
			return err
		}
		want := expected{holds: len(absent) == 0 && slices.Equal(texts(s.result), texts(res)), hits: res.Hits, gone: len(absent) > 0}
		want.fewer = onlyLost(texts(s.result), texts(res))
		if m.off {
			want.holds = !want.holds // what it prints is the same, and proves nothing
		}
		if want.holds != m.holds {
			r.result.same(m.kind)
			continue
		}
		if err := r.try(ctx, m, e, want); err != nil {
			return err
		}
	}
	return nil
}

// try rescores after one change and counts what came of it.
func (r *runner) try(ctx context.Context, m mutant, e scorecard.Evidence, want expected) error {
	from := r.base.Unchanged()
	if m.from != nil {
		from = *m.from
	}
	o, err := r.engine.Rescore(ctx, pair{from, m.head}, rescore.Request{Card: r.focus, Base: baseCommit, Head: headCommit})
	if err != nil {
		return fmt.Errorf("%s: %w", m.kind, err)
	}
	it := find(o, e)
	wrong := want.judge(o, it)
	if wrong.fault == "" && it.State != outcome.Gone && (it.State != outcome.Unverifiable || e.IsSearch()) {
		check, err := evidence.Verify(ctx, m.head, it.After)
		if err != nil {
			return err
		}
		if check.State != outcome.CheckOK {
			wrong = verdict{wrongLines, fmt.Sprintf("%s, and does not verify at head: expected %s, got %s", it.State, check.Expected, check.Got)}
		}
	}
	r.result.count(m.kind, name(e), wrong)
	return nil
}

// find returns what became of the item; a criterion that was carried did not
// touch it.
func find(o *outcome.Outcome, e scorecard.Evidence) outcome.Item {
	for i := range o.Criteria {
		c := &o.Criteria[i]
		for _, m := range c.Mechanisms {
			for _, p := range m.Parameters {
				for _, it := range p.Items {
					return it
				}
			}
		}
		for _, g := range c.Gaps {
			for _, it := range g.Items {
				return it
			}
		}
	}
	return outcome.Item{Before: e, After: e, State: outcome.Intact}
}
