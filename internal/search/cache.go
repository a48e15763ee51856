package search

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
)

// Cached values begin with a byte for their kind, so that a value under a wrong
// key is recognised.
const (
	cachedFileKind = 'f'
	cachedTreeKind = 't'
)

// minCachedBlob is the size from which on the result of a file is kept: a smaller
// one is searched in the time that a database takes to answer.
const minCachedBlob = 32 << 10

// blobKey identifies the result of a file by the search, the blob and the
// circumstances. The size limit counts only for files that are not named.
func (q *Query) blobKey(j job) string {
	size := int64(-1)
	if q.o.hasMaxSize && !j.at.explicit {
		size = q.o.maxSize
	}
	return fmt.Sprintf("%s/blob/%s/%t%t%t/%d", q.fileKey, j.file.OID, j.at.explicit, j.at.mapped, j.at.names, size)
}

// recall gets the results of jobs that are known.
func (e *evaluation) recall(ctx context.Context, lists ...[]job) {
	if e.cache == nil {
		return
	}
	var keys []string
	for _, j := range slices.Concat(lists...) {
		keys = append(keys, e.q.blobKey(j))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) == 0 {
		return
	}
	e.known = map[string]fileResult{}
	for i, value := range e.cache.Get(ctx, keys) {
		if res, ok := decodeFile(value, e.scan.keep); ok {
			e.known[keys[i]] = res
		}
	}
}

func decodeFile(value []byte, keep int) (fileResult, bool) {
	d, ok := openValue(value)
	if !ok {
		return fileResult{}, false
	}
	kind, hits, flags, n := d.number(), d.number(), d.number(), d.number()
	res := fileResult{hits: hits, truncated: flags&1 != 0, uncertain: flags&2 != 0, grew: flags&4 != 0, cut: flags&8 != 0}
	for range min(n, len(d.data)) {
		res.lines = append(res.lines, line{d.number(), d.text()})
	}
	if kind != cachedFileKind || !d.done() || len(res.lines) != n || res.truncated && keep > n {
		return fileResult{}, false
	}
	if len(res.lines) > keep {
		res.lines, res.truncated = res.lines[:keep], true
	}
	return res, true
}

func putFile(ctx context.Context, c Cache, key string, res fileResult) {
	var e encoder
	e.numbers(cachedFileKind, res.hits, bits(res.truncated, res.uncertain, res.grew, res.cut), len(res.lines))
	for _, l := range res.lines {
		e.numbers(l.number)
		e.text(l.text)
	}
	if len(e.data) <= maxCachedBytes {
		c.Put(ctx, key, e.sealed())
	}
}

func decodeSubtree(value []byte) (subtree, bool) {
	d, ok := openValue(value)
	if !ok {
		return subtree{}, false
	}
	kind := d.number()
	s := subtree{hits: d.number(), grew: d.number() != 0, ignoreFiles: d.number(), entries: d.number(), uncertain: d.text()}
	return s, kind == cachedTreeKind && d.done()
}

func putSubtree(ctx context.Context, c Cache, key string, s subtree) {
	var e encoder
	e.numbers(cachedTreeKind, s.hits, bits(s.grew), s.ignoreFiles, s.entries)
	e.text(s.uncertain)
	c.Put(ctx, key, e.sealed())
}

// bits packs flags into a number.
func bits(flags ...bool) int {
	n := 0
	for i, on := range flags {
		if on {
			n |= 1 << i
		}
	}
	return n
}

// encoder writes numbers and texts; a checksum at the end makes a damaged value
// show.
type encoder struct{ data []byte }

func (e *encoder) numbers(ns ...int) {
	for _, n := range ns {
		e.data = binary.AppendUvarint(e.data, uint64(n))
	}
}

func (e *encoder) text(s string) {
	e.numbers(len(s))
	e.data = append(e.data, s...)
}

const checksumBytes = 8

// sealed returns what was written with its checksum.
func (e *encoder) sealed() []byte {
	sum := checksum(e.data)
	return append(e.data, sum[:]...)
}

func checksum(data []byte) [checksumBytes]byte {
	sum := sha256.Sum256(data)
	return [checksumBytes]byte(sum[:checksumBytes])
}

// openValue checks that a value is there and whole.
func openValue(value []byte) (*decoder, bool) {
	n := len(value) - checksumBytes
	if n < 0 || checksum(value[:n]) != [checksumBytes]byte(value[n:]) {
		return nil, false
	}
	return &decoder{data: value[:n]}, true
}

// decoder reads what an encoder wrote; after a mistake it returns zeros.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.data)
	if size <= 0 || n > 1<<40 {
		d.failed, d.data = true, nil
		return 0
	}
	d.data = d.data[size:]
	return int(n)
}

func (d *decoder) text() string {
	n := d.number()
	if n > len(d.data) {
		d.failed, d.data = true, nil
		return ""
	}
	s := string(d.data[:n])
	d.data = d.data[n:]
	return s
}

// done reports whether everything was read, without a mistake.
func (d *decoder) done() bool { return !d.failed && len(d.data) == 0 }
