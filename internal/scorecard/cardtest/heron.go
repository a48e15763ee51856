// Package cardtest makes scorecards for tests: Heron, a small fictional agent that
// uses every form a card can have, and random valid cards.
//
// Only tests import it. It may import scorecard and rubric and nothing else of this
// module.
package cardtest

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// HeronCommit is the commit that Heron's card is pinned to.
var HeronCommit = strings.Repeat("0123456789", 4)

// Heron returns a card that is valid under the strict reading. It has an alt
// mechanism that counts (C4) and one that does not (C2), a criterion that is absent
// as a whole (C7), an absent parameter (C10 D), caps of every kind, an inferred
// rating, notes, and citations with and without quotes.
func Heron() *scorecard.Card {
	c := &scorecard.Card{
		SchemaVersion:       scorecard.SchemaVersion,
		ScorecardVersion:    rubric.Version,
		ID:                  "heron",
		Name:                "Heron",
		RepoURL:             "https://github.com/heron-agent/heron",
		Subpath:             "agent",
		Description:         "A fictional agent that files field notes and runs small scripts over them.",
		Category:            "data_analytics",
		PinnedCommit:        HeronCommit,
		Version:             "1.4.0 (no tag at commit)",
		ScoredDate:          "2026-03-01",
		ScoredConfiguration: "`heron run` with the shipped heron.toml, Docker present.",
		Headline:            "Heron runs every script the model writes.\n\nIts container is the only thing that stands in the way.",
		CriticalGaps: []scorecard.CriticalGap{
			{Summary: "A hijacked run reads every field note and posts it anywhere.", OWASP: []string{"ASI01", "LLM01"}, Criterion: "C5",
				Evidence: []scorecard.Evidence{cite("agent/loop.py", 40, 52, "result = tools[name](**args)")}},
			{Summary: "The default sandbox hands the Docker socket to the script.", OWASP: []string{"ASI05"}, Criterion: "C4",
				Evidence: []scorecard.Evidence{cite("deploy/compose.yml", 12, 12, "/var/run/docker.sock")}},
		},
		RuleOfTwo: scorecard.RuleOfTwo{
			UntrustedInput:      "Web pages fetched by the note tool (agent/tools/fetch.py:18)",
			SensitiveData:       "Field notes in the data directory (agent/store.py:9-14)",
			StateChangeOrEgress: "Scripts with open network (deploy/compose.yml:20); note upload",
			SameSession:         true,
		},
		Fixes: []scorecard.Fix{
			{Summary: "Ask before a script runs and show its text.", Criterion: "C2", Parameter: scorecard.S, From: 0, To: 3, Playbook: "Playbook 5"},
			{Summary: "Give the container no network.", Criterion: "C4", Parameter: scorecard.B, From: 1, To: 2},
		},
		ReauditLog:  []scorecard.LogEntry{{Criterion: "C9", Parameter: scorecard.S, From: "L3", To: "L2", Reason: "No identity beside the tool name; between L2 and L3, so the lower level."}},
		Limitations: []string{"Static reading of the pinned commit only.", "The web console was not looked at."},
	}
	for _, id := range scorecard.Capabilities {
		c.Profile = append(c.Profile, scorecard.Capability{ID: id, Value: "yes"})
	}
	c.Profile[4].Value, c.Profile[7].Value = "opt_in", "no"
	for _, h := range rubric.Heads() {
		c.Criteria = append(c.Criteria, scorecard.Criterion{
			ID: h.ID, Name: h.Name, OWASP: h.OWASP, Question: h.Question, Status: scorecard.StatusScored,
			Summary:    "Heron and " + strings.ToLower(h.Name) + ", in one sentence.",
			Mechanisms: []scorecard.Mechanism{mechanism(scorecard.Default, "default configuration", 1, 1, 1, 1)},
		})
	}
	heronCriteria(c)
	return c
}

// heronCriteria gives the plain criteria their forms.
func heronCriteria(c *scorecard.Card) {
	c2 := c.ByID("C2")
	c2.Mechanisms = []scorecard.Mechanism{
		mechanism(scorecard.Default, "default configuration", 0, 0, 1, 1),
		mechanism(scorecard.Alt, `opt-in review queue (mode="ask")`, 0, 0, 0, 1),
	}
	c2.Mechanisms[1].Caps = []scorecard.Cap{{ID: "G1", Reason: rubric.Method().Caps[0].When}}
	quoteAll(&c2.Mechanisms[1].Parameters[2])

	c4 := c.ByID("C4")
	c4.Mechanisms = []scorecard.Mechanism{
		mechanism(scorecard.Default, "default configuration", 2, 2, 2, 0),
		mechanism(scorecard.Alt, "opt-in gVisor runtime (RUNTIME=runsc)", 4, 3, 0, 1),
	}
	c4.Mechanisms[0].Caps = []scorecard.Cap{{ID: "C4-HOSTROOT", Reason: hostRoot()}}
	c4.Mechanisms[1].Caps = []scorecard.Cap{{ID: "G1", Reason: "The runtime is named only in a commented line of the compose file."}}
	for i := range c4.Mechanisms {
		for j := range c4.Mechanisms[i].Parameters {
			quoteAll(&c4.Mechanisms[i].Parameters[j])
		}
	}
	c4.Notes = "The image is pinned by digest; (see C7)."

	c5 := c.ByID("C5")
	c5.Mechanisms[0] = mechanism(scorecard.Default, "default configuration", 0, 0, 0, 0)
	c5.Mechanisms[0].Caps = []scorecard.Cap{{ID: "C5-WORSTCASE", Reason: scorecard.WorstCaseReason}}
	for j := range c5.Mechanisms[0].Parameters {
		quoteAll(&c5.Mechanisms[0].Parameters[j])
	}

	c7 := c.ByID("C7")
	c7.Status = scorecard.StatusStructuralAbsence
	c7.AbsenceEvidence = []scorecard.Evidence{
		{Search: `rg -n -e 'importlib|entry_points' -e 'npx |uvx '`, Scope: "agent deploy", Hits: 1, Note: "the hit is a comment (in setup.py); nothing is loaded"},
		cite("agent/tools/__init__.py", 1, 1, ""),
	}
	c7.Mechanisms = []scorecard.Mechanism{scorecard.AbsentMechanism(c7.AbsenceEvidence)}

	c9 := c.ByID("C9")
	c9.Mechanisms[0] = mechanism(scorecard.Default, "default configuration", 2, 3, 2, 2)
	quoteAll(&c9.Mechanisms[0].Parameters[1])
	c9.Mechanisms[0].Parameters[3].Status = scorecard.Inferred

	c10 := c.ByID("C10")
	d := c10.Mechanisms[0].ByID(scorecard.D)
	d.Level, d.SA, d.Gap = scorecard.MaxLevel, true, ""
	d.Evidence = []scorecard.Evidence{{Search: `rg -n "schedule\(" -g '*.py'`, Scope: "agent", Hits: 0}}
}

func hostRoot() string {
	spec, _ := rubric.Method().Cap("C4-HOSTROOT")
	return spec.When
}

func cite(file string, first, last int, quote string) scorecard.Evidence {
	return scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: first, Last: last}, Contains: quote}
}

func quoteAll(p *scorecard.Parameter) {
	for i := range p.Evidence {
		if !p.Evidence[i].IsSearch() {
			p.Evidence[i].Contains = "def " + strings.ToLower(string(p.ID)) + "_control"
		}
	}
}

// mechanism makes a mechanism whose parameters have a finding, a gap below L4, and
// a citation and a search as evidence.
func mechanism(kind scorecard.MechanismKind, label string, levels ...scorecard.Level) scorecard.Mechanism {
	m := scorecard.Mechanism{Kind: kind, Label: label}
	for i, id := range scorecard.ParameterIDs {
		p := scorecard.Parameter{ID: id, Level: levels[i], Status: scorecard.Verified, Finding: "What " + string(id) + " of the " + string(kind) + " mechanism does; it reads files (all of them)."}
		if p.Level < scorecard.MaxLevel {
			p.Gap = "What one level more would ask for."
		}
		first := 10*i + 3
		p.Evidence = []scorecard.Evidence{
			cite("agent/loop.py", first, first+i, ""),
			{Search: "rg -n -i 'confirm|approv' -g '*.py'", Scope: "agent", Hits: i, Note: "comments only; none of them (see `loop.py`) is a gate"},
		}
		m.Parameters[i] = p
	}
	return m
}

// Consistent is Heron with one count for each search, so that one repository can
// make all of its evidence true.
func Consistent() *scorecard.Card {
	const hits = 3
	card := Heron()
	for i := range card.Criteria {
		for j := range card.Criteria[i].Mechanisms {
			for k := range card.Criteria[i].Mechanisms[j].Parameters {
				p := &card.Criteria[i].Mechanisms[j].Parameters[k]
				for n := range p.Evidence {
					if p.Evidence[n].IsSearch() && !p.SA {
						p.Evidence[n].Hits = hits
					}
				}
			}
		}
	}
	return card
}
