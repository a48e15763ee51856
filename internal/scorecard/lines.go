package scorecard

import (
	"fmt"
	"strconv"
	"strings"
)

// LineRange is an inclusive range of 1-based line numbers.
//
// Form remembers how a range of one line was written, since both "31" and
// "113-113" occur in published reports.
type LineRange struct {
	First, Last int
	Form        RangeForm
}

// RangeForm tells how a range of a single line is written.
type RangeForm int

// Short writes one line as "N", Long as "N-N".
const (
	Short RangeForm = iota
	Long
)

// String returns "N" or "N-M".
func (r LineRange) String() string {
	if r.First == r.Last && r.Form == Short {
		return strconv.Itoa(r.First)
	}
	return strconv.Itoa(r.First) + "-" + strconv.Itoa(r.Last)
}

// Count is the number of lines in the range.
func (r LineRange) Count() int { return r.Last - r.First + 1 }

// At returns the range of the same form that starts at first and holds n lines.
func (r LineRange) At(first, n int) LineRange {
	return LineRange{First: first, Last: first + n - 1, Form: r.Form}
}

// MaxLine bounds a line number; larger ones are refused as nonsense.
const MaxLine = 100_000_000

// ParseLines reads "N" or "N-M".
func ParseLines(s string) (LineRange, error) {
	a, b, ranged := strings.Cut(s, "-")
	first, err := parseLine(a)
	if err != nil {
		return LineRange{}, fmt.Errorf("lines %q: want N or N-M with N from 1", s)
	}
	if !ranged {
		return LineRange{First: first, Last: first}, nil
	}
	last, err := parseLine(b)
	if err != nil || last < first {
		return LineRange{}, fmt.Errorf("lines %q: want N-M with M not below N", s)
	}
	r := LineRange{First: first, Last: last}
	if first == last {
		r.Form = Long
	}
	return r, nil
}

func parseLine(s string) (int, error) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > MaxLine {
		return 0, strconv.ErrRange
	}
	return n, nil
}
