package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// units are the suffixes of sizes, lower case, in bytes: powers of a thousand, and
// with an i powers of 1024, as in the standard IEC 80000-13.
var units = map[string]float64{
	"b":  1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// unitNames lists the units for people.
const unitNames = "B, kB, MB, GB, TB, KiB, MiB, GiB or TiB"

// errSize says that a text is no size. A bare number is none either: common tools
// disagree whether it counts bytes, or megabytes.
var errSize = errors.New("not a number with a unit")

// parseSize reads a size as "50GB" or "1.5 TiB", in bytes. Case does not matter, and
// blanks may stand between number and unit.
func parseSize(text string) (int64, error) {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		return 0, errSize
	}
	unit, known := units[strings.ToLower(strings.TrimLeftFunc(text[end:], unicode.IsSpace))]
	number, err := strconv.ParseFloat(text[:end], 64)
	if err != nil || !known {
		return 0, errSize
	}
	if bytes := math.Round(number * unit); bytes < math.MaxInt64 {
		return int64(bytes), nil
	}
	return 0, errSize
}

// size reads a setting that is a number of bytes, at least least.
func (l *loader) size(k key, fallback string, least int64) int64 {
	v, where, ok := l.get(k)
	if !ok {
		v = fallback
	}
	n, err := parseSize(v)
	fix := fmt.Sprintf("use a number with a unit, as %s: %s", DefaultMirrorLimit, unitNames)
	switch {
	case err != nil:
		l.problem(where, fmt.Sprintf("%q is %v", v, err), fix)
	case n < least:
		l.problem(where, fmt.Sprintf("%q is too little", v), fmt.Sprintf("use %d MB or more", least/1e6))
	}
	return n
}
