package cardfile

import (
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// entry renders the card as an entry, schema version 2.0, with all computed fields.
func entry(c *scorecard.Card) *node {
	total := c.Total()
	o := newObject().
		str("schema_version", c.SchemaVersion).
		str("scorecard_version", c.ScorecardVersion).
		str("id", c.ID).
		str("name", c.Name).
		str("repo_url", c.RepoURL).
		set("subpath", jsonOptional(c.Subpath)).
		str("description", c.Description).
		str("category", c.Category).
		str("pinned_commit", c.PinnedCommit).
		set("version", jsonOptional(c.Version)).
		str("scored_date", c.ScoredDate).
		str("scored_configuration", c.ScoredConfiguration).
		set("score", jsonMilli(scorecard.Tenths(total)*100)).
		set("max_score", jsonMilli(scorecard.MaxTotal))
	band := scorecard.BandOf(total)
	o.set("band", &newObject().str("id", band.ID).str("label", band.Label).str("color", band.Color).node)
	o.set("applicable", applicableEntry(c.Applicable()))
	profile := newObject()
	for _, p := range c.Profile {
		profile.str(p.ID, p.Value)
	}
	o.set("capability_profile", &profile.node)
	o.str("headline", c.Headline)
	criteria := &node{kind: arrayNode}
	for i := range c.Criteria {
		criteria.items = append(criteria.items, criterionEntry(c, &c.Criteria[i]))
	}
	o.set("criteria", criteria)
	return tailEntry(o, c)
}

func applicableEntry(a scorecard.Applicable) *node {
	percent := jsonInt(a.Percent)
	if a.Count == 0 {
		percent = jsonNull()
	}
	score := jsonNumber(scorecard.Format2(a.Score))
	return &newObject().set("count", jsonInt(a.Count)).set("score", score).
		set("max", jsonMilli(a.Count*rubric.Milli)).set("percent", percent).node
}

func tailEntry(o *object, c *scorecard.Card) *node {
	gaps := &node{kind: arrayNode}
	for _, g := range c.CriticalGaps {
		gaps.items = append(gaps.items, &newObject().str("summary", g.Summary).str("criterion", g.Criterion).
			set("owasp", jsonStrings(g.OWASP)).set("evidence", evidenceEntry(c, g.Evidence)).node)
	}
	o.set("critical_findings", gaps)
	t := c.RuleOfTwo
	o.set("rule_of_two", &newObject().str("untrusted_input", t.UntrustedInput).str("sensitive_data", t.SensitiveData).
		str("state_change_or_egress", t.StateChangeOrEgress).set("same_session", jsonBool(t.SameSession)).node)
	fixes := &node{kind: arrayNode}
	for _, f := range c.Fixes {
		fixes.items = append(fixes.items, &newObject().str("summary", f.Summary).str("criterion", f.Criterion).
			str("parameter", string(f.Parameter)).set("from_level", jsonInt(int(f.From))).set("to_level", jsonInt(int(f.To))).
			opt("playbook", f.Playbook).set("estimated_gain", jsonMilli(f.Gain())).node)
	}
	o.set("fixes", fixes)
	log := &node{kind: arrayNode}
	for _, e := range c.ReauditLog {
		log.items = append(log.items, &newObject().str("criterion", e.Criterion).str("parameter", string(e.Parameter)).
			set("from_level", levelEntry(e.From)).set("to_level", levelEntry(e.To)).str("reason", e.Reason).node)
	}
	o.set("reaudit_log", log)
	o.set("limitations", jsonStrings(c.Limitations))
	return &o.node
}

// levelEntry writes "L2" as the number 2 and "SA" as text.
func levelEntry(s string) *node {
	if l, ok := levelOf(s); ok {
		return jsonInt(int(l))
	}
	return jsonString(s)
}

func criterionEntry(card *scorecard.Card, c *scorecard.Criterion) *node {
	o := newObject().str("id", c.ID).str("name", c.Name).set("number", jsonInt(criterionNumber(c.ID))).
		set("owasp", jsonStrings(c.OWASP)).str("question", c.Question).str("summary", c.Summary).
		set("max", jsonMilli(rubric.Milli)).str("status", string(c.Status)).set("score", jsonMilli(c.Score()))
	counted := c.Counted()
	if counted == nil {
		counted = &scorecard.Mechanism{Kind: scorecard.Default}
	}
	o.str("counted", string(counted.Kind)).str("confidence", string(c.Confidence())).
		set("cap", capEntry(counted)).set("parameters", parametersEntry(card, counted))
	mechanisms := &node{kind: arrayNode}
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		mechanisms.items = append(mechanisms.items, &newObject().str("kind", string(m.Kind)).str("label", m.Label).
			set("score", jsonMilli(m.Score())).set("raw", jsonMilli(m.Raw())).set("cap", capEntry(m)).
			str("confidence", string(m.Confidence())).set("parameters", parametersEntry(card, m)).node)
	}
	o.set("mechanisms", mechanisms)
	o.opt("notes", c.Notes)
	if c.Absent() {
		o.set("absence_evidence", evidenceEntry(card, c.AbsenceEvidence))
	}
	return &o.node
}

func capEntry(m *scorecard.Mechanism) *node {
	c, limit, ok := m.EffectiveCap()
	if !ok {
		return jsonNull()
	}
	return &newObject().str("id", c.ID).set("max", jsonMilli(limit)).str("reason", c.Reason).node
}

func parametersEntry(card *scorecard.Card, m *scorecard.Mechanism) *node {
	o := newObject()
	for i, p := range m.Parameters {
		id := scorecard.ParameterIDs[i]
		weight := rubric.Method().Parameters[i].Weight
		par := newObject().set("level", jsonInt(int(p.Level))).set("structural_absence", jsonBool(p.SA)).
			str("status", string(p.Status)).str("finding", p.Finding).opt("gap", p.Gap).
			set("evidence", evidenceEntry(card, p.Evidence)).set("weight", jsonMilli(weight)).set("points", jsonMilli(m.Points(id)))
		o.set(string(id), &par.node)
	}
	return &o.node
}

func evidenceEntry(card *scorecard.Card, items []scorecard.Evidence) *node {
	out := &node{kind: arrayNode}
	for _, e := range items {
		o := newObject()
		if e.IsSearch() {
			o.str("search", e.Search).str("scope", e.Scope).set("hits", jsonInt(e.Hits))
		} else {
			o.str("file", e.File).str("lines", e.Lines.String()).opt("contains", e.Contains)
		}
		o.opt("note", e.Note)
		if !e.IsSearch() {
			o.str("url", card.Permalink(e))
		}
		out.items = append(out.items, &o.node)
	}
	return out
}
