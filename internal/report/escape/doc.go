// Package escape is the one room through which text that others wrote passes on
// its way to a reader: file names, code lines, findings, reasons, card fields.
//
// Everything a repository or a card says is hostile. Whatever form it is put in
// (Markdown prose, a code span, a fenced block, a terminal line, a link), it may
// be read but never acted on: no mention, no cross reference, no link of its own,
// no markup, no control sequence, and no invisible or direction-changing
// character that makes it look like something else.
//
// It is pure and imports nothing of this module.
package escape
