package gitmirror

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// header is one answer of "git cat-file" about an object. A header without oid is
// a name that no object has.
type header struct {
	oid  OID
	kind string // "blob", "tree", "commit" or "tag"
	size int64
	why  string // for no object: "missing" or "ambiguous"
}

// readHeader reads one line of the batch format.
func readHeader(in *bufio.Reader) (header, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return header{}, err
	}
	return parseHeader(bytes.TrimSuffix(line, []byte("\n")))
}

// parseHeader understands "<id> <type> <size>", "<name> missing" and
// "<name> ambiguous". The name is the one that was asked for and may itself
// contain spaces, so the last word is looked at first.
func parseHeader(line []byte) (header, error) {
	s := string(line)
	cut := strings.LastIndexByte(s, ' ')
	if cut < 0 {
		return header{}, fmt.Errorf("answer of git cat-file %q: want an id, a type and a size", clip(s))
	}
	switch last := s[cut+1:]; last {
	case "missing", "ambiguous", "submodule":
		return header{why: last}, nil
	}
	size, err := strconv.ParseInt(s[cut+1:], 10, 64)
	if err != nil || size < 0 {
		return header{}, fmt.Errorf("answer of git cat-file %q: %q is no size", clip(s), clip(s[cut+1:]))
	}
	id, kind, ok := strings.Cut(s[:cut], " ")
	if !ok || !isFullHex(id) {
		return header{}, fmt.Errorf("answer of git cat-file %q: no full object id", clip(s))
	}
	switch kind {
	case kindBlob, kindTree, kindCommit, kindTag:
		return header{oid: OID(id), kind: kind, size: size}, nil
	}
	return header{}, fmt.Errorf("answer of git cat-file %q: unknown type %q", clip(s), clip(kind))
}

// Types of objects, and of entries of a tree.
const (
	kindBlob   = "blob"
	kindTree   = "tree"
	kindCommit = "commit"
	kindTag    = "tag"
)
