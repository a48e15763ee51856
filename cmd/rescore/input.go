package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// openRepo opens the repository that --repo names.
func openRepo(ctx context.Context, dir string) (*gitmirror.Repo, error) {
	repo, err := gitmirror.Open(ctx, dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, inputError(fmt.Errorf("open repository: there is no directory %q", dir))
	}
	if err != nil {
		return nil, inputError(fmt.Errorf("open repository: %w", err))
	}
	return repo, nil
}

// openBoth opens the repository and reads a card that can be built on. The caller
// closes the repository.
func openBoth(ctx context.Context, s streams, dir, name string) (*gitmirror.Repo, *cardfile.Document, error) {
	repo, err := openRepo(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	doc, err := readCard(ctx, repo, name)
	if err == nil {
		err = usable(s, name, doc)
	}
	if err != nil {
		return nil, nil, errors.Join(err, repo.Close())
	}
	return repo, doc, nil
}

// resolvePinned turns the commit that the card is pinned to into a commit id.
func resolvePinned(ctx context.Context, repo *gitmirror.Repo, card *scorecard.Card) (string, error) {
	id, err := repo.Resolve(ctx, card.PinnedCommit)
	if err != nil {
		return "", inputError(cardError(err, card))
	}
	return string(id), nil
}

// resolve turns a revision into a commit id.
func resolve(ctx context.Context, repo *gitmirror.Repo, rev string) (string, error) {
	id, err := repo.Resolve(ctx, rev)
	if err != nil {
		return "", inputError(err)
	}
	return string(id), nil
}

// resolveLazily is resolve, except that a full id is taken at its word and costs
// no process; whoever diffs it reports it when it is unknown.
func resolveLazily(ctx context.Context, repo *gitmirror.Repo, rev string) (string, error) {
	id, err := repo.ResolveLazily(ctx, rev)
	if err != nil {
		return "", inputError(err)
	}
	return string(id), nil
}

// readCard reads a card from a file, or from REV:path inside the repository when
// there is no such file. Repo may be nil where no repository was given.
func readCard(ctx context.Context, repo *gitmirror.Repo, name string) (*cardfile.Document, error) {
	data, err := readInput(ctx, repo, name)
	if err != nil {
		return nil, inputError(fmt.Errorf("read card: %w", err))
	}
	doc, err := cardfile.Read(name, data)
	if err != nil {
		return nil, inputError(fmt.Errorf("read card: %w", err))
	}
	return doc, nil
}

// readAlone reads a card for a command that needs the repository for nothing else.
func readAlone(ctx context.Context, dir, name string) (*cardfile.Document, error) {
	repo, err := cardRepo(ctx, dir, name)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		defer repo.Close()
	}
	return readCard(ctx, repo, name)
}

// cardRepo opens the repository that a REV:path card lives in: the one given, or
// the one in the current directory.
func cardRepo(ctx context.Context, dir, card string) (*gitmirror.Repo, error) {
	if _, err := os.Stat(card); err == nil || !strings.Contains(card, ":") {
		return nil, nil
	}
	if dir == "" {
		dir = "."
	}
	return openRepo(ctx, dir)
}

// readPolicy reads a policy from a file or from REV:path, as readCard does. The
// name "" gives the default, by which nothing fails. A policy that is not there is an
// error: a gate must not open because its name was misspelt.
func readPolicy(ctx context.Context, repo *gitmirror.Repo, name string) (*policy.Policy, error) {
	if name == "" {
		return policy.Default(), nil
	}
	data, err := readInput(ctx, repo, name)
	if errors.Is(err, gitmirror.ErrNotFound) {
		return nil, inputError(fmt.Errorf("read policy: %w; leave --policy out where there is none, and nothing fails", err))
	}
	if err != nil {
		return nil, inputError(fmt.Errorf("read policy: %w", err))
	}
	p, err := policy.Parse(name, data)
	if err != nil {
		return nil, inputError(err)
	}
	return p, nil
}

// readInput reads a file, or REV:path inside the repository when there is no such
// file.
func readInput(ctx context.Context, repo *gitmirror.Repo, name string) ([]byte, error) {
	data, err := readFile(name)
	if errors.Is(err, os.ErrNotExist) && repo != nil && strings.Contains(name, ":") {
		return readAtRev(ctx, repo, name)
	}
	return data, err
}

// readFile reads a whole file of bounded size.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Size() <= cardfile.MaxSize {
		b.Grow(int(info.Size()) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(f, cardfile.MaxSize+1)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func readAtRev(ctx context.Context, repo *gitmirror.Repo, name string) ([]byte, error) {
	rev, path, _ := strings.Cut(name, ":")
	commit, err := repo.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	entry, err := repo.PathAt(ctx, commit, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if entry.Mode == gitmirror.ModeTree {
		return nil, fmt.Errorf("%s is a directory; name a file in it", name)
	}
	return repo.Blob(ctx, entry.OID, cardfile.MaxSize)
}

// maxWarnings is how many warnings about a card are printed; more would bury the
// result, and lint lists them all.
const maxWarnings = 3

// usable refuses a card that nothing can be built on, listing every problem, and
// prints the rest as warnings.
func usable(s streams, name string, doc *cardfile.Document) error {
	var errs, warnings []string
	for _, p := range doc.Problems() {
		switch {
		case p.Severity == scorecard.Error:
			errs = append(errs, p.String())
		case !p.Quiet():
			warnings = append(warnings, p.String())
		}
	}
	if len(errs) > 0 {
		return inputError(fmt.Errorf("card %s cannot be used:\n  %s", name, strings.Join(errs, "\n  ")))
	}
	if len(warnings) > maxWarnings {
		fmt.Fprintf(s.err, "rescore: %d warnings about the card %s; `rescore lint` lists them\n", len(warnings), name)
		return nil
	}
	for _, w := range warnings {
		fmt.Fprintf(s.err, "rescore: warning: %s: %s\n", name, w)
	}
	return nil
}
