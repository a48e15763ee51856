// Package ignore decides by path which files ripgrep 13 searches: globs with the
// syntax of its globset crate, rules of .gitignore, .ignore and .rgignore files,
// -g overrides, and file types.
//
// It knows paths and the text of ignore files and nothing else: it reads no file
// and imports nothing but the standard library. Paths are bytes with slashes,
// relative to the root of the repository, without a leading slash. Where ripgrep
// 13 has quirks (a name that ends in a dot, a "?" that is one byte, a class that
// matches a slash) they are kept, because a count has to be equal to its count.
package ignore

// Limits of what is compiled, against hostile ignore files and commands.
const (
	maxGlobBytes = 1 << 10 // of one glob
	MaxRules     = 5_000   // of one ignore file
)
