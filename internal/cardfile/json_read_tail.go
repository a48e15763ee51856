package cardfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// tail reads what follows the criteria.
func (r *entryReader) tail(f *fields) {
	c := r.card
	for i, n := range f.array("critical_findings") {
		g := r.object(n, f.at("critical_findings")+"/"+strconv.Itoa(i))
		c.CriticalGaps = append(c.CriticalGaps, scorecard.CriticalGap{Summary: g.str("summary"), Criterion: g.str("criterion"),
			OWASP: g.strings("owasp"), Evidence: r.evidence(g.array("evidence"), g.at("evidence"))})
		g.done()
	}
	t := r.object(f.get("rule_of_two"), f.at("rule_of_two"))
	c.RuleOfTwo = scorecard.RuleOfTwo{UntrustedInput: t.str("untrusted_input"), SensitiveData: t.str("sensitive_data"),
		StateChangeOrEgress: t.str("state_change_or_egress"), SameSession: t.boolean("same_session")}
	t.done()
	for i, n := range f.array("fixes") {
		c.Fixes = append(c.Fixes, r.fix(n, f.at("fixes")+"/"+strconv.Itoa(i)))
	}
	for i, n := range f.array("reaudit_log") {
		e := r.object(n, f.at("reaudit_log")+"/"+strconv.Itoa(i))
		c.ReauditLog = append(c.ReauditLog, scorecard.LogEntry{Criterion: e.str("criterion"), Parameter: e.parameter("parameter"),
			From: e.levelWord("from_level"), To: e.levelWord("to_level"), Reason: e.str("reason")})
		e.done()
	}
	c.Limitations = f.strings("limitations")
}

func (r *entryReader) fix(n *node, path string) scorecard.Fix {
	f := r.object(n, path)
	out := scorecard.Fix{Summary: f.str("summary"), Criterion: f.str("criterion"), Parameter: f.parameter("parameter"), Playbook: f.opt("playbook")}
	from, _ := levelOf(f.levelWord("from_level"))
	to, _ := levelOf(f.levelWord("to_level"))
	out.From, out.To = from, to
	printed := f.number("estimated_gain")
	f.done()
	if r.err == nil && !agrees(printed, out.Gain()) {
		r.misprint(n, path, "prints a gain of %s, the levels give %s", printed, jsonMilli(out.Gain()).raw)
	}
	return out
}

func (f *fields) parameter(name string) scorecard.ParameterID {
	s := f.str(name)
	id, ok := parameterOf(s)
	if !ok {
		f.d.fail(f.n.get(name), f.at(name), fmt.Sprintf("%q is not a parameter", excerpt(s)), "want S, C, D or B")
	}
	return id
}

// levelWord reads a level that is written 2, "L2" or "SA".
func (f *fields) levelWord(name string) string {
	n := f.get(name)
	if n == nil {
		return ""
	}
	s := strings.Trim(n.raw, `"`)
	if !strings.HasPrefix(n.raw, `"`) {
		s = "L" + s
	}
	if n.kind != scalarNode || !isLevelWord(s) {
		f.d.fail(n, f.at(name), "want a level from 0 to 4", "")
	}
	return s
}
