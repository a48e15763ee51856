// Package syntax says what text says in its language: which white space means nothing
// (its canonical form), which spellings and layouts a formatter may choose between
// without changing the program, what stands in comments and strings of several lines,
// which brackets are open, and, for languages in which lines are no measure, the reading
// of a file: what it says, in one form.
//
// A Document is one text. Nothing here compares two commits or knows of evidence. When in
// doubt, white space counts: what these rules do not know stays as written.
//
// The package reads no file and runs nothing. What it reads is hostile: its work is
// linear in the size of a text, and every bound is a named constant. Of this module it
// imports linemap and lazy only.
package syntax
