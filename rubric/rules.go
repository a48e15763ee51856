package rubric

import (
	"fmt"
	"strings"
	"sync"
)

// RuleSpec is one rule of the method, a settled question, or a rule of the
// card's form. The id is stable and begins with R-, Q- or F- in that order.
type RuleSpec struct {
	ID   string `yaml:"id"`
	Text string `yaml:"text"`
}

// Rules returns the rules of the method in order, then the settled questions,
// then the rules of form. The file is parsed on the first call. The slice is
// shared: do not change it.
func Rules() []RuleSpec { return allRules().list }

// Rule returns the rule with the id.
func Rule(id string) (RuleSpec, bool) {
	r, ok := allRules().byID[id]
	return r, ok
}

type ruleIndex struct {
	list []RuleSpec
	byID map[string]RuleSpec
}

var allRules = sync.OnceValue(func() ruleIndex {
	list, err := parseRules(rulesFile, mustRead(rulesFile))
	if err != nil {
		panic(err)
	}
	idx := ruleIndex{list: list, byID: make(map[string]RuleSpec, len(list))}
	for _, r := range list {
		idx.byID[r.ID] = r
	}
	return idx
})

// parseRules reads and checks rules.yaml.
func parseRules(name string, data []byte) ([]RuleSpec, error) {
	src := source{name, data}
	var y struct {
		Rules   []RuleSpec `yaml:"rules"`
		Settled []RuleSpec `yaml:"settled"`
		Form    []RuleSpec `yaml:"form"`
	}
	if err := src.decode(&y); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []RuleSpec
	for _, part := range []struct {
		key, prefix string
		list        []RuleSpec
	}{{"rules", "R-", y.Rules}, {"settled", "Q-", y.Settled}, {"form", "F-", y.Form}} {
		for i, r := range part.list {
			at := fmt.Sprintf("$.%s[%d].id", part.key, i)
			if !strings.HasPrefix(r.ID, part.prefix) || seen[r.ID] {
				return nil, src.errorf(at, "%q must begin with %s and be there once", r.ID, part.prefix)
			}
			if strings.TrimSpace(r.Text) == "" {
				return nil, src.errorf(at, "%s has no text", r.ID)
			}
			seen[r.ID] = true
			out = append(out, r)
		}
	}
	return out, nil
}
