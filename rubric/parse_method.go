package rubric

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

type yamlMethod struct {
	Version    string `yaml:"version"`
	Parameters []struct {
		ID     string  `yaml:"id"`
		Name   string  `yaml:"name"`
		Weight float64 `yaml:"weight"`
	} `yaml:"parameters"`
	Levels map[string]float64 `yaml:"levels"`
	Bands  []struct {
		ID    string  `yaml:"id"`
		Label string  `yaml:"label"`
		Color string  `yaml:"color"`
		Min   float64 `yaml:"min"`
	} `yaml:"bands"`
	Caps []struct {
		ID        string  `yaml:"id"`
		Max       float64 `yaml:"max"`
		Criterion string  `yaml:"criterion"`
		When      string  `yaml:"when"`
	} `yaml:"caps"`
}

// parseMethod reads and checks method.yaml.
func parseMethod(name string, data []byte) (*MethodSpec, string, error) {
	src := source{name, data}
	var y yamlMethod
	if err := src.decode(&y); err != nil {
		return nil, "", err
	}
	m := &MethodSpec{}
	err := errors.Join(src.required("$.version", y.Version), src.parameters(y, m),
		src.levels(y), src.bands(y, m), src.caps(y, m))
	return m, y.Version, err
}

func (s source) parameters(y yamlMethod, m *MethodSpec) error {
	sum := 0
	for i, p := range y.Parameters {
		weight := milli(p.Weight)
		if weight <= 0 || weight%(Levels-1) != 0 {
			return s.errorf(fmt.Sprintf("$.parameters[%d].weight", i), "%v cannot be split into %d equal steps of whole thousandths", p.Weight, Levels-1)
		}
		sum += weight
		m.Parameters = append(m.Parameters, ParameterSpec{ID: p.ID, Name: p.Name, Weight: weight, PerLevel: weight / (Levels - 1)})
	}
	ids := make([]string, len(m.Parameters))
	for i, p := range m.Parameters {
		ids[i] = p.ID
	}
	if !slices.Equal(ids, []string{"S", "C", "D", "B"}) {
		return s.errorf("$.parameters", "want S, C, D, B in this order, got %v", ids)
	}
	if sum != Milli {
		return s.errorf("$.parameters", "the weights add up to %v, want 1", float64(sum)/Milli)
	}
	return nil
}

func (s source) levels(y yamlMethod) error {
	if len(y.Levels) != Levels {
		return s.errorf("$.levels", "want %d levels, got %d", Levels, len(y.Levels))
	}
	for i := range Levels {
		id := fmt.Sprintf("L%d", i)
		if v, ok := y.Levels[id]; !ok || milli(v)*(Levels-1) != i*Milli {
			return s.errorf("$.levels", "%s: want %v", id, float64(i)/(Levels-1))
		}
	}
	return nil
}

func (s source) bands(y yamlMethod, m *MethodSpec) error {
	for i, b := range y.Bands {
		at := fmt.Sprintf("$.bands[%d]", i)
		if err := s.required(at+".id", b.ID, at+".label", b.Label, at+".color", b.Color); err != nil {
			return err
		}
		floor := int(math.Round(b.Min * 10))
		if i > 0 && floor >= m.Bands[i-1].Floor {
			return s.errorf(at+".min", "bands go from the highest floor down")
		}
		m.Bands = append(m.Bands, Band{ID: b.ID, Label: b.Label, Color: b.Color, Floor: floor})
	}
	if n := len(m.Bands); n == 0 || m.Bands[n-1].Floor != 0 {
		return s.errorf("$.bands", "the last band must start at 0")
	}
	return nil
}

func (s source) caps(y yamlMethod, m *MethodSpec) error {
	for i, c := range y.Caps {
		at := fmt.Sprintf("$.caps[%d]", i)
		if err := s.required(at+".id", c.ID, at+".when", c.When); err != nil {
			return err
		}
		if c.Max <= 0 || c.Max >= 1 {
			return s.errorf(at+".max", "%v is not between 0 and 1", c.Max)
		}
		if _, known := criterionFiles[c.Criterion]; c.Criterion != "" && !known {
			return s.errorf(at+".criterion", "no criterion %q", c.Criterion)
		}
		if _, twice := m.Cap(c.ID); twice {
			return s.errorf(at+".id", "%s is listed twice", c.ID)
		}
		m.Caps = append(m.Caps, CapSpec{ID: c.ID, Max: milli(c.Max), Criterion: c.Criterion, When: c.When})
	}
	return nil
}

func milli(x float64) int { return int(math.Round(x * Milli)) }
