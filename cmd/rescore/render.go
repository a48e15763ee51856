package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/report"
)

type renderFlags struct {
	repo, card, format, out string
}

func renderCommand(s streams) *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render --card FILE --format " + strings.Join(formNames(cardForms), "|") + " [-o FILE]",
		Short: "Write a card as a report, an entry, a page or a badge",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runRender(cmd.Context(), s, f) },
	}
	repoAndCard(cmd, &f.repo, &f.card)
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "file to write (default standard output)")
	formatFlag(cmd, &f.format, formNames(cardForms)...)
	needs(cmd, "card")
	return cmd
}

func runRender(ctx context.Context, s streams, f renderFlags) error {
	doc, err := readAlone(ctx, f.repo, f.card)
	if err != nil {
		return err
	}
	data, err := inForm(cardForms, s, f.format, doc)
	if err != nil {
		return fmt.Errorf("render %s as %s: %w", f.card, f.format, err)
	}
	return writeResult(s, f.out, data)
}

// cardForms are the forms of a card, the usual one first.
var cardForms = []form[*cardfile.Document]{
	{"md", func(_ streams, d *cardfile.Document) ([]byte, error) { return d.WriteAs(cardfile.Markdown, d.Card) }},
	{"json", func(_ streams, d *cardfile.Document) ([]byte, error) { return d.WriteAs(cardfile.JSON, d.Card) }},
	{"html", func(_ streams, d *cardfile.Document) ([]byte, error) { return report.CardHTML(d.Card) }},
	{"badge", func(_ streams, d *cardfile.Document) ([]byte, error) { return report.Badge(d.Card) }},
	{"svg", func(_ streams, d *cardfile.Document) ([]byte, error) { return report.BadgeSVG(d.Card) }},
}
