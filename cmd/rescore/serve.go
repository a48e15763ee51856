package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/app"
	"github.com/rescore-app/rescore/internal/config"
)

func serveCommand(s streams) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "serve [--config FILE]",
		Short: "Run the GitHub App",
		Long: `Takes GitHub's webhooks, rescores what changed, and posts a check run and one
comment. Every key of the configuration file can be given in the environment, which
wins; see README.md for the list. SIGTERM drains: no new job, running ones finish or
go back to the queue.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), s, file) },
	}
	cmd.Flags().StringVar(&file, "config", "", "configuration file (YAML)")
	return cmd
}

func runServe(ctx context.Context, s streams, file string) error {
	cfg, err := config.Load(file, os.LookupEnv)
	if err != nil {
		return inputError(err)
	}
	level, err := zerolog.ParseLevel(cfg.LogLevel)
	if err != nil {
		return inputError(fmt.Errorf("log level: %w", err))
	}
	log := zerolog.New(s.err).Level(level).With().Timestamp().Logger()
	a, err := app.New(ctx, cfg, app.Deps{Version: programVersion(), Log: log})
	if err != nil { // a database, a directory, a port, a judge that cannot be used
		return inputError(err)
	}
	return a.Run(ctx)
}
