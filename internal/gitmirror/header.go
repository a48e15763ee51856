package gitmirror

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
)

// header is one answer of "git cat-file" about an object. A header without oid is
// a name that no object has.
type header struct {
	oid  OID
	kind string // "blob", "tree", "commit" or "tag"
	size int64
	why  string // for no object: "missing" or "ambiguous"
}

// readHeader reads one line of the batch format, the answer to a question about
// name.
func readHeader(in *bufio.Reader, name string) (header, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return header{}, err
	}
	return parseHeader(bytes.TrimSuffix(line, []byte("\n")), name)
}

// parseHeader understands "<id> <type> <size>", "<name> missing" and
// "<name> ambiguous". The name is the one that was asked for and may itself
// contain spaces, so the last word is looked at first. An id that was asked for is
// not copied: there are as many as files.
func parseHeader(line []byte, name string) (header, error) {
	cut := bytes.LastIndexByte(line, ' ')
	if cut < 0 {
		return header{}, fmt.Errorf("answer of git cat-file %q: want an id, a type and a size", clip(string(line)))
	}
	for _, why := range reasons {
		if string(line[cut+1:]) == why {
			return header{why: why}, nil
		}
	}
	size, err := strconv.ParseInt(string(line[cut+1:]), 10, 64)
	if err != nil || size < 0 {
		return header{}, fmt.Errorf("answer of git cat-file %q: %q is no size", clip(string(line)), clip(string(line[cut+1:])))
	}
	id, kind, ok := bytes.Cut(line[:cut], []byte(" "))
	if string(id) != name {
		name = string(id)
	}
	if !ok || !isFullHex(name) {
		return header{}, fmt.Errorf("answer of git cat-file %q: no full object id", clip(string(line)))
	}
	for _, known := range kinds {
		if string(kind) == known {
			return header{oid: OID(name), kind: known, size: size}, nil
		}
	}
	return header{}, fmt.Errorf("answer of git cat-file %q: unknown type %q", clip(string(line)), clip(string(kind)))
}

// reasons are git's words for no object, kinds its types of objects.
var (
	reasons = [...]string{"missing", "ambiguous", "submodule"}
	kinds   = [...]string{kindBlob, kindTree, kindCommit, kindTag}
)

// Types of objects, and of entries of a tree.
const (
	kindBlob   = "blob"
	kindTree   = "tree"
	kindCommit = "commit"
	kindTag    = "tag"
)
