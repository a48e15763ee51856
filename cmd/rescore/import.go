package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func importCommand(s streams) *cobra.Command {
	var repo, out string
	cmd := &cobra.Command{
		Use:   "import FILE [--repo DIR] [-o FILE.json]",
		Short: "Read a report or an entry and write it as entry JSON",
		Long: `Reads a scorecard in either form and writes entry JSON, schema 2.0. Figures are
computed from the levels; those that the file prints otherwise are named in one line.

With --repo, citations without a quote get one from their lines at the card's pinned
commit: from then on a check sees not only that the lines exist, but what they say.

An unfinished card is written, too. As long as errors keep it from being used they are
listed first, and the exit status is 3.`,
		Args: oneArg("say which file to read, one report or entry"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd.Context(), s, args[0], repo, out) },
	}
	cmd.Flags().StringVar(&repo, "repo", "", "repository to take the missing quotes from")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write (default standard output)")
	return cmd
}

func runImport(ctx context.Context, s streams, name, dir, out string) error {
	doc, err := readAlone(ctx, dir, name)
	if err != nil {
		return err
	}
	added := scorecard.Normalize(doc.Card)
	figures, others := doc.Disagreements()
	doc.Card.Printed = nil // what is written is computed from the levels
	problems := doc.Problems()
	failed := printImported(s, name, doc.Warnings, problems)
	for _, o := range others {
		fmt.Fprintf(s.err, "rescore: warning: %s: %s; the details count\n", name, o)
	}
	for _, a := range added {
		fmt.Fprintf(s.err, "rescore: %s\n", a)
	}
	if len(figures) > 0 {
		fmt.Fprintf(s.err, "rescore: figures computed anew: %s\n", figureList(name, figures))
	}
	quoted := ""
	if dir != "" && !slices.ContainsFunc(problems, noCommit) {
		if quoted, err = quote(ctx, s, dir, doc.Card); err != nil {
			return err
		}
	}
	data, err := cardfile.WriteJSON(doc.Card)
	if err != nil {
		return inputError(fmt.Errorf("write entry: %w", err))
	}
	if err := writeResult(s, out, data); err != nil {
		return err
	}
	if failed > 0 {
		return inputError(fmt.Errorf("the card was written, but %s; rescore lint %s lists what to mend", errorsKeep(failed), name))
	}
	total := doc.Card.Total()
	fmt.Fprintf(s.err, "rescore: imported %s: %s / 10.0 (%s)%s\n", name, scorecard.Format1(total), scorecard.BandOf(total).Label, quoted)
	return nil
}

// printImported prints the errors of a card that is being imported, then the
// warnings about it and its file, and returns how many errors there are. Quotes that
// a report cannot hold and figures, which the import computes, are not its business.
func printImported(s streams, name string, warnings []cardfile.Warning, problems []scorecard.Problem) (failed int) {
	for _, p := range problems {
		if p.Severity == scorecard.Error {
			failed++
			fmt.Fprintf(s.err, "rescore: error: %s: %s\n", name, p)
		}
	}
	for _, w := range warnings {
		if w.Figure == (cardfile.Figure{}) {
			fmt.Fprintf(s.err, "rescore: warning: %s: %s\n", name, w)
		}
	}
	for _, p := range problems {
		if p.Severity != scorecard.Error && !p.Quiet() {
			fmt.Fprintf(s.err, "rescore: warning: %s: %s\n", name, p)
		}
	}
	return failed
}

// noCommit reports whether the problem is a pinned commit that is none, at which
// nothing can be read.
func noCommit(p scorecard.Problem) bool {
	return p.Severity == scorecard.Error && p.Place == "pinned commit"
}

// maxFigures is how many figures are named in one line: the total, the band and the
// scores of ten criteria.
const maxFigures = 12

func figureList(name string, figures []cardfile.Figure) string {
	var b strings.Builder
	for i, f := range figures {
		if i == maxFigures {
			fmt.Fprintf(&b, " and %d more, which rescore lint %s lists", len(figures)-i, name)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.String())
	}
	return b.String()
}

func errorsKeep(n int) string {
	if n == 1 {
		return "1 error keeps it from being used"
	}
	return fmt.Sprintf("%d errors keep it from being used", n)
}

// quote fills in the quotes that the card lacks, and says how many.
func quote(ctx context.Context, s streams, dir string, card *scorecard.Card) (done string, err error) {
	repo, err := openRepo(ctx, dir)
	if err != nil {
		return "", err
	}
	defer repo.Close()
	if _, err := resolvePinned(ctx, repo, card); err != nil {
		return "", err
	}
	given, missing, err := rescore.Quote(ctx, rescore.Local(repo), card)
	if err != nil {
		return "", repoError(err)
	}
	if missing > 0 {
		fmt.Fprintf(s.err, "rescore: warning: the lines of %s are not there at %.12s; rescore verify names them\n", citationCount(missing), card.PinnedCommit)
	}
	if given == 0 {
		return ", no quote was missing that could be given", nil
	}
	return ", quoted the cited lines of " + citationCount(given), nil
}

func citationCount(n int) string {
	if n == 1 {
		return "1 citation"
	}
	return fmt.Sprintf("%d citations", n)
}

func errorCount(n int) string {
	if n == 1 {
		return "1 error"
	}
	return fmt.Sprintf("%d errors", n)
}
