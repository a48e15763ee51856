package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

type replayFlags struct {
	repo, card, from, to, format, outCard string
	firstParent                           bool
	judges                                []string
}

func replayCommand(s streams) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay --repo DIR --card FILE --from REV --to REV",
		Short: "Carry a card along a line of history, commit by commit",
		Long: `Walks from one commit to the other, either of which may be the ancestor, and
rescores the card at each step. Prints one outcome a commit; --out-card writes the
card as it stands at the end.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runReplay(cmd.Context(), s, f) },
	}
	repoAndCard(cmd, &f.repo, &f.card)
	cmd.Flags().StringVar(&f.from, "from", "", "commit to start from; a card pinned elsewhere is brought there first")
	cmd.Flags().StringVar(&f.to, "to", "", "commit to end at")
	cmd.Flags().BoolVar(&f.firstParent, "first-parent", false, "follow only the first parent of merges")
	cmd.Flags().StringVar(&f.outCard, "out-card", "", "write the card at the end to this file")
	judgeFlag(cmd, &f.judges)
	formatFlag(cmd, &f.format, "text", "jsonl")
	needs(cmd, "repo", "card", "from", "to")
	return cmd
}

func runReplay(ctx context.Context, s streams, f replayFlags) error {
	engine, err := newEngine(f.judges)
	if err != nil {
		return err
	}
	repo, doc, err := openBoth(ctx, s, f.repo, f.card)
	if err != nil {
		return err
	}
	defer repo.Close()
	card := doc.Card
	chain, err := chain(ctx, repo, f)
	if err != nil {
		return err
	}
	if len(chain) == 1 {
		fmt.Fprintf(s.err, "rescore: --from and --to are one commit, %.12s: no step to replay\n", chain[0])
	}
	start := card
	card, err = walk(ctx, s, engine, repo, card, chain, f.format)
	if err != nil {
		return err
	}
	if f.format == "text" && len(chain) > 1 {
		if err := writeDoubts(s.out, start, card, f.outCard != ""); err != nil {
			return err
		}
	}
	if f.outCard == "" {
		return nil
	}
	return writeCard(s, f.outCard, doc, card)
}

// chain lists the commits to visit, first and last included.
func chain(ctx context.Context, repo *gitmirror.Repo, f replayFlags) ([]string, error) {
	from, err := resolve(ctx, repo, f.from)
	if err != nil {
		return nil, err
	}
	to, err := resolve(ctx, repo, f.to)
	if err != nil {
		return nil, err
	}
	list := repo.Commits
	if f.firstParent {
		list = repo.FirstParents
	}
	ids, err := list(ctx, gitmirror.OID(from), gitmirror.OID(to))
	if errors.Is(err, gitmirror.ErrUnrelated) {
		err = fmt.Errorf("%w; replay walks one line of history, so name two commits of one, or compare them with rescore diff", err)
	}
	if err != nil {
		return nil, inputError(err)
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out, nil
}

// walk carries the card along the chain and prints an outcome for each step.
func walk(ctx context.Context, s streams, engine *rescore.Engine, repo *gitmirror.Repo, card *scorecard.Card, chain []string, format string) (*scorecard.Card, error) {
	bar := progress(s.err, len(chain)-1)
	defer func() { _ = bar.Finish() }()
	local := rescore.Local(repo)
	since := map[string]string(nil)
	if card.PinnedCommit != chain[0] {
		o, err := engine.Rescore(ctx, local, rescore.Request{Card: card, Head: chain[0]})
		if err != nil {
			return nil, cardError(err, card)
		}
		if o.Score.Before != o.Score.After {
			fmt.Fprintf(s.err, "rescore: the card of %.12s brought to %.12s: %s → %s\n", o.CardCommit, chain[0], scorecard.Format1(o.Score.Before), scorecard.Format1(o.Score.After))
		}
		card, since = o.After, rescore.Since(o)
	}
	for _, head := range chain[1:] {
		o, err := engine.Rescore(ctx, local, rescore.Request{Card: card, Head: head, Since: since})
		if err != nil {
			return nil, cardError(err, card)
		}
		if err := writeStep(s.out, format, o); err != nil {
			return nil, err
		}
		card, since = o.After, rescore.Since(o)
		_ = bar.Add(1)
	}
	return card, nil
}
