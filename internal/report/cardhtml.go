package report

import (
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

type cardHTML struct {
	Page                            page
	Name, Total, Band, Applicable   string
	Repo, RepoURL, Subpath, Version string
	Reviewed, Category              string
	ScorecardVersion                string
	Description, Headline           []span
	Configuration                   []span
	Commit                          placeHTML
	Bar                             barHTML
	Profile                         []chipHTML
	Parameters                      []rubric.ParameterSpec
	Criteria                        []criterionHTML
	Gaps                            []gapHTML
	RuleOfTwo                       []factHTML
	Fixes                           []gapHTML
	Log                             []logHTML
	Limitations                     [][]span
}

type chipHTML struct{ Name, Value string }

type factHTML struct {
	Name string
	Text []span
}

type gapHTML struct {
	Summary  []span
	Tags     string
	Evidence []evidenceHTML
}

type logHTML struct {
	Change string
	Reason []span
}

type criterionHTML struct {
	Anchor, ID, Name, Raw, Cap, Score, Tag, Confidence string
	Levels                                             []string
	Bar                                                barHTML
	Question, Summary, Notes                           []span
	Absent                                             bool
	Absence                                            []evidenceHTML
	Mechanisms                                         []mechanismHTML
}

type mechanismHTML struct {
	Label            []span
	Kind, Raw, Score string
	Counted          bool
	Parameters       []parameterHTML
	Caps             []capHTML
}

type parameterHTML struct {
	Level, Name  string
	Inferred     bool
	Finding, Gap []span
	Evidence     []evidenceHTML
}

type capHTML struct {
	ID, Max string
	Reason  []span
}

// CardHTML returns the card as one self-contained page: it loads nothing, runs no
// script, and reads on a phone, in print, in a light and in a dark theme.
func CardHTML(card *scorecard.Card) ([]byte, error) {
	l := newLinker(card.RepoURL, card.PinnedCommit)
	band := card.Band()
	p := cardHTML{
		Page: newPage(escape.Line(card.Name) + ": defense-in-depth scorecard"),
		Name: escape.Line(card.Name), Total: scorecard.Format1(card.Total()), Band: band.Label,
		Repo: escape.Line(card.RepoURL), RepoURL: escape.RepoURL(card.RepoURL), Subpath: escape.Line(card.Subpath),
		Version: escape.Line(card.Version), Reviewed: escape.Line(card.ScoredDate), Category: words(card.Category),
		ScorecardVersion: escape.Line(card.ScorecardVersion),
		Description:      spans(card.Description), Headline: spans(card.Headline), Configuration: spans(card.ScoredConfiguration),
		Commit:     placeHTML{escape.Line(card.PinnedCommit), l.tree()},
		Bar:        barHTML{card.Total() * 1000 / scorecard.MaxTotal, band.Color},
		Parameters: rubric.Method().Parameters,
	}
	if a := card.Applicable(); a.Absent > 0 {
		p.Applicable = a.String()
	}
	for _, c := range card.Profile {
		p.Profile = append(p.Profile, chipHTML{words(c.ID), words(c.Value)})
	}
	for i := range card.Criteria {
		p.Criteria = append(p.Criteria, criterionPage(&card.Criteria[i], i, l))
	}
	for _, g := range card.CriticalGaps {
		p.Gaps = append(p.Gaps, gapHTML{spans(g.Summary), tags(g.Criterion, g.OWASP...), evidenceOf(g.Evidence, l)})
	}
	p.tail(card)
	return execute("card.tmpl", p)
}

// tail fills what follows the criteria.
func (p *cardHTML) tail(card *scorecard.Card) {
	r := card.RuleOfTwo
	if r != (scorecard.RuleOfTwo{}) {
		same := "No."
		if r.SameSession {
			same = "Yes."
		}
		p.RuleOfTwo = []factHTML{
			{"Untrusted input", spans(r.UntrustedInput)}, {"Sensitive data", spans(r.SensitiveData)},
			{"State change or egress", spans(r.StateChangeOrEgress)}, {"All in one session", spans(same)},
		}
	}
	for _, f := range card.Fixes {
		change := f.Criterion + " " + string(f.Parameter) + " " + f.From.String() + arrow + f.To.String()
		gain := "+" + scorecard.Format3(f.Gain()) + " before caps"
		p.Fixes = append(p.Fixes, gapHTML{Summary: spans(f.Summary), Tags: tags(change, gain)})
	}
	for _, e := range card.ReauditLog {
		change := e.Criterion + " " + string(e.Parameter) + ": " + e.From + arrow + e.To
		p.Log = append(p.Log, logHTML{escape.Line(change), spans(e.Reason)})
	}
	for _, s := range card.Limitations {
		p.Limitations = append(p.Limitations, spans(s))
	}
}

func tags(first string, more ...string) string {
	return escape.Line(strings.Join(append([]string{first}, more...), ", "))
}

func criterionPage(c *scorecard.Criterion, at int, l linker) criterionHTML {
	h := criterionHTML{
		Anchor: "C" + strconv.Itoa(at+1),
		ID:     escape.Line(c.ID), Name: escape.Line(c.Name), Score: points2(c.Score()), Confidence: string(c.Confidence()),
		Bar: barHTML{c.Score(), scoreColor(c.Score())}, Raw: points2(c.Score()), Cap: "none",
		Question: spans(c.Question), Summary: spans(c.Summary), Notes: spans(c.Notes), Absent: c.Absent(),
	}
	if c.Absent() {
		h.Levels, h.Tag = []string{"SA", "SA", "SA", "SA"}, "SA"
		h.Absence = evidenceOf(c.AbsenceEvidence, l)
		return h
	}
	counted := c.Counted()
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		h.Mechanisms = append(h.Mechanisms, mechanismPage(m, l, len(c.Mechanisms) > 1, m == counted))
	}
	if counted == nil {
		return h
	}
	h.Raw = points2(counted.Raw())
	if cp, _, ok := counted.EffectiveCap(); ok {
		h.Cap = escape.Line(cp.ID)
	}
	if counted.Kind == scorecard.Alt {
		h.Tag = string(scorecard.Alt)
	}
	for _, p := range counted.Parameters {
		h.Levels = append(h.Levels, levelClass(p))
	}
	return h
}

func mechanismPage(m *scorecard.Mechanism, l linker, several, counted bool) mechanismHTML {
	h := mechanismHTML{Kind: string(m.Kind), Raw: points2(m.Raw()), Score: points2(m.Score()), Counted: counted}
	if several {
		h.Label = spans(m.Label)
		if len(h.Label) == 0 {
			h.Label = spans(string(m.Kind))
		}
	}
	for i, p := range m.Parameters {
		spec, _ := rubric.Method().Parameter(string(scorecard.ParameterIDs[i]))
		h.Parameters = append(h.Parameters, parameterHTML{
			Level: levelClass(p), Name: spec.Name, Inferred: p.Status == scorecard.Inferred,
			Finding: spans(p.Finding), Gap: spans(p.Gap), Evidence: evidenceOf(p.Evidence, l),
		})
	}
	for _, cp := range m.Caps {
		h.Caps = append(h.Caps, capHTML{escape.Line(cp.ID), points2(cp.Max()), spans(cp.Reason)})
	}
	return h
}

// scoreColor colours one criterion's score by the floors of the bands, taken as
// shares of its point.
func scoreColor(milli int) string { return rubric.Method().BandOf(milli / 10).Color }
