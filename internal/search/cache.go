package search

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Cached values begin with a byte for their kind, so that a value under a wrong
// key is recognised.
const (
	cachedFileKind   = 'f'
	cachedResultKind = 'r'
)

// blobKey identifies the result of a file by the search, the blob and the
// circumstances. The size limit counts only for files that are not named.
func (q *Query) blobKey(j job) string {
	size := int64(-1)
	if q.o.hasMaxSize && !j.at.explicit {
		size = q.o.maxSize
	}
	return fmt.Sprintf("%s/blob/%s/%t%t%t/%d", q.fileKey, j.file.OID, j.at.explicit, j.at.mapped, j.at.names, size)
}

// treeKey identifies the result of a search by all that is listed in its scope.
func (q *Query) treeKey(list listing) string {
	h := sha256.New()
	for _, f := range list {
		fmt.Fprintf(h, "%q %o %s\n", f.Path, f.Mode, f.OID)
	}
	return q.key + "/tree/" + hex.EncodeToString(h.Sum(nil))
}

func cachedFile(c Cache, key string, keep int) (fileResult, bool) {
	d, ok := openValue(c, key)
	if !ok {
		return fileResult{}, false
	}
	kind, hits, flags, n := d.number(), d.number(), d.number(), d.number()
	res := fileResult{hits: hits, truncated: flags&1 != 0, uncertain: flags&2 != 0, grew: flags&4 != 0}
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

func putFile(c Cache, key string, res fileResult) {
	flags := 0
	for i, on := range [...]bool{res.truncated, res.uncertain, res.grew} {
		if on {
			flags |= 1 << i
		}
	}
	var e encoder
	e.numbers(cachedFileKind, res.hits, flags, len(res.lines))
	for _, l := range res.lines {
		e.numbers(l.number)
		e.text(l.text)
	}
	e.put(c, key)
}

func cachedResult(c Cache, key string) (Result, bool) {
	d, ok := openValue(c, key)
	if !ok {
		return Result{}, false
	}
	kind, hits, truncated, n := d.number(), d.number(), d.number(), d.number()
	res := Result{Hits: hits, Truncated: truncated != 0, ScopeExists: true}
	for range min(n, len(d.data)) {
		res.Matches = append(res.Matches, Match{File: d.text(), Line: d.number(), Text: d.text()})
	}
	if kind != cachedResultKind || !d.done() || len(res.Matches) != n {
		return Result{}, false
	}
	return res, true
}

func putResult(c Cache, key string, res Result) {
	truncated := 0
	if res.Truncated {
		truncated = 1
	}
	var e encoder
	e.numbers(cachedResultKind, res.Hits, truncated, len(res.Matches))
	for _, m := range res.Matches {
		e.text(m.File)
		e.numbers(m.Line)
		e.text(m.Text)
	}
	e.put(c, key)
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

func (e *encoder) put(c Cache, key string) {
	if len(e.data) > maxCachedBytes {
		return
	}
	sum := checksum(e.data)
	c.Put(key, append(e.data, sum[:]...))
}

func checksum(data []byte) [checksumBytes]byte {
	sum := sha256.Sum256(data)
	return [checksumBytes]byte(sum[:checksumBytes])
}

// openValue gets a value and checks that it is whole.
func openValue(c Cache, key string) (*decoder, bool) {
	data, ok := c.Get(key)
	n := len(data) - checksumBytes
	if !ok || n < 0 || checksum(data[:n]) != [checksumBytes]byte(data[n:]) {
		return nil, false
	}
	return &decoder{data: data[:n]}, true
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
