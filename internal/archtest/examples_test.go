package archtest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/archtest"
	"github.com/rescore-app/rescore/internal/config"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/testenv"
)

func readRoot(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), path))
	require.NoError(t, err)
	return string(data)
}

// uncommented turns the commented-out keys of an example into keys.
func uncommented(text string) string {
	return regexp.MustCompile(`(?m)^( *)# ([a-z0-9_]+: )`).ReplaceAllString(text, "$1$2")
}

func TestExamplePolicyParses(t *testing.T) {
	text := readRoot(t, "config/policy.example.yml")
	p, err := policy.Parse("policy.example.yml", []byte(text))
	require.NoError(t, err)
	assert.Len(t, p.FailOn.Parameters, 2)
	_, err = policy.Parse("policy.example.yml", []byte(uncommented(text)))
	require.NoError(t, err)
}

// The example shows every key that the form of a policy has, as a key or commented out.
func TestExamplePolicyShowsEveryKey(t *testing.T) {
	text := readRoot(t, "config/policy.example.yml")
	var form any
	require.NoError(t, json.Unmarshal(policy.Schema(), &form))
	keys := schemaKeys(form)
	require.NotEmpty(t, keys)
	for _, key := range keys {
		assert.Regexp(t, `(?m)^[ #-]*`+key+`:`, text, "the example does not show the key")
	}
}

// schemaKeys lists the keys that a JSON Schema has properties for, at any depth.
func schemaKeys(v any) (keys []string) {
	node, _ := v.(map[string]any)
	properties, _ := node["properties"].(map[string]any)
	for key, below := range properties {
		keys = append(append(keys, key), schemaKeys(below)...)
	}
	if items, ok := node["items"]; ok {
		keys = append(keys, schemaKeys(items)...)
	}
	return keys
}

// The example names every setting, and every key it shows is one.
func TestExampleConfigurationIsComplete(t *testing.T) {
	text := readRoot(t, "config/rescore.example.yml")
	for _, name := range config.Variables() {
		assert.Contains(t, text, strings.TrimSuffix(name, "_FILE"), "the example does not mention it")
	}
	path := filepath.Join(t.TempDir(), "rescore.yml")
	require.NoError(t, os.WriteFile(path, []byte(uncommented(text)), 0o600))
	none := func(string) (string, bool) { return "", false }
	_, err := config.Load(path, none)
	// The files with secrets are not there; nothing else may be wrong.
	var problems *config.Error
	require.ErrorAs(t, err, &problems)
	for _, p := range problems.Problems {
		assert.Contains(t, p.Where, "_file", "%s", p)
	}
}

// What .golangci.yml tells editors is what the rules say.
func TestLinterKnowsTheRooms(t *testing.T) {
	settings := readRoot(t, ".golangci.yml")
	rooms := func(name string) (listed []string) {
		_, rule, ok := strings.Cut(settings, name+":")
		require.True(t, ok)
		rule, _, ok = strings.Cut(rule, "deny:")
		require.True(t, ok)
		for _, m := range regexp.MustCompile(`"!?\*\*/(.+)/\*\*"`).FindAllStringSubmatch(rule, -1) {
			listed = append(listed, m[1])
		}
		return listed
	}
	var pure []string
	for _, room := range archtest.Rooms {
		if room.Pure {
			pure = append(pure, room.Path)
		}
	}
	assert.ElementsMatch(t, pure, rooms("pure-rooms"))
	assert.ElementsMatch(t, archtest.Executors(), rooms("processes"))
}
