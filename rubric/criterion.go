package rubric

import (
	"fmt"
	"sync"
)

// Anchors holds what each level of one parameter takes, L0 first.
type Anchors [Levels]string

// CriterionSpec is one criterion in full. It is shared: do not change it.
type CriterionSpec struct {
	CriterionHead
	Surface     string             // what the criterion is about
	Anchors     map[string]Anchors // by parameter: "S", "C", "D", "B"
	ToolServerS *Anchors           // instead of S when a tool server is scored; nil when there is no difference
	Traps       []string
	Watch       *WatchSpec
}

// Criterion returns the criterion with the id, "C1" to "C10". Its file is parsed
// on the first call. The error is for an unknown id.
func Criterion(id string) (*CriterionSpec, error) {
	load, ok := criteria[id]
	if !ok {
		return nil, fmt.Errorf("criterion %q: want C1 to C10", id)
	}
	return load()
}

// criteria maps an id to the once-only parse of its file.
var criteria = func() map[string]func() (*CriterionSpec, error) {
	out := make(map[string]func() (*CriterionSpec, error), len(criterionFiles))
	for id, name := range criterionFiles {
		out[id] = sync.OnceValues(func() (*CriterionSpec, error) {
			return parseCriterion(name, mustRead(name))
		})
	}
	return out
}()
