package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/judge/known"
	"github.com/rescore-app/rescore/internal/lint"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func lintCommand(s streams) *cobra.Command {
	var repo string
	cmd := &cobra.Command{
		Use:   "lint CARD [--repo DIR]",
		Short: "Find what should be mended in a card before it is published",
		Long: `Reads the card by the strict rules for what one writes oneself and, with --repo,
verifies every item at the pinned commit. Exit status 1 when there are errors.`,
		Args: oneArg("say which card to read, one report or entry"),
		RunE: func(cmd *cobra.Command, args []string) error { return runLint(cmd.Context(), s, args[0], repo) },
	}
	cmd.Flags().StringVar(&repo, "repo", "", "work tree or bare repository to verify the evidence in")
	return cmd
}

func runLint(ctx context.Context, s streams, name, dir string) error {
	repo, err := cardRepo(ctx, dir, name)
	if dir != "" && repo == nil && err == nil {
		repo, err = openRepo(ctx, dir)
	}
	if err != nil {
		return err
	}
	if repo != nil {
		defer repo.Close()
	}
	doc, err := readCard(ctx, repo, name)
	if err != nil {
		return err
	}
	var checks *outcome.Verification
	if dir != "" {
		engine, err := newEngine([]string{known.Default})
		if err != nil {
			return err
		}
		commit, err := resolvePinned(ctx, repo, doc.Card)
		if err != nil {
			return err
		}
		if checks, err = engine.Verify(ctx, rescore.Local(repo), doc.Card, commit); err != nil {
			return repoError(err)
		}
	}
	return printProblems(s, name, doc, checks, lint.Card(doc.Card, checks, time.Now()))
}

// printProblems prints what is wrong with the card, and with the file it was read
// from, and what came of verifying it, if it was.
func printProblems(s streams, name string, doc *cardfile.Document, checks *outcome.Verification, problems []scorecard.Problem) error {
	var b strings.Builder
	failed, unquoted := 0, 0
	for _, p := range problems {
		if p.Severity == scorecard.Error {
			failed++
		}
		if p.WantsQuote() {
			unquoted++
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", name, p.Severity, p)
	}
	for _, w := range doc.Warnings {
		fmt.Fprintf(&b, "%s: warning: %s\n", name, w)
	}
	switch {
	case unquoted > 0 && doc.Format == cardfile.Markdown:
		b.WriteString("A report has no room for quotes: rescore import --repo DIR writes an entry that has them.\n")
	case unquoted > 0:
		b.WriteString("rescore import --repo DIR takes the missing quotes from the cited lines.\n")
	}
	if checks != nil {
		b.WriteString(report.VerifyLine(checks) + "\n")
	}
	warnings := "1 warning"
	if n := len(problems) - failed + len(doc.Warnings); n != 1 {
		warnings = fmt.Sprintf("%d warnings", n)
	}
	fmt.Fprintf(&b, "%s, %s\n", errorCount(failed), warnings)
	if err := writeResult(s, "", []byte(b.String())); err != nil {
		return err
	}
	if failed > 0 {
		return &exitError{Status: exitPolicy}
	}
	return nil
}
