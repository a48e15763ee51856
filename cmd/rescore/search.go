package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/search"
)

type searchFlags struct {
	repo, rev         string
	count, lines, all bool
}

// maxLines is how many lines --all prints, which bounds the memory that it takes.
const maxLines = 1_000_000

func searchCommand(s streams) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   `search --repo DIR --rev REV [--count|--lines|--all] -- "rg -n 'pattern' -g '*.py'" SCOPE...`,
		Short: "Evaluate an evidence search at a commit, as ripgrep would",
		Long: fmt.Sprintf(`Evaluates a ripgrep command over the scope paths at a commit, reading git objects
only; ripgrep itself is never run. Prints the first %d matching lines, with --all
every one, or with --count their number, which is exact in any case. A line of more
than %d bytes is cut. A command that cannot be evaluated exactly is refused with the
reason.`, search.MaxMatches, search.MaxTextBytes),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("say the command, in quotes of its own, and then its scope")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSearch(cmd.Context(), s, f, args[0], args[1:])
		},
	}
	cmd.Flags().StringVar(&f.repo, "repo", "", "work tree or bare repository")
	cmd.Flags().StringVar(&f.rev, "rev", "", "commit to search")
	cmd.Flags().BoolVar(&f.count, "count", false, "print the number of hits")
	cmd.Flags().BoolVar(&f.lines, "lines", false, fmt.Sprintf("print the first %d matching lines (the default)", search.MaxMatches))
	cmd.Flags().BoolVar(&f.all, "all", false, "print every matching line")
	oneOf(cmd, "count", "lines", "all")
	needs(cmd, "repo", "rev")
	return cmd
}

func runSearch(ctx context.Context, s streams, f searchFlags, command string, scope []string) error {
	if command == "rg" && len(scope) > 0 {
		return usageError("the command is one argument, in quotes of its own, and the scope follows: \"rg -n 'pattern'\" src")
	}
	for _, p := range scope {
		if strings.ContainsAny(p, " \t\n") {
			return usageError("scope path %q: white space separates paths in a scorecard, so a path with white space cannot be one", p)
		}
	}
	q, err := search.Parse(command, strings.Join(scope, " "))
	if err != nil {
		return inputError(err)
	}
	repo, err := openRepo(ctx, f.repo)
	if err != nil {
		return err
	}
	defer repo.Close()
	commit, err := resolve(ctx, repo, f.rev)
	if err != nil {
		return err
	}
	most := search.MaxMatches
	if f.all {
		most = maxLines
	}
	res, err := q.Lines(ctx, repo.At(gitmirror.OID(commit)), most)
	var refused *search.UnsupportedError
	if errors.As(err, &refused) { // some commands show only at a tree that they cannot be evaluated
		return inputError(err)
	}
	if err != nil {
		return repoError(err)
	}
	if !res.ScopeExists {
		return inputError(fmt.Errorf("none of the scope paths %q exists at %.12s", q.Scope(), commit))
	}
	absent, err := q.Absent(ctx, repo.At(gitmirror.OID(commit)))
	if err != nil {
		return repoError(err)
	}
	for _, p := range absent {
		fmt.Fprintf(s.err, "rescore: warning: the scope path %q does not exist at %.12s\n", p, commit)
	}
	if f.count {
		_, err := fmt.Fprintln(s.out, res.Hits)
		return err
	}
	return printMatches(s, res, f.all)
}

func printMatches(s streams, res search.Result, all bool) error {
	w := bufio.NewWriter(s.out)
	for _, m := range res.Matches {
		if m.Line > 0 {
			fmt.Fprintf(w, "%s:%d:%s\n", m.File, m.Line, m.Text)
		} else {
			fmt.Fprintf(w, "%s\n", m.Text)
		}
	}
	if res.Hits == 0 {
		fmt.Fprintln(s.err, "rescore: 0 hits")
	}
	if res.Truncated {
		rest := ""
		if !all {
			rest = "; --all prints every one"
		}
		fmt.Fprintf(s.err, "rescore: only the first %d of %d lines are shown%s\n", len(res.Matches), res.Hits, rest)
	}
	return w.Flush()
}
