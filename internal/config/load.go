package config

import (
	"fmt"
	"os"
	"strings"
)

// Problem is one thing wrong with the configuration and how to mend it.
type Problem struct {
	Where string // the variable or the key, or the file
	What  string
	Fix   string
}

func (p Problem) String() string {
	s := p.Where + ": " + p.What
	if p.Fix != "" {
		s += "; " + p.Fix
	}
	return s
}

// Error holds every problem of a configuration, and what else is likely a mistake.
type Error struct{ Problems, Warnings []Problem }

// Error lists all problems, one a line, then the warnings.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "configuration: %d problem", len(e.Problems))
	if len(e.Problems) != 1 {
		b.WriteByte('s')
	}
	for _, p := range e.Problems {
		b.WriteString("\n  - " + indented(p))
	}
	for _, p := range e.Warnings {
		b.WriteString("\n  - warning: " + indented(p))
	}
	return b.String()
}

func indented(p Problem) string { return strings.ReplaceAll(p.String(), "\n", "\n    ") }

// Lookup finds an environment variable, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

// Load reads the file at path ("" for none) and the environment, and checks the
// whole. The error is an *Error that lists every problem found.
func Load(path string, env Lookup) (*Config, error) {
	if env == nil {
		env = os.LookupEnv
	}
	l := &loader{env: env}
	l.readFile(path)
	c := l.build()
	l.strangers()
	if len(l.problems) > 0 {
		return nil, &Error{Problems: l.problems, Warnings: l.warnings}
	}
	c.Warnings = l.warnings
	return c, nil
}

// loader gathers values and problems.
type loader struct {
	env      Lookup
	file     map[string]setting // by dotted name
	unread   bool               // the file could not be read: what it holds is not known
	problems []Problem
	warnings []Problem
}

func (l *loader) problem(where, what, fix string) {
	l.problems = append(l.problems, Problem{Where: where, What: what, Fix: fix})
}

// missing notes that what has no default is not set, unless the file that may set it
// could not be read.
func (l *loader) missing(where, fix string) {
	if !l.unread {
		l.problem(where, "not set", fix)
	}
}

// get returns a setting, where it came from, and whether it was given. An empty
// variable counts as not given, as shells and compose files often set one.
func (l *loader) get(k key) (value, where string, ok bool) {
	if v, given := l.env(k.env); given && strings.TrimSpace(v) != "" {
		return strings.TrimSpace(v), k.env, true
	}
	if v, given := l.file[k.name]; given {
		return strings.TrimSpace(v.value), v.where, true
	}
	return "", k.env, false
}

// secret returns a secret's value: the variable, else the file that the _FILE
// variable or the key names.
func (l *loader) secret(k key) (value Secret, where string, ok bool) {
	if v, given := l.env(k.env); given && strings.TrimSpace(v) != "" {
		return Secret(strings.TrimSpace(v)), k.env, true
	}
	path, where, ok := l.get(key{name: k.name + "_file", env: k.env + "_FILE"})
	if !ok {
		return "", k.env, false
	}
	data, err := readBounded(path)
	if err != nil {
		l.problem(where, err.Error(), "name a file that this process may read")
		return "", where, true
	}
	return Secret(strings.TrimSpace(string(data))), where, true
}
