package rescore

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// prose follows the path:lines tokens in the card's text. Text about the whole
// card is followed whenever the file it names changed; text of a criterion only
// together with its evidence, since a carried criterion is carried to the byte.
func (s *step) prose(ctx context.Context) error {
	if len(s.plan.Touched) == 0 && !s.mentioned() {
		return nil
	}
	changed := map[string]bool{}
	for _, c := range s.changes {
		if c.Old != nil {
			changed[c.Old.Path] = true
		}
	}
	type place struct{ where, token string }
	moved := map[place]string{}
	for _, t := range plan.ProseTokens(s.in.card, s.changes) {
		ref := outcome.ProseRef{Where: t.Where, Before: t.Text, After: t.Text, State: outcome.Unverifiable, Reason: t.Reason}
		carried := t.Criterion != "" && !s.active(t.Criterion)
		switch {
		case t.File == "":
			if carried || len(s.plan.Touched) == 0 {
				continue
			}
		case !changed[t.File]:
			continue
		case carried:
			ref.Reason = "the criterion is carried as it is; its text may name an older place"
		default:
			it, err := s.follower.Follow(ctx, t.Evidence())
			if err != nil {
				return fmt.Errorf("follow %s in %s: %w", t.Text, t.Where, err)
			}
			ref.State, ref.Reason = it.State, it.Reason
			if it.State.Holds() {
				ref.After = t.At(it.After.File, it.After.Lines)
				moved[place{t.Where, t.Text}] = ref.After
			}
		}
		s.out.Prose = append(s.out.Prose, ref)
	}
	plan.RewriteProse(s.after, func(where, token string) (string, bool) {
		to, ok := moved[place{where, token}]
		return to, ok
	})
	return nil
}

// maxMentioned bounds the changes that a quiet step compares with the card's
// text; a larger change set always reads it.
const maxMentioned = 200

// mentioned reports whether the text about the whole card may name a changed
// file.
func (s *step) mentioned() bool {
	if len(s.changes) > maxMentioned {
		return true
	}
	texts := wholeCardText(s.in.card)
	for _, c := range s.changes {
		if c.Old == nil {
			continue
		}
		name := path.Base(c.Old.Path)
		for _, text := range texts {
			if strings.Contains(text, name) {
				return true
			}
		}
	}
	return false
}

func wholeCardText(c *scorecard.Card) []string {
	out := []string{c.Headline, c.Description, c.ScoredConfiguration,
		c.RuleOfTwo.UntrustedInput, c.RuleOfTwo.SensitiveData, c.RuleOfTwo.StateChangeOrEgress}
	for _, f := range c.Fixes {
		out = append(out, f.Summary)
	}
	return append(out, c.Limitations...)
}
