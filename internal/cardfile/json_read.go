package cardfile

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// entryReader turns the tree of an entry into a card.
type entryReader struct {
	decoder
	card     *scorecard.Card
	printed  *scorecard.Printed
	warnings []Warning

	contradictions []disagreement
}

func readJSON(name, text string) (*Document, error) {
	body := strings.TrimPrefix(text, byteOrderMark)
	tree, err := parseJSON(name, body)
	if err != nil {
		return nil, err
	}
	r := &entryReader{decoder: decoder{file: name, text: body}, card: &scorecard.Card{}, printed: &scorecard.Printed{}}
	r.entry(tree)
	if r.err != nil {
		return nil, r.err
	}
	r.card.Printed = r.printed
	layout := &jsonLayout{bom: len(text) != len(body), text: body, tree: tree, card: r.card.Clone()}
	return &Document{Card: r.card, Format: JSON, Warnings: r.warnings, layout: layout, contradictions: r.contradictions}, nil
}

// contradict records that the entry contradicts itself at the place: in a figure,
// or otherwise.
func (r *entryReader) contradict(place string, figure bool, format string, args ...any) {
	g := disagreement{message: place + ": " + fmt.Sprintf(format, args...)}
	if figure {
		g.figure.Place = place
	}
	r.contradictions = append(r.contradictions, g)
	r.printed.Problems = append(r.printed.Problems, g.message)
}

// misprint warns of a figure that differs and that no score depends on.
func (r *entryReader) misprint(n *node, place, format string, args ...any) {
	r.warn(n, Figure{Place: place}, place+": "+fmt.Sprintf(format, args...))
}

// warn adds a warning at the line of the node; the figure is zero for none.
func (r *entryReader) warn(n *node, figure Figure, message string) {
	line := strings.Count(r.text[:n.start], "\n") + 1
	r.warnings = addWarning(r.warnings, Warning{Line: line, Message: message, Figure: figure})
}

func (r *entryReader) entry(tree *node) {
	c := r.card
	f := r.object(tree, "")
	if c.SchemaVersion = f.str("schema_version"); r.err == nil && c.SchemaVersion != scorecard.SchemaVersion {
		r.fail(tree.get("schema_version"), "/schema_version", fmt.Sprintf("version %q is not known", excerpt(c.SchemaVersion)), "this program reads version "+scorecard.SchemaVersion)
	}
	c.ScorecardVersion = f.str("scorecard_version")
	c.ID, c.Name, c.RepoURL = f.str("id"), f.str("name"), f.str("repo_url")
	c.Subpath = f.text("subpath", f.nullable("subpath"))
	c.Description, c.Category, c.PinnedCommit = f.str("description"), f.str("category"), f.str("pinned_commit")
	c.Version = f.text("version", f.nullable("version"))
	c.ScoredDate, c.ScoredConfiguration = f.str("scored_date"), f.str("scored_configuration")
	r.figures(f)
	r.profile(f)
	c.Headline = f.str("headline")
	for i, n := range f.array("criteria") {
		c.Criteria = append(c.Criteria, r.criterion(n, "/criteria/"+strconv.Itoa(i)))
	}
	r.tail(f)
	f.done()
}

// figures reads the computed fields of the entry as a whole.
func (r *entryReader) figures(f *fields) {
	r.printed.Total = f.number("score")
	f.number("max_score")
	band := r.object(f.get("band"), f.at("band"))
	band.str("id")
	r.printed.Band = band.str("label")
	band.str("color")
	band.done()
	n := f.get("applicable")
	a := r.object(n, f.at("applicable"))
	a.number("count")
	a.number("score")
	a.number("max")
	a.figure("percent", a.nullable("percent"))
	a.done()
	if r.err == nil {
		r.printed.Applicable = r.text[n.start:n.end]
	}
}

func (r *entryReader) profile(f *fields) {
	n := f.get("capability_profile")
	p := r.object(n, f.at("capability_profile"))
	for _, m := range p.n.members {
		r.card.Profile = append(r.card.Profile, scorecard.Capability{ID: m.name, Value: p.one(m.name, "yes", "no", "opt_in")})
	}
	if len(p.n.members) > MaxItems {
		r.fail(n, f.at("capability_profile"), fmt.Sprintf("more than %d capabilities", MaxItems), "")
	}
}

func (r *entryReader) criterion(n *node, path string) scorecard.Criterion {
	f := r.object(n, path)
	c := scorecard.Criterion{ID: f.str("id"), Name: f.str("name"), OWASP: f.strings("owasp"), Question: f.str("question"), Summary: f.str("summary")}
	if number := f.integer("number", scorecardCriteria); r.err == nil && number != criterionNumber(c.ID) {
		r.fail(n.get("number"), f.at("number"), fmt.Sprintf("%d is not the number of %s", number, excerpt(c.ID)), "")
	}
	f.number("max")
	c.Status = scorecard.CriterionStatus(f.one("status", string(scorecard.StatusScored), string(scorecard.StatusStructuralAbsence)))
	printed := scorecard.PrintedCriterion{ID: c.ID, Score: f.number("score"),
		Counted: f.one("counted", string(scorecard.Default), string(scorecard.Alt)), Confidence: f.str("confidence")}
	if limit := r.cap(f); limit != nil {
		printed.Cap = limit.ID
	}
	for i, m := range f.array("mechanisms") {
		mechanism, raw := r.mechanism(m, fmt.Sprintf("%s/mechanisms/%d", path, i))
		c.Mechanisms = append(c.Mechanisms, mechanism)
		if string(mechanism.Kind) == printed.Counted {
			printed.Raw = raw
		}
	}
	c.Notes = f.opt("notes")
	if evidence := f.find("absence_evidence"); evidence != nil {
		c.AbsenceEvidence = r.evidence(f.list("absence_evidence", evidence), f.at("absence_evidence"))
	}
	copied := r.parameters(f)
	f.done()
	if r.err != nil {
		return c
	}
	if m := c.Counted(); m == nil || !reflect.DeepEqual(copied, m.Parameters) {
		r.contradict(c.ID, false, "its parameters differ from those of the counted mechanism")
	}
	r.printed.Criteria = append(r.printed.Criteria, printed)
	return c
}

func (r *entryReader) cap(f *fields) *scorecard.Cap {
	n := f.nullable("cap")
	if n == nil {
		return nil
	}
	c := r.object(n, f.at("cap"))
	out := &scorecard.Cap{ID: c.str("id"), Reason: c.str("reason")}
	most := c.number("max")
	c.done()
	if r.err == nil && !agrees(most, out.Max()) {
		r.contradict(c.path, true, "prints %s, the maximum of %s is %s", most, out.ID, jsonMilli(out.Max()).raw)
	}
	return out
}

func (r *entryReader) mechanism(n *node, path string) (m scorecard.Mechanism, raw string) {
	f := r.object(n, path)
	m.Kind = scorecard.MechanismKind(f.one("kind", string(scorecard.Default), string(scorecard.Alt)))
	m.Label = f.str("label")
	score := f.number("score")
	raw = f.number("raw")
	if c := r.cap(f); c != nil {
		m.Caps = []scorecard.Cap{*c}
	}
	confidence := f.str("confidence")
	m.Parameters = r.parameters(f)
	f.done()
	if r.err != nil {
		return m, raw
	}
	if !agrees(score, m.Score()) || !agrees(raw, m.Raw()) {
		r.contradict(path, true, "prints raw %s and score %s, the levels give %s and %s", raw, score, jsonMilli(m.Raw()).raw, jsonMilli(m.Score()).raw)
	}
	if confidence != string(m.Confidence()) {
		r.misprint(n, path, "prints confidence %s, the ratings give %s", confidence, m.Confidence())
	}
	return m, raw
}

// agrees compares a printed number with thousandths.
func agrees(printed string, milli int) bool {
	x, err := strconv.ParseFloat(printed, 64)
	const tolerance = 1e-6
	diff := x*1000 - float64(milli)
	return err == nil && diff < tolerance && diff > -tolerance
}

func (r *entryReader) parameters(f *fields) (out [4]scorecard.Parameter) {
	n := f.get("parameters")
	p := r.object(n, f.at("parameters"))
	for i, id := range scorecard.ParameterIDs {
		out[i] = r.parameter(p.get(string(id)), p.at(string(id)), id)
	}
	p.done()
	return out
}

func (r *entryReader) parameter(n *node, path string, id scorecard.ParameterID) scorecard.Parameter {
	f := r.object(n, path)
	p := scorecard.Parameter{ID: id, Level: scorecard.Level(f.integer("level", int(scorecard.MaxLevel))), SA: f.boolean("structural_absence"),
		Status: scorecard.RatingStatus(f.one("status", string(scorecard.Verified), string(scorecard.Inferred))), Finding: f.str("finding"), Gap: f.opt("gap")}
	p.Evidence = r.evidence(f.array("evidence"), f.at("evidence"))
	f.number("weight")
	points := f.number("points")
	f.done()
	if p.SA && p.Level != scorecard.MaxLevel {
		r.fail(n, path, fmt.Sprintf("a structural absence counts as L4, the level is %d", p.Level), "set level to 4")
	}
	if m := (&scorecard.Mechanism{Parameters: [4]scorecard.Parameter{{ID: scorecard.S}, {ID: scorecard.C}, {ID: scorecard.D}, {ID: scorecard.B}}}); r.err == nil {
		*m.ByID(id) = p
		if !agrees(points, m.Points(id)) {
			r.misprint(n, path, "prints %s points, the level gives %s", points, jsonMilli(m.Points(id)).raw)
		}
	}
	return p
}

func (r *entryReader) evidence(items []*node, path string) []scorecard.Evidence {
	var out []scorecard.Evidence
	for i, n := range items {
		out = append(out, r.item(n, path+"/"+strconv.Itoa(i)))
	}
	return out
}

func (r *entryReader) item(n *node, path string) (e scorecard.Evidence) {
	f := r.object(n, path)
	e.Note = f.opt("note")
	if n.get("search") != nil {
		e.Search, e.Scope, e.Hits = f.str("search"), f.str("scope"), f.integer("hits", scorecard.MaxLine)
		f.done()
		return e
	}
	e.File, e.Contains = f.str("file"), f.opt("contains")
	text := f.str("lines")
	url := f.opt("url")
	f.done()
	if r.err != nil {
		return e
	}
	if e.File == "" {
		r.fail(n, f.at("file"), "a citation needs a file", "")
		return e
	}
	lines, err := scorecard.ParseLines(text)
	if err != nil {
		r.fail(n.get("lines"), f.at("lines"), err.Error(), "")
		return e
	}
	e.Lines = lines
	r.address(n, path, url, e)
	return e
}

// address warns of a permalink that leads elsewhere than the citation says.
func (r *entryReader) address(n *node, path, url string, e scorecard.Evidence) {
	c := cursor{s: url, end: len(url)}
	if address(&c, len(url)).leadsElsewhere(e, r.card.PinnedCommit) {
		r.warn(n, Figure{}, fmt.Sprintf("%s: the address does not lead to %s:%s at the pinned commit; write %s", path, e.File, e.Lines, r.card.Permalink(e)))
	}
}
