package evidence

import (
	"context"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Quotes chooses a quote for each citation from its lines at the commit that src
// reads; "" for a search, and for lines that are not there or cannot be read. Each
// cited file is read once. The error is one of the infrastructure.
func Quotes(ctx context.Context, src SingleSource, items []scorecard.Evidence) ([]string, error) {
	v := &verifier{src: src, files: map[string]search.File{}, texts: map[string]*sheet{}}
	if err := v.list(ctx, items); err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i, e := range items {
		if e.IsSearch() {
			continue
		}
		s, err := v.read(ctx, e.File)
		if err != nil {
			return nil, err
		}
		if s != nil && !s.trouble.any() && s.text.Has(e.Lines.First, e.Lines.Last) {
			out[i] = newQuote(s.text, e.Lines)
		}
	}
	return out, nil
}
