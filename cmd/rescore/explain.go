package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/explain"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func explainCommand(s streams) *cobra.Command {
	var card, repo string
	cmd := &cobra.Command{
		Use:   "explain C4|C4.S [--card FILE]",
		Short: "Say what the method asks for and, with a card, what would raise its rating",
		Args:  oneArg("say one criterion or parameter, such as C4 or C4.S"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runExplain(cmd.Context(), s, args[0], repo, card)
		},
	}
	repoAndCard(cmd, &repo, &card)
	return cmd
}

func runExplain(ctx context.Context, s streams, topic, repoDir, name string) error {
	t, err := explain.ParseTopic(topic)
	if err != nil {
		return usageError("%w", err)
	}
	var card *scorecard.Card
	if name != "" {
		doc, err := readAlone(ctx, repoDir, name)
		if err != nil {
			return err
		}
		card = doc.Card
	}
	text, err := explain.Text(t, card, width(s.out))
	if err != nil {
		return err
	}
	return writeResult(s, "", []byte(text))
}
