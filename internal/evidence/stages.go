package evidence

import (
	"fmt"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// laterStage says so when the stage of lines in a container file was the last,
// which is what gets built, and no longer is.
func (p *pair) laterStage(was, is scorecard.LineRange) string {
	if f := syntax.Family(p.old.Path); f != "dockerfile" && f != "containerfile" {
		return ""
	}
	from, to := p.old.sectionOf(was.Last+1), p.new.sectionOf(is.Last+1)
	if from == 0 || to == 0 || p.old.stageAfter(from) > 0 {
		return ""
	}
	if n := p.new.stageAfter(to); n > 0 {
		return fmt.Sprintf("the lines stand as they were, but their stage is no longer the one that is built, line %d", n)
	}
	return ""
}

// stageName matches what a stage begins from and the name it gets.
var stageName = lazy.Regexp(`^[ \t]*(?i:from)\s+(?:--\S+\s+)*(\S+)(?:\s+(?i:as)\s+(\S+))?`)

// stageAfter returns the last line after the given one that begins a stage which
// does not build on that line's, or 0 when the last stage does.
func (d *document) stageAfter(line int) int {
	names, last := map[string]bool{}, 0
	for n := line; n <= d.Text.Len(); n++ {
		m := stageName().FindSubmatch(d.Text.Line(n))
		if m == nil || d.Inside(n).Name != "" || d.Continued(n) {
			continue
		}
		built := n == line || names[string(m[1])]
		if last = n; built {
			last = 0
		}
		if len(m[2]) > 0 {
			names[string(m[2])] = built
		}
	}
	return last
}
