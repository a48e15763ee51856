package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/docs/schema"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/report"
)

// schemas are the JSON Schemas by name.
var schemas = map[string]func() []byte{
	"entry":   func() []byte { return schema.Entry },
	"outcome": report.OutcomeSchema,
	"verify":  report.VerifySchema,
	"policy":  policy.Schema,
}

func schemaCommand(s streams) *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	return &cobra.Command{
		Use:       "schema " + strings.Join(names, "|"),
		Short:     "Print the JSON Schema of an entry, an outcome, a verification or a policy",
		ValidArgs: names,
		Args:      oneArg("say one of " + strings.Join(names, ", ")),
		RunE: func(_ *cobra.Command, args []string) error {
			schema, ok := schemas[args[0]]
			if !ok {
				return usageError("schema %q: say one of %s", args[0], strings.Join(names, ", "))
			}
			return writeResult(s, "", schema())
		},
	}
}
