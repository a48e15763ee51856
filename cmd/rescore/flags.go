package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/judge/known"
	"github.com/rescore-app/rescore/internal/nearest"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func repoAndCard(cmd *cobra.Command, repo, card *string) {
	cmd.Flags().StringVar(repo, "repo", "", "work tree or bare repository")
	cmd.Flags().StringVar(card, "card", "", "scorecard: Markdown or JSON file, or REV:path inside the repository")
}

func judgeFlag(cmd *cobra.Command, judges *[]string) {
	cmd.Flags().StringSliceVar(judges, "judge", []string{known.Default}, "judges, in order")
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

// form is one of the forms that a command writes its result in.
type form[T any] struct {
	name  string // as --format says it
	write func(streams, T) ([]byte, error)
}

// formNames lists the names of the forms, in their order.
func formNames[T any](forms []form[T]) []string {
	var out []string
	for _, f := range forms {
		out = append(out, f.name)
	}
	return out
}

// inForm writes the result in the form of the name, which formatFlag has checked.
func inForm[T any](forms []form[T], s streams, name string, result T) ([]byte, error) {
	i := slices.IndexFunc(forms, func(f form[T]) bool { return f.name == name })
	return forms[i].write(s, result)
}

// formatFlag adds --format; the first of the allowed words is the default.
func formatFlag(cmd *cobra.Command, value *string, allowed ...string) {
	*value = allowed[0]
	cmd.Flags().Var(formatValue{value: value, allowed: allowed}, "format", "output format")
}

// needs marks flags as required; missing ones are wrong usage.
func needs(cmd *cobra.Command, names ...string) {
	inner := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var missing []string
		for _, n := range names {
			if !cmd.Flags().Changed(n) {
				missing = append(missing, "--"+n)
			}
		}
		switch last := len(missing) - 1; {
		case last == 0:
			return usageError("%s is missing; see '%s --help'", missing[0], cmd.CommandPath())
		case last > 0:
			return usageError("%s and %s are missing; see '%s --help'", strings.Join(missing[:last], ", "), missing[last], cmd.CommandPath())
		}
		return inner(cmd, args)
	}
}

// oneOf marks flags of which at most one may be given.
func oneOf(cmd *cobra.Command, names ...string) {
	inner := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var given []string
		for _, n := range names {
			if cmd.Flags().Changed(n) {
				given = append(given, "--"+n)
			}
		}
		if len(given) > 1 {
			return usageError("%s exclude each other; see '%s --help'", strings.Join(given, " and "), cmd.CommandPath())
		}
		return inner(cmd, args)
	}
}

// oneArg takes exactly one argument and says which when it is missing.
func oneArg(hint string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errors.New(hint)
		}
		return nil
	}
}

// fillsFlags makes a flag that is given and empty wrong usage, of every command alike:
// a script whose variable is empty must not get the answer to another question, as
// from a diff without its policy.
func fillsFlags(cmd *cobra.Command) {
	inner := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if v := f.Value.String(); err == nil && (v == "" || v == "[]") {
				err = usageError("--%s is empty; what was to fill it printed nothing", f.Name)
			}
		})
		if err != nil {
			return err
		}
		return inner(cmd, args)
	}
}

// flagError is what cobra says of a flag, with the status of wrong usage, and with the
// flag that is spelled almost as one that is unknown.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if name := nearest.Word(unknown.GetSpecifiedName(), names); name != "" {
			return usageError("%w; did you mean --%s? see '%s --help'", err, name, cmd.CommandPath())
		}
	}
	return usageError("%w; see '%s --help'", err, cmd.CommandPath())
}

// newEngine builds the engine with the named judges.
func newEngine(names []string) (*rescore.Engine, error) {
	var judges []judge.Judge
	for _, n := range names {
		j, ok := known.ByName(n)
		if !ok {
			return nil, usageError("--judge %s: this version knows \"%s\"", n, strings.Join(known.Names(), `", "`))
		}
		judges = append(judges, j)
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
		return inputError(fmt.Errorf("%w; the card is pinned to it and is of %s: is --repo a clone of that?", unknown, card.RepoURL))
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
