package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pull request is judged by the policy and the card of its base, which it cannot
// change: both can be read from there, as the app does.
func TestPolicyAndCardOfTheBase(t *testing.T) {
	const card, policy = ".github/rescore/scorecard.json", ".github/rescore.yml"
	c := newClone(t)
	data, err := os.ReadFile(c.card)
	require.NoError(t, err)
	c.Write(card, string(data))
	c.Write(policy, "version: 1\nfail_on:\n  needs_review: true\n")
	base := c.Commit("commit the card and the policy")
	c.Write(policy, "version: 1\n")
	c.Write(card, "{}")
	c.Write("src/gate.py", "def ask(command):\n    shown = repr(command)\n    return 'yes'\n")
	c.Commit("loosen all three")
	diff := func(policy string) result {
		return cli(t, "diff", "--repo", c.Dir(), "--card", base+":"+card, "--base", base, "--head", "HEAD", "--policy", policy)
	}

	r := diff(base + ":" + policy)
	assert.Equal(t, exitPolicy, r.status, r.err)
	assert.Contains(t, r.out, "need review, and the policy")
	assert.Equal(t, exitOK, diff("HEAD:"+policy).status)

	r = diff(base + ":nowhere.yml")
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "read policy: "+base+":nowhere.yml")
	assert.Empty(t, r.out)
}
