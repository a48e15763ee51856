package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/store"
)

// cardPaths are where a committed scorecard is looked for, in order.
var cardPaths = []string{".github/rescore/scorecard.json", ".github/rescore/scorecard.md"}

// pathsOf returns where the policy says the card is.
func pathsOf(p rules) []string {
	if p.Card != "" {
		return []string{p.Card}
	}
	return cardPaths
}

// baseline is the scorecard that holds for a commit, pinned at that commit or at
// one before it.
type baseline struct {
	id    int64 // in the store
	path  string
	blob  gitmirror.OID // of the committed file that it goes back to
	card  *scorecard.Card
	since map[string]string
	// doubts say, in plain text, why it is not the card that is committed: that one
	// was not accepted.
	doubts []string
}

// rejection says why a committed card is not built upon.
type rejection struct {
	path   string
	title  string   // half a line
	lines  []string // what is wrong, worst first; plain text of the repository in it
	verify *outcome.Verification
}

func (r *rejection) Error() string { return r.path + ": " + r.title }

const (
	// maxBaselines bounds how far back a baseline is looked for.
	maxBaselines = 200
	// maxAncestry bounds how many baselines are tested for being an ancestor.
	maxAncestry = 40
)

// baselineAt returns the baseline that holds at a commit: the nearest one on
// record that goes back to the card committed there, else that card itself once it
// is verified. errNoFile says that no card is committed, a *rejection that the
// committed one is not accepted and none stands in. skip leaves out the baseline
// of a commit, so that a job that runs twice starts from the same one.
func (t *tenant) baselineAt(ctx context.Context, commit gitmirror.OID, p rules, skip gitmirror.OID) (baseline, error) {
	f, err := t.find(ctx, commit, pathsOf(p)...)
	if err != nil {
		return baseline{}, err
	}
	rows, err := t.w.Store.Baselines(ctx, t.repo.ID, maxBaselines)
	if err != nil {
		return baseline{}, err
	}
	row, ok, err := t.nearest(ctx, commit, rows, func(b store.Baseline) bool {
		return b.CardBlob == string(f.oid) && (b.Origin == store.OriginImported || b.Commit != string(skip))
	})
	if err != nil {
		return baseline{}, err
	}
	if ok {
		return t.load(ctx, row)
	}
	for _, row := range rows { // pinned to a commit off the branch, as after a squash: verified once all the same
		if row.Origin == store.OriginImported && row.CardBlob == string(f.oid) {
			return t.load(ctx, row)
		}
	}
	imported, err := t.importCard(ctx, f)
	var rejected *rejection
	if !errors.As(err, &rejected) {
		return imported, err
	}
	row, ok, findErr := t.nearest(ctx, commit, rows, func(b store.Baseline) bool { return b.Commit != string(skip) })
	if findErr != nil || !ok {
		return baseline{}, errors.Join(err, findErr)
	}
	last, loadErr := t.load(ctx, row)
	if loadErr != nil {
		return baseline{}, loadErr
	}
	last.doubts = append(last.doubts, fmt.Sprintf("The scorecard committed at %s is not accepted: %s. The last accepted one, of %.7s, stands in.",
		rejected.path, rejected.title, row.Commit))
	return last, nil
}

// nearest returns the newest baseline that is wanted and whose commit is the given
// one or an ancestor of it.
func (t *tenant) nearest(ctx context.Context, commit gitmirror.OID, rows []store.Baseline, wanted func(store.Baseline) bool) (store.Baseline, bool, error) {
	tested := 0
	for _, row := range rows {
		if !wanted(row) {
			continue
		}
		if row.Commit == string(commit) {
			return row, true, nil
		}
	}
	for _, row := range rows {
		if !wanted(row) || tested >= maxAncestry {
			continue
		}
		tested++
		is, err := t.isAncestor(ctx, gitmirror.OID(row.Commit), commit)
		if err != nil || is {
			return row, is, err
		}
	}
	return store.Baseline{}, false, nil
}

// isAncestor reports whether old is an ancestor of commit. A commit that is no
// longer to be had, as after a force push, is none.
func (t *tenant) isAncestor(ctx context.Context, old, commit gitmirror.OID) (bool, error) {
	missing, err := t.mirror.Missing(ctx, []gitmirror.OID{old})
	if err != nil || len(missing) > 0 {
		return false, err
	}
	base, err := t.mirror.MergeBase(ctx, old, commit)
	if errors.Is(err, gitmirror.ErrNoMergeBase) {
		return false, nil
	}
	return base == old, err
}

func (t *tenant) load(ctx context.Context, row store.Baseline) (baseline, error) {
	data, err := t.w.Store.BaselineCard(ctx, row.ID)
	if err != nil {
		return baseline{}, err
	}
	card, since, err := unpackCard(data)
	if err != nil {
		return baseline{}, fmt.Errorf("baseline %d: %w", row.ID, err)
	}
	return baseline{id: row.ID, path: row.CardPath, blob: gitmirror.OID(row.CardBlob), card: card, since: since}, nil
}

// importCard takes a committed card as a baseline, at the commit that it is pinned
// to, once it is valid and its evidence verifies there.
func (t *tenant) importCard(ctx context.Context, f file) (baseline, error) {
	card, err := t.acceptable(ctx, f)
	if err != nil {
		return baseline{}, err
	}
	card.Printed = nil // figures follow from the levels from here on
	data, err := packCard(card, nil)
	if err != nil {
		return baseline{}, err
	}
	row := store.Baseline{
		RepoID: t.repo.ID, Commit: card.PinnedCommit, CardPath: f.path, CardBlob: string(f.oid),
		Origin: store.OriginImported, Card: data, Scorer: t.w.Scorer,
	}
	if _, err := t.w.Store.AddBaseline(ctx, row); err != nil {
		return baseline{}, err
	}
	return baseline{path: f.path, blob: f.oid, card: card}, nil
}

// acceptable reads a committed card and returns it when it can be built upon; else
// a *rejection.
func (t *tenant) acceptable(ctx context.Context, f file) (*scorecard.Card, error) {
	card, err := t.readCard(ctx, f)
	if err != nil {
		return nil, err
	}
	_, err = t.fetch(ctx, card.PinnedCommit)
	if errors.Is(err, gitmirror.ErrUnknownRev) {
		return nil, &rejection{path: f.path, title: fmt.Sprintf("its pinned commit %.12s is not in this repository", card.PinnedCommit),
			lines: []string{"pinned_commit " + card.PinnedCommit + " cannot be fetched: pin the card to a commit of this repository"}}
	}
	if err != nil {
		return nil, err
	}
	engine, err := t.w.Engine(nil)
	if err != nil {
		return nil, err
	}
	v, err := engine.Verify(ctx, t.source(), card, card.PinnedCommit)
	if err != nil {
		return nil, err
	}
	return card, notVerified(f.path, v)
}

// readCard parses and validates a committed card.
func (t *tenant) readCard(ctx context.Context, f file) (*scorecard.Card, error) {
	data, err := t.read(ctx, f, cardfile.MaxSize)
	if errors.Is(err, gitmirror.ErrTooLarge) {
		return nil, &rejection{path: f.path, title: fmt.Sprintf("it is larger than %d bytes", cardfile.MaxSize)}
	}
	if err != nil {
		return nil, err
	}
	doc, err := cardfile.Read(f.path, data)
	var syntax *cardfile.SyntaxError
	if errors.As(err, &syntax) {
		title := "it cannot be read"
		if syntax.Line > 0 {
			title = fmt.Sprintf("line %d cannot be read", syntax.Line)
		}
		return nil, &rejection{path: f.path, title: title, lines: []string{syntax.Error()}}
	}
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, p := range doc.Problems() {
		if p.Severity == scorecard.Error {
			lines = append(lines, p.String())
		}
	}
	if len(lines) > 0 {
		return nil, &rejection{path: f.path, title: count(len(lines), "problem"), lines: lines}
	}
	return doc.Card, nil
}

// notVerified is a *rejection when evidence does not hold at the pinned commit. An
// item that cannot be run is said, not held against the card.
func notVerified(path string, v *outcome.Verification) error {
	var lines []string
	for _, item := range v.Items {
		if item.State == outcome.CheckMismatch || item.State == outcome.CheckMissing {
			lines = append(lines, describe(item))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return &rejection{path: path, lines: lines, verify: v,
		title: fmt.Sprintf("%d of %s not hold at its own commit %.7s", len(lines), count(len(v.Items), "evidence item")+" do", v.Commit)}
}

// describe says what is wrong with one evidence item.
func describe(item outcome.VerifyItem) string {
	place := strings.TrimSpace(fmt.Sprintf("%s %s %s", item.Criterion, item.Mechanism, item.Place))
	what := item.Evidence.Search
	if !item.Evidence.IsSearch() {
		what = item.Evidence.File + ":" + item.Evidence.Lines.String()
	}
	return fmt.Sprintf("%s, %s: expected %s, got %s", place, what, item.Expected, item.Got)
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
