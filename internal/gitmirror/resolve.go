package gitmirror

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// maxRevBytes bounds the name of a revision.
const maxRevBytes = 4 << 10

// Resolve returns the commit that a revision names: a branch, a tag, HEAD~3, an
// abbreviated or a full id. Tags are followed to their commit.
//
// Errors: a *RevError that wraps ErrUnknownRev, or ErrEmpty when the repository
// has no commit at all.
func (r *Repo) Resolve(ctx context.Context, rev string) (OID, error) {
	if rev == "" || len(rev) > maxRevBytes || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\n\x00") {
		return "", r.unknown(rev)
	}
	oid, err := r.lookUp(ctx, rev)
	if err != nil || oid != "" {
		return oid, err
	}
	empty, err := r.isEmpty(ctx)
	if err != nil {
		return "", err
	}
	if empty {
		return "", &RevError{Rev: rev, kind: ErrEmpty}
	}
	return "", r.unknown(rev)
}

// ResolveLazily is Resolve, except that a full id is returned as it is, without
// asking git. Whoever uses it next, such as DiffTree, reports it when it is unknown.
func (r *Repo) ResolveLazily(ctx context.Context, rev string) (OID, error) {
	if isFullHex(rev) {
		return ParseOID(rev)
	}
	return r.Resolve(ctx, rev)
}

// lookUp returns the commit that rev names, or "". It uses the process that reads
// objects, which is needed soon anyway; only a view has no names in it.
func (r *Repo) lookUp(ctx context.Context, rev string) (OID, error) {
	if r.view != "" && !isFullHex(rev) {
		out, err := r.names.run(ctx, call{subcommand: "rev-parse", flags: []string{"--verify", "--quiet"}, operands: []string{rev + "^{commit}"}})
		if code := exitCode(err); code == 1 || code == 128 {
			return "", nil
		}
		if err != nil {
			return "", fmt.Errorf("resolve %q: %w", clip(rev), err)
		}
		return ParseOID(strings.TrimSpace(string(out)))
	}
	infos, err := r.cat.infos(ctx, []string{rev + "^{commit}"}, nil)
	if err != nil {
		return "", fmt.Errorf("resolve %q: %w", clip(rev), err)
	}
	if infos[0].kind != kindCommit {
		return "", nil
	}
	return infos[0].oid, nil
}

// isEmpty reports whether nothing in the repository names a commit.
func (r *Repo) isEmpty(ctx context.Context) (bool, error) {
	head, err := r.lookUp(ctx, "HEAD")
	if err != nil || head != "" {
		return false, err
	}
	out, err := r.names.run(ctx, call{subcommand: "for-each-ref", flags: []string{"--count=1", "--format=%(objectname)"}})
	if err != nil {
		return false, fmt.Errorf("list references: %w", err)
	}
	return len(out) == 0, nil
}

func (r *Repo) unknown(rev string) error {
	return &RevError{Rev: rev, Shallow: r.shallow(), kind: ErrUnknownRev}
}

// badCommit turns "bad object" and its like into a *RevError about the first of
// the commits that git named.
func (r *Repo) badCommit(err error, commits ...OID) error {
	var failed *GitError
	if !errors.Is(err, ErrUnknownRev) || !errors.As(err, &failed) {
		return err
	}
	for _, commit := range commits {
		if strings.Contains(failed.Stderr, string(commit)) {
			return r.unknown(string(commit))
		}
	}
	return err
}
