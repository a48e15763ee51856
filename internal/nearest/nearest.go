// Package nearest finds the word that somebody most likely meant: a command, a flag,
// a key of a file or a variable that is spelled almost as one that there is.
//
// It imports nothing of this module.
package nearest

import "strings"

// longest is the length, in bytes, above which a word is nobody's slip of the pen.
const longest = 60

// Word returns the word that differs least from s, the first of several, or "" when
// none is near: at most a third of s may differ. Case does not count.
func Word(s string, words []string) string {
	if len(s) > longest {
		return ""
	}
	best, least := "", len(s)/3+1
	for _, w := range words {
		if d := Distance(s, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// Distance is the number of bytes to put in, leave out, replace, or swap with their
// neighbour, that makes one word the other (the optimal string alignment distance).
// Case does not count.
func Distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
