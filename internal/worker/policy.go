package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/store"
)

// rules are the policy that holds for a commit, and where it comes from.
type rules struct {
	*policy.Policy
	digest string // of the file; "" for the built-in policy
}

// policyAt reads the policy at a commit of the base branch: the repository's own
// file, else that of the owner's ".github" repository, else the built-in one. A
// broken file is a *policy.Error; nothing is guessed in its place.
func (t *tenant) policyAt(ctx context.Context, commit gitmirror.OID) (rules, error) {
	f, err := t.find(ctx, commit, policy.Path)
	switch {
	case errors.Is(err, errNoFile):
		return t.w.policies.get(ctx, t)
	case err != nil:
		return rules{}, err
	}
	return t.readPolicy(ctx, f, policy.Path)
}

func (t *tenant) readPolicy(ctx context.Context, f file, name string) (rules, error) {
	data, err := t.read(ctx, f, policy.MaxSize)
	if errors.Is(err, gitmirror.ErrTooLarge) {
		return rules{}, &policy.Error{File: name, Msg: fmt.Sprintf("larger than %d bytes", policy.MaxSize), Fix: "shorten it"}
	}
	if err != nil {
		return rules{}, err
	}
	p, err := policy.Parse(name, data)
	if err != nil {
		return rules{}, err
	}
	return rules{Policy: p, digest: string(f.oid)}, nil
}

const (
	// ownerRepository holds what an owner's repositories have in common.
	ownerRepository = ".github"
	// ownerPolicyTTL is how long an owner's policy is believed without looking.
	ownerPolicyTTL = 5 * time.Minute
	// ownerMirrors is added to an owner's id to make the key of the mirror of an
	// owner's repository whose own id is not known; GitHub's ids are far below.
	ownerMirrors = int64(1) << 60
	// maxOwners bounds how many owners' policies are remembered.
	maxOwners = 10_000
)

// ownerPolicy is what was found last, an error included.
type ownerPolicy struct {
	rules rules
	err   error
	at    time.Time
}

// ownerPolicies remembers owners' policies for a while.
type ownerPolicies struct {
	mu      sync.Mutex
	byOwner map[int64]ownerPolicy
}

func (o *ownerPolicies) get(ctx context.Context, t *tenant) (rules, error) {
	now := t.w.Now()
	o.mu.Lock()
	known, ok := o.byOwner[t.repo.OwnerID]
	o.mu.Unlock()
	if ok && now.Sub(known.at) < ownerPolicyTTL {
		return known.rules, known.err
	}
	found, err := t.ownerPolicy(ctx)
	var broken *policy.Error
	if err != nil && !errors.As(err, &broken) {
		return rules{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.byOwner) >= maxOwners {
		clear(o.byOwner)
	}
	o.byOwner[t.repo.OwnerID] = ownerPolicy{rules: found, err: err, at: now}
	return found, err
}

// ownerPolicy reads the owner's default policy through git, which costs no request
// of the API's budget. An owner without such a repository, or with one that the
// App may not read, has the built-in policy.
func (t *tenant) ownerPolicy(ctx context.Context) (rules, error) {
	builtIn := rules{Policy: policy.Default()}
	if t.repo.Name == ownerRepository {
		return builtIn, nil
	}
	home, branches, err := t.ownerHome(ctx)
	if err != nil {
		return rules{}, err
	}
	h, err := t.w.tenant(ctx, home)
	if err != nil {
		return rules{}, err
	}
	defer h.close(func(err error) { t.w.Log.Warn().Err(err).Msg("close the mirror of an owner's repository") })
	for _, branch := range branches {
		tip, err := h.fetchOnly(ctx, "refs/heads/"+branch)
		if isAny(err, []error{gitmirror.ErrUnknownRev}) {
			continue
		}
		if isAny(err, []error{gitmirror.ErrRemoteNotFound, gitmirror.ErrForbidden, gitmirror.ErrUnauthorized, gitmirror.ErrRedirected}) {
			return builtIn, nil
		}
		if err != nil {
			return rules{}, fmt.Errorf("owner's policy: %w", err)
		}
		f, err := h.find(ctx, tip, policy.Path)
		if errors.Is(err, errNoFile) {
			return builtIn, nil
		}
		if err != nil {
			return rules{}, err
		}
		return h.readPolicy(ctx, f, home.FullName()+"/"+policy.Path)
	}
	return builtIn, nil
}

// ownerHome returns the owner's ".github" repository and the branches on which its
// policy may be.
func (t *tenant) ownerHome(ctx context.Context) (store.Repository, []string, error) {
	home, err := t.w.Store.OwnerRepository(ctx, t.repo.OwnerID, ownerRepository)
	switch {
	case err == nil && home.DefaultBranch != "":
		return home, []string{home.DefaultBranch}, nil
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return store.Repository{}, nil, err
	}
	home = t.repo
	home.ID, home.Name = ownerMirrors+t.repo.OwnerID, ownerRepository
	return home, []string{"main", "master"}, nil
}

// fetchOnly is fetch of one reference without looking the repository up by its id:
// the id may be one of our making.
func (t *tenant) fetchOnly(ctx context.Context, ref string) (gitmirror.OID, error) {
	err := t.signed(ctx, func(url string, token gitmirror.Token) error { return t.mirror.Fetch(ctx, url, token, ref) })
	if err != nil {
		return "", err
	}
	return t.mirror.Resolve(ctx, gitmirror.TrackingRef(ref))
}
