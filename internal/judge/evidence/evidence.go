// Package evidence is the default judge: it needs no key and no network, puts
// the burden of proof on the control, and never raises a level.
//
//   - every item of a rating at L1 or above gone: the rating falls to L0;
//   - some item edited, gone or not verifiable: the rating becomes inferred,
//     which holds it at L2 at most, until somebody looks;
//   - an L0 whose evidence changed stays L0 and is marked a possible improvement;
//   - an absence (SA) whose search gained a line, or whose other evidence broke,
//     is no longer proven: it stops being SA and becomes an inferred L2.
//
// It is pure and may import judge, outcome and scorecard.
package evidence

import (
	"context"
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Name is the judge's name in configuration and logs.
const Name = "evidence"

// InferredMax is the highest level of an inferred rating (rule of the method:
// "Status inferred: that parameter stops at L2").
const InferredMax scorecard.Level = 2

// Judge is the evidence judge. Its zero value is ready to use.
type Judge struct{}

// Name implements judge.Judge.
func (Judge) Name() string { return Name }

// Rule implements judge.Judge.
func (Judge) Rule(_ context.Context, c judge.Case) ([]judge.Ruling, error) {
	var out []judge.Ruling
	for _, p := range c.Parameters {
		if r, ok := rule(p); ok {
			out = append(out, r)
		}
	}
	return out, nil
}

func rule(p judge.Parameter) (judge.Ruling, bool) {
	broken := brokenItems(p)
	if len(broken) == 0 {
		return judge.Ruling{}, false
	}
	r := judge.Ruling{Parameter: p.Before.ID, Level: p.Before.Level, SA: p.Before.SA, Status: p.Before.Status}
	switch {
	case p.Before.SA:
		r.SA, r.Level, r.Status = false, InferredMax, scorecard.Inferred
		r.Reason = "the absence is no longer proven: " + describe(broken)
	case p.Before.Level == 0:
		r.Settled = true
		r.PossibleImprovement = anyRead(broken)
		r.Reason = "stays L0, whose evidence changed: " + describe(broken)
	case allGone(p.Items):
		r.Level, r.Status, r.Settled = 0, scorecard.Verified, true
		r.Reason = "nothing it rested on is left: " + describe(broken)
	default:
		r.Level, r.Status = min(r.Level, InferredMax), scorecard.Inferred
		r.Reason = "no longer fully proven: " + describe(broken)
	}
	return r, true
}

// brokenItems lists the items that do not hold. For an absence a search that
// only lost lines proves at least what it proved before.
func brokenItems(p judge.Parameter) []outcome.Item {
	var out []outcome.Item
	for _, it := range p.Items {
		if it.State.Holds() {
			continue
		}
		if p.Before.SA && it.Before.IsSearch() && it.State == outcome.Edited &&
			len(it.New) == 0 && it.After.Hits < it.Before.Hits {
			continue
		}
		out = append(out, it)
	}
	return out
}

func allGone(items []outcome.Item) bool {
	for _, it := range items {
		if it.State != outcome.Gone {
			return false
		}
	}
	return len(items) > 0
}

// anyRead reports whether at least one broken item was really read at head; an
// item that could not be verified says nothing about an improvement.
func anyRead(items []outcome.Item) bool {
	for _, it := range items {
		if it.State != outcome.Unverifiable {
			return true
		}
	}
	return false
}

// maxDescribed bounds how many items a reason names.
const maxDescribed = 3

func describe(items []outcome.Item) string {
	var parts []string
	for i, it := range items {
		if i == maxDescribed {
			parts = append(parts, fmt.Sprintf("and %d more", len(items)-i))
			break
		}
		parts = append(parts, describeItem(it))
	}
	return strings.Join(parts, "; ") + "."
}

func describeItem(it outcome.Item) string {
	if it.Before.IsSearch() {
		s := fmt.Sprintf("`%s` in `%s`", it.Before.Search, it.Before.Scope)
		if it.State == outcome.Edited {
			return fmt.Sprintf("%s: %d → %d hits", s, it.Before.Hits, it.After.Hits)
		}
		return fmt.Sprintf("%s: %s", s, stateWords(it))
	}
	return fmt.Sprintf("%s:%s %s", it.Before.File, it.Before.Lines, stateWords(it))
}

func stateWords(it outcome.Item) string {
	if it.State == outcome.Unverifiable && it.Reason != "" {
		return "unverifiable (" + strings.TrimSuffix(it.Reason, ".") + ")"
	}
	return string(it.State)
}
