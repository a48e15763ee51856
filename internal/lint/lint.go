// Package lint finds what an auditor wants to know before a card is published:
// broken rules of the strict reading, evidence that does not verify, text that
// names places nobody can find.
//
// It reads a repository only through the checks it is handed. It may import
// scorecard, outcome and plan.
package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Rules of this package; those of validation keep their own ids.
const (
	RuleEvidence  = "L-EVIDENCE"  // an item does not verify
	RuleToken     = "L-TOKEN"     // a path:lines token in text maps to no one file
	RuleUncited   = "L-UNCITED"   // a token names lines that no evidence cites
	RuleRepeated  = "L-REPEATED"  // the same finding twice
	RuleFiller    = "L-FILLER"    // text that only stands in for one
	RuleWide      = "L-WIDE"      // a citation of very many lines
	RuleDate      = "L-DATE"      // a date in the future
	RuleUnfounded = "L-UNFOUNDED" // a search with hits and no note
)

// WideCitation is the number of lines above which a citation proves little: a
// reader cannot tell what it shows, and any change inside puts it in question.
const WideCitation = 80

// Card lists every problem of the card, errors first. checks are the results of
// verifying it, nil when no repository is at hand.
func Card(card *scorecard.Card, checks *outcome.Verification, now time.Time) []scorecard.Problem {
	out := scorecard.Validate(card, scorecard.Strict)
	secondScore(card, out)
	if checks != nil {
		out = append(out, evidence(checks)...)
	}
	out = append(out, tokens(card)...)
	out = append(out, words(card)...)
	out = append(out, citations(card)...)
	if d, err := time.Parse(time.DateOnly, card.ScoredDate); err == nil && d.After(now) {
		out = append(out, warn("scored_date", RuleDate, "the card is dated in the future: "+card.ScoredDate, "write the day of the review"))
	}
	slices.SortStableFunc(out, func(a, b scorecard.Problem) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// secondScore says of the line under the table of a report, which is a sentence, what
// to write in its place; an entry has figures there.
func secondScore(card *scorecard.Card, problems []scorecard.Problem) {
	for i := range problems {
		p := &problems[i]
		if p.Rule != scorecard.RuleFigures || p.Place != "applicable score" || strings.HasPrefix(card.Printed.Applicable, "{") {
			continue
		}
		p.Message, p.Fix = "the line under the table is not what the levels give", "remove it"
		if a := card.Applicable(); a.Absent > 0 {
			p.Fix = "write " + a.String()
		}
	}
}

func rank(p scorecard.Problem) int {
	if p.Severity == scorecard.Error {
		return 0
	}
	return 1
}

func warn(place, rule, message, fix string) scorecard.Problem {
	return scorecard.Problem{Severity: scorecard.Warning, Place: place, Rule: rule, Message: message, Fix: fix}
}

// evidence turns failed checks into errors.
func evidence(v *outcome.Verification) []scorecard.Problem {
	var out []scorecard.Problem
	for _, it := range v.Items {
		if it.State == outcome.CheckOK {
			continue
		}
		place := strings.TrimSpace(fmt.Sprintf("%s %s %s", it.Criterion, it.Mechanism, it.Place))
		what := fmt.Sprintf("%s:%s", it.Evidence.File, it.Evidence.Lines)
		if it.Evidence.IsSearch() {
			what = fmt.Sprintf("%s in %s", it.Evidence.Search, it.Evidence.Scope)
		}
		out = append(out, scorecard.Problem{Severity: scorecard.Error, Place: place, Rule: RuleEvidence,
			Message: fmt.Sprintf("%s at %.12s: expected %s, got %s", what, v.Commit, it.Expected, it.Got),
			Fix:     "cite what stands there, or correct the count"})
	}
	return out
}

// tokens checks the path:lines tokens in the card's text.
func tokens(card *scorecard.Card) []scorecard.Problem {
	var out []scorecard.Problem
	for _, t := range plan.ProseTokens(card, nil) {
		switch {
		case t.File == "":
			// nothing changes here, whatever the plan has to say of a diff
			reason := strings.TrimSuffix(t.Reason, " or that changed")
			out = append(out, warn(t.Where, RuleToken, reason, "write the whole path of a file that the card cites"))
		case !cited(card, t):
			out = append(out, warn(t.Where, RuleUncited, fmt.Sprintf("%s names lines that no evidence cites", t.Text),
				"cite the lines, so that they are followed when the code moves"))
		}
	}
	return out
}

func cited(card *scorecard.Card, t plan.Token) bool {
	for i := range card.Criteria {
		for e := range plan.Evidence(card, &card.Criteria[i]) {
			if !e.IsSearch() && e.File == t.File && e.Lines.First <= t.Lines.Last && t.Lines.First <= e.Lines.Last {
				return true
			}
		}
	}
	return false
}

// minFinding is the length in bytes below which a text says too little.
const minFinding = 12

// words checks findings and summaries.
func words(card *scorecard.Card) []scorecard.Problem {
	var out []scorecard.Problem
	first := map[string]string{}
	each(card, func(place string, p *scorecard.Parameter) {
		if standsIn(p.Finding) { // that it stands elsewhere, too, is no further news
			out = append(out, warn(place, RuleFiller, fmt.Sprintf("the finding %q says nothing", p.Finding), "write what the code does"))
			return
		}
		if at, ok := first[p.Finding]; ok && p.Finding != "" && !p.SA {
			out = append(out, warn(place, RuleRepeated, "the same finding stands at "+at, "say what this parameter rests on"))
			return
		}
		first[p.Finding] = place
	})
	for i := range card.Criteria {
		if c := &card.Criteria[i]; standsIn(c.Summary) {
			out = append(out, warn(c.ID+" summary", RuleFiller, fmt.Sprintf("the summary %q says nothing", c.Summary), "write it"))
		}
	}
	return out
}

// standsIn reports whether a text only stands in for one: it is very short, or
// wholly in parentheses.
func standsIn(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) < minFinding || strings.HasPrefix(text, "(") && strings.HasSuffix(strings.TrimRight(text, "."), ")") &&
		!strings.Contains(text[1:], "(")
}

// citations checks how evidence is written.
func citations(card *scorecard.Card) []scorecard.Problem {
	var out []scorecard.Problem
	each(card, func(place string, p *scorecard.Parameter) {
		for n, e := range p.Evidence {
			at := fmt.Sprintf("%s evidence %d", place, n+1)
			switch {
			case e.IsSearch() && e.Hits > 0 && e.Note == "":
				out = append(out, warn(at, RuleUnfounded, count(e.Hits, "hit")+" and no note", `add a note that says what they are, in a report in parentheses after "hits"`))
			case !e.IsSearch() && e.Lines.Count() > WideCitation:
				out = append(out, warn(at, RuleWide, fmt.Sprintf("%d lines cited at once", e.Lines.Count()), "cite the lines that decide"))
			}
		}
	})
	return out
}

// count prints a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// each visits the parameters of scored criteria.
func each(card *scorecard.Card, visit func(place string, p *scorecard.Parameter)) {
	for i := range card.Criteria {
		c := &card.Criteria[i]
		if c.Absent() {
			continue
		}
		for j := range c.Mechanisms {
			for k := range c.Mechanisms[j].Parameters {
				p := &c.Mechanisms[j].Parameters[k]
				visit(fmt.Sprintf("%s %s %s", c.ID, c.Mechanisms[j].Kind, p.ID), p)
			}
		}
	}
}
