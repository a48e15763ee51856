package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// MaxFileSize bounds the configuration file and each secret's file, in bytes.
const MaxFileSize = 1 << 20

// file mirrors the YAML file. Pointers tell an absent key from an empty one.
type file struct {
	GitHub struct {
		WebURL *string `yaml:"web_url"`
		APIURL *string `yaml:"v3_api_url"`
		App    struct {
			IntegrationID  *string `yaml:"integration_id"`
			PrivateKeyFile *string `yaml:"private_key_file"`
			SecretFile     *string `yaml:"webhook_secret_file"`
			SecretOldFile  *string `yaml:"webhook_secret_old_file"`
		} `yaml:"app"`
	} `yaml:"github"`
	Listen       *string   `yaml:"listen"`
	DataDir      *string   `yaml:"data_dir"`
	DatabaseFile *string   `yaml:"database_url_file"`
	Judges       *[]string `yaml:"judges"`
	Workers      *int      `yaml:"workers"`
	LogLevel     *string   `yaml:"log_level"`
	InsecureHTTP *bool     `yaml:"insecure_http"`
	CheckName    *string   `yaml:"check_name"`
}

// readFile reads the YAML file into values by dotted name. A path of "" gives
// none. Unknown keys are refused with their line.
func readFile(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	data, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	var f file
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		// Without the excerpt of the source: it may show a secret put there by mistake.
		return nil, errors.New(yamlWords(err))
	}
	return f.values(), nil
}

// yamlWords says what is wrong with the file, without the names of Go types.
func yamlWords(err error) string {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return yaml.FormatError(err, false, false)
	}
	want := "a text"
	switch wrong.DstType.Kind() {
	case reflect.Int:
		want = "a whole number"
	case reflect.Bool:
		want = "true or false"
	}
	at := wrong.Token.Position
	return fmt.Sprintf("[%d:%d] want %s here", at.Line, at.Column, want)
}

func (f *file) values() map[string]string {
	v := map[string]string{}
	put := func(name string, s *string) {
		if s != nil {
			v[name] = *s
		}
	}
	put(keyWebURL.name, f.GitHub.WebURL)
	put(keyAPIURL.name, f.GitHub.APIURL)
	put(keyPrivateKey.name+"_file", f.GitHub.App.PrivateKeyFile)
	put(keySecret.name+"_file", f.GitHub.App.SecretFile)
	put(keySecretOld.name+"_file", f.GitHub.App.SecretOldFile)
	put(keyListen.name, f.Listen)
	put(keyDataDir.name, f.DataDir)
	put(keyDatabase.name+"_file", f.DatabaseFile)
	put(keyLogLevel.name, f.LogLevel)
	put(keyCheckName.name, f.CheckName)
	put(keyAppID.name, f.GitHub.App.IntegrationID)
	if f.Judges != nil {
		v[keyJudges.name] = strings.Join(*f.Judges, ",")
	}
	if f.Workers != nil {
		v[keyWorkers.name] = strconv.Itoa(*f.Workers)
	}
	if f.InsecureHTTP != nil {
		v[keyInsecure.name] = strconv.FormatBool(*f.InsecureHTTP)
	}
	return v
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // it names the file
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if len(data) > MaxFileSize {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, MaxFileSize)
	}
	return data, nil
}
