package mutate

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// maxExamples bounds the faults that are described, of each kind of change.
const maxExamples = 3

// Kind counts what came of one kind of change.
type Kind struct {
	Name                            string
	Tried                           int
	FalseAlarms, Misses, WrongLines int
	NoChange                        int // made, and found to change nothing that matters; not tried
	Examples                        []string
}

// Faults is how many changes were answered wrongly.
func (k Kind) Faults() int { return k.FalseAlarms + k.Misses + k.WrongLines }

// Result is what came of all changes for one card, or several.
type Result struct {
	Citations, Searches int
	Skipped             []string // items that were left out, and why
	kinds               map[string]*Kind
}

func newResult() *Result { return &Result{kinds: map[string]*Kind{}} }

// Sum returns the results of several cards as one.
func Sum(results ...*Result) *Result {
	out := newResult()
	for _, r := range results {
		out.Citations += r.Citations
		out.Searches += r.Searches
		out.Skipped = append(out.Skipped, r.Skipped...)
		for name, k := range r.kinds {
			to := out.kind(name)
			to.Tried += k.Tried
			to.FalseAlarms += k.FalseAlarms
			to.Misses += k.Misses
			to.WrongLines += k.WrongLines
			to.NoChange += k.NoChange
			to.Examples = append(to.Examples, k.Examples...)
		}
	}
	return out
}

func (r *Result) kind(name string) *Kind {
	k := r.kinds[name]
	if k == nil {
		k = &Kind{Name: name}
		r.kinds[name] = k
	}
	return k
}

func (r *Result) same(kind string) { r.kind(kind).NoChange++ }

func (r *Result) count(kind, item string, v verdict) {
	k := r.kind(kind)
	k.Tried++
	switch v.fault {
	case "":
		return
	case falseAlarm:
		k.FalseAlarms++
	case miss:
		k.Misses++
	case wrongLines:
		k.WrongLines++
	}
	if len(k.Examples) < maxExamples {
		k.Examples = append(k.Examples, fmt.Sprintf("%s: %s: %s: %s", kind, item, v.fault, v.words))
	}
}

// Kinds lists the kinds by name.
func (r *Result) Kinds() []Kind {
	var out []Kind
	for _, name := range slices.Sorted(maps.Keys(r.kinds)) {
		out = append(out, *r.kinds[name])
	}
	return out
}

// Total adds all kinds up.
func (r *Result) Total() Kind {
	total := Kind{Name: "all"}
	for _, k := range r.Kinds() {
		total.Tried += k.Tried
		total.FalseAlarms += k.FalseAlarms
		total.Misses += k.Misses
		total.WrongLines += k.WrongLines
		total.NoChange += k.NoChange
	}
	return total
}

// WriteTable writes the kinds as a Markdown table, those with faults first.
func (r *Result) WriteTable(w io.Writer) error {
	kinds := r.Kinds()
	slices.SortStableFunc(kinds, func(a, b Kind) int { return cmp.Compare(min(b.Faults(), 1), min(a.Faults(), 1)) })
	if _, err := fmt.Fprint(w, "| change | tried | false alarms | misses | wrong lines | no change |\n|---|---:|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	for _, k := range append(kinds, r.Total()) {
		if _, err := fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d |\n", k.Name, k.Tried, k.FalseAlarms, k.Misses, k.WrongLines, k.NoChange); err != nil {
			return err
		}
	}
	return nil
}
