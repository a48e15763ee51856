package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/store"
)

// push makes the baseline and the check of the default branch right, wherever the
// branch stands now: a job that comes late finds its work done.
func (w *Worker) push(ctx context.Context, a attempt, args job.Push) error {
	return w.onBranch(ctx, a, args.Origin, asked{})
}

func (w *Worker) onBranch(ctx context.Context, a attempt, o job.Origin, asked asked) error {
	return w.onSubject(ctx, a, o, job.BranchSubject(o.RepoID), asked, func(ctx context.Context, t *tenant) error {
		repo := t.repo
		if repo.DefaultBranch == "" {
			return &errDone{reason: fmt.Errorf("the default branch of %s is not known", repo.FullName())}
		}
		tips, err := t.fetch(ctx, "refs/heads/"+repo.DefaultBranch)
		if errors.Is(err, gitmirror.ErrUnknownRev) {
			return &errDone{reason: fmt.Errorf("%s has no branch %q: it is empty, or the branch is gone", repo.FullName(), repo.DefaultBranch)}
		}
		if err != nil {
			return err
		}
		e := &evaluation{tenant: t, a: a, origin: o, asked: asked, head: tips[0], tip: tips[0], baseRef: repo.DefaultBranch}
		return e.evaluate(ctx)
	})
}

// advance stores the card at head as the baseline and writes what changed to the
// re-audit log. Doing so again changes nothing.
func (e *evaluation) advance(ctx context.Context, b baseline, o *outcome.Outcome) error {
	if b.card.PinnedCommit == string(e.head) && len(o.Log) == 0 {
		return nil // imported at this very commit
	}
	data, err := packCard(o.After, rescore.Since(o))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(report.JSON(o))
	row := store.Baseline{
		RepoID: e.repo.ID, Commit: string(e.head), CardPath: b.path, CardBlob: string(b.blob), Origin: store.OriginAdvanced,
		Card: data, OutcomeDigest: hex.EncodeToString(sum[:]), Scorer: e.w.Scorer,
	}
	entries, err := e.replaced(ctx, b)
	if err != nil {
		return err
	}
	for _, l := range o.Log {
		entries = append(entries, store.LogEntry{
			FromCommit: o.Base, ToCommit: o.Head, Criterion: l.Criterion, Parameter: string(l.Parameter), Mechanism: string(l.Mechanism),
			FromLevel: l.From, ToLevel: l.To, By: l.By, Reason: l.Reason,
		})
	}
	return e.w.Store.InTx(ctx, func(tx *store.Tx) error {
		fresh, err := tx.AddBaseline(ctx, row)
		if err != nil || !fresh {
			return err
		}
		return tx.AppendLog(ctx, e.repo.ID, entries)
	})
}

// byImport is who decided a level that a newly committed card brought.
const byImport = "import"

// replaced lists the levels that a newly committed card changed against the
// baseline that held before it. A card that was advanced before is not new.
func (e *evaluation) replaced(ctx context.Context, b baseline) ([]store.LogEntry, error) {
	rows, err := e.w.Store.Baselines(ctx, e.repo.ID, maxBaselines)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.CardBlob == string(b.blob) && row.Origin == store.OriginAdvanced {
			return nil, nil
		}
		if row.CardBlob == string(b.blob) {
			continue
		}
		before, err := e.load(ctx, row)
		if err != nil {
			return nil, err
		}
		var out []store.LogEntry
		for _, d := range differences(b.card, before.card) {
			out = append(out, store.LogEntry{
				FromCommit: row.Commit, ToCommit: b.card.PinnedCommit, Criterion: d.criterion, Parameter: string(d.parameter),
				Mechanism: string(d.mechanism), FromLevel: d.holds, ToLevel: d.proposed, By: byImport,
				Reason: "A new scorecard was committed at " + b.path + ".",
			})
		}
		return out, nil
	}
	return nil, nil
}
