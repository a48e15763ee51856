package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func TestCheckWithinLimits(t *testing.T) {
	outcomes := map[string]*outcome.Outcome{"huge": huge(40), "large": huge(3)}
	for name, make := range fixtures {
		outcomes[name] = make()
	}
	for name, o := range outcomes {
		t.Run(name, func(t *testing.T) {
			run := Check(o, options())
			assert.LessOrEqual(t, len(run.Title), MaxTitle)
			assert.LessOrEqual(t, len(run.Summary), MaxCheckText)
			assert.LessOrEqual(t, len(run.Text), MaxCheckText)
			assert.NotEmpty(t, run.Summary)
			assert.LessOrEqual(t, len(run.Annotations), DefaultMaxAnnotations)
			for _, a := range run.Annotations {
				checkAnnotation(t, a)
			}
		})
	}
}

func checkAnnotation(t *testing.T, a Annotation) {
	t.Helper()
	assert.NotEmpty(t, a.Path)
	assert.NotEmpty(t, a.Message)
	assert.Positive(t, a.StartLine)
	assert.GreaterOrEqual(t, a.EndLine, a.StartLine)
	assert.LessOrEqual(t, len(a.Title), MaxTitle)
	assert.LessOrEqual(t, len(a.Message), MaxAnnotationText)
	assert.LessOrEqual(t, len(a.RawDetails), MaxAnnotationText)
	for _, s := range []string{a.Title, a.Message, a.RawDetails} {
		assert.False(t, strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }), "%q", s)
	}
}

// One annotation a place, for all ratings that rest on it; the same place in a
// critical gap does not make another one.
func TestAnnotations(t *testing.T) {
	run := Check(review(), options())
	require.Len(t, run.Annotations, 4)
	first := run.Annotations[0]
	assert.Equal(t, "heron/sandbox.py", first.Path)
	assert.Equal(t, LevelWarning, first.Level)
	var whole *Annotation
	for i := range run.Annotations {
		if run.Annotations[i].StartLine == 261 {
			whole = &run.Annotations[i]
		}
	}
	require.NotNil(t, whole)
	assert.Equal(t, 290, whole.EndLine)
	assert.Equal(t, "C4 S, C4 B and C4 critical gap: needs review", whole.Title)
	assert.Contains(t, whole.Message, "rest on heron/sandbox.py:257-279, which was edited and now is heron/sandbox.py:261-290. 3 of 23 cited lines changed.")
	assert.Equal(t, "  container = client.containers.run(\n      image,\n      detach=True,", whole.RawDetails)
	last := run.Annotations[3]
	assert.Equal(t, Annotation{Path: "heron/runner.py", StartLine: 12, EndLine: 12, Level: LevelNotice,
		Title:   "C10: may bear on the scorecard",
		Message: "May bear on C10, although the card does not cite it: Matches a pattern on step limits."}, last)
}

// What is gone has no place at head; what is unverifiable was not read there.
func TestNoAnnotationWithoutAPlace(t *testing.T) {
	assert.Empty(t, Check(dropped(), options()).Annotations)
	o := review()
	c := criterion(o, "C4")
	for i := range c.Mechanisms[0].Parameters {
		for k := range c.Mechanisms[0].Parameters[i].Items {
			c.Mechanisms[0].Parameters[i].Items[k].State = outcome.Unverifiable
			c.Mechanisms[0].Parameters[i].Items[k].New = nil
		}
	}
	c.Gaps, o.Watch = nil, nil
	assert.Empty(t, Check(o, options()).Annotations)
}

// The worst come first, and beyond the limit the summary counts the rest.
func TestAnnotationOrderAndLimit(t *testing.T) {
	o := quiet()
	c := criterion(o, "C4")
	c.Verdict = outcome.NeedsReview
	var review, fell []outcome.Item
	for i := range 150 {
		file := fmt.Sprintf("a/%03d.py", i)
		review = append(review, item(outcome.Edited, cite(file, 1, 2), cite(file, 1, 2)))
	}
	fell = append(fell, item(outcome.Edited, cite("z/last.py", 1, 2), cite("z/last.py", 1, 2)))
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{
		rating(scorecard.S, "L2", "L2?", "evidence", review...),
		rating(scorecard.C, "L2", "L0", "evidence", fell...),
	}}}
	run := Check(o, options())
	require.Len(t, run.Annotations, DefaultMaxAnnotations)
	assert.Equal(t, "z/last.py", run.Annotations[0].Path)
	assert.Equal(t, "a/000.py", run.Annotations[1].Path)
	assert.Contains(t, run.Summary, "51 places beyond the annotated ones")
	opts := options()
	opts.MaxAnnotations = 3
	run = Check(o, opts)
	require.Len(t, run.Annotations, 3)
	assert.Contains(t, run.Summary, "148 places beyond the annotated ones")
}

// A quiet check says so, with nothing to unfold.
func TestQuietCheck(t *testing.T) {
	run := Check(quiet(), options())
	assert.Equal(t, "3.0, nothing it rests on changed", run.Title)
	assert.Equal(t, outcome.Success, run.Conclusion)
	assert.Empty(t, run.Text)
	assert.Empty(t, run.Annotations)
	assert.Contains(t, run.Summary, "No changes.")
	assert.NotContains(t, run.Summary, "| Criterion |")
}

func TestTitleIsClipped(t *testing.T) {
	o := quiet()
	o.Title = strings.Repeat("größer ", 100) + "\n"
	title := Check(o, options()).Title
	assert.LessOrEqual(t, len(title), MaxTitle)
	assert.True(t, strings.HasSuffix(title, "…"))
}
