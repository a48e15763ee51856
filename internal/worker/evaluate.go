package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/store"
)

// evaluation is one subject on its way through the stages.
type evaluation struct {
	*tenant
	a      attempt
	origin job.Origin
	number int // pull request; 0 for the default branch
	asked  asked

	head    gitmirror.OID
	tip     gitmirror.OID // of the base branch: its policy holds
	base    gitmirror.OID // the score diff counts from here; "" for the baseline's own commit
	baseRef string
	notes   []string // sentences for the reader, Markdown of our own making
}

// asked says what a person asked for beyond the usual.
type asked struct {
	force    bool     // post again although nothing changed
	criteria []string // verify these anew
	subject  string   // see job.AskedSubject; "" for what one job alone answers
	// may is asked before the work begins, unless nil: whether the person may ask.
	may func(ctx context.Context) error
}

// evaluate runs the stages for a subject whose commits are resolved. This and
// prepare are the only places that know their order.
func (e *evaluation) evaluate(ctx context.Context) error {
	p, err := e.prepare(ctx)
	if err != nil {
		return err
	}
	failing, err := e.failingBeside(ctx)
	if err != nil {
		return err
	}
	run, settled, err := e.begin(ctx, e.target(withFailing(p.input, failing)))
	if err != nil {
		return err
	}
	if settled { // it stands again, as when it was reopened; who was told by another stops here
		if e.origin.Seq == 0 {
			return nil
		}
		return e.w.lookBeside(ctx, e.repo, e.number, string(e.head))
	}
	r, err := p.produce(ctx)
	if err != nil {
		return err
	}
	return e.publish(ctx, run, r, failing)
}

// begin returns the check run that is to take the result. settled says that the
// result stands already, whole.
func (e *evaluation) begin(ctx context.Context, t publish.Target) (run *publish.Run, settled bool, err error) {
	current, ok, err := e.w.Checks.Current(ctx, t)
	if err != nil {
		return nil, false, err
	}
	if !ok || current.InputDigest != t.Input { // what was asked for anew is part of the input
		run, err := e.w.Checks.Begin(ctx, e.inst, t)
		return run, false, err
	}
	err = e.w.Checks.Supersede(ctx, e.inst, e.gh(), e.subject(), string(e.head))
	return e.w.Checks.Reuse(current), current.Settled, err
}

// plan is what will be published, before the work is done for it.
type plan struct {
	input   string // digest of everything that the result follows from
	produce func(ctx context.Context) (result, error)
}

// result is what is to be published.
type result struct {
	check   report.CheckRun
	outcome *outcome.Outcome // nil when there is nothing to compare
	comment string           // body; "" when none is wanted
	always  bool             // write the comment also where none stands
}

// prepare reads the policy and finds the card. What stands in the way of a
// comparison becomes a message that says how to mend it.
func (e *evaluation) prepare(ctx context.Context) (plan, error) {
	rules, err := e.policyAt(ctx, e.tip)
	var broken *policy.Error
	if errors.As(err, &broken) {
		return e.tell("policy", brokenPolicy(broken)), nil
	}
	if err != nil {
		return plan{}, err
	}
	b, err := e.baseline(ctx, rules)
	var rejected *rejection
	switch {
	case errors.Is(err, errNoFile):
		return e.withoutCard(ctx, rules)
	case errors.As(err, &rejected):
		return e.tell("rejected", notAccepted(rejected, e.baseRef)), nil
	case err != nil:
		return plan{}, err
	}
	return plan{
		input:   e.input(rules, string(b.blob), b.card.PinnedCommit, strings.Join(b.doubts, "\n")),
		produce: func(ctx context.Context) (result, error) { return e.compare(ctx, rules, b) },
	}, nil
}

// tell plans a message in place of a comparison. A comment that stands says so
// too; none is begun for it.
func (e *evaluation) tell(kind string, check report.CheckRun) plan {
	return plan{
		input:   e.input(rules{Policy: policy.Default()}, kind, check.Title, check.Summary),
		produce: func(context.Context) (result, error) { return e.message(check), nil },
	}
}

func (e *evaluation) message(check report.CheckRun) result {
	r := result{check: check}
	if e.number != 0 {
		r.comment = scoreMarker + "\n\n### " + escape.Markdown(check.Title) + "\n\n" + check.Summary
	}
	return r
}

// baseline finds the card that holds where the score diff begins. A branch that
// began before the card was committed is compared by the card of the branch's tip.
func (e *evaluation) baseline(ctx context.Context, p rules) (baseline, error) {
	at, skip := e.base, gitmirror.OID("")
	if e.number == 0 {
		at, skip = e.head, e.head
	}
	b, err := e.baselineAt(ctx, at, p, skip)
	if errors.Is(err, errNoFile) && e.tip != at {
		b, err = e.baselineAt(ctx, e.tip, p, "")
		e.notes = append(e.notes, fmt.Sprintf("The scorecard was committed to %s after this branch began.", escape.Code(e.baseRef)))
	}
	return b, err
}

// weigh keeps a result from being a success while there are doubts about the card
// itself, and says so in the title.
func weigh(o *outcome.Outcome, doubts []string, title string) {
	if len(doubts) == 0 {
		return
	}
	if o.Conclusion == outcome.Success {
		o.Conclusion = outcome.Neutral
	}
	o.Reasons = append(o.Reasons, doubts...)
	o.Title += "; " + title
}

// compare runs the engine and the policy and renders both reports.
func (e *evaluation) compare(ctx context.Context, p rules, b baseline) (result, error) {
	engine, err := e.w.Engine(p.Judges)
	if err != nil {
		return e.message(unknownJudge(p.Name, err)), nil
	}
	base := string(e.base)
	if base == "" {
		base = b.card.PinnedCommit
	}
	o, err := engine.Rescore(ctx, e.source(), rescore.Request{
		Card: b.card, Base: base, Head: string(e.head), Force: e.asked.criteria, Since: b.since,
	})
	if err != nil {
		return result{}, err
	}
	p.Apply(o, e.w.Now())
	if e.number == 0 {
		if err := e.advance(ctx, b, o); err != nil {
			return result{}, err
		}
	}
	proposed, err := e.proposedCard(ctx, p, b, o)
	if err != nil {
		return result{}, err
	}
	e.notes = append(e.notes, proposed.notes...)
	weigh(o, b.doubts, "the committed scorecard is not accepted")
	weigh(o, proposed.doubts, "this pull request changes the scorecard")
	opts := report.Options{
		Marker: scoreMarker, RepoURL: e.w.WebURL(e.repo.Owner, e.repo.Name), CardPath: b.path,
		Commands: e.number != 0, Notes: e.notes,
	}
	r := result{outcome: o, check: report.Check(o, opts)}
	r.check.Conclusion = o.Conclusion
	if e.number != 0 && p.WantsComment(o, true) {
		r.comment, r.always = report.Comment(o, opts), p.WantsComment(o, false)
	}
	return r, nil
}

// publish completes the check and makes the comment say the same.
func (e *evaluation) publish(ctx context.Context, run *publish.Run, r result, failing int) error {
	if err := run.CompleteAs(ctx, failWith(r.check, failing), r.check.Conclusion); err != nil {
		return err
	}
	if err := e.w.lookBeside(ctx, e.repo, e.number, string(e.head)); err != nil {
		return err
	}
	if r.outcome != nil {
		e.w.Observe(Published{Kind: e.a.row.Kind, Conclusion: string(r.check.Conclusion), Cost: r.outcome.Cost, Age: e.w.Now().Sub(e.a.row.CreatedAt)})
	}
	if r.comment != "" {
		if stale, err := e.isStale(ctx); err != nil || stale {
			return err // the job of the newer head writes the comment
		}
		err := e.comment(ctx, r)
		switch {
		case errors.Is(err, ghclient.ErrPermission): // not settled: the comment is made up for once the App may
			e.a.log.Warn().Err(err).Msg("no comment yet; the check stands")
			return nil
		case errors.Is(err, ghclient.ErrLocked):
			e.a.log.Warn().Err(err).Msg("no comment; the check stands")
		case err != nil:
			return err
		}
	}
	return run.Settle(ctx)
}

// comment writes the comment where one is wanted or stands. Who asked for the result
// gets to see it, whatever became of the comment that said so before.
func (e *evaluation) comment(ctx context.Context, r result) error {
	place := publish.Place{Repo: e.gh(), Number: e.number, Slot: store.SlotScore, Marker: scoreMarker}
	return e.w.Comments.Put(ctx, e.inst, place, r.comment, publish.Wish{Create: r.always, Again: e.asked.force})
}

// isStale reports whether the pull request has another head by now. Only an event
// that came since the work began makes it worth asking git.
func (e *evaluation) isStale(ctx context.Context) (bool, error) {
	told, err := e.w.Store.DoneSeq(ctx, job.Told(e.subject()))
	if err != nil || told <= e.upTo {
		return false, err
	}
	heads, err := e.fetch(ctx, fmt.Sprintf("refs/pull/%d/head", e.number))
	if err != nil {
		return false, err
	}
	return heads[0] != e.head, nil
}

func (e *evaluation) subject() string {
	if e.number == 0 {
		return job.BranchSubject(e.repo.ID)
	}
	return job.PullSubject(e.repo.ID, e.number)
}

func (e *evaluation) cause() string { return e.a.cause(e.origin) }

func (e *evaluation) target(input string) publish.Target {
	return publish.Target{
		Repo: e.gh(), Subject: e.subject(), Head: string(e.head), Cause: e.cause(), Input: input,
		ExternalID: job.ExternalID(e.number, string(e.head), e.cause()+"\x00"+input),
	}
}

// input is a digest of everything that the result follows from.
func (e *evaluation) input(p rules, more ...string) string {
	parts := append([]string{string(e.head), string(e.base), p.digest, e.w.Scorer}, more...)
	if e.asked.force {
		parts = append(parts, e.cause())
	}
	if len(p.Exceptions) > 0 { // they end on a day
		parts = append(parts, e.w.Now().UTC().Format(time.DateOnly))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
