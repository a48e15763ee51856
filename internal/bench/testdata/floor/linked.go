//go:build linked

package main

import (
	_ "github.com/google/go-github/v66/github"
	_ "github.com/jackc/pgx/v5"
	_ "github.com/palantir/go-githubapp/githubapp"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/riverqueue/river/riverdriver/riverpgxv5"
	_ "github.com/riverqueue/river/riverdriver/riversqlite"
	_ "github.com/spf13/cobra"
	_ "modernc.org/sqlite"
)
