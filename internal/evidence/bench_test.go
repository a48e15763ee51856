package evidence_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// BenchmarkFollow follows the 70 citations of a card over ten files of 2,000
// lines, of which some changed.
func BenchmarkFollow(b *testing.B) {
	lines := program(2000)
	old := tree{}
	var items []scorecard.Evidence
	for i := range 10 {
		file := fmt.Sprintf("src/file%d.py", i)
		old[file] = block(lines...)
		for j := range 7 {
			items = append(items, scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: 100 + 250*j, Last: 108 + 250*j}})
		}
	}
	change := func(n int, lines []string) tree {
		head := tree{}
		for p, content := range old {
			head[p] = content
		}
		for i := range n {
			head[fmt.Sprintf("src/file%d.py", i)] = block(lines...)
		}
		return head
	}
	for _, c := range []struct {
		name  string
		head  tree
		holds bool
	}{
		{"one file shifted", change(1, splice(lines, 1, 0, "import os")), true},
		{"ten files shifted", change(10, splice(lines, 1, 0, "import os")), true},
		{"one file edited in a cited line", change(1, splice(lines, 104, 1, "step = 1")), false},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newSource(old, c.head)
			changes := s.changes()
			for b.Loop() {
				f := evidence.New(s, changes, evidence.Options{})
				if err := f.Prefetch(context.Background(), items); err != nil {
					b.Fatal(err)
				}
				all := true
				for _, e := range items {
					it, err := f.Follow(context.Background(), e)
					if err != nil {
						b.Fatal(err)
					}
					all = all && it.State.Holds()
					if it.State == outcome.Gone {
						b.Fatal(it.Reason)
					}
				}
				if all != c.holds {
					b.Fatal("wrong outcome")
				}
			}
		})
	}
}
