package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/cardrepo"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/mutate"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// errFaults makes the command fail when the engine was fooled.
var errFaults = errors.New("the engine was wrong; see the list")

func mutateCommand() *cobra.Command {
	var card, repo string
	cmd := &cobra.Command{
		Use:   "mutate --card FILE [--repo DIR] | mutate FILE[=DIR]...",
		Short: "Make every kind of change to everything a card cites, and count what the engine gets wrong",
		Long: `For every citation and search of a card, makes every kind of harmless and harmful
change, rescores, and counts false alarms (something that holds was called broken, or
a level moved), misses (something broken was taken to hold) and wrong lines. Without a
repository one is generated in which the card verifies. Exits with 1 when any is found.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if card != "" {
				args = append([]string{card + "=" + repo}, args...)
			}
			if len(args) == 0 {
				return errors.New("name a card: --card FILE, or FILE[=DIR]...")
			}
			return runMutate(cmd.Context(), cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().StringVar(&card, "card", "", "scorecard, Markdown or JSON")
	cmd.Flags().StringVar(&repo, "repo", "", "its repository; a generated one when not given")
	return cmd
}

func runMutate(ctx context.Context, w io.Writer, subjects []string) error {
	engine, err := newEngine()
	if err != nil {
		return err
	}
	var results []*mutate.Result
	fmt.Fprint(w, "| card | repository | citations | searches | changes | false alarms | misses | wrong lines | s |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, subject := range subjects {
		name, dir, _ := strings.Cut(subject, "=")
		start := time.Now()
		card, r, err := mutateOne(ctx, engine, name, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		where := "real"
		if dir == "" {
			where = "generated"
		}
		t := r.Total()
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %d | %d | %.0f |\n", card.Name, where, r.Citations, r.Searches,
			t.Tried, t.FalseAlarms, t.Misses, t.WrongLines, time.Since(start).Seconds())
		results = append(results, r)
	}
	return report(w, mutate.Sum(results...))
}

func newEngine() (*rescore.Engine, error) {
	return rescore.NewEngine(rescore.Options{Version: "lab", Judges: []judge.Judge{judgeevidence.Judge{}}})
}

func report(w io.Writer, sum *mutate.Result) error {
	fmt.Fprintln(w)
	if err := sum.WriteTable(w); err != nil {
		return err
	}
	for _, s := range sum.Skipped {
		fmt.Fprintf(w, "\nleft out: %s\n", s)
	}
	for _, k := range sum.Kinds() {
		for _, example := range k.Examples {
			fmt.Fprintf(w, "\n%s\n", example)
		}
	}
	if sum.Total().Faults() > 0 {
		return errFaults
	}
	return nil
}

func mutateOne(ctx context.Context, engine *rescore.Engine, name, dir string) (*scorecard.Card, *mutate.Result, error) {
	card, err := readCard(name)
	if err != nil {
		return nil, nil, err
	}
	base, done, err := baseOf(ctx, card, dir)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	r, err := mutate.Run(ctx, engine, base, card)
	return card, r, err
}

func readCard(name string) (*scorecard.Card, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	doc, err := cardfile.Read(name, data)
	if err != nil {
		return nil, err
	}
	return doc.Card, nil
}

// baseOf is the card's commit in the repository, or a generated one.
func baseOf(ctx context.Context, card *scorecard.Card, dir string) (base *mutate.Base, done func(), err error) {
	if dir == "" {
		files, err := cardrepo.Files(card)
		if err != nil {
			return nil, nil, err
		}
		return mutate.Memory(files), func() {}, nil
	}
	repo, err := gitmirror.Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	base, err = mutate.NewBase(ctx, rescore.Local(repo).At(card.PinnedCommit))
	return base, func() { _ = repo.Close() }, err
}
