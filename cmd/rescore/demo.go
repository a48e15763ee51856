package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/demo"
)

func demoCommand(s streams) *cobra.Command {
	out := &remembering{to: s.out}
	opts := demo.Options{Out: out, Err: s.err, Color: colored(s.out), Width: width(s.out)}
	cmd := &cobra.Command{
		Use:   "demo [--once] [--listen 127.0.0.1:0]",
		Short: "See the main job in one command: nothing to configure, nothing leaves this machine",
		Long: `Starts a stand-in GitHub, an agent repository with history, and the app with its
embedded database, all on loopback; opens three pull requests, and shows each check
run and comment here and on a local page. Needs git.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts.Version = programVersion()
			err := demo.Run(cmd.Context(), opts)
			if errors.Is(err, context.Canceled) && cmd.Context().Err() != nil {
				err = nil // Ctrl-C is how the demo ends
			}
			if err == nil && out.err != nil {
				err = fmt.Errorf("write the result: %w", out.err)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&opts.Once, "once", false, "end when the three pull requests are answered")
	cmd.Flags().StringVar(&opts.Listen, "listen", "127.0.0.1:0", "address of the local page")
	return cmd
}
