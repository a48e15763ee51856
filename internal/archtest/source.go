package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// File is one file of the module, read whole.
type File struct {
	Path string // relative to the module root, with slashes
	Data []byte
}

// Files reads every file below root whose name ends in one of the suffixes,
// sorted by path. Hidden directories other than .github and .ci are left out, as
// are build results.
func Files(root string, suffixes ...string) ([]File, error) {
	var out []File
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skipped(rel) {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !hasSuffix(rel, suffixes) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		out = append(out, File{Path: rel, Data: data})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the module: %w", err)
	}
	return out, nil
}

func skipped(dir string) bool {
	switch dir {
	case "bin", "data", "dist":
		return true
	}
	base := path.Base(dir)
	return dir != "." && strings.HasPrefix(base, ".") && base != ".github" && base != ".ci"
}

func hasSuffix(name string, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// inTestdata reports whether the go command would not see the directory as part
// of the module. The package at the top of testdata/ is ours and counts.
func inTestdata(dir string) bool {
	for i, elem := range strings.Split(dir, "/") {
		if elem == "testdata" && (i > 0 || dir != "testdata") || strings.HasPrefix(elem, "_") {
			return true
		}
	}
	return false
}

// parsed is a Go file of the module with its syntax down to the imports.
type parsed struct {
	File
	Package string // directory relative to the module root, "" for the root
	Test    bool
	Syntax  *ast.File
}

// parseAll parses the Go files that the go command would see, down to the imports
// or, in mode 0, in full.
func parseAll(files []File, mode parser.Mode) ([]parsed, error) {
	var out []parsed
	fset := token.NewFileSet()
	for _, f := range files {
		dir := path.Dir(f.Path)
		if !strings.HasSuffix(f.Path, ".go") || inTestdata(dir) {
			continue
		}
		syntax, err := parser.ParseFile(fset, f.Path, f.Data, mode|parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("parse: %w", err)
		}
		if dir == "." {
			dir = ""
		}
		out = append(out, parsed{File: f, Package: dir, Test: strings.HasSuffix(f.Path, "_test.go"), Syntax: syntax})
	}
	return out, nil
}

// Packages groups the Go files by package, sorted by path.
func Packages(files []File) ([]Package, error) {
	all, err := parseAll(files, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	byPath := map[string]*Package{}
	for _, f := range all {
		p := byPath[f.Package]
		if p == nil {
			p = &Package{Path: f.Package}
			byPath[f.Package] = p
		}
		for _, spec := range f.Syntax.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, fmt.Errorf("import in %s: %w", f.Path, err)
			}
			if f.Test {
				p.TestImports = append(p.TestImports, imp)
			} else {
				p.Imports = append(p.Imports, imp)
			}
		}
	}
	var out []Package
	for _, p := range byPath {
		p.Imports = unique(p.Imports)
		p.TestImports = unique(p.TestImports)
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
