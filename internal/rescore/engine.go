package rescore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/rubric"
)

// Repo is one repository as the pipeline reads it.
type Repo interface {
	// Diff lists what differs between the trees of two commits, without rename
	// detection. Unknown commits are an error that says so.
	Diff(ctx context.Context, base, head string) ([]search.Change, error)
	// Pair reads the trees of both commits.
	Pair(base, head string) evidence.Source
	// At reads the tree of one commit.
	At(commit string) evidence.SingleSource
	// Stats counts the work done on the repository so far.
	Stats() gitmirror.Stats
}

// Options configure an Engine.
type Options struct {
	Version string           // of the program, printed in every outcome
	Judges  []judge.Judge    // in order; at least one
	Now     func() time.Time // for the elapsed time alone; nil is time.Now
	// Cache keeps results of searches by content, for all repositories; nil
	// computes every result. It must be safe for concurrent use.
	Cache search.Cache
}

// Engine rescores cards. It keeps no state between calls and may be shared.
type Engine struct {
	opts Options
}

// ErrNoJudge is returned when no judge is configured.
var ErrNoJudge = errors.New("no judge is configured: name at least one, for example \"evidence\"")

// NewEngine returns an engine.
func NewEngine(opts Options) (*Engine, error) {
	if len(opts.Judges) == 0 {
		return nil, ErrNoJudge
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Engine{opts: opts}, nil
}

// Request says what to rescore.
type Request struct {
	Card *scorecard.Card // pinned at any commit of the repository; never modified
	Base string          // 40 hex; "" is the card's pinned commit
	Head string          // 40 hex
	// Force lists criteria to check in full at head although nothing they rest
	// on changed, for example after "/rescore C2".
	Force []string
	// Since tells for each criterion the commit at which it was last checked or
	// judged; nil means the card's pinned commit for all.
	Since map[string]string
}

// Rescore brings the card from base to head and says what became of it.
//
// A card pinned elsewhere than at base is first brought to base by the same
// pipeline, so that drift before base is not part of the outcome. Errors are
// infrastructure's (git, context); whatever the repository holds ends as a state
// in the outcome.
func (e *Engine) Rescore(ctx context.Context, repo Repo, req Request) (*outcome.Outcome, error) {
	m := e.meter(repo)
	card, since, base := req.Card, req.Since, req.Base
	if base == "" {
		base = card.PinnedCommit
	}
	if since == nil {
		since = sinceCommit(card, card.PinnedCommit)
	}
	if card.PinnedCommit != base {
		o, err := e.step(ctx, repo, stepInput{card: card, base: card.PinnedCommit, head: base, since: since, search: m.search()})
		if err != nil {
			return nil, fmt.Errorf("bring the card from %.12s to the base %.12s: %w", card.PinnedCommit, base, err)
		}
		card, since = o.After, Since(o)
	}
	o, err := e.step(ctx, repo, stepInput{card: card, base: base, head: req.Head, force: req.Force, since: since, search: m.search()})
	if err != nil {
		return nil, fmt.Errorf("rescore %.12s..%.12s: %w", base, req.Head, err)
	}
	o.CardCommit = req.Card.PinnedCommit
	o.Scorer = e.scorer()
	o.Cost = m.cost()
	return o, nil
}

// Since returns, for the card at the outcome's head, the commit at which each
// criterion was last checked or judged: what the next Request.Since wants.
func Since(o *outcome.Outcome) map[string]string {
	out := make(map[string]string, len(o.Criteria))
	for i := range o.Criteria {
		c := &o.Criteria[i]
		if c.Verdict == outcome.Carried {
			out[c.ID] = c.CarriedFrom
		} else {
			out[c.ID] = o.Head
		}
	}
	return out
}

func sinceCommit(card *scorecard.Card, commit string) map[string]string {
	out := make(map[string]string, len(card.Criteria))
	for i := range card.Criteria {
		out[card.Criteria[i].ID] = commit
	}
	return out
}

func (e *Engine) scorer() outcome.Scorer {
	s := outcome.Scorer{Version: e.opts.Version, Rubric: rubric.Version}
	for _, j := range e.opts.Judges {
		s.Judges = append(s.Judges, j.Name())
	}
	return s
}
