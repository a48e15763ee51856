package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// subject is one generated repository with its cards, opened.
type subject struct {
	*Repository
	binary       string // the command
	engine       *rescore.Engine
	git          *gitmirror.Repo
	narrow, wide *scorecard.Card
	narrowFile   string
	wideFile     string
}

// newSubject generates a repository of so many files below dir. The caller closes
// the subject.
func newSubject(ctx context.Context, o Options, files int) (*subject, error) {
	dir := filepath.Join(o.Dir, fmt.Sprintf("files-%d", files))
	repo, err := Generate(ctx, dir, files)
	if err != nil {
		return nil, fmt.Errorf("generate %d files: %w", files, err)
	}
	s := &subject{Repository: repo, binary: o.Binary, engine: o.Engine, narrow: NarrowCard(repo.Base), wide: WideCard(repo.Base)}
	s.narrowFile, s.wideFile = dir+".narrow.json", dir+".wide.json"
	for name, card := range map[string]*scorecard.Card{s.narrowFile: s.narrow, s.wideFile: s.wide} {
		data, err := cardfile.WriteJSON(card)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return nil, err
		}
	}
	if s.git, err = gitmirror.Open(ctx, dir); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *subject) close() { _ = s.git.Close() }

// command is the diff of a card from the base to a commit, as a process.
func (s *subject) command(card, head string) job {
	return process("rescore diff", s.Dir, s.argv(card, head)...)
}

func (s *subject) argv(card, head string) []string {
	return []string{s.binary, "diff", "--repo", s.Dir, "--card", card, "--head", head, "--format", "json"}
}

// diffTree is what git itself needs to say what changed.
func (s *subject) diffTree(head string) job {
	return process("git diff-tree", s.Dir, "git", "diff-tree", "-r", "-z", "-M", s.Base, head)
}

// floor is a program that only runs git, and the row it is shown in.
type floor struct {
	row string
	job job
}

func (s *subject) floors(f Floors) []floor {
	var out []floor
	for _, p := range []struct{ row, binary string }{
		{"a Go program that only runs `git diff-tree`: wall, times `git diff-tree`", f.Bare},
		{"the same, with the server's libraries linked in: wall, times `git diff-tree`", f.Linked},
	} {
		if p.binary != "" {
			out = append(out, floor{p.row, process("floor", s.Dir, p.binary, s.Base, s.Quiet)})
		}
	}
	return out
}

// inside is the same diff in this process, on a repository that stays open.
func (s *subject) inside(times int, card *scorecard.Card, head string) job {
	return inside("rescore", times, func(ctx context.Context) error {
		_, err := s.rescore(ctx, card, head)
		return err
	})
}

func (s *subject) rescore(ctx context.Context, card *scorecard.Card, head string) (*outcome.Outcome, error) {
	return s.engine.Rescore(ctx, rescore.Local(s.git), rescore.Request{Card: card, Head: head})
}

// verify checks everything that the card rests on.
func (s *subject) verify(card *scorecard.Card) job {
	return inside("verify", 1, func(ctx context.Context) error {
		v, err := s.engine.Verify(ctx, rescore.Local(s.git), card, s.Base)
		if err == nil && !v.OK() {
			err = fmt.Errorf("the generated card does not verify")
		}
		return err
	})
}

// expect makes sure that what is measured is what is meant: the quiet commit
// touches nothing and reads nothing, the other touches four criteria' evidence
// and breaks one item.
func (s *subject) expect(ctx context.Context) (quiet outcome.Cost, err error) {
	o, err := s.rescore(ctx, s.narrow, s.Quiet)
	if err != nil {
		return quiet, err
	}
	for i := range o.Criteria {
		if o.Criteria[i].Verdict != outcome.Carried {
			return quiet, fmt.Errorf("the quiet commit touches %s", o.Criteria[i].ID)
		}
	}
	five, err := s.rescore(ctx, s.wide, s.Five)
	if err != nil {
		return quiet, err
	}
	if v := five.Criteria[0].Verdict; v != outcome.NeedsReview {
		return quiet, fmt.Errorf("the commit of five files leaves C1 %s", v)
	}
	return o.Cost, nil
}
