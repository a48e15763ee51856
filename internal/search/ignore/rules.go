package ignore

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Verdict is what rules say of a path.
type Verdict uint8

// The verdicts. None leaves the decision to rules of lower precedence.
const (
	None Verdict = iota
	Ignore
	Include
)

// Or returns v, or w where v is None.
func (v Verdict) Or(w Verdict) Verdict {
	if v == None {
		return w
	}
	return v
}

// rule is one line of an ignore file or one -g flag.
type rule struct {
	glob     *Glob
	negated  bool
	onlyDirs bool
}

// Rules are the rules of one ignore file, relative to its directory, or the
// overrides of a command. The zero value has no rules.
type Rules struct{ rules []rule }

// ParseRules reads an ignore file. Like ripgrep it leaves out lines that are not
// valid globs, and everything from the first line on that is not UTF-8. Its
// error is for what is not evaluated; fold matches ASCII letters in any case.
func ParseRules(data []byte, fold bool) (*Rules, error) {
	r := &Rules{}
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if !utf8.Valid(line) {
			break
		}
		if err := r.add(string(line), fold); err != nil {
			if isRefusal(err) {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			continue // ripgrep warns and goes on
		}
		if len(r.rules) > MaxRules {
			return nil, fmt.Errorf("more than %d rules", MaxRules)
		}
	}
	return r, nil
}

// AddOverride adds the glob of a -g flag, or of --iglob with fold.
func (r *Rules) AddOverride(glob string, fold bool) error { return r.add(glob, fold) }

// add adds a rule in the syntax of .gitignore.
func (r *Rules) add(line string, fold bool) error {
	if strings.HasPrefix(line, "#") {
		return nil
	}
	if !strings.HasSuffix(line, `\ `) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
	}
	if line == "" {
		return nil
	}
	var ru rule
	anchored := false
	if strings.HasPrefix(line, `\!`) || strings.HasPrefix(line, `\#`) {
		line = line[1:]
		anchored = strings.HasPrefix(line, "/")
	} else {
		if strings.HasPrefix(line, "!") {
			ru.negated = true
			line = line[1:]
		}
		if strings.HasPrefix(line, "/") {
			anchored = true
			line = line[1:]
		}
	}
	if strings.HasSuffix(line, "/") {
		ru.onlyDirs = true
		line = line[:len(line)-1]
	}
	glob := line
	if !anchored && !strings.Contains(line, "/") && !strings.HasPrefix(line, "**/") && line != "**" {
		glob = "**/" + glob
	}
	if strings.HasSuffix(glob, "/**") {
		glob += "/*" // what is below the directory, not the directory
	}
	var err error
	if ru.glob, err = ParseGlob(glob, fold); err != nil {
		return err
	}
	r.rules = append(r.rules, ru)
	return nil
}

// Empty reports whether there are no rules.
func (r *Rules) Empty() bool { return r == nil || len(r.rules) == 0 }

// Match returns the verdict of the last rule that matches path, which is
// relative to the directory of the rules.
func (r *Rules) Match(path string, isDir bool) Verdict {
	if r == nil {
		return None
	}
	for i := len(r.rules) - 1; i >= 0; i-- {
		ru := &r.rules[i]
		if ru.onlyDirs && !isDir || !ru.glob.Match(path) {
			continue
		}
		if ru.negated {
			return Include
		}
		return Ignore
	}
	return None
}

// Override returns the verdict of rules that came from -g flags, whose sense is
// the reverse: a glob includes, one with "!" ignores, and where any glob
// includes, a file that none matches is ignored.
func (r *Rules) Override(path string, isDir bool) Verdict {
	switch r.Match(path, isDir) {
	case Ignore:
		return Include
	case Include:
		return Ignore
	}
	if !isDir && r.HasPositive() {
		return Ignore
	}
	return None
}

// HasPositive reports whether any rule is without "!".
func (r *Rules) HasPositive() bool {
	if r == nil {
		return false
	}
	for _, ru := range r.rules {
		if !ru.negated {
			return true
		}
	}
	return false
}
