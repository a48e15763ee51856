package rubric

import (
	"errors"
	"fmt"
)

type yamlCriterion struct {
	ID         string   `yaml:"id"`
	Name       string   `yaml:"name"`
	OWASP      []string `yaml:"owasp"`
	Question   string   `yaml:"question"`
	Surface    string   `yaml:"surface"`
	AbsentWhen string   `yaml:"absent_when"`
	Anchors    struct {
		S []string `yaml:"S"`
		C []string `yaml:"C"`
		D []string `yaml:"D"`
		B []string `yaml:"B"`
	} `yaml:"anchors"`
	ToolServerS []string `yaml:"tool_server_S"`
	Caps        []string `yaml:"caps"`
	Traps       []string `yaml:"traps"`
	Watch       struct {
		Paths    []string `yaml:"paths"`
		Patterns []string `yaml:"patterns"`
	} `yaml:"watch"`
}

// parseCriterion reads and checks one criterion file, but for its watch signals:
// those take effect only through figures.go, and are checked when it is generated.
func parseCriterion(name string, data []byte) (*CriterionSpec, error) {
	src := source{name, data}
	var y yamlCriterion
	if err := src.decode(&y); err != nil {
		return nil, err
	}
	c := &CriterionSpec{
		CriterionHead: CriterionHead{ID: y.ID, Name: y.Name, OWASP: y.OWASP, Question: y.Question, Caps: y.Caps, AbsentWhen: y.AbsentWhen},
		Surface:       y.Surface, Traps: y.Traps,
		Watch: &WatchSpec{Criterion: y.ID, Paths: y.Watch.Paths, Sources: y.Watch.Patterns},
	}
	err := errors.Join(
		src.required("$.name", y.Name, "$.question", y.Question, "$.surface", y.Surface),
		src.home(y.ID, c),
		src.allAnchors(y, c),
		src.lists(y))
	if err != nil {
		return nil, err
	}
	return c, nil
}

// home checks that the file is the one of its criterion and numbers it.
func (s source) home(id string, c *CriterionSpec) error {
	if criterionFiles[id] != s.name {
		return s.errorf("$.id", "%q does not belong in this file", id)
	}
	_, err := fmt.Sscanf(id, "C%d", &c.Number)
	return err
}

func (s source) allAnchors(y yamlCriterion, c *CriterionSpec) error {
	c.Anchors = make(map[string]Anchors, 4)
	for id, list := range map[string][]string{"S": y.Anchors.S, "C": y.Anchors.C, "D": y.Anchors.D, "B": y.Anchors.B} {
		a, err := s.anchors("$.anchors."+id, list)
		if err != nil {
			return err
		}
		c.Anchors[id] = a
	}
	if y.ToolServerS == nil {
		return nil
	}
	a, err := s.anchors("$.tool_server_S", y.ToolServerS)
	c.ToolServerS = &a
	return err
}

func (s source) anchors(path string, list []string) (into Anchors, err error) {
	if len(list) != Levels {
		return into, s.errorf(path, "want %d anchors, one a level from L0, got %d", Levels, len(list))
	}
	for i, text := range list {
		if err := s.required(fmt.Sprintf("%s[%d]", path, i), text); err != nil {
			return into, err
		}
		into[i] = text
	}
	return into, nil
}

// lists checks the parts of a criterion that are lists of names or patterns.
func (s source) lists(y yamlCriterion) error {
	for name, list := range map[string][]string{"owasp": y.OWASP, "traps": y.Traps, "watch.paths": y.Watch.Paths, "watch.patterns": y.Watch.Patterns} {
		if len(list) == 0 {
			return s.errorf("$."+name, "is missing or empty")
		}
	}
	return nil
}
