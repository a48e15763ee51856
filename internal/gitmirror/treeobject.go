package gitmirror

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxTreeBytes bounds one tree object: a directory of about 700,000 files.
	maxTreeBytes = 32 << 20
	// treeCacheBytes bounds the tree objects that a Repo remembers: those above what
	// is looked at, not a whole tree.
	treeCacheBytes = 1 << 20
	// maxIDLen is the length of the longest binary id, a SHA-256.
	maxIDLen = 32
	// maxModeDigits is the length of the longest mode, "160000".
	maxModeDigits = 6
)

// treeEntry is one name in a tree object. The name and the id point into it.
type treeEntry struct {
	at   int // where it begins
	mode uint32
	name []byte
	id   []byte // binary
}

func (e treeEntry) oid() OID { return OID(hex.EncodeToString(e.id)) }

// kind returns the type of the object that the entry names.
func (e treeEntry) kind() string {
	switch e.mode {
	case ModeTree:
		return kindTree
	case ModeSubmodule:
		return kindCommit
	}
	return kindBlob
}

// eachEntry calls fn for the entries of a tree object, in its order, until fn
// returns false. idLen is the length of a binary id. The object may be hostile:
// names that no file system can hold are ErrCorrupt.
func eachEntry(raw []byte, idLen int, fn func(treeEntry) bool) error {
	for rest := raw; len(rest) > 0; {
		mode, tail, ok := bytes.Cut(rest, []byte(" "))
		if !ok || len(mode) > maxModeDigits {
			return fmt.Errorf("%w: tree entry at byte %d has no mode", ErrCorrupt, len(raw)-len(rest))
		}
		bits, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil {
			return fmt.Errorf("%w: tree entry at byte %d has mode %q", ErrCorrupt, len(raw)-len(rest), clip(string(mode)))
		}
		name, tail, ok := bytes.Cut(tail, []byte{0})
		if !ok || len(tail) < idLen {
			return fmt.Errorf("%w: tree entry at byte %d is cut off", ErrCorrupt, len(raw)-len(rest))
		}
		if badName(name) {
			return fmt.Errorf("%w: tree entry %q is no file name", ErrCorrupt, clip(string(name)))
		}
		if !fn(treeEntry{at: len(raw) - len(rest), mode: canonicalMode(uint32(bits)), name: name, id: tail[:idLen]}) {
			return nil
		}
		rest = tail[idLen:]
	}
	return nil
}

func badName(name []byte) bool {
	switch string(name) {
	case "", ".", "..":
		return true
	}
	return bytes.IndexByte(name, '/') >= 0
}

// canonicalMode reduces the modes of old histories (100664) to those that git
// itself prints in a diff.
func canonicalMode(mode uint32) uint32 {
	const typeMask, regular, ownerExecute = 0o170000, 0o100000, 0o100
	switch mode & typeMask {
	case ModeTree:
		return ModeTree
	case ModeSymlink:
		return ModeSymlink
	case regular:
		if mode&ownerExecute != 0 {
			return ModeExecutable
		}
		return ModeFile
	}
	return ModeSubmodule
}

// treeCache remembers tree objects in two generations: when the young one is full
// the old one is forgotten. What is used stays.
type treeCache struct {
	mu         sync.Mutex
	young, old map[OID][]byte
	size       int // bytes in young
}

func newTreeCache() *treeCache { return &treeCache{young: map[OID][]byte{}} }

func (c *treeCache) get(oid OID) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if raw, ok := c.young[oid]; ok {
		return raw, true
	}
	raw, ok := c.old[oid]
	if ok {
		c.add(oid, raw)
	}
	return raw, ok
}

func (c *treeCache) put(oid OID, raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(oid, raw)
}

func (c *treeCache) add(oid OID, raw []byte) {
	const generation = treeCacheBytes / 2
	if _, ok := c.young[oid]; ok || len(raw) > generation {
		return
	}
	if c.size+len(raw) > generation {
		c.young, c.old, c.size = map[OID][]byte{}, c.young, 0
	}
	c.young[OID(strings.Clone(string(oid)))] = raw // the id may be a piece of something larger
	c.size += len(raw)
}
