package config

// key is one setting: its dotted name in the file and its environment variable.
// A secret has no place for its value in the file, only for the path of a file
// that holds it; the environment takes both.
type key struct {
	name   string // dotted path in the YAML file
	env    string
	list   bool // the file may hold a sequence, the environment commas between
	secret bool // value from env, or from the file that name+"_file" or env+"_FILE" names
}

// keys lists every setting, in the order in which they are made below.
var keys []key

// addKey makes a key one of the settings: one that the file may hold and that the
// documents have to name.
func addKey(k key) key {
	keys = append(keys, k)
	return k
}

// The settings. The variables are fixed by the command line contract; those that
// begin with GITHUB_ are go-githubapp's own.
var (
	keyWebURL     = addKey(key{name: "github.web_url", env: "GITHUB_WEB_URL"})
	keyAPIURL     = addKey(key{name: "github.v3_api_url", env: "GITHUB_V3_API_URL"})
	keyAppID      = addKey(key{name: "github.app.integration_id", env: "GITHUB_APP_INTEGRATION_ID"})
	keyPrivateKey = addKey(key{name: "github.app.private_key", env: "GITHUB_APP_PRIVATE_KEY", secret: true})
	keySecret     = addKey(key{name: "github.app.webhook_secret", env: "GITHUB_APP_WEBHOOK_SECRET", secret: true})
	keySecretOld  = addKey(key{name: "github.app.webhook_secret_old", env: "GITHUB_APP_WEBHOOK_SECRET_OLD", secret: true})
	keyListen     = addKey(key{name: "listen", env: "RESCORE_LISTEN"})
	keyDataDir    = addKey(key{name: "data_dir", env: "RESCORE_DATA_DIR"})
	keyDatabase   = addKey(key{name: "database_url", env: "DATABASE_URL", secret: true})
	keyJudges     = addKey(key{name: "judges", env: "RESCORE_JUDGES", list: true})
	keyWorkers    = addKey(key{name: "workers", env: "RESCORE_WORKERS"})
	keyLogLevel   = addKey(key{name: "log_level", env: "RESCORE_LOG_LEVEL"})
	keyInsecure   = addKey(key{name: "insecure_http", env: "RESCORE_INSECURE_HTTP"})
	keyCheckName  = addKey(key{name: "check_name", env: "RESCORE_CHECK_NAME"})
	keyMirrors    = addKey(key{name: "mirror_limit", env: "RESCORE_MIRROR_LIMIT"})
)

// Variables lists the environment variables that Load reads, for documentation
// and tests.
func Variables() []string {
	var out []string
	for _, k := range keys {
		out = append(out, k.env)
		if k.secret {
			out = append(out, k.env+"_FILE")
		}
	}
	return out
}

// inFile is the key's name in the file: a secret's is that of the file that holds it.
func (k key) inFile() string {
	if k.secret {
		return k.name + "_file"
	}
	return k.name
}
