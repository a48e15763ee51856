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
	var card, repo, rev string
	var endings []string
	var places int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "mutate --card FILE [--repo DIR] | mutate FILE[=DIR]... | mutate --places N --ending .EXT --repo DIR",
		Short: "Make every kind of change to everything a card cites, and count what the engine gets wrong",
		Long: `For every citation and search of a card, makes every kind of harmless and harmful
change, rescores, and counts false alarms (something that holds was called broken, or
a level moved), misses (something broken was taken to hold) and wrong lines. Without a
repository one is generated in which the card verifies. Exits with 1 when any is found.

With --places, a card of so many places drawn at random stands in for one: in any
repository, for the languages of the endings. Such places cut statements in two, so some
false alarms are the bench's own.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if places > 0 {
				return runPlaces(cmd.Context(), cmd.OutOrStdout(), repo, rev, places, seed, endings)
			}
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
	cmd.Flags().IntVar(&places, "places", 0, "draw so many places in the repository's files instead")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "with --places: which ones")
	cmd.Flags().StringVar(&rev, "rev", "HEAD", "with --places: at which commit")
	cmd.Flags().StringSliceVar(&endings, "ending", nil, "with --places: of files that end so (.rs) or are called so (Dockerfile)")
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

// runPlaces mutates a card of random places in a repository.
func runPlaces(ctx context.Context, w io.Writer, dir, rev string, n int, seed uint64, endings []string) error {
	if dir == "" || len(endings) == 0 {
		return errors.New("--places needs --repo DIR and --ending .EXT")
	}
	engine, err := newEngine()
	if err != nil {
		return err
	}
	repo, err := gitmirror.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { _ = repo.Close() }()
	commit, err := repo.Resolve(ctx, rev)
	if err != nil {
		return err
	}
	base, err := mutate.NewBase(ctx, rescore.Local(repo).At(string(commit)))
	if err != nil {
		return err
	}
	card, err := mutate.Places(ctx, base, n, seed, endings)
	if err != nil {
		return err
	}
	r, err := mutate.Run(ctx, engine, base, card)
	if err != nil {
		return err
	}
	t := r.Total()
	fmt.Fprintf(w, "%d places, %d changes, %d false alarms, %d misses, %d wrong lines\n", r.Citations, t.Tried, t.FalseAlarms, t.Misses, t.WrongLines)
	return report(w, r)
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
