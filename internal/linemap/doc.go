// Package linemap follows lines from one version of a file to the next: it cuts
// bytes into lines, finds a shortest line-by-line edit between two texts, and
// answers where each old line stands in the new text.
//
// Two lines are the same line only when their bytes are equal, so a map can be
// incomplete but never wrong. Work is bounded whatever the input: past a budget
// the search for a shortest edit gives way to anchoring on lines that occur once
// on either side, which leaves more lines unmapped and maps none falsely.
//
// The package is pure. It must not import anything that reads files, runs
// commands or knows of cards.
package linemap
