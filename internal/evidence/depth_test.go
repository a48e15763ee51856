package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// nested is a block that begins deep and falls back: lines 4 to 6.
var nested = []string{
	"def gate(call):",
	"    if call.risky:",
	"        if call.remote:",
	"            raise Refused(call.name)",
	"        approve(call, by=owner)",
	"    return run(call)",
	"",
	"def other():",
	"    pass",
}

// A block that falls back below its first line holds when the whole file is
// indented by another unit, and breaks when one of its lines changes its depth.
func TestBlocksThatFallBack(t *testing.T) {
	base := tree{"gate.py": block(nested...)}
	e := cite(t, "gate.py:4-6")
	each := func(f func(string) string) tree {
		out := make([]string, len(nested))
		for i, line := range nested {
			out[i] = f(line)
		}
		return tree{"gate.py": block(out...)}
	}
	for _, c := range []struct {
		name  string
		head  tree
		state outcome.State
	}{
		{"tabs", each(func(l string) string { return strings.ReplaceAll(l, "    ", "\t") }), outcome.Reformatted},
		{"two blanks a step", each(func(l string) string { return strings.ReplaceAll(l, "    ", "  ") }), outcome.Reformatted},
		{"tabs and one step out", tree{"gate.py": strings.Replace(strings.ReplaceAll(base["gate.py"], "    ", "\t"), "\t\tapprove", "\tapprove", 1)}, outcome.Edited},
		{"one step out", tree{"gate.py": strings.Replace(base["gate.py"], "        approve", "    approve", 1)}, outcome.Edited},
		{"one step in", tree{"gate.py": strings.Replace(base["gate.py"], "        approve", "            approve", 1)}, outcome.Edited},
		{"to a level of its own", tree{"gate.py": strings.Replace(base["gate.py"], "        approve", "      approve", 1)}, outcome.Edited},
		{"all in proportion but the rest", tree{"gate.py": strings.Replace(strings.Replace(base["gate.py"], "            raise", "                        raise", 1), "        approve", "                approve", 1)}, outcome.Edited},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := follow(t, base, c.head, e)
			assert.Equal(t, c.state, it.State, it.Reason)
			if c.state == outcome.Reformatted {
				assert.Equal(t, e.Lines, it.After.Lines)
			}
		})
	}
}
