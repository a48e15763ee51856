// Command rescore keeps an AI agent's defense-in-depth scorecard true while its
// code changes: as a GitHub App (serve), and on a local clone (diff, verify,
// replay and friends).
//
// This package holds flags, configuration and wiring, no logic.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/nearest"
)

// Exit statuses, as docs and scripts rely on them.
const (
	exitOK     = 0
	exitPolicy = 1 // the policy says no, verify found a mismatch, or lint an error
	exitUsage  = 2
	exitInput  = 3 // an input that cannot be used: card, policy, repository
	exitOther  = 4
)

// exitError carries an exit status with an error. A nil Err prints nothing: the
// result on standard output already says it.
type exitError struct {
	Status int
	Err    error
}

func (e *exitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Status)
	}
	return e.Err.Error()
}

func (e *exitError) Unwrap() error { return e.Err }

// inputError marks an error as an input that cannot be used.
func inputError(err error) error { return &exitError{Status: exitInput, Err: err} }

// usageError marks an error as wrong usage.
func usageError(format string, args ...any) error {
	return &exitError{Status: exitUsage, Err: fmt.Errorf(format, args...)}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends what does not listen to the first
	status := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(status)
}

// run executes one command line and returns its exit status. A panic is a defect
// of the program and must not look like wrong usage, which is Go's own status.
func run(ctx context.Context, args []string, io streams) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(io.err, "rescore: this is a defect of the program, please report it: %v\n%s", p, debug.Stack())
			status = exitOther
		}
	}()
	root := newRoot(io)
	help := &remembering{to: io.out} // cobra does not ask whether its help could be written
	root.SetOut(help)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil && help.err != nil {
		err = fmt.Errorf("write the result: %w", help.err)
	}
	if err == nil {
		return exitOK
	}
	var ee *exitError
	switch {
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		ee = &exitError{Status: exitOther, Err: errors.New("interrupted")}
	case !errors.As(err, &ee):
		ee = &exitError{Status: exitOther, Err: err}
	}
	if ee.Err != nil {
		fmt.Fprintln(io.err, "rescore:", ee.Err)
	}
	return ee.Status
}

func newRoot(io streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "rescore",
		Short: "Keeps an AI agent's defense-in-depth scorecard true while its code changes",
		Long: `Rescore keeps an AI agent's defense-in-depth scorecard true while its code changes.

See it work:            rescore demo
On a local clone:       rescore diff --repo . --card scorecard.md --head HEAD
As a GitHub App:        rescore serve

Exit status: 0 done; 1 the policy says no, verify found a mismatch, or lint an
error; 2 wrong usage; 3 an input that cannot be used; 4 anything else.`,
		Version:       programVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(diffCommand(io), verifyCommand(io), replayCommand(io), searchCommand(io),
		importCommand(io), renderCommand(io), demoCommand(io), serveCommand(io), explainCommand(io), lintCommand(io), schemaCommand(io), versionCommand(io))
	for _, c := range root.Commands() {
		c.Args = usageArgs(c.Args)
		fillsFlags(c)
	}
	root.Args = usageArgs(root.Args)
	root.SetHelpCommand(helpCommand())
	return root
}

// helpCommand is cobra's, but that a command which is not there is wrong usage.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError("unknown command %q;%s see '%s --help'", strings.Join(args, " "), near(cmd.Root(), args[0]), cmd.Root().Name())
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// usageArgs gives a positional-argument check the status of wrong usage, and names
// an argument that nothing asked for.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	if check == nil {
		check = cobra.NoArgs
	}
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		switch {
		case err == nil:
			return nil
		case cmd.HasSubCommands():
			return usageError("unknown command %q;%s see '%s --help'", args[0], near(cmd, args[0]), cmd.CommandPath())
		case check(cmd, nil) == nil:
			return usageError("%q belongs to no flag; see '%s --help'", args[0], cmd.CommandPath())
		}
		return usageError("%w; see '%s --help'", err, cmd.CommandPath())
	}
}

// near proposes the command that is spelled almost as the word.
func near(cmd *cobra.Command, word string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if name := nearest.Word(word, names); name != "" {
		return fmt.Sprintf(" did you mean %q?", name)
	}
	return ""
}
