package archtest

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Package is one package as the check sees it, test files set apart.
type Package struct {
	Path        string   // relative to the module; "" is the module's root
	Imports     []string // import paths of its non-test files
	TestImports []string // import paths of its test files, those of package foo_test included
}

// Check returns what breaks the rules, one sentence each, sorted.
func Check(rooms []Room, packages []Package) []string {
	var out []string
	for _, p := range packages {
		room, ok := roomOf(rooms, p.Path)
		if !ok {
			out = append(out, fmt.Sprintf("%s is in no room: add it to Rooms in internal/archtest/rules.go", p.Path))
			continue
		}
		for _, imp := range p.Imports {
			if why := forbidden(room, p.Path, imp); why != "" {
				out = append(out, fmt.Sprintf("%s imports %s: %s", p.Path, imp, why))
			}
		}
		for _, imp := range p.TestImports {
			if inner, ours := strings.CutPrefix(imp, Module+"/"); ours && within("internal/archtest", inner) && p.Path != inner {
				out = append(out, fmt.Sprintf("%s imports %s: nothing imports the checker", p.Path, imp))
			}
		}
	}
	sort.Strings(out)
	return out
}

// Unused returns what the rooms are allowed and no package of theirs imports, one
// sentence each: a door that nobody needs is not a wall.
func Unused(rooms []Room, packages []Package) []string {
	imports := map[string][]string{}
	for _, p := range packages {
		room, _ := roomOf(rooms, p.Path)
		for _, imp := range p.Imports {
			inner, ours := strings.CutPrefix(imp, Module+"/")
			if ours || !isStandard(imp) {
				imports[room.Path] = append(imports[room.Path], inner)
			}
		}
	}
	var out []string
	for _, room := range rooms {
		for _, may := range room.May {
			if !slices.ContainsFunc(imports[room.Path], func(imp string) bool { return listed([]string{may}, imp) }) {
				out = append(out, fmt.Sprintf("%s may import %s and does not", room.Path, may))
			}
		}
		for _, library := range room.Libraries {
			if !slices.ContainsFunc(imports[room.Path], func(imp string) bool { return within(library, imp) }) {
				out = append(out, fmt.Sprintf("%s may import %s and does not", room.Path, library))
			}
		}
	}
	return out
}

// forbidden says why the package may not import the path, or "".
func forbidden(room Room, pkg, imp string) string {
	inner, ours := strings.CutPrefix(imp, Module+"/")
	switch {
	case ours:
		return forbiddenRoom(room, pkg, inner)
	case imp == "os/exec" && !executesProcesses(pkg):
		return "only " + strings.Join(executors, ", ") + " start processes"
	case !isStandard(imp):
		if room.Pure && !fromModules(room.Libraries, imp) {
			return "a pure room imports only the libraries listed for it"
		}
		return ""
	case room.Pure && listed(ioPackages, imp):
		return "a pure room does no I/O"
	}
	return ""
}

func forbiddenRoom(room Room, pkg, target string) string {
	switch {
	case listed(testOnly, target) && !listed(testOnly, pkg):
		return "only tests import it"
	case within(room.Path, target):
		return ""
	case listed(room.May, target), listed(anyone, target):
		return ""
	}
	return fmt.Sprintf("the road does not lead there; %s may import %s", room.Path, orNothing(room.May))
}

func orNothing(may []string) string {
	if len(may) == 0 {
		return "no other room"
	}
	return strings.Join(may, ", ")
}

func executesProcesses(pkg string) bool {
	for _, e := range executors {
		if within(e, pkg) {
			return true
		}
	}
	return false
}

// isStandard tells the standard library by the rule of the go command: the first
// element of every other import path holds a dot.
func isStandard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return !strings.Contains(first, ".")
}

func fromModules(modules []string, imp string) bool {
	for _, m := range modules {
		if within(m, imp) {
			return true
		}
	}
	return false
}
