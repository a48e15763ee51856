package gitmirror

import (
	"fmt"
	"strings"
)

// OID is a full object id in lower-case hexadecimal: 40 digits in a SHA-1
// repository, 64 in a SHA-256 one.
type OID string

// Lengths of a full object id, in hexadecimal digits.
const (
	sha1HexLen   = 40
	sha256HexLen = 64
)

// EmptyTree is the tree without entries of a SHA-1 repository. Git knows it
// without storing it, so DiffTree from it lists everything a commit holds.
const EmptyTree OID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// ParseOID checks that s is a full object id and returns it in lower case.
func ParseOID(s string) (OID, error) {
	if !isFullHex(s) {
		return "", fmt.Errorf("object id %q: want 40 or 64 hexadecimal digits", clip(s))
	}
	return OID(strings.ToLower(s)), nil
}

// IsZero reports whether the id is empty or all zeros, which is how git and
// GitHub write "no object".
func (o OID) IsZero() bool { return strings.Trim(string(o), "0") == "" }

// Short returns the first ten digits, for messages.
func (o OID) Short() string { return string(o[:min(len(o), 10)]) }

func isFullHex(s string) bool {
	if len(s) != sha1HexLen && len(s) != sha256HexLen {
		return false
	}
	return isHex(s)
}

func isHex(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return s != ""
}

// checkOIDs refuses ids that did not come through ParseOID. It is what keeps a
// line break or a dash out of git's input.
func checkOIDs(oids ...OID) error {
	for _, oid := range oids {
		if !isFullHex(string(oid)) {
			return fmt.Errorf("object id %q: want 40 or 64 hexadecimal digits", clip(string(oid)))
		}
	}
	return nil
}

// clip shortens hostile text for an error message.
func clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
