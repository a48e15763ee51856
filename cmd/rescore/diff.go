package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

type diffFlags struct {
	repo, card, base, head, policy, format, outCard string
	judges                                          []string
}

func diffCommand(s streams) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff --repo DIR --card FILE [--base REV] --head REV",
		Short: "Rescore a card from one commit to another",
		Long: `Finds which criteria rest on evidence that changed between two commits, rescores
only those, and prints the score diff and the re-audit log.

The base defaults to the commit the card is pinned to. A card pinned elsewhere is
first brought to the base, so that older drift is not part of the answer.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDiff(cmd.Context(), s, f) },
	}
	repoAndCard(cmd, &f.repo, &f.card)
	cmd.Flags().StringVar(&f.base, "base", "", "commit to compare from (default the card's pinned commit)")
	cmd.Flags().StringVar(&f.head, "head", "", "commit to rescore at")
	cmd.Flags().StringVar(&f.policy, "policy", "", "policy: file, or REV:path inside the repository; without one nothing ever fails")
	cmd.Flags().StringVar(&f.outCard, "out-card", "", "write the card at head to this file (.json an entry, .md a report, else in the card's own form)")
	judgeFlag(cmd, &f.judges)
	formatFlag(cmd, &f.format, formNames(outcomeForms)...)
	needs(cmd, "repo", "card", "head")
	return cmd
}

func runDiff(ctx context.Context, s streams, f diffFlags) error {
	engine, err := newEngine(f.judges)
	if err != nil {
		return err
	}
	repo, doc, err := openBoth(ctx, s, f.repo, f.card)
	if err != nil {
		return err
	}
	defer repo.Close()
	pol, err := readPolicy(ctx, repo, f.policy)
	if err != nil {
		return err
	}
	card := doc.Card
	req, err := request(ctx, repo, card, f.base, f.head)
	if err != nil {
		return err
	}
	o, err := engine.Rescore(ctx, rescore.Local(repo), req)
	if err != nil {
		return cardError(err, card)
	}
	pol.Apply(o, time.Now())
	if f.outCard != "" { // what stays comes first: the reader of the rest may be gone
		if err := writeCard(s, f.outCard, doc, o.After); err != nil {
			return err
		}
	}
	if err := writeOutcome(s, f.format, o); err != nil {
		return err
	}
	if o.Conclusion == outcome.Failure {
		return &exitError{Status: exitPolicy}
	}
	return nil
}

// request resolves the two revisions; full ids are taken as they are, so that a
// quiet diff costs one git process.
func request(ctx context.Context, repo *gitmirror.Repo, card *scorecard.Card, base, head string) (rescore.Request, error) {
	req := rescore.Request{Card: card}
	var err error
	if base != "" {
		if req.Base, err = resolveLazily(ctx, repo, base); err != nil {
			return req, err
		}
	}
	req.Head, err = resolveLazily(ctx, repo, head)
	return req, err
}

// outcomeForms are the forms of an outcome, the usual one first.
var outcomeForms = []form[*outcome.Outcome]{
	{"text", func(s streams, o *outcome.Outcome) ([]byte, error) {
		return []byte(report.Text(o, width(s.out), colored(s.out))), nil
	}},
	{"markdown", func(_ streams, o *outcome.Outcome) ([]byte, error) {
		return []byte(report.Comment(o, report.Options{})), nil
	}},
	{"json", func(_ streams, o *outcome.Outcome) ([]byte, error) { return report.JSON(o), nil }},
	{"sarif", func(_ streams, o *outcome.Outcome) ([]byte, error) { return report.SARIF(o), nil }},
	{"html", func(_ streams, o *outcome.Outcome) ([]byte, error) {
		return report.OutcomeHTML(o, report.Options{})
	}},
}

func writeOutcome(s streams, format string, o *outcome.Outcome) error {
	data, err := inForm(outcomeForms, s, format, o)
	if err != nil {
		return fmt.Errorf("write the outcome as %s: %w", format, err)
	}
	return writeResult(s, "", data)
}

// writeCard writes a card in the format its file name asks for; Markdown keeps
// the style of the document it came from.
func writeCard(s streams, name string, doc *cardfile.Document, card *scorecard.Card) error {
	data, err := doc.WriteAs(cardfile.FormatOf(name, doc.Format), card)
	if err != nil {
		return fmt.Errorf("write card: %w", err)
	}
	return writeResult(s, name, data)
}
