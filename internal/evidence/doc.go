// Package evidence finds the state of evidence items at another commit: whether
// the cited lines, or the lines that a search matches, still stand, and where.
//
// Content decides. Lines hold only when they are equal, byte for byte or but for
// white space that means nothing in their language, and while nothing that can be
// told from the text takes away what they did (see docs/judging.md); a measure of likeness only
// ever tells "edited" from "gone", never makes anything hold. Where two readings
// of a change are equally good, the one that keeps the cited lines whole is
// taken inside a file, and none is taken across files.
//
// What one text says in its language is told by internal/syntax; here two texts are
// compared.
//
// The package reads through two small interfaces and runs nothing. Everything
// that it reads is hostile and bounded. It must not import gitmirror, a judge or
// anything above them.
package evidence
