package evidence

import "github.com/rescore-app/rescore/internal/linemap"

// Budgets of work for a pair of files, whatever the number of citations. Beyond
// them a block is found by the files' own edits alone and lines that are merely
// alike are not aligned: less is known to hold or to be edited, never more.
const (
	keepSteps    = 2 * linemap.KeepSteps // for each of the two keepers
	likenessWork = 4 * maxTokenPairs     // pairs of tokens compared
)

func (p *pair) lineKeeper() *linemap.Keeper {
	if p.keepLines == nil {
		p.keepLines = p.lineMap().Keeper(keepSteps)
	}
	return p.keepLines
}

func (p *pair) plainKeeper() *linemap.Keeper {
	if p.keepPlain == nil {
		p.keepPlain = p.plainMap().Keeper(keepSteps)
	}
	return p.keepPlain
}

// likenessLeft is how many pairs of tokens may yet be compared.
func (p *pair) likenessLeft() int { return max(0, likenessWork-p.compared) }
