package scorecard

import (
	"fmt"
	"strings"
)

func (v *validator) evidence(place string, items []Evidence) {
	if len(items) > MaxList {
		v.fail(place, ruleEvidence, "keep the telling ones", "has %d evidence items, more than %d", len(items), MaxList)
	}
	for i, e := range items {
		at := fmt.Sprintf("%s evidence %d", place, i+1)
		if e.IsSearch() {
			v.search(at, e)
		} else {
			v.citation(at, e)
		}
		v.optional(at+" note", e.Note, MaxText, false)
	}
}

func (v *validator) citation(place string, e Evidence) {
	if e.Search != "" || e.Scope != "" || e.Hits != 0 {
		v.fail(place, ruleCitation, "make two items of it", "is a citation and a search at once")
	}
	v.path(place, ruleCitation, e.File)
	if l := e.Lines; l.First < 1 || l.Last < l.First || l.Last > MaxLine {
		v.fail(place, ruleCitation, "give the lines as N or N-M", "%d-%d is not a range of lines", l.First, l.Last)
	}
	v.optional(place+" quote", e.Contains, MaxText, true)
}

func (v *validator) search(place string, e Evidence) {
	v.optional(place+" command", e.Search, MaxCommand, false)
	v.optional(place+" scope", e.Scope, MaxText, false)
	program, rest, _ := strings.Cut(strings.TrimSpace(e.Search), " ")
	switch {
	case program == "":
		v.fail(place, ruleSearch, "give the command", "is neither a citation nor a search")
	case program != "rg":
		v.warn(place, ruleSearchRun, "search with rg", "%q is not a plain rg and cannot be re-run", clip(program))
	case strings.Contains(" "+rest, " --pre"):
		v.warn(place, ruleSearchRun, "search without --pre", "--pre never runs, so the search cannot be re-run")
	}
	if e.Contains != "" || e.Lines != (LineRange{}) {
		v.fail(place, ruleSearch, "make two items of it", "is a search and a citation at once")
	}
	if e.Hits < 0 || e.Hits > MaxLine {
		v.fail(place, ruleSearch, "give the number of matching lines", "%d is not a number of hits", e.Hits)
	}
	scope := strings.Fields(e.Scope)
	if len(scope) == 0 && program != "" {
		v.soft(place, ruleSearch, "name the paths, or . for all", "has no scope")
	}
	for _, p := range scope {
		if strings.HasPrefix(p, "-") {
			v.fail(place, ruleSearch, "name paths only", "the scope holds an option, %q", clip(p))
			continue
		}
		v.path(place, ruleSearch, p)
	}
}
