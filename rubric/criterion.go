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
	Surface     string // what the criterion is about
	S, C, D, B  Anchors
	ToolServerS *Anchors // instead of S when a tool server is scored; nil when there is no difference
	Traps       []string
	Watch       *WatchSpec
}

// Anchors returns the anchors of the parameter "S", "C", "D" or "B"; it panics on
// another id, which is a programming error.
func (c *CriterionSpec) Anchors(parameter string) Anchors {
	switch parameter {
	case "S":
		return c.S
	case "C":
		return c.C
	case "D":
		return c.D
	case "B":
		return c.B
	}
	panic(fmt.Sprintf("rubric: no parameter %q", parameter))
}

// Criterion returns the criterion with the id, "C1" to "C10". Its file is parsed
// on the first call.
func Criterion(id string) (*CriterionSpec, bool) {
	load, ok := criteria[id]
	if !ok {
		return nil, false
	}
	return load(), true
}

// criteria maps an id to the once-only parse of its file. A file that does not
// parse is a defect of the build, which the tests catch, hence the panic.
var criteria = func() map[string]func() *CriterionSpec {
	out := make(map[string]func() *CriterionSpec, len(criterionFiles))
	for id, name := range criterionFiles {
		out[id] = sync.OnceValue(func() *CriterionSpec {
			c, err := parseCriterion(name, mustRead(name))
			if err != nil {
				panic(err)
			}
			return c
		})
	}
	return out
}()
