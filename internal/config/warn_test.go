package config_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/config"
)

// warnings loads a usable configuration with the variables in this process's
// environment, and returns what it is warned of.
func warnings(t *testing.T, vars map[string]string) map[string]string {
	t.Helper()
	for name, v := range minimal(t) {
		if _, given := vars[name]; !given {
			t.Setenv(name, v)
		}
	}
	for name, v := range vars {
		t.Setenv(name, v)
	}
	c, err := config.Load("", os.LookupEnv)
	require.NoError(t, err)
	out := map[string]string{}
	for _, w := range c.Warnings {
		out[w.Where] = w.What + "; " + w.Fix
	}
	return out
}

// A variable that nothing reads does not pass in silence when it looks like a setting.
func TestStrangersInTheEnvironment(t *testing.T) {
	near := func(name string) string { return "no such setting, so that it is not read; did you mean " + name + "?" }
	assert.Equal(t, map[string]string{
		"RESCORE_LISTN":                  near("RESCORE_LISTEN"),
		"RESCORE_LOGLEVEL":               near("RESCORE_LOG_LEVEL"),
		"RESCORE_MIRRORLIMIT":            near("RESCORE_MIRROR_LIMIT"),
		"RESCORE_COLOUR_OF_THE_SKY":      "no such setting, so that it is not read; README.md lists those that are",
		"RESCORE_PORT":                   "no such setting, so that it is not read; README.md lists those that are",
		"GITHUB_APP_WEBHOOK_SECRET_ODL":  "is not read; did you mean GITHUB_APP_WEBHOOK_SECRET_OLD?",
		"DATABASE_URI":                   "is not read; did you mean DATABASE_URL?",
		"GITHUB_V3_API_ULR":              "is not read; did you mean GITHUB_V3_API_URL?",
		"GITHUB_APP_PRIVATE_KEY_FIL":     "is not read; did you mean GITHUB_APP_PRIVATE_KEY_FILE?",
		"RESCORE_GITHUB_WEB_URL_OR_SUCH": "no such setting, so that it is not read; README.md lists those that are",
	}, warnings(t, map[string]string{
		"RESCORE_LISTN": ":81", "RESCORE_LOGLEVEL": "debug", "RESCORE_MIRRORLIMIT": "1GB", "RESCORE_COLOUR_OF_THE_SKY": "blue", "RESCORE_PORT": "80",
		"GITHUB_APP_WEBHOOK_SECRET_ODL": "x", "DATABASE_URI": "postgres://x", "GITHUB_V3_API_ULR": "x", "GITHUB_APP_PRIVATE_KEY_FIL": "x",
		"RESCORE_GITHUB_WEB_URL_OR_SUCH": "x", "RESCORE_EMPTY": " ",
	}))
}

// What others put into the environment is no slip: the tests' own variables, what
// Kubernetes tells of services, what CI systems and other programs read.
func TestForeignVariablesAreNotWarnedOf(t *testing.T) {
	vars := map[string]string{
		"RESCORE_SHARED": "x", "RESCORE_MIRRORS": "x", "RESCORE_TEST_POSTGRES": "", "RESCORE_TEST_LOG": "1",
		"RESCORE_SERVICE_HOST": "10.0.0.1", "RESCORE_SERVICE_PORT": "80", "RESCORE_SERVICE_PORT_HTTP": "80",
		"RESCORE_PORT": "tcp://10.0.0.1:80", "RESCORE_PORT_80_TCP": "tcp://10.0.0.1:80", "RESCORE_PORT_80_TCP_PROTO": "tcp",
		"RESCORE_PORT_80_TCP_PORT": "80", "RESCORE_PORT_80_TCP_ADDR": "10.0.0.1", "RESCORE_WEB_SERVICE_HOST": "10.0.0.2",
		"GITHUB_TOKEN": "x", "GITHUB_API_URL": "x", "GITHUB_SERVER_URL": "x", "GITHUB_WORKSPACE": "x", "GITHUB_APP_ID": "1", "HOME": "/",
		"DATABASE_URL": "postgres://db/x", "DATABASE_URI": "given beside the right one",
	}
	assert.Empty(t, warnings(t, vars))
	for _, name := range config.Variables() {
		require.True(t, strings.HasPrefix(name, "RESCORE_") || strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "DATABASE_"), name)
	}
}

// A slip is told beside the problems as well: it may be the reason for one.
func TestWarningsBesideProblems(t *testing.T) {
	t.Setenv("GITHUB_APP_PRIVATE_KY", "x")
	_, err := config.Load("", os.LookupEnv)
	require.ErrorContains(t, err, "GITHUB_APP_PRIVATE_KEY: not set")
	assert.ErrorContains(t, err, "\n  - warning: GITHUB_APP_PRIVATE_KY: is not read; did you mean GITHUB_APP_PRIVATE_KEY?")
}

// Short secrets are warned of, without a word of them; empty ones are refused, with
// the reason (TestEmptySecretIsRefused).
func TestShortSecrets(t *testing.T) {
	for length, warned := range map[int]bool{1: true, 15: true, 16: false, 64: false} {
		secret := strings.Repeat("z", length)
		got := warnings(t, map[string]string{"GITHUB_APP_WEBHOOK_SECRET": secret, "GITHUB_APP_WEBHOOK_SECRET_OLD": "y" + secret[1:]})
		for _, name := range []string{"GITHUB_APP_WEBHOOK_SECRET", "GITHUB_APP_WEBHOOK_SECRET_OLD"} {
			if !warned {
				assert.NotContains(t, got, name, length)
				continue
			}
			assert.Contains(t, got[name], "forge deliveries", length)
			assert.Contains(t, got[name], "openssl rand -hex 32", length)
			assert.NotContains(t, got[name], "zzz")
		}
	}
}

func TestSizes(t *testing.T) {
	vars := minimal(t)
	load := func(size string) (*config.Config, error) {
		vars["RESCORE_MIRROR_LIMIT"] = size
		return config.Load("", env(vars))
	}
	for text, want := range map[string]int64{
		"50GB": 50e9, "20GiB": 20 << 30, "1.5 TB": 1.5e12, "1tib": 1 << 40, "250 MB": 250e6, "2000000 B": 2e6, "1500kB": 1.5e6, "1024KiB": 1 << 20, ".5GB": 5e8,
	} {
		c, err := load(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, c.MirrorLimit, text)
	}
	for text, want := range map[string]string{
		"50": "not a number with a unit", "GB": "not a number with a unit", "-1GB": "not a number with a unit", "1.2.3GB": "not a number with a unit",
		"50G": "not a number with a unit", "1e3GB": "not a number with a unit", "99999999999999TB": "not a number with a unit", "0GB": "too little", "999kB": "too little",
	} {
		_, err := load(text)
		require.ErrorContains(t, err, want, text)
		assert.ErrorContains(t, err, "RESCORE_MIRROR_LIMIT", text)
	}
}
