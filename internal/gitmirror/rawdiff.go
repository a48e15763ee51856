package gitmirror

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseRawDiff reads the output of "git diff-tree -r -z --raw --no-renames":
//
//	:OLDMODE NEWMODE OLDID NEWID STATUS NUL PATH NUL
//
// Anything else is an error with its byte offset.
func parseRawDiff(out []byte) ([]Change, error) {
	changes := make([]Change, 0, min(bytes.Count(out, []byte{0, ':'})+1, maxChanges))
	rest := out
	for len(rest) > 0 {
		at := len(out) - len(rest)
		change, tail, err := parseChange(rest)
		if err != nil {
			return nil, fmt.Errorf("raw diff at byte %d: %w", at, err)
		}
		if len(changes) == maxChanges {
			return nil, fmt.Errorf("more than %d changes: %w", maxChanges, ErrTooLarge)
		}
		changes, rest = append(changes, change), tail
	}
	if !slices.IsSortedFunc(changes, compareChanges) {
		slices.SortStableFunc(changes, compareChanges)
	}
	return changes, nil
}

func compareChanges(a, b Change) int { return strings.Compare(a.Path, b.Path) }

func parseChange(in []byte) (Change, []byte, error) {
	meta, rest, ok := bytes.Cut(in, []byte{0})
	if !ok || len(meta) == 0 || meta[0] != ':' {
		return Change{}, nil, fmt.Errorf("want a record that begins with a colon, have %q", clip(string(meta)))
	}
	fields := strings.Split(string(meta[1:]), " ")
	if len(fields) != 5 {
		return Change{}, nil, fmt.Errorf("want 5 fields, have %q", clip(string(meta)))
	}
	var c Change
	var err error
	if c.OldMode, c.OldOID, err = parseSide(fields[0], fields[2]); err != nil {
		return Change{}, nil, err
	}
	if c.NewMode, c.NewOID, err = parseSide(fields[1], fields[3]); err != nil {
		return Change{}, nil, err
	}
	if c.Status, err = parseStatus(fields[4]); err != nil {
		return Change{}, nil, err
	}
	if c.Path, rest, err = parsePath(rest); err != nil {
		return Change{}, nil, err
	}
	return c, rest, c.check()
}

// check holds the sides against the status.
func (c Change) check() error {
	hasOld, hasNew := c.OldMode != 0, c.NewMode != 0
	if hasOld != (c.Status != 'A') || hasNew != (c.Status != 'D') {
		return fmt.Errorf("status %c does not go with modes %o and %o of %q", c.Status, c.OldMode, c.NewMode, clip(c.Path))
	}
	return nil
}

func parseSide(mode, id string) (uint32, OID, error) {
	bits, err := strconv.ParseUint(mode, 8, 32)
	if err != nil || len(mode) != 6 {
		return 0, "", fmt.Errorf("mode %q: want 6 octal digits", clip(mode))
	}
	oid, err := ParseOID(id)
	if err != nil {
		return 0, "", err
	}
	if oid.IsZero() {
		oid = ""
	}
	if (bits == 0) != (oid == "") {
		return 0, "", fmt.Errorf("mode %q does not go with object %q", mode, id)
	}
	return uint32(bits), oid, nil
}

func parseStatus(field string) (byte, error) {
	if len(field) == 1 && strings.Contains("AMDT", field) {
		return field[0], nil
	}
	return 0, fmt.Errorf("status %q is none of A, M, D, T", clip(field))
}

func parsePath(in []byte) (path string, rest []byte, err error) {
	name, rest, ok := bytes.Cut(in, []byte{0})
	if !ok || len(name) == 0 {
		return "", nil, fmt.Errorf("want a path that ends with NUL, have %q", clip(string(name)))
	}
	return string(name), rest, nil
}
