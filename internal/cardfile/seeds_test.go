package cardfile

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// seeds are published reports; each is written as one house style writes it.
var seeds = []struct {
	name  string
	style Style
	total int
}{
	{"taskweaver", Dash, 3000},
	{"qwen-agent", Dash, 2050},
	{"windmill", Colon, 3300},
}

func readSeed(t testing.TB, name string) ([]byte, *Document) {
	t.Helper()
	data, err := os.ReadFile(testenv.Shared(t, "seeds/"+name+".md"))
	require.NoError(t, err)
	d, err := Read(name+".md", data)
	require.NoError(t, err)
	return data, d
}

func TestSeedsRecomputeToEveryPrintedFigure(t *testing.T) {
	for _, seed := range seeds {
		t.Run(seed.name, func(t *testing.T) {
			_, d := readSeed(t, seed.name)
			c := d.Card
			assert.Equal(t, seed.total, c.Total())
			assert.Empty(t, d.Warnings)
			assert.Empty(t, c.Printed.Problems)
			assert.Equal(t, c.Printed.Total, scorecard.Format1(c.Total()))
			assert.Equal(t, c.Printed.Band, c.Band().Label)
			require.Len(t, c.Criteria, scorecardCriteria)
			for i, p := range c.Printed.Criteria {
				k := &c.Criteria[i]
				limit, _, _ := k.EffectiveCap()
				got := scorecard.PrintedCriterion{ID: k.ID, Score: scorecard.Format2(k.Score()), Raw: scorecard.Format2(k.Counted().Raw()),
					Cap: limit.ID, Counted: string(k.Counted().Kind), Confidence: string(k.Confidence())}
				assert.Equal(t, p, got)
			}
		})
	}
}

func TestSeedsAreWrittenBackByteForByte(t *testing.T) {
	for _, seed := range seeds {
		t.Run(seed.name, func(t *testing.T) {
			data, d := readSeed(t, seed.name)
			out, err := d.Write(d.Card)
			require.NoError(t, err)
			assert.Equal(t, string(data), string(out))
		})
	}
}

func TestSeedsEqualAReportOfTheirStyle(t *testing.T) {
	for _, seed := range seeds {
		t.Run(seed.name, func(t *testing.T) {
			data, d := readSeed(t, seed.name)
			out, err := WriteMarkdown(d.Card, seed.style)
			require.NoError(t, err)
			assert.Equal(t, strings.TrimRight(string(data), "\n"), strings.TrimRight(string(out), "\n"))
		})
	}
}

// TestSeedsMoveToAnotherCommit changes the pinned commit and the lines of one
// citation: the report changes exactly there.
func TestSeedsMoveToAnotherCommit(t *testing.T) {
	for _, seed := range seeds {
		t.Run(seed.name, func(t *testing.T) {
			data, d := readSeed(t, seed.name)
			c := d.Card.Clone()
			c.PinnedCommit = strings.Repeat("ab", 20)
			par := c.Criteria[0].Mechanisms[0].ByID(scorecard.B)
			e := &par.Evidence[0]
			old := scorecard.Fragment(e.Lines)
			oldText := e.File + ":" + e.Lines.String()
			e.Lines = e.Lines.At(e.Lines.First+7, e.Lines.Count())

			want := strings.ReplaceAll(string(data), d.Card.PinnedCommit, c.PinnedCommit)
			lines := strings.Split(want, "\n")
			for i, l := range lines {
				if strings.Contains(l, par.Finding) {
					l = strings.Replace(l, oldText, e.File+":"+e.Lines.String(), 1)
					lines[i] = strings.Replace(l, old, scorecard.Fragment(e.Lines), 1)
					break
				}
			}
			out, err := d.Write(c)
			require.NoError(t, err)
			assert.Equal(t, strings.Join(lines, "\n"), string(out))
			again, err := Read("again.md", out)
			require.NoError(t, err)
			assert.Equal(t, MarkdownView(c), MarkdownView(again.Card))
		})
	}
}

func BenchmarkReadMarkdown(b *testing.B) {
	data, _ := readSeed(b, "windmill")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read("windmill.md", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadJSON(b *testing.B) {
	_, d := readSeed(b, "windmill")
	data, err := WriteJSON(d.Card)
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read("windmill.json", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteChanged(b *testing.B) {
	_, d := readSeed(b, "windmill")
	c := d.Card.Clone()
	c.PinnedCommit = strings.Repeat("ab", 20)
	for b.Loop() {
		if _, err := d.Write(c); err != nil {
			b.Fatal(err)
		}
	}
}
