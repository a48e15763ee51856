// Command rescore-lab measures the engine: mutate asks whether it can be fooled,
// bench what it costs. It is for developers and for those who want to see the
// figures of docs/ on their own cards and machines.
//
// This package holds flags and wiring, no logic.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rescore-lab:", err)
		os.Exit(1)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "rescore-lab",
		Short:         "Measures how far Rescore's engine can be trusted, and what it costs",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(mutateCommand(), benchCommand())
	return root
}
