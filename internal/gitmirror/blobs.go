package gitmirror

import (
	"context"
	"fmt"
	"slices"
)

const (
	// batchNames is how many objects are asked about in one exchange.
	batchNames = 512
	// batchBytes is how much content is read ahead of its consumer. A single object
	// may be larger, up to the caller's limit.
	batchBytes = 512 << 10
)

// Blob returns the content of a file of at most limit bytes. The size is asked
// first, so a larger one is never loaded.
//
// Errors: ErrMissing, ErrTooLarge, ErrWrongType for an id that is no blob.
func (r *Repo) Blob(ctx context.Context, oid OID, limit int64) ([]byte, error) {
	var content []byte
	err := r.Blobs(ctx, []OID{oid}, limit, func(_ OID, data []byte, err error) error {
		content = data
		return err
	})
	if err != nil {
		return nil, err
	}
	return content, nil
}

// Blobs calls fn for each id, in the order given, with the content or with the
// reason why there is none: ErrMissing, ErrTooLarge or ErrWrongType. An error that
// fn returns ends the walk and is returned. fn may keep the slice, and may use r.
func (r *Repo) Blobs(ctx context.Context, oids []OID, limit int64, fn func(OID, []byte, error) error) error {
	return r.eachBlob(ctx, oids, limit, &shelf{}, fn)
}

// eachBlob is Blobs with the contents on a shelf: when they stand on one that is
// used again, fn must not keep them.
func (r *Repo) eachBlob(ctx context.Context, oids []OID, limit int64, on *shelf, fn func(OID, []byte, error) error) error {
	if err := checkOIDs(oids...); err != nil {
		return err
	}
	for chunk := range slices.Chunk(oids, batchNames) {
		infos, err := on.ask(ctx, r.cat, chunk)
		if err != nil {
			return fmt.Errorf("read blobs: %w", err)
		}
		for len(infos) > 0 {
			n := readAhead(infos, kindBlob, limit)
			if err := r.deliver(ctx, chunk[:n], infos[:n], limit, on, fn); err != nil {
				return err
			}
			chunk, infos = chunk[n:], infos[n:]
		}
	}
	return nil
}

// readAhead returns how many of the objects are read in one exchange, at least one.
func readAhead(infos []header, kind string, limit int64) int {
	var total int64
	for i, info := range infos {
		if refusal(info, kind, limit) == nil {
			total += info.size
		}
		if total > batchBytes && i > 0 {
			return i
		}
	}
	return len(infos)
}

// deliver reads one group of blobs and hands them over.
func (r *Repo) deliver(ctx context.Context, oids []OID, infos []header, limit int64, on *shelf, fn func(OID, []byte, error) error) error {
	bodies, err := r.cat.contents(ctx, acceptable(infos, limit), on)
	if err != nil {
		return fmt.Errorf("read blobs: %w", err)
	}
	for i, info := range infos {
		if err := refusal(info, kindBlob, limit); err != nil {
			if err := fn(oids[i], nil, fmt.Errorf("blob %s: %w", oids[i], err)); err != nil {
				return err
			}
			continue
		}
		body := bodies[0]
		bodies[0], bodies = nil, bodies[1:] // not longer here than fn needs it
		r.counters.blobs.Add(1)
		r.counters.bytes.Add(int64(len(body)))
		if err := fn(oids[i], body, nil); err != nil {
			return err
		}
	}
	return nil
}

// acceptable returns the blobs that are read.
func acceptable(infos []header, limit int64) []header {
	refused := func(h header) bool { return refusal(h, kindBlob, limit) != nil }
	if !slices.ContainsFunc(infos, refused) {
		return infos
	}
	return slices.DeleteFunc(slices.Clone(infos), refused)
}

// refusal returns why an object is not read, or nil.
func refusal(info header, kind string, limit int64) error {
	switch {
	case info.oid == "":
		return ErrMissing
	case info.kind != kind:
		return fmt.Errorf("%w: it is a %s, not a %s", ErrWrongType, info.kind, kind)
	case info.size > limit:
		return fmt.Errorf("%d bytes: %w (%d bytes)", info.size, ErrTooLarge, limit)
	}
	return nil
}

// Missing returns those of the objects that the repository does not hold, each
// once, in the order given. It reads no content.
func (r *Repo) Missing(ctx context.Context, oids []OID) ([]OID, error) {
	if err := checkOIDs(oids...); err != nil {
		return nil, err
	}
	var missing []OID
	seen := map[OID]bool{}
	on := r.takeShelf()
	defer r.giveBack(on)
	for chunk := range slices.Chunk(oids, batchNames) {
		infos, err := on.ask(ctx, r.cat, chunk)
		if err != nil {
			return nil, fmt.Errorf("look for objects: %w", err)
		}
		for i, info := range infos {
			if info.oid == "" && !seen[chunk[i]] {
				seen[chunk[i]] = true
				missing = append(missing, chunk[i])
			}
		}
	}
	return missing, nil
}

func asStrings(oids []OID) []string {
	names := make([]string, len(oids))
	for i, oid := range oids {
		names[i] = string(oid)
	}
	return names
}
