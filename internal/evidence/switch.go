package evidence

import (
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// switches matches a line of data that may switch off what it stands beside, or have
// what that finds passed over. What reads it decides, which no text tells.
var switches = lazy.Regexp(`^(- )?["']?(` +
	`(enabled?|active)["']? ?[:=] ?["']?(false|no|off|0)["']?|` +
	`(disabled?|suspend|paused|skip|continue-on-error|allow_failure|ignore_errors|dry_run)["']? ?[:=] ?["']?(true|yes|on|1)["']?|` +
	`(replicas|scale|count|desired_count)["']? ?[:=] ?["']?0["']?|` +
	`(profiles|only|rules)["']? ?:.*),?$`)

// switched notes when such a line was added beside the lines, or beside what they stand
// under.
func (p *pair) switched(c *cited, is scorecard.LineRange) string {
	if !c.continues(p.new) || !p.new.Lang.Data() {
		return ""
	}
	if p.switches == nil {
		p.switches = []int{}
		for n := 1; n <= p.new.Text.Len(); n++ {
			if switches().Match(p.new.Code(n)) && p.added(n) && p.gained(n) {
				p.switches = append(p.switches, n)
			}
		}
	}
	above := p.new.above(is.First, is.Last)
	for _, n := range p.switches {
		around := p.new.above(n, n)
		for len(around) > 0 && is.First <= around[0] && around[0] <= is.Last {
			around = around[1:]
		}
		if len(around) <= len(above) && slices.Equal(around, above[len(above)-len(around):]) {
			return fmt.Sprintf("%s was added beside them, %s:%d, and may switch them off", shorten(string(p.new.Code(n))), p.new.Path, n)
		}
	}
	return ""
}
