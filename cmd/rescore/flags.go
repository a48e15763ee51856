package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func repoAndCard(cmd *cobra.Command, repo, card *string) {
	cmd.Flags().StringVar(repo, "repo", "", "work tree or bare repository")
	cmd.Flags().StringVar(card, "card", "", "scorecard: Markdown or JSON file, or REV:path inside the repository")
}

func judgeFlag(cmd *cobra.Command, judges *[]string) {
	cmd.Flags().StringSliceVar(judges, "judge", []string{judgeevidence.Name}, "judges, in order")
}

// formatValue is a flag that takes one of a few words.
type formatValue struct {
	value   *string
	allowed []string
}

func (f formatValue) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

func (f formatValue) Type() string { return strings.Join(f.allowed, "|") }

func (f formatValue) Set(v string) error {
	if !slices.Contains(f.allowed, v) {
		return fmt.Errorf("want one of %s", strings.Join(f.allowed, ", "))
	}
	*f.value = v
	return nil
}

// formatFlag adds --format; the first of the allowed words is the default.
func formatFlag(cmd *cobra.Command, value *string, allowed ...string) {
	*value = allowed[0]
	cmd.Flags().Var(formatValue{value: value, allowed: allowed}, "format", "output format")
}

// needs marks flags as required; a missing one is wrong usage.
func needs(cmd *cobra.Command, names ...string) {
	inner := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, n := range names {
			f := cmd.Flags().Lookup(n)
			switch {
			case f.Value.String() != "":
			case f.Changed:
				return usageError("--%s is empty; what was to fill it printed nothing", n)
			default:
				return usageError("--%s is missing; see '%s --help'", n, cmd.CommandPath())
			}
		}
		return inner(cmd, args)
	}
}

// newEngine builds the engine with the named judges.
func newEngine(names []string) (*rescore.Engine, error) {
	var judges []judge.Judge
	for _, n := range names {
		if n != judgeevidence.Name {
			return nil, usageError("--judge %s: this version knows %q", n, judgeevidence.Name)
		}
		judges = append(judges, judgeevidence.Judge{})
	}
	e, err := rescore.NewEngine(rescore.Options{Version: programVersion(), Judges: judges})
	if err != nil {
		return nil, usageError("--judge: %w", err)
	}
	return e, nil
}

// cardError is repoError for what was asked on behalf of a card: a repository that lacks
// the very commit that the card is pinned to may be another one.
func cardError(err error, card *scorecard.Card) error {
	var unknown *gitmirror.RevError
	if errors.As(err, &unknown) && unknown.Rev == card.PinnedCommit && card.RepoURL != "" {
		err = fmt.Errorf("%w; the card is pinned to it and is of %s: is --repo a clone of that?", err, card.RepoURL)
	}
	return repoError(err)
}

// repoError gives errors that the repository or a revision causes the status of
// an unusable input.
func repoError(err error) error {
	for _, target := range []error{gitmirror.ErrUnknownRev, gitmirror.ErrEmpty, gitmirror.ErrMissing, gitmirror.ErrNoMergeBase} {
		if errors.Is(err, target) {
			return inputError(err)
		}
	}
	return err
}
