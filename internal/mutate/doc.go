// Package mutate asks how far the engine can be trusted with one scorecard: for
// every citation and search of the card it makes every kind of harmless and
// harmful change to the repository, runs the engine over it, and counts false
// alarms, misses and wrong lines.
//
// It owns the kinds of change and what must become of each. What a change does to
// a search is not taken on trust but found by running the search in full on both
// sides. It may import the pipeline (internal/rescore and what that imports); it
// starts no process and writes no file.
package mutate
