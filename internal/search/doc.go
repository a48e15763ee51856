// Package search evaluates evidence searches: an exact rg command over the files
// of a git tree, with the hits ripgrep 13.0.0 would print in a clean checkout.
//
// It never runs ripgrep and never runs a shell. A command is split into words,
// its flags are read against a table of all that ripgrep has, its pattern is
// compiled by package regex and its globs, types and ignore files by package
// ignore; what is left here is to walk the tree and to read files the way
// ripgrep does. What cannot be evaluated exactly is an *UnsupportedError that
// names the flag or the place and the reason: never a guess.
//
// A Query is evaluated in full by Run, or by Delta from the files that changed
// between two trees; Count is Run without the lines. Results of single files are
// independent of each other, so a Cache may keep them by content: those of whole
// directories by their trees, for Count, and those of large files by their blobs,
// for Delta.
//
// A tree is taken as its blobs are: conversions that a checkout would make by
// attributes (line endings, encodings, filters) are not made, and the contents
// of submodules are not there, as in a fresh clone.
//
// The package reads nothing itself: trees and blobs come through Source. It must
// not import anything that does I/O.
package search

// EngineVersion names the rules by which results are computed. It is part of
// every Key and changes whenever a result could.
const EngineVersion = "rg13/3"

// Limits. A command over them is refused; a result over them is marked.
const (
	maxCommandBytes = 16 << 10
	maxPaths        = 64        // scope paths of a query
	maxGlobs        = 128       // -g and --iglob
	maxPathBytes    = 4 << 10   // of a file in the tree, as file systems have it
	maxIgnoreBytes  = 256 << 10 // of one ignore file
	maxIgnoreFiles  = 2_000     // ignore files that one evaluation reads
	MaxMatches      = 1_000     // matches that a Result or a Delta lists
	MaxTextBytes    = 1_000     // of the text of a match; longer ones end in CutMark
	CutMark         = "\u2026"  // stands at the end of a text that was cut
	maxCachedBytes  = 256 << 10 // of one cached result
)
