package report

import (
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// The commits of all fixtures.
const (
	cardAt = "aaaaaaa1f90059fb17999d3095db4240e98f9551"
	baseAt = "bbbbbbb2f90059fb17999d3095db4240e98f9552"
	headAt = "ccccccc3f90059fb17999d3095db4240e98f9553"
)

func cite(file string, first, last int) scorecard.Evidence {
	return scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: first, Last: last}}
}

func search(command, scope string, hits int) scorecard.Evidence {
	return scorecard.Evidence{Search: command, Scope: scope, Hits: hits}
}

func item(state outcome.State, before, after scorecard.Evidence) outcome.Item {
	return outcome.Item{State: state, Before: before, After: after}
}

// rating is one parameter before and after, for example "L3", "L2?" (needs
// review and inferred) or "SA".
func rating(id scorecard.ParameterID, before, after, by string, items ...outcome.Item) outcome.Parameter {
	p := outcome.Parameter{ID: id, DecidedBy: by, Items: items}
	p.Before = level(id, before)
	p.After = level(id, strings.TrimSuffix(after, "?"))
	if strings.HasSuffix(after, "?") {
		p.NeedsReview = true
		p.After.Status = scorecard.Inferred
	}
	return p
}

func level(id scorecard.ParameterID, s string) scorecard.Parameter {
	p := scorecard.Parameter{ID: id, Status: scorecard.Verified}
	if s == "SA" {
		p.SA, p.Level = true, scorecard.MaxLevel
		return p
	}
	p.Level = scorecard.Level(s[1] - '0')
	return p
}

// quiet is an outcome in which everything is carried. Tests change parts of it.
func quiet() *outcome.Outcome {
	o := &outcome.Outcome{
		Repo: "https://github.com/heron-labs/heron", CardCommit: cardAt, Base: baseAt, Head: headAt,
		Scorer:     outcome.Scorer{Version: "v0.1.0", Rubric: "0.9", Judges: []string{"evidence"}},
		Score:      outcome.Span{Before: 3000, After: 3000, Low: 3000, High: 3000},
		BandBefore: "Minimal", BandAfter: "Minimal",
		Conclusion: outcome.Success, Title: "3.0, nothing it rests on changed",
		Cost:   outcome.Cost{GitProcesses: 1, ElapsedMS: 3},
		Before: &scorecard.Card{ScoredDate: "2026-11-02"},
	}
	for _, id := range []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10"} {
		from := cardAt
		if id == "C7" {
			from = baseAt
		}
		o.Criteria = append(o.Criteria, outcome.Criterion{
			ID: id, Name: "as the card calls it", Verdict: outcome.Carried, Counted: scorecard.Default,
			Score: outcome.Span{Before: 300, After: 300, Low: 300, High: 300}, CarriedFrom: from,
		})
	}
	return o
}

func criterion(o *outcome.Outcome, id string) *outcome.Criterion {
	for i := range o.Criteria {
		if o.Criteria[i].ID == id {
			o.Criteria[i].CarriedFrom = ""
			return &o.Criteria[i]
		}
	}
	panic("no criterion " + id)
}

// reverified: two criteria touched, everything holds.
func reverified() *outcome.Outcome {
	o := quiet()
	o.Title = "3.0 holds: 2 criteria re-verified"
	gate := item(outcome.Moved, cite("heron/gate.py", 40, 58), cite("heron/gate.py", 44, 62))
	gate.Reason = "the lines are the same, but they stood under def ask(call): and now stand under def show(call):"
	for id, p := range map[string]scorecard.ParameterID{"C2": scorecard.S, "C9": scorecard.C} {
		c := criterion(o, id)
		c.Verdict, c.TouchedBy = outcome.Reverified, []string{"heron/gate.py"}
		c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{
			rating(p, "L2", "L2", "", gate,
				item(outcome.Intact, cite("heron/loop.py", 3, 3), cite("heron/loop.py", 3, 3)),
				item(outcome.Reformatted, cite("heron/gate.py", 70, 71), cite("heron/gate.py", 74, 76))),
		}}}
	}
	o.Cost.BlobsRead = 2
	return o
}

// review: evidence of one criterion was edited, and nobody decided.
func review() *outcome.Outcome {
	o := quiet()
	o.Score = outcome.Span{Before: 3000, After: 2950, Low: 2600, High: 3000}
	o.Conclusion, o.Title = outcome.Neutral, "3.0 → 2.6..3.0: C4 needs review"
	o.Reasons = []string{
		"C4 S needs review: its evidence changed and nobody has decided what that means.",
		"C4 B needs review: its evidence changed and nobody has decided what that means.",
	}
	sandbox := item(outcome.Edited, cite("heron/sandbox.py", 257, 279), cite("heron/sandbox.py", 261, 290))
	sandbox.Reason = "3 of 23 cited lines changed"
	sandbox.Quote = []string{"container = client.containers.run(", "    image,", "    detach=True,"}
	flags := item(outcome.Edited, search(`rg -n 'cap_drop|read_only' -g '*.py'`, "heron", 0), search(`rg -n 'cap_drop|read_only' -g '*.py'`, "heron", 2))
	flags.Reason = "the search has other hits"
	flags.New = []outcome.Line{
		{File: "heron/sandbox.py", Line: 264, Text: "        cap_drop=[\"ALL\"],"},
		{File: "heron/sandbox.py", Line: 265, Text: "        read_only=True,"},
	}
	c := criterion(o, "C4")
	c.Verdict, c.TouchedBy = outcome.NeedsReview, []string{"heron/sandbox.py"}
	c.Score = outcome.Span{Before: 575, After: 525, Low: 150, High: 575}
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{
		rating(scorecard.S, "L3", "L2?", "evidence", sandbox, flags),
		rating(scorecard.C, "L3", "L3", "", item(outcome.Intact, cite("heron/loop.py", 3, 3), cite("heron/loop.py", 3, 3))),
		rating(scorecard.D, "L2", "L2", "", item(outcome.Moved, cite("heron/sandbox.py", 300, 310), cite("heron/sandbox.py", 311, 321))),
		rating(scorecard.B, "L2", "L2?", "evidence", sandbox),
	}}}
	c.Gaps = []outcome.Gap{{Summary: "A hijacked run can write anywhere.", Items: []outcome.Item{sandbox}}}
	o.Log = []outcome.LogEntry{{Criterion: "C4", Parameter: scorecard.S, Mechanism: scorecard.Default, From: "L3", To: "L2", By: "evidence",
		Reason: "no longer fully proven: heron/sandbox.py:257-279 edited."}}
	o.Watch = []outcome.Watch{{Criterion: "C10", File: "heron/runner.py", Line: 12, Signal: "matches a pattern on step limits"}}
	o.Prose = []outcome.ProseRef{
		{Where: "rule_of_two.untrusted_input", Before: "heron/web.py:3-9", After: "heron/web.py:5-11", State: outcome.Moved},
		{Where: "C4.notes", Before: "sandbox.py:257", After: "sandbox.py:257", State: outcome.Edited, Reason: "the line changed"},
	}
	o.Cost.BlobsRead = 4
	return o
}

// dropped: all evidence of a rating is gone and the judge decided; a critical
// gap is owed that was not owed before.
func dropped() *outcome.Outcome {
	o := quiet()
	o.Score = outcome.Span{Before: 3000, After: 2700, Low: 2700, High: 2700}
	o.BandBefore = "Moderate"
	o.Conclusion, o.Title = outcome.Failure, "3.0 → 2.7: C2 fell"
	o.Reasons = []string{"The total fell by 0.3; the policy allows less than 0.1.", "C2 S fell from L3 to L0.", "C2 now owes a critical gap."}
	gone := item(outcome.Gone, cite("heron/approve.py", 10, 31), cite("heron/approve.py", 10, 31))
	gone.Reason = "the file was removed"
	gone.Quote = []string{"def approve(call):", "    return prompt(call)"}
	c := criterion(o, "C2")
	c.Verdict, c.TouchedBy = outcome.Rejudged, []string{"heron/approve.py"}
	c.Score = outcome.Span{Before: 500, After: 200, Low: 200, High: 200}
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{
		rating(scorecard.S, "L3", "L0", "evidence", gone),
		rating(scorecard.C, "L2", "L1", "rule"),
		rating(scorecard.D, "L1", "L1", ""),
		rating(scorecard.B, "L1", "L1", ""),
	}}}
	o.Log = []outcome.LogEntry{
		{Criterion: "C2", Parameter: scorecard.S, Mechanism: scorecard.Default, From: "L3", To: "L0", By: "evidence", Reason: "nothing it rested on is left: heron/approve.py:10-31 gone."},
		{Criterion: "C2", Parameter: scorecard.C, Mechanism: scorecard.Default, From: "L2", To: "L1", By: "rule", Reason: "C may stand one level above S at most"},
	}
	o.NewGaps = []string{"C2"}
	return o
}

// improved: the code behind a recorded lack changed.
func improved() *outcome.Outcome {
	o := quiet()
	o.Conclusion, o.Title = outcome.Neutral, "3.0 holds: C2 may have improved"
	o.Reasons = []string{"C2 may have improved: the code behind a recorded lack changed."}
	found := item(outcome.Edited, search(`rg -n -i 'confirm|approv'`, "heron", 0), search(`rg -n -i 'confirm|approv'`, "heron", 3))
	found.New = []outcome.Line{{File: "heron/gate.py", Line: 10, Text: "if not confirm(call):"}}
	c := criterion(o, "C2")
	c.Verdict, c.TouchedBy, c.Flags = outcome.Rejudged, []string{"heron/gate.py"}, []outcome.Flag{outcome.PossibleImprovement}
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{
		rating(scorecard.S, "L0", "L0", "evidence", found),
	}}}
	return o
}

// altCounted: the optional mechanism counts, its cap binds, and the default one
// lost a level.
func altCounted() *outcome.Outcome {
	o := quiet()
	o.Conclusion, o.Title = outcome.Neutral, "3.0 holds: C4 fell"
	o.Reasons = []string{"C4 S fell from L2 to L1."}
	gone := item(outcome.Gone, cite("heron/local.py", 5, 9), cite("heron/local.py", 5, 9))
	c := criterion(o, "C4")
	c.Verdict, c.Counted = outcome.Rejudged, scorecard.Alt
	c.CapBefore, c.CapAfter = "G1", "G1"
	c.TouchedBy = []string{"heron/e2b.py", "heron/local.py"}
	c.Mechanisms = []outcome.Mechanism{
		{Kind: scorecard.Default, Parameters: []outcome.Parameter{rating(scorecard.S, "L2", "L1", "evidence", gone)}},
		{Kind: scorecard.Alt, Parameters: []outcome.Parameter{rating(scorecard.S, "L3", "L3", "",
			item(outcome.Moved, cite("heron/e2b.py", 1, 20), cite("heron/remote/e2b.py", 1, 20)))}},
	}
	o.Log = []outcome.LogEntry{{Criterion: "C4", Parameter: scorecard.S, Mechanism: scorecard.Default, From: "L2", To: "L1", By: "someone", Reason: "reviewed by hand"}}
	return o
}

// absenceLost: an absence is no longer proven.
func absenceLost() *outcome.Outcome {
	o := quiet()
	o.Score = outcome.Span{Before: 3000, After: 2500, Low: 2000, High: 3000}
	o.Conclusion, o.Title = outcome.Neutral, "3.0 → 2.0..3.0: C6 needs review"
	o.Reasons = []string{"C6 needs review: its evidence changed and nobody has decided what that means."}
	found := item(outcome.Edited, search("rg -n 'sqlite|memory_store'", "heron", 0), search("rg -n 'sqlite|memory_store'", "heron", 1))
	found.New = []outcome.Line{{File: "heron/memory.py", Line: 3, Text: "import sqlite3"}}
	c := criterion(o, "C6")
	c.Verdict, c.TouchedBy = outcome.NeedsReview, []string{"heron/memory.py"}
	c.Score = outcome.Span{Before: 1000, After: 500, Low: 0, High: 1000}
	var all []outcome.Parameter
	for _, id := range scorecard.ParameterIDs {
		all = append(all, rating(id, "SA", "L2?", "evidence", found))
		o.Log = append(o.Log, outcome.LogEntry{Criterion: "C6", Parameter: id, Mechanism: scorecard.Default, From: "SA", To: "L2", By: "evidence",
			Reason: "the absence is no longer proven: `rg -n 'sqlite|memory_store'` in `heron`: 0 -> 1 hits."})
	}
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: all}}
	return o
}

// capAdded: a cap came with a level.
func capAdded() *outcome.Outcome {
	o := quiet()
	o.Score = outcome.Span{Before: 3000, After: 2800, Low: 2800, High: 2800}
	o.Conclusion, o.Title = outcome.Neutral, "3.0 → 2.8: C5 fell"
	o.Reasons = []string{"C5 B fell from L1 to L0.", "C5 has another cap: C5-WORSTCASE instead of none."}
	gone := item(outcome.Gone, cite("heron/egress.py", 1, 9), cite("heron/egress.py", 1, 9))
	c := criterion(o, "C5")
	c.Verdict, c.CapAfter, c.TouchedBy = outcome.Rejudged, "C5-WORSTCASE", []string{"heron/egress.py"}
	c.Score = outcome.Span{Before: 450, After: 250, Low: 250, High: 250}
	c.Flags = []outcome.Flag{outcome.CapInQuestion}
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{rating(scorecard.B, "L1", "L0", "evidence", gone)}}}
	o.Log = []outcome.LogEntry{{Criterion: "C5", Parameter: scorecard.B, Mechanism: scorecard.Default, From: "L1", To: "L0", By: "evidence", Reason: "nothing it rested on is left"}}
	return o
}

// evil is text as a hostile repository would write it.
const evil = "@octocat #1 GH-2 o/r#3 <img src=x onerror=alert(1)> [x](https://evil.example) https://evil.example/a " +
	"www.evil.example a@evil.example `code` ``` | a | b | **b** _i_ ~~s~~ $x$ :tada: <!-- --> --> </details> " +
	"bbbbbbb2f90059fb17999d3095db4240e98f9552 \u202egnp.exe\u202c \u200b\x1b[31m\x07 ::error::x ##[error]x"

// hostile puts evil text in every field that a repository can reach.
func hostile() *outcome.Outcome {
	o := review()
	o.Reasons = []string{evil}
	file := "dir/" + strings.ReplaceAll(evil, "/", "_") + ".py"
	it := item(outcome.Edited, cite(file, 1, 2), cite("x](https://evil.example)/"+file, 3, 4))
	it.Reason, it.Quote = evil, []string{evil, "```", "~~~~", "</details>"}
	s := item(outcome.Edited, search("rg '"+evil+"\n```\n'", evil, 0), search("rg '"+evil+"'", evil, 1))
	s.New, s.Lost, s.Reason = []outcome.Line{{File: file, Line: 7, Text: evil}}, []outcome.Line{{File: file, Line: 8, Text: "````\n@octocat"}}, evil
	up := item(outcome.Gone, cite("../../../../evil/phish", 1, 2), cite("../../../../evil/phish", 1, 2))
	moved := item(outcome.Moved, cite("../"+file, 1, 2), cite("a/../../../evil/"+file, 3, 4))
	c := criterion(o, "C4")
	c.Name, c.CapBefore, c.CapAfter, c.TouchedBy = evil, evil, evil+"2", []string{file}
	c.Mechanisms[0].Parameters[0].Items = []outcome.Item{it, s, up, moved}
	c.Mechanisms[0].Parameters[0].DecidedBy = evil
	c.Gaps = []outcome.Gap{{Summary: evil, Items: []outcome.Item{it}}}
	o.Log = []outcome.LogEntry{{Criterion: "C4", Parameter: scorecard.S, Mechanism: scorecard.Default, From: "L3", To: "L2", By: evil, Reason: evil + "\n\n# head\n- list"}}
	o.Watch = []outcome.Watch{{Criterion: "C10", File: file, Line: 12, Signal: evil}}
	o.Prose = []outcome.ProseRef{{Where: evil, Before: evil, After: evil + "2", State: outcome.Gone, Reason: evil}}
	o.Scorer.Judges = []string{evil}
	o.BandBefore, o.BandAfter = evil, evil
	o.Criteria[0].CarriedFrom = evil
	return o
}

// fixtures are all outcomes by the name of their golden file.
var fixtures = map[string]func() *outcome.Outcome{
	"quiet": quiet, "reverified": reverified, "review": review, "dropped": dropped, "improved": improved,
	"alt": altCounted, "absence": absenceLost, "cap": capAdded, "hostile": hostile,
}
