package cardfile

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// without maps the lines of a report; a line that drop maps to "\x00" goes.
func without(report string, drop func(line string) string) string {
	var kept []string
	for l := range strings.SplitSeq(report, "\n") {
		if l = drop(l); l != "\x00" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// noTable drops the table, with the blank line that follows it.
func noTable(report string) string {
	head, rest, _ := strings.Cut(report, "\n| # |")
	_, rest, _ = strings.Cut(rest, "\n\n")
	return head + "\n" + rest
}

// noApplicable drops the second score, with the blank line that follows it.
func noApplicable(report string) string {
	head, rest, ok := strings.Cut(report, "\nControls where a risk surface exists")
	if !ok {
		return report
	}
	_, rest, _ = strings.Cut(rest, "\n\n")
	return head + "\n" + rest
}

// bareHeadings drops score and confidence from the headings of criteria.
func bareHeadings(report string) string {
	return without(report, func(l string) string {
		if !strings.HasPrefix(l, "### C") {
			return l
		}
		return l[:max(strings.LastIndex(l, " — "), strings.LastIndex(l, ": "))]
	})
}

// bareMechanisms drops the figures, but not the caps, from the lines of mechanisms.
func bareMechanisms(report string) string {
	figures := regexp.MustCompile(`\((default|alt); raw [\d.]+(, cap [^ ]+)? → [\d.]+\)( ← counted)?`)
	return strings.ReplaceAll(figures.ReplaceAllString(report, "($1$2)"), ", cap ", "; cap ")
}

func bareScore(report string) string {
	return without(report, func(l string) string {
		if strings.HasPrefix(l, "## Score: ") {
			return "## Score"
		}
		return l
	})
}

// bareForms are the ways to leave figures out; each alone and all at once.
var bareForms = map[string]func(string) string{
	"headings":   bareHeadings,
	"mechanisms": bareMechanisms,
	"table":      noTable,
	"applicable": noApplicable,
	"score":      bareScore,
	"links":      linkless,
	"all": func(s string) string {
		return linkless(bareScore(noApplicable(noTable(bareMechanisms(bareHeadings(s))))))
	},
}

// What a report leaves out contradicts nothing; unchanged it is written back byte
// for byte, and once its card changes it is written with every figure, in its style.
func TestFiguresMayBeLeftOut(t *testing.T) {
	for _, file := range []string{"heron-dash.md", "heron-colon.md"} {
		for name, bare := range bareForms {
			t.Run(file+" "+name, func(t *testing.T) {
				full := string(fixture(t, file))
				text := bare(full)
				require.NotEqual(t, full, text)
				d, err := Read(file, []byte(text))
				require.NoError(t, err)
				assert.Empty(t, d.Warnings)
				for _, p := range d.Problems() {
					assert.NotEqual(t, scorecard.RuleFigures, p.Rule, "%v", p)
				}
				figures, others := d.Disagreements()
				assert.Empty(t, figures)
				assert.Empty(t, others)
				assert.Equal(t, MarkdownView(cardtest.Heron()), MarkdownView(d.Card))
				out, err := d.Write(d.Card)
				require.NoError(t, err)
				require.Equal(t, text, string(out))

				c := d.Card.Clone()
				c.PinnedCommit = strings.Repeat("ab", 20)
				out, err = d.Write(c)
				require.NoError(t, err)
				want := strings.ReplaceAll(full, cardtest.HeronCommit, c.PinnedCommit)
				if name == "applicable" { // beside a table it is left out on purpose
					want = noApplicable(want)
				}
				assert.Equal(t, want, string(out))
			})
		}
	}
}

// A table that is written where none was ends before the text that follows it.
func TestATableThatComesEndsBeforeTheHeadline(t *testing.T) {
	text := noTable(noApplicable(string(fixture(t, "heron-dash.md"))))
	text = strings.Replace(text, "(Minimal)\n\n\n", "(Minimal)\n", 1)
	text = strings.Replace(text, "(Minimal)\n\n", "(Minimal)\n", 1)
	d, err := Read("x.md", []byte(text))
	require.NoError(t, err)
	c := d.Card.Clone()
	c.ByID("C9").Mechanisms[0].Parameters[3].Level = 1
	out, err := d.Write(c)
	require.NoError(t, err)
	assert.Equal(t, 12, strings.Count(string(out), "\n|"))
	assert.Contains(t, string(out), "(surface absent).\n\n"+c.Headline)
	again, err := Read("x.md", out)
	require.NoError(t, err)
	assert.False(t, scorecard.HasErrors(again.Problems()))
}

func TestHeadingsInPart(t *testing.T) {
	const heading = "### C1 Identity & least privilege — 0.25 (high)"
	for _, half := range []string{
		"— 0.25", ": 0.25", "0.25", "— 1", "—", ":", "(high)", "(Low)", "(medium confidence)", "0.25 (high)",
	} {
		_, err := Read("x.md", spoil(t, "heron-dash.md", heading, "### C1 Identity & least privilege "+half))
		assert.ErrorContains(t, err, `, or "### C1 Name" to have both computed`, half)
	}
	for bare, name := range map[string]string{
		"":                              "Identity & least privilege",
		" Identity":                     "Identity",
		" Identity (as shipped)":        "Identity (as shipped)",
		" Identity — who it is":         "Identity — who it is",
		" Identity: who it is":          "Identity: who it is",
		" Identity, part 1":             "Identity, part 1",
		" Identity (it rests on a key)": "Identity (it rests on a key)",
	} {
		data := spoil(t, "heron-dash.md", heading, "### C1"+bare)
		d, err := Read("x.md", data)
		require.NoError(t, err, bare)
		assert.Equal(t, name, d.Card.Criteria[0].Name)
		c := d.Card.Clone()
		c.PinnedCommit = strings.Repeat("ab", 20)
		out, err := d.Write(c)
		require.NoError(t, err)
		assert.Contains(t, string(out), "### C1 "+name+" — 0.25 (high)\n")
	}
}

// TestAnyCardWithoutFigures reads any card from a report that leaves its figures
// out, and writes any other card into that report.
func TestAnyCardWithoutFigures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := randomCard(t), randomCard(t)
		style := rapid.SampledFrom([]Style{Dash, Colon}).Draw(t, "style")
		report, err := WriteMarkdown(a, style)
		require.NoError(t, err)
		d := unchanged(t, "card.md", []byte(linkless(noTable(bareMechanisms(bareHeadings(string(report)))))))
		assert.Equal(t, MarkdownView(a), MarkdownView(d.Card))
		out, err := d.Write(b)
		require.NoError(t, err)
		again := unchanged(t, "card.md", out)
		assert.Equal(t, MarkdownView(b), MarkdownView(again.Card))
	})
}

// Figures that differ are listed once each, as the card stands now, the scores first.
func TestDisagreements(t *testing.T) {
	text := string(fixture(t, "heron-dash.md"))
	for _, change := range [][2]string{
		{"## Score: 3.6 / 10.0 (Minimal)", "## Score: 9.0 / 10.0 (Strong)"},
		{"privilege — 0.25 (high)", "privilege — 0 (low)"},
		{"gates — 0.10", "gates — 0"},
		{"raw 0.10 → 0.10", "raw 0.00 → 0.00"},
		{"privilege | L1 | L1", "privilege | L1 | L2"},
		{"cap G1 → 0.50) ← counted", "cap G2 → 0.50) ← counted"},
		{"+0.225 before caps", "+0.300 before caps"},
		{"SA | SA | SA | SA | 1.00 | — | **1.00** (SA)", "L4 | L4 | L4 | L4 | 1.00 | — | **1.00**"},
		{"| C3 | Tool & action scoping |", "C3 | Tool & action scoping |"},
	} {
		require.Contains(t, text, change[0])
		text = strings.Replace(text, change[0], change[1], 1)
	}
	d, err := Read("x.md", []byte(text))
	require.NoError(t, err)
	listed := func() (out []string, others []string) {
		figures, others := d.Disagreements()
		for _, f := range figures {
			out = append(out, f.String())
		}
		return out, others
	}
	figures, others := listed()
	assert.Equal(t, []string{"score 9.0 → 3.6", "band Strong → Minimal", "C1 0 → 0.25", "C2 0 → 0.10", "C1 confidence low → high",
		"improvement 1 +0.300 → +0.225", "C4 alt cap G2 → G1", "C1 C L2 → L1", "C2 default raw 0.00 → 0.10"}, figures)
	assert.Equal(t, []string{"C3: the table has no row for it", "C7: the table and the details disagree whether its surface is absent"}, others)

	d.Card.ByID("C1").Mechanisms[0].Parameters[0].Level = 2
	figures, _ = listed()
	assert.Contains(t, figures, "C1 0.25 → 0.33")

	entry := strings.Replace(string(fixture(t, "heron.json")), `"score": 3.6`, `"score": 6.3`, 1)
	entry = strings.Replace(entry, `"points": 0.075`, `"points": 0.1`, 1)
	entry = strings.Replace(entry, `"raw": 0.25`, `"raw": 0.3`, 1)
	d, err = Read("x.json", []byte(entry))
	require.NoError(t, err)
	figures, others = listed()
	assert.Equal(t, []string{"score 6.3 → 3.6", "C1 raw 0.3 → 0.25", "/criteria/0/parameters/S", "/criteria/0/mechanisms/0"}, figures)
	assert.Empty(t, others)
}

// The line of a mechanism may leave its cap to the cap line, which belongs to the
// mechanism that counts; once the card changes each line names its own.
func TestABareMechanismMayLeaveItsCapToTheCapLine(t *testing.T) {
	text := bareMechanisms(string(fixture(t, "heron-dash.md")))
	const alt = "- **opt-in gVisor runtime (RUNTIME=runsc)** (alt; cap G1)"
	require.Contains(t, text, alt)
	text = strings.Replace(text, alt, strings.TrimSuffix(alt, "; cap G1)")+")", 1)
	d, err := Read("x.md", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, MarkdownView(cardtest.Heron()), MarkdownView(d.Card))
	assert.Empty(t, d.Card.Printed.Problems)
	out, err := d.Write(d.Card)
	require.NoError(t, err)
	assert.Equal(t, text, string(out))

	// The default counts until its cap is known: then the alt does.
	text = bareForms["all"](string(fixture(t, "heron-dash.md")))
	head, tail, _ := strings.Cut(text, "### C4 ")
	for _, change := range [][2]string{
		{"(default; cap C4-HOSTROOT)", "(default)"}, {"(alt; cap G1)", "(alt)"}, {"- **C L3:**", "- **C L0:**"},
		{"- **Cap:** G1 — The runtime is named only in a commented line of the compose file.", "- **Cap:** C4-HOSTROOT — The socket."},
	} {
		require.Contains(t, tail, change[0])
		tail = strings.Replace(tail, change[0], change[1], 1)
	}
	text = head + "### C4 " + tail
	d, err = Read("x.md", []byte(text))
	require.NoError(t, err)
	c := d.Card.Clone()
	require.Equal(t, scorecard.Alt, c.ByID("C4").Counted().Kind)
	require.Equal(t, "C4-HOSTROOT", c.ByID("C4").Mechanisms[0].Caps[0].ID)
	c.PinnedCommit = strings.Repeat("ab", 20)
	out, err = d.Write(c)
	require.NoError(t, err)
	again, err := Read("x.md", out)
	require.NoError(t, err)
	assert.Empty(t, again.Card.Printed.Problems)
	assert.Equal(t, MarkdownView(c), MarkdownView(again.Card))
}

// A line in bold with a remark is no mechanism.
func TestRemarksAreNoMechanisms(t *testing.T) {
	for _, l := range []string{
		"- **Note** (by default)", "- **Note** (default) it is", "- **Note** (alt; cap a b)", "- **Note** (alt; cap )", "- **Note** (alternative)", "**m** (default)", "- **Note**",
	} {
		assert.False(t, isMechanism(l), l)
	}
	for _, l := range []string{"- **m** (default)", "- **m (x)** (alt)", "- **m** (alt; cap G1)", "- **m** (alt) ← counted", "- **m** (alt; raw 0.28, cap G1 → 0.28)"} {
		assert.True(t, isMechanism(l), l)
	}
}
