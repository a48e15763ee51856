package gitmirror

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseRawDiff reads the output of "git diff-tree -r -z --raw":
//
//	:OLDMODE NEWMODE OLDID NEWID STATUS[SCORE] NUL PATH NUL [NEWPATH NUL]
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

func compareChanges(a, b Change) int { return strings.Compare(a.path(), b.path()) }

func (c Change) path() string {
	if c.NewPath == "" {
		return c.OldPath
	}
	return c.NewPath
}

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
	if c.Status, c.Score, err = parseStatus(fields[4]); err != nil {
		return Change{}, nil, err
	}
	if c.OldPath, rest, err = parsePath(rest); err != nil {
		return Change{}, nil, err
	}
	c.NewPath = c.OldPath
	if c.Status == 'R' {
		if c.NewPath, rest, err = parsePath(rest); err != nil {
			return Change{}, nil, err
		}
	}
	return c.oneSided(), rest, c.check()
}

// oneSided empties the path of the side on which there is nothing.
func (c Change) oneSided() Change {
	switch c.Status {
	case 'A':
		c.OldPath = ""
	case 'D':
		c.NewPath = ""
	}
	return c
}

// check holds the sides against the status.
func (c Change) check() error {
	hasOld, hasNew := c.OldMode != 0, c.NewMode != 0
	if hasOld != (c.Status != 'A') || hasNew != (c.Status != 'D') {
		return fmt.Errorf("status %c does not go with modes %o and %o of %q", c.Status, c.OldMode, c.NewMode, clip(c.path()))
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

func parseStatus(field string) (status byte, score int, err error) {
	if field == "" {
		return 0, 0, fmt.Errorf("no status")
	}
	switch status = field[0]; status {
	case 'A', 'M', 'D', 'T':
		if len(field) > 1 {
			return 0, 0, fmt.Errorf("status %q: want no score", clip(field))
		}
		return status, 0, nil
	case 'R':
		percent, err := strconv.ParseUint(field[1:], 10, 8)
		if err != nil || len(field) != 4 || percent > 100 {
			return 0, 0, fmt.Errorf("status %q: want a score of 000 to 100", clip(field))
		}
		return status, int(percent), nil
	}
	return 0, 0, fmt.Errorf("status %q is none of A, M, D, R, T", clip(field))
}

func parsePath(in []byte) (path string, rest []byte, err error) {
	name, rest, ok := bytes.Cut(in, []byte{0})
	if !ok || len(name) == 0 {
		return "", nil, fmt.Errorf("want a path that ends with NUL, have %q", clip(string(name)))
	}
	return string(name), rest, nil
}
