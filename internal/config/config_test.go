package config_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/config"
)

const (
	secretValue  = "correct-horse-battery-staple"
	formerSecret = "former-horse-battery-staple"
)

// pemKey returns a fresh RSA key in PKCS #1 form.
func pemKey(t *testing.T) string {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(k)}))
}

func env(vars map[string]string) config.Lookup {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

// minimal holds what has no default.
func minimal(t *testing.T) map[string]string {
	return map[string]string{
		"GITHUB_APP_INTEGRATION_ID": "4242",
		"GITHUB_APP_PRIVATE_KEY":    pemKey(t),
		"GITHUB_APP_WEBHOOK_SECRET": secretValue,
	}
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// problems loads a configuration that must be refused.
func problems(t *testing.T, path string, vars map[string]string) []config.Problem {
	t.Helper()
	_, err := config.Load(path, env(vars))
	var e *config.Error
	require.ErrorAs(t, err, &e)
	return e.Problems
}

func TestDefaults(t *testing.T) {
	c, err := config.Load("", env(minimal(t)))
	require.NoError(t, err)
	assert.Equal(t, "https://github.com", c.WebURL.String())
	assert.Equal(t, "https://api.github.com", c.APIURL.String())
	assert.Equal(t, int64(4242), c.AppID)
	assert.NotNil(t, c.Key())
	assert.Equal(t, []config.Secret{secretValue}, c.WebhookSecrets)
	assert.Equal(t, ":8080", c.Listen)
	assert.Equal(t, "./data", c.DataDir)
	assert.Empty(t, c.DatabaseURL)
	assert.Equal(t, []string{"evidence"}, c.Judges)
	assert.Positive(t, c.Workers)
	assert.Equal(t, "info", c.LogLevel)
	assert.Equal(t, "Rescore", c.CheckName)
	assert.Equal(t, int64(50<<30), c.MirrorLimit)
	assert.Equal(t, "https://github.com/o/n.git", c.GitURL("o", "n"))
}

func TestEveryKeyCanBeGivenBothWays(t *testing.T) {
	key := pemKey(t)
	file := write(t, "rescore.yml", fmt.Sprintf(`
github:
  web_url: https://ghe.example.com/
  v3_api_url: https://ghe.example.com/api/v3/
  app:
    integration_id: 7
    private_key_file: %q
    webhook_secret_file: %q
    webhook_secret_old_file: %q
listen: 127.0.0.1:9000
data_dir: /var/lib/rescore
database_url_file: %q
judges: [evidence]
workers: 3
log_level: debug
insecure_http: true
check_name: Defense score
mirror_limit: 20 GiB
`, write(t, "key.pem", key), write(t, "secret", secretValue+"\n"), write(t, "old", formerSecret), write(t, "db", "postgres://u:p@db/rescore\n")))
	vars := map[string]string{
		"GITHUB_WEB_URL":                "https://ghe.example.com/",
		"GITHUB_V3_API_URL":             "https://ghe.example.com/api/v3/",
		"GITHUB_APP_INTEGRATION_ID":     "7",
		"GITHUB_APP_PRIVATE_KEY":        key,
		"GITHUB_APP_WEBHOOK_SECRET":     secretValue,
		"GITHUB_APP_WEBHOOK_SECRET_OLD": formerSecret,
		"RESCORE_LISTEN":                "127.0.0.1:9000",
		"RESCORE_DATA_DIR":              "/var/lib/rescore",
		"DATABASE_URL":                  "postgres://u:p@db/rescore",
		"RESCORE_JUDGES":                "evidence",
		"RESCORE_WORKERS":               "3",
		"RESCORE_LOG_LEVEL":             "debug",
		"RESCORE_INSECURE_HTTP":         "1",
		"RESCORE_CHECK_NAME":            "Defense score",
		"RESCORE_MIRROR_LIMIT":          "20GiB",
	}
	for _, name := range config.Variables() {
		if !strings.HasSuffix(name, "_FILE") {
			assert.Contains(t, vars, name, "a variable that this test does not know")
		}
	}
	fromFile, err := config.Load(file, env(nil))
	require.NoError(t, err)
	fromEnv, err := config.Load("", env(vars))
	require.NoError(t, err)
	assert.Equal(t, fromEnv, fromFile)
	assert.Empty(t, fromEnv.Warnings)
	assert.Equal(t, int64(20<<30), fromEnv.MirrorLimit)
	assert.Equal(t, "https://ghe.example.com/api/v3", fromEnv.APIURL.String())
	assert.Equal(t, []config.Secret{secretValue, formerSecret}, fromEnv.WebhookSecrets)
}

func TestEnvironmentWinsOverFile(t *testing.T) {
	file := write(t, "rescore.yml", "workers: 3\nlisten: :1\ngithub: {app: {webhook_secret_file: /nonexistent}}\n")
	vars := minimal(t)
	vars["RESCORE_WORKERS"] = "5"
	vars["RESCORE_LISTEN"] = "  " // blank counts as not given
	c, err := config.Load(file, env(vars))
	require.NoError(t, err)
	assert.Equal(t, 5, c.Workers)
	assert.Equal(t, ":1", c.Listen)
}

func TestSecretsByFileVariable(t *testing.T) {
	vars := minimal(t)
	vars["GITHUB_APP_PRIVATE_KEY_FILE"] = write(t, "key.pem", vars["GITHUB_APP_PRIVATE_KEY"])
	delete(vars, "GITHUB_APP_PRIVATE_KEY")
	c, err := config.Load("", env(vars))
	require.NoError(t, err)
	assert.NotNil(t, c.Key())

	vars["GITHUB_APP_PRIVATE_KEY_FILE"] = "/nonexistent/key.pem"
	got := problems(t, "", vars)
	require.Len(t, got, 1)
	assert.Equal(t, "GITHUB_APP_PRIVATE_KEY_FILE", got[0].Where)
	assert.Equal(t, "open /nonexistent/key.pem: no such file or directory", got[0].What)
}

func TestKeyWithEscapedLineBreaks(t *testing.T) {
	vars := minimal(t)
	vars["GITHUB_APP_PRIVATE_KEY"] = strings.ReplaceAll(strings.TrimSpace(vars["GITHUB_APP_PRIVATE_KEY"]), "\n", `\n`)
	c, err := config.Load("", env(vars))
	require.NoError(t, err)
	assert.NotNil(t, c.Key())
}

func TestAllProblemsAtOnce(t *testing.T) {
	got := problems(t, "", map[string]string{
		"GITHUB_APP_INTEGRATION_ID": "Iv1.abc",
		"GITHUB_APP_PRIVATE_KEY":    "not a key",
		"RESCORE_LISTEN":            "8080",
		"RESCORE_WORKERS":           "0",
		"RESCORE_LOG_LEVEL":         "loud",
		"RESCORE_JUDGES":            "evidence,,,evidence,oracle",
		"RESCORE_MIRROR_LIMIT":      "50",
		"RESCORE_INSECURE_HTTP":     "perhaps",
		"DATABASE_URL":              "mysql://x",
		"RESCORE_CHECK_NAME":        "a\x00b",
		"GITHUB_WEB_URL":            "ftp://x",
	})
	var where []string
	for _, p := range got {
		where = append(where, p.Where)
		assert.NotEmpty(t, p.Fix, p.Where)
	}
	assert.ElementsMatch(t, []string{
		"GITHUB_APP_INTEGRATION_ID", "GITHUB_APP_PRIVATE_KEY", "GITHUB_APP_WEBHOOK_SECRET", "RESCORE_LISTEN",
		"RESCORE_WORKERS", "RESCORE_LOG_LEVEL", "RESCORE_JUDGES", "RESCORE_JUDGES", "RESCORE_JUDGES", "RESCORE_INSECURE_HTTP",
		"DATABASE_URL", "RESCORE_CHECK_NAME", "GITHUB_WEB_URL", "RESCORE_MIRROR_LIMIT",
	}, where)
	text := (&config.Error{Problems: got}).Error()
	assert.Contains(t, text, "14 problems")
	assert.NotContains(t, text, "not a key\n")
}

func TestEmptySecretIsRefused(t *testing.T) {
	for _, v := range []string{"", "   "} {
		vars := minimal(t)
		vars["GITHUB_APP_WEBHOOK_SECRET"] = v
		got := problems(t, "", vars)
		require.Len(t, got, 1)
		assert.Equal(t, "GITHUB_APP_WEBHOOK_SECRET", got[0].Where)
	}
	vars := minimal(t)
	delete(vars, "GITHUB_APP_WEBHOOK_SECRET")
	vars["GITHUB_APP_WEBHOOK_SECRET_FILE"] = write(t, "empty", "\n")
	assert.Len(t, problems(t, "", vars), 1)
}

func TestAddresses(t *testing.T) {
	cases := []struct {
		name, web, api, insecure string
		wantAPI, wantProblem     string
	}{
		{name: "enterprise API follows", web: "https://ghe.example.com", wantAPI: "https://ghe.example.com/api/v3"},
		{name: "enterprise pages given as API", web: "https://ghe.example.com", api: "https://ghe.example.com", wantProblem: "/api/v3"},
		{name: "data residency", web: "https://octo.ghe.com", api: "https://api.octo.ghe.com", wantAPI: "https://api.octo.ghe.com"},
		{name: "loopback may be plain", web: "http://127.0.0.1:99", api: "http://127.0.0.1:99/api/v3", wantAPI: "http://127.0.0.1:99/api/v3"},
		{name: "loopback API at the root", web: "http://[::1]:99", api: "http://[::1]:99", wantAPI: "http://[::1]:99"},
		{name: "plain refused", web: "http://ghe.example.com", wantProblem: "unencrypted"},
		{name: "plain API refused", web: "https://ghe.example.com", api: "http://ghe.example.com/api/v3", wantProblem: "unencrypted"},
		{name: "plain on request", web: "http://ghe.example.com", insecure: "1", wantAPI: "http://ghe.example.com/api/v3"},
		{name: "password", web: "https://u:p@ghe.example.com", wantProblem: "password"},
		{name: "query", web: "https://ghe.example.com?a=b", wantProblem: "query"},
		{name: "no host", web: "https://", wantProblem: "not a web address"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			vars := minimal(t)
			vars["GITHUB_WEB_URL"], vars["GITHUB_V3_API_URL"], vars["RESCORE_INSECURE_HTTP"] = c.web, c.api, c.insecure
			if c.wantProblem != "" {
				got := problems(t, "", vars)
				require.NotEmpty(t, got)
				assert.Contains(t, got[0].String(), c.wantProblem)
				return
			}
			cfg, err := config.Load("", env(vars))
			require.NoError(t, err)
			assert.Equal(t, c.wantAPI, cfg.APIURL.String())
		})
	}
}

func TestFileProblems(t *testing.T) {
	place := filepath.Join(t.TempDir(), "rescore.yml")
	cases := []struct{ name, content, want string }{
		{"unknown key", "listen: :80\nlisten_on: :80\n", `rescore.yml:2: unknown key "listen_on"; did you mean "listen"?`},
		{"unknown key below another", "github:\n  web_irl: x\n", `rescore.yml:2: unknown key "web_irl"; did you mean "web_url"?`},
		{"unknown key like no other", "colour: red\n", `rescore.yml:1: unknown key "colour"; there is github, listen, `},
		{"secret in the file", "github:\n  app:\n    webhook_secret: hunter2\n", "rescore.yml:3: the secret itself in webhook_secret; write it to a file of its own"},
		{"id not a number", "github:\n  app:\n    integration_id: abc\n", "github.app.integration_id (" + place + ":3): "},
		{"duplicate key", "workers: 1\nworkers: 2\n", "workers"},
		{"not YAML", "a: [", "[1:4]"},
		{"word for a number", "workers: many\n", `workers (` + place + `:1): "many" is not a number of workers`},
		{"word for yes or no", "insecure_http: perhaps\n", `insecure_http (` + place + `:1): "perhaps" is neither true nor false`},
		{"no such judge", "judges: [evidence, evidense]\n", `judges (` + place + `:1): no judge is called "evidense"; did you mean "evidence"?`},
		{"list of lists", "judges: [[evidence]]\n", "rescore.yml:1: want a word here"},
		{"word for keys", "github: here\n", "rescore.yml:1: want keys here"},
		{"keys for a word", "listen: {port: 80}\n", "rescore.yml:1: listen wants one value"},
		{"list for a word", "listen: [a]\n", "rescore.yml:1: listen wants one value"},
		{"alias", "listen: *a\n", "rescore.yml"},
		{"two documents", "workers: 1\n---\nworkers: 2\n", "rescore.yml:3: a second document"},
		{"size without a unit", "mirror_limit: 50\n", `mirror_limit (` + place + `:1): "50" is not a number with a unit; use a number with a unit, as 50GiB`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			vars := minimal(t)
			if strings.Contains(c.content, "integration_id") {
				delete(vars, "GITHUB_APP_INTEGRATION_ID")
			}
			require.NoError(t, os.WriteFile(place, []byte(c.content), 0o600))
			got := problems(t, place, vars)
			require.Len(t, got, 1)
			assert.Contains(t, got[0].String(), c.want)
			assert.NotContains(t, got[0].String(), "hunter2")
			assert.NotContains(t, got[0].What, "Go struct", "words of the program's insides")
		})
	}
	got := problems(t, "/nonexistent.yml", minimal(t))
	assert.Equal(t, "open /nonexistent.yml: no such file or directory", got[0].What)
	assert.Equal(t, "config/rescore.example.yml shows every key", got[0].Fix)
	big := write(t, "big.yml", strings.Repeat("#", config.MaxFileSize+1))
	assert.Contains(t, problems(t, big, minimal(t))[0].What, "larger than")
	empty, err := config.Load(write(t, "empty.yml", ""), env(minimal(t)))
	require.NoError(t, err)
	assert.Equal(t, ":8080", empty.Listen)
}

func TestKeysThatAreNotRSA(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(ec)
	require.NoError(t, err)
	vars := minimal(t)
	vars["GITHUB_APP_PRIVATE_KEY"] = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	assert.Contains(t, problems(t, "", vars)[0].What, "not RSA")
	vars["GITHUB_APP_PRIVATE_KEY"] = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: []byte("x")}))
	assert.Contains(t, problems(t, "", vars)[0].What, "no RSA private key")

	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err = x509.MarshalPKCS8PrivateKey(rsaKey)
	require.NoError(t, err)
	vars["GITHUB_APP_PRIVATE_KEY"] = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	c, err := config.Load("", env(vars))
	require.NoError(t, err)
	assert.True(t, rsaKey.Equal(c.Key()))
}

func TestSecretsNeverPrint(t *testing.T) {
	vars := minimal(t)
	vars["DATABASE_URL"] = "postgres://u:hunter2@db/x"
	c, err := config.Load("", env(vars))
	require.NoError(t, err)
	encoded, err := json.Marshal(c)
	require.NoError(t, err)
	for _, text := range []string{fmt.Sprintf("%v", c.WebhookSecrets), fmt.Sprintf("%#v", c.DatabaseURL), c.PrivateKey.String(), string(encoded)} {
		assert.NotContains(t, text, secretValue)
		assert.NotContains(t, text, "hunter2")
		assert.NotContains(t, text, "PRIVATE KEY-")
	}
	assert.Equal(t, secretValue, c.WebhookSecrets[0].Reveal())
}

func FuzzFile(f *testing.F) {
	f.Add("listen: :80\n")
	f.Add("github: {app: {integration_id: 1}}\njudges: [a, b]\n")
	f.Add("a: &a [*a]\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content string) {
		path := filepath.Join(dir, "fuzz.yml")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		c, err := config.Load(path, env(nil))
		require.Nil(t, c, "a file alone cannot hold the secrets' values")
		var e *config.Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Problems)
	})
}

// A password in an address is not repeated where the problem is told, whatever else
// is wrong with the address.
func TestPasswordsInAddressesAreNotShown(t *testing.T) {
	for _, address := range []string{
		"https://ada:hunter2@github.example.com", "ftp://ada:hunter2@github.example.com", "ada:hunter2@github.example.com",
		"https://ada:hunter2@%zz", "https:/ada:hunter2@github.example.com", "https://ada:hunter2@github.example.com?x=1",
		"http://ada:hunter2@github.example.com/api", "https://ada:hunter2 @github.example.com",
	} {
		for _, variable := range []string{"GITHUB_WEB_URL", "GITHUB_V3_API_URL"} {
			_, err := config.Load("", func(name string) (string, bool) { return address, name == variable })
			require.ErrorContains(t, err, variable, address)
			assert.NotContains(t, err.Error(), "hunter2", address)
		}
	}
}
