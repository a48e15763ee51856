package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/judge/known"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/rescore"
)

type verifyFlags struct {
	repo, card, rev, format string
}

func verifyCommand(s streams) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify --repo DIR --card FILE [--rev REV]",
		Short: "Check every citation and every search of a card at a commit",
		Long: `Checks at one commit (by default the one the card is pinned to) that every cited
file and line exists and shows its quote, and that every search gives exactly its
hits. Exit status 1 when something is not confirmed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runVerify(cmd.Context(), s, f) },
	}
	repoAndCard(cmd, &f.repo, &f.card)
	cmd.Flags().StringVar(&f.rev, "rev", "", "commit to check at (default the card's pinned commit)")
	formatFlag(cmd, &f.format, "text", "json")
	needs(cmd, "repo", "card")
	return cmd
}

func runVerify(ctx context.Context, s streams, f verifyFlags) error {
	engine, err := newEngine([]string{known.Default})
	if err != nil {
		return err
	}
	repo, doc, err := openBoth(ctx, s, f.repo, f.card)
	if err != nil {
		return err
	}
	defer repo.Close()
	card := doc.Card
	rev := f.rev
	if rev == "" {
		rev = card.PinnedCommit
	}
	commit, err := repo.Resolve(ctx, rev)
	if err != nil {
		return inputError(cardError(err, card))
	}
	v, err := engine.Verify(ctx, rescore.Local(repo), card, string(commit))
	if err != nil {
		return cardError(err, card)
	}
	data := []byte(report.VerifyText(v, width(s.out), colored(s.out)))
	if f.format == "json" {
		data = report.VerifyJSON(v)
	}
	if err := writeResult(s, "", data); err != nil {
		return err
	}
	if !v.OK() {
		return &exitError{Status: exitPolicy}
	}
	return nil
}
