package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"regexp"
	"strings"
)

// unfinished matches the marks of work left open. They are spelled apart so that
// this file does not match itself.
var unfinished = regexp.MustCompile(`(?:^|[^A-Za-z])(?:TO` + `DO|FIX` + `ME|XX` + `X|not imple` + `mented|unimple` + `mented|place` + `holder)`)

// Form returns what is wrong with the outward form of the Go files: too long,
// not formatted, or a package without a comment that says what it owns and what it may
// import, or must not.
func Form(files []File) ([]string, error) {
	all, err := parseAll(files, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out []string
	documented, walled := map[string]bool{}, map[string]bool{}
	for _, f := range all {
		if !f.Test {
			documented[f.Package] = documented[f.Package] || isPackageComment(f.Syntax)
			walled[f.Package] = walled[f.Package] || f.Syntax.Name.Name == "main" || strings.Contains(f.Syntax.Doc.Text(), "import")
			if n := lines(f.Data); n > MaxLines && !ast.IsGenerated(f.Syntax) {
				out = append(out, fmt.Sprintf("%s has %d lines; %d is the limit: one idea a file", f.Path, n, MaxLines))
			}
		}
		formatted, err := format.Source(f.Data)
		if err != nil {
			return nil, fmt.Errorf("format %s: %w", f.Path, err)
		}
		if !bytes.Equal(formatted, f.Data) {
			out = append(out, f.Path+" is not formatted: run gofmt -w on it")
		}
	}
	for pkg, ok := range documented {
		if !ok {
			out = append(out, fmt.Sprintf("package %q has no package comment that says what it owns", pkg))
		} else if !walled[pkg] {
			out = append(out, fmt.Sprintf("the comment of package %q says nothing of imports: what may it import, or must not?", pkg))
		}
	}
	return unique(out), nil
}

func isPackageComment(f *ast.File) bool {
	doc := f.Doc.Text()
	return strings.HasPrefix(doc, "Package "+f.Name.Name) || f.Name.Name == "main" && strings.HasPrefix(doc, "Command ")
}

func lines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// Unfinished returns the places that hold a mark of work left open.
func Unfinished(files []File) []string {
	var out []string
	for _, f := range files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			if unfinished.MatchString(line) {
				out = append(out, fmt.Sprintf("%s:%d: %s", f.Path, i+1, strings.TrimSpace(line)))
			}
		}
	}
	return out
}
