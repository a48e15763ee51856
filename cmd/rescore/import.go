package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func importCommand(s streams) *cobra.Command {
	var repo, out string
	cmd := &cobra.Command{
		Use:   "import FILE [--repo DIR] [-o FILE.json]",
		Short: "Read a report or an entry and write it as entry JSON",
		Long: `Reads a scorecard in either form and writes entry JSON, schema 2.0. What the file
says that its levels do not support is shown as a warning; the import goes ahead.

With --repo, citations without a quote get one from their lines at the card's pinned
commit: from then on a check sees not only that the lines exist, but what they say.`,
		Args: oneArg("say which file to read, one report or entry"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd.Context(), s, args[0], repo, out) },
	}
	cmd.Flags().StringVar(&repo, "repo", "", "repository to take the missing quotes from")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write (default standard output)")
	return cmd
}

func runImport(ctx context.Context, s streams, name, dir, out string) error {
	doc, err := readCard(ctx, nil, name)
	if err != nil {
		return err
	}
	found := doc.Problems()
	if dir != "" {
		if err := quote(ctx, s, dir, doc.Card); err != nil {
			return err
		}
	}
	added := scorecard.Normalize(doc.Card)
	doc.Card.Printed = nil // what is written is computed from the levels
	refused := slices.DeleteFunc(doc.Problems(), func(p scorecard.Problem) bool { return p.Severity != scorecard.Error })
	for _, w := range doc.Warnings {
		fmt.Fprintf(s.err, "rescore: warning: %s: %s\n", name, w)
	}
	for _, p := range found {
		if (!p.Quiet() || p.Severity == scorecard.Error) && !slices.Contains(refused, p) {
			fmt.Fprintf(s.err, "rescore: warning: %s: %s\n", name, p)
		}
	}
	for _, a := range added {
		fmt.Fprintf(s.err, "rescore: added: %s\n", a)
	}
	for _, p := range refused {
		fmt.Fprintf(s.err, "rescore: error: %s: %s\n", name, p)
	}
	if len(refused) > 0 {
		fmt.Fprintf(s.err, "rescore: warning: the imported card has %s and will be refused by verify, diff and the app until mended\n", errorCount(len(refused)))
	}
	data, err := cardfile.WriteJSON(doc.Card)
	if err != nil {
		return inputError(fmt.Errorf("write entry: %w", err))
	}
	return writeResult(s, out, data)
}

// quote fills in the quotes that the card lacks.
func quote(ctx context.Context, s streams, dir string, card *scorecard.Card) error {
	repo, err := openRepo(ctx, dir)
	if err != nil {
		return err
	}
	defer repo.Close()
	if _, err := resolve(ctx, repo, card.PinnedCommit); err != nil {
		return err
	}
	given, missing, err := rescore.Quote(ctx, rescore.Local(repo), card)
	if err != nil {
		return repoError(err)
	}
	fmt.Fprintf(s.err, "rescore: quoted the cited lines of %d citations\n", given)
	if missing > 0 {
		fmt.Fprintf(s.err, "rescore: warning: the lines of %d citations are not there at %.12s; rescore verify names them\n", missing, card.PinnedCommit)
	}
	return nil
}

func errorCount(n int) string {
	if n == 1 {
		return "1 error"
	}
	return fmt.Sprintf("%d errors", n)
}

type renderFlags struct {
	repo, card, format, out string
}

func renderCommand(s streams) *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render --card FILE --format md|json|html|badge|svg [-o FILE]",
		Short: "Write a card as a report, an entry, a page or a badge",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runRender(cmd.Context(), s, f) },
	}
	repoAndCard(cmd, &f.repo, &f.card)
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "file to write (default standard output)")
	formatFlag(cmd, &f.format, "md", "json", "html", "badge", "svg")
	needs(cmd, "card")
	return cmd
}

func runRender(ctx context.Context, s streams, f renderFlags) error {
	repo, err := cardRepo(ctx, f.repo, f.card)
	if err != nil {
		return err
	}
	if repo != nil {
		defer repo.Close()
	}
	doc, err := readCard(ctx, repo, f.card)
	if err != nil {
		return err
	}
	data, err := render(doc, f.format)
	if err != nil {
		return fmt.Errorf("render %s as %s: %w", f.card, f.format, err)
	}
	return writeResult(s, f.out, data)
}

// cardRepo opens the repository that a REV:path card lives in: the one given, or
// the one in the current directory.
func cardRepo(ctx context.Context, dir, card string) (*gitmirror.Repo, error) {
	if _, err := os.Stat(card); err == nil || !strings.Contains(card, ":") {
		return nil, nil
	}
	if dir == "" {
		dir = "."
	}
	return openRepo(ctx, dir)
}

func render(doc *cardfile.Document, format string) ([]byte, error) {
	switch format {
	case "json":
		return doc.WriteAs(cardfile.JSON, doc.Card)
	case "html":
		return report.CardHTML(doc.Card)
	case "badge":
		return report.Badge(doc.Card)
	case "svg":
		return report.BadgeSVG(doc.Card)
	default:
		return doc.WriteAs(cardfile.Markdown, doc.Card)
	}
}
