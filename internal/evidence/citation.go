package evidence

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// citation follows a citation. What stands in its own file is looked at first,
// so that a copy of the old lines elsewhere never hides that the lines themselves
// changed; then the file's new name; then other places that gained lines.
func (f *Follower) citation(ctx context.Context, e scorecard.Evidence) (outcome.Item, error) {
	old, was := f.index.old[e.File]
	now, is := f.index.new[e.File]
	switch {
	case !was && !is:
		return f.untouched(ctx, e)
	case !was:
		return unverifiable(e, "%s did not exist at the base commit, so the card cites what was not there", e.File), nil
	case !isRegular(old.Mode):
		return unverifiable(e, "%s was %s at the base commit, not a file with lines", e.File, kind(old.Mode)), nil
	case is && isRegular(now.Mode) && now.OID == old.OID:
		return holds(e, outcome.Intact, e.File, e.Lines), nil
	}
	if !is || !isRegular(now.Mode) {
		if found := f.exactSuccessors(old); len(found) > 0 {
			return f.renamed(e, old, found), nil
		}
	}
	base, err := f.load(ctx, old)
	if err != nil {
		return outcome.Item{}, err
	}
	switch {
	case base.trouble.unknown:
		return f.byQuote(ctx, e, base, now, is)
	case base.trouble.any():
		return unverifiable(e, "at the base commit %s is %s", e.File, base.trouble.words), nil
	case !base.Text.Has(e.Lines.First, e.Lines.Last):
		return unverifiable(e, "%s has %d lines at the base commit, the card cites lines %s", e.File, base.Text.Len(), e.Lines), nil
	}
	c := &cited{Evidence: e, base: base}
	if is {
		return f.inPlace(ctx, c, now)
	}
	return f.removed(ctx, c, old)
}

// cited is a citation with its file at base.
type cited struct {
	scorecard.Evidence
	base *document
	own  *document  // the file at head that continues it, once known
	copy *unclaimed // set when what is left in own is a copy that stood elsewhere
}

// continues reports whether the document is the cited file itself, or what became
// of it, and not another that took lines over.
func (c *cited) continues(d *document) bool { return c.own == nil || c.own == d }

// untouched answers for a file that is the same at base and at head.
func (f *Follower) untouched(ctx context.Context, e scorecard.Evidence) (outcome.Item, error) {
	if !f.listed[e.File] {
		f.listed[e.File] = true
		if err := f.lookUp(ctx, []string{e.File}); err != nil {
			return outcome.Item{}, err
		}
	}
	if f.absent[e.File] {
		link, err := f.throughLink(ctx, e.File)
		if err != nil {
			return outcome.Item{}, err
		}
		if link != "" {
			return unverifiable(e, "%s is reached through the symbolic link %s, which is not followed", e.File, link), nil
		}
		return gone(e, nil, "%s is no file at head, nor was it at the base commit", e.File), nil
	}
	return holds(e, outcome.Intact, e.File, e.Lines), nil
}

// inPlace follows a citation whose path is still there.
func (f *Follower) inPlace(ctx context.Context, c *cited, now search.File) (outcome.Item, error) {
	head, err := f.load(ctx, now)
	if err != nil {
		return outcome.Item{}, err
	}
	if head.trouble.unknown {
		return unverifiable(c.Evidence, "%s is %s", c.File, head.trouble.words), nil
	}
	p := f.pair(c.base, head)
	if !head.trouble.any() {
		if it, ok := p.settle(c); ok {
			return it, nil
		}
	}
	if it, ok, err := f.relocated(ctx, c, head); err != nil || ok {
		return it, err
	}
	if c.copy != nil {
		return gone(c.Evidence, c.base, "%s", c.copy.reason()), nil
	}
	if head.trouble.any() {
		return gone(c.Evidence, c.base, "%s is %s at head", c.File, head.trouble.words), nil
	}
	return gone(c.Evidence, c.base, "nothing like the cited lines is left in %s", c.File), nil
}

// removed follows a citation whose file is gone from its path.
func (f *Follower) removed(ctx context.Context, c *cited, old search.File) (outcome.Item, error) {
	next, err := f.successor(ctx, c.base, old)
	if err != nil {
		return outcome.Item{}, err
	}
	if next != nil {
		if it, ok := f.pair(c.base, next).settle(c); ok {
			return f.tied(it, c, next), nil
		}
	}
	if it, ok, err := f.relocated(ctx, c, next); err != nil || ok {
		return it, err
	}
	if c.copy != nil {
		return gone(c.Evidence, c.base, "%s", c.copy.reason()), nil
	}
	if next != nil {
		return gone(c.Evidence, c.base, "%s became %s and nothing like the cited lines is left in it", c.File, next.Path), nil
	}
	if aside, ok := f.asideOf(old); ok {
		return gone(c.Evidence, c.base, "%s was put aside: it stands whole in %s, which nothing loads in its place", c.File, aside.Path), nil
	}
	return gone(c.Evidence, c.base, "%s was removed, and nothing that was added is like the cited lines", c.File), nil
}

// tied says so when lines hold in a file that may as well continue another file
// that was removed.
func (f *Follower) tied(it outcome.Item, c *cited, next *document) outcome.Item {
	other, tie := f.ties[next.Path]
	if !tie || !it.State.Holds() {
		return it
	}
	if from := f.origins[next.Path]; other == c.File {
		other = from.Path
	}
	it.Ambiguous = true
	it.State, it.Quote = outcome.Edited, c.quote()
	it.Reason = fmt.Sprintf("%s and %s, which was like it, were removed and %s was added: which of them it was cannot be told", c.File, other, next.Path)
	return it
}

// settle decides by the file alone that continues the cited one: the lines hold
// there, or enough of them is left to say that they were edited. It reports
// false when they are not there.
func (p *pair) settle(c *cited) (outcome.Item, bool) {
	found := p.place(c.Lines.First, c.Lines.Last)
	lines := scorecard.LineRange{First: found.first, Last: found.last, Form: c.Lines.Form}
	switch found.standing {
	case standsExact, standsLaidOut:
		u := unclaimed{p.claimed(c.Lines.First, c.Lines.Last, found.first, found.standing), lines, p.new.Path}
		switch u.claim {
		case claimOther:
			c.copy = &u
			return outcome.Item{}, false
		case claimUnknown:
			it := edited(c, p.new, lines, u.reason())
			it.Ambiguous = true
			return it, true
		default:
			return p.resettled(c, found.standing, lines), true
		}
	case standsBent:
		return edited(c, p.new, lines, "the cited lines keep their words, but indentation or line breaks that count changed"), true
	}
	r := p.correspond(c.Lines.First, c.Lines.Last)
	if !r.found() || r.share < alikeBlock {
		return outcome.Item{}, false
	}
	lines.First, lines.Last = r.first, r.last
	return edited(c, p.new, lines, p.whatChanged(c.Lines)), true
}

// holds makes the item of a block that stands at the given lines of the new
// file, unless the quote is not in it.
func (p *pair) holds(c *cited, s standing, lines scorecard.LineRange) outcome.Item {
	state := outcome.Reformatted
	if s == standsExact {
		state = outcome.Moved
		if p.new.Path == c.File && lines.First == c.Lines.First {
			state = outcome.Intact
		}
	}
	if why := p.doubt(c, s, lines); why != "" {
		return edited(c, p.new, lines, why)
	}
	it := holds(c.Evidence, state, p.new.Path, lines)
	if c.Contains == "" {
		return it
	}
	switch {
	case quoted(c.Contains, p.new.Text.Lines(lines.First, lines.Last)):
		return it
	case s == standsLaidOut && quoted(c.Contains, c.base.Text.Lines(c.Lines.First, c.Lines.Last)):
		it.After.Contains = newQuote(p.new.Text, lines)
		return it
	}
	return edited(c, p.new, lines, fmt.Sprintf("the quote %s does not stand in the lines", shorten(c.Contains)))
}

// doubt says why lines that stand at the given place of the new file may do
// something else there than they did; "" when nothing speaks against them.
func (p *pair) doubt(c *cited, s standing, lines scorecard.LineRange) string {
	if s == standsLaidOut {
		if why := p.relaid(c.Lines, lines); why != "" {
			return why
		}
		if p.onlyRelaid() {
			return "" // then nothing else changed around them either
		}
	}
	if p.sameReading() && p.readAlike(c.Lines, lines) {
		return ""
	}
	if at := p.plainMap().ToNew(c.Lines.First); s == standsLaidOut && c.continues(p.new) && (at == lines.First || at == 0) {
		if why := p.nested(c.Lines, lines); why != "" {
			return why
		}
	}
	for _, why := range []func(*cited, scorecard.LineRange) string{p.brokenUp, p.misread, p.held, p.disabled, p.joinedAnew, p.displaced, p.enclosed, p.reordered, p.overridden} {
		if why := why(c, lines); why != "" {
			return why
		}
	}
	return ""
}

// whatChanged says in plain words what became of cited lines that do not hold as a
// block. It counts by the map alone: what corresponds to them may begin and end
// short of lines that say little.
func (p *pair) whatChanged(cited scorecard.LineRange) string {
	m := p.plainMap()
	kept := 0
	for n := cited.First; n <= cited.Last; n++ {
		if m.ToNew(n) > 0 {
			kept++
		}
	}
	changed := cited.Count() - kept
	switch {
	case changed == 0: // then something stands among them, or they would hold as a block
		among := m.ToNew(cited.Last) - m.ToNew(cited.First) + 1 - cited.Count()
		return fmt.Sprintf("%s added among the cited lines", count(among, "line was", "lines were"))
	case cited.Count() == 1:
		return "the cited line changed"
	default:
		return fmt.Sprintf("%d of the %d cited lines changed or went", changed, cited.Count())
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
