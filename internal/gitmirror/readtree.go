package gitmirror

import (
	"context"
	"errors"
	"fmt"
)

// rootTree returns the tree of a commit, or of whatever leads to a tree.
func (r *Repo) rootTree(ctx context.Context, commit OID) (OID, error) {
	if err := checkOIDs(commit); err != nil {
		return "", err
	}
	name := commit + "^{tree}"
	if root, ok := r.trees.get(name); ok {
		return OID(root), nil
	}
	infos, err := r.cat.infos(ctx, []string{string(name)}, nil)
	if err != nil {
		return "", err
	}
	if infos[0].kind == kindTree {
		r.trees.put(name, []byte(infos[0].oid))
		return infos[0].oid, nil
	}
	// The commit may be here and its tree not.
	infos, err = r.cat.infos(ctx, []string{string(commit)}, nil)
	if err != nil {
		return "", err
	}
	if infos[0].kind == kindCommit {
		r.noteMissing(ErrMissing)
		return "", fmt.Errorf("tree of commit %s: %w", commit, ErrMissing)
	}
	return "", r.unknown(string(commit))
}

// readTrees calls fn with the content of each tree object, once for each position
// in oids, in any order. At most batchNames ids may be given.
func (r *Repo) readTrees(ctx context.Context, oids []OID, fn func(position int, raw []byte) error) error {
	positions := make(map[OID][]int, len(oids)) // of those not remembered
	var names []string
	for i, oid := range oids {
		if raw, ok := r.trees.get(oid); ok {
			if err := fn(i, raw); err != nil {
				return err
			}
			continue
		}
		if positions[oid] == nil {
			names = append(names, string(oid))
		}
		positions[oid] = append(positions[oid], i)
	}
	infos, err := r.cat.infos(ctx, names, nil)
	if err != nil {
		return err
	}
	for i, info := range infos {
		if err := refusal(info, kindTree, maxTreeBytes); err != nil {
			r.noteMissing(err)
			return fmt.Errorf("tree %s: %w", names[i], err)
		}
	}
	for len(infos) > 0 {
		n := readAhead(infos, kindTree, maxTreeBytes)
		bodies, err := r.cat.contents(ctx, infos[:n], &shelf{})
		if err != nil {
			return err
		}
		for i, raw := range bodies {
			oid := infos[i].oid
			r.trees.put(oid, raw)
			for _, position := range positions[oid] {
				if err := fn(position, raw); err != nil {
					return err
				}
			}
		}
		infos = infos[n:]
	}
	return nil
}

// noteMissing remembers that a tree is not there, which in a mirror is damage.
func (r *Repo) noteMissing(err error) {
	if errors.Is(err, ErrMissing) {
		r.counters.damaged.Store(true)
	}
}
