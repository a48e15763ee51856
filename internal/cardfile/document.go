package cardfile

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// Limits on what is read. They are far above any scorecard in use and keep a
// hostile file from costing more than milliseconds.
const (
	MaxSize      = 4 << 20   // bytes of a file
	MaxLineBytes = 128 << 10 // bytes of one line of Markdown
	MaxLines     = 20_000    // lines of Markdown
	MaxValues    = 100_000   // values of an entry
	MaxDepth     = 32        // levels of nested JSON values
	MaxItems     = 200       // evidence items in one place, and entries in one list
	MaxWarnings  = 200       // warnings that are kept
)

// Format is the form of a scorecard file.
type Format string

// The two forms.
const (
	Markdown Format = "markdown"
	JSON     Format = "json"
)

// Style is a house style of report Markdown.
type Style int

// The two house styles. Dash writes "# Defense-in-Depth Score", em dashes before
// evidence and figures, and an em dash for no cap; Colon writes "# Defense-in-depth
// score", colons, "Evidence:" and "none".
const (
	Dash Style = iota
	Colon
)

// Document is a scorecard file that has been read.
type Document struct {
	Card     *scorecard.Card
	Format   Format
	Warnings []Warning

	layout interface {
		write(card *scorecard.Card) ([]byte, error)
	}
	details        details        // what a report prints beside its card; zero for an entry
	contradictions []disagreement // those that no change of the card mends
}

// Warning is something in a file that was read but deserves a look.
type Warning struct {
	Line    int // from 1; 0 when it concerns the whole file
	Message string
	Figure  Figure // the figure that it is about; zero for none
}

// String is the warning with its line.
func (w Warning) String() string {
	if w.Line == 0 {
		return w.Message
	}
	return fmt.Sprintf("line %d: %s", w.Line, w.Message)
}

// SyntaxError says why a file is not a scorecard, where, and how to mend it.
type SyntaxError struct {
	File   string
	Line   int    // from 1; 0 when it concerns the whole file
	Column int    // in bytes, from 1; 0 when it concerns the whole line
	Where  string // place inside the card, for example "C4 default S" or "/criteria/3"; may be ""
	Msg    string
	Fix    string // how to mend it; may be ""
}

// Error is one line with everything that is known.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	b.WriteString(": ")
	if e.Where != "" {
		b.WriteString(e.Where + ": ")
	}
	b.WriteString(e.Msg)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}

const byteOrderMark = "\uFEFF"

// Read reads a scorecard. The name decides the form by its extension (.json, .md)
// and stands in errors; with any other name the content decides. A broken file is a
// *SyntaxError. Read does not validate: see scorecard.Validate.
func Read(name string, data []byte) (*Document, error) {
	if len(data) > MaxSize {
		return nil, &SyntaxError{File: name, Msg: fmt.Sprintf("the file has more than the %d bytes that a scorecard may have", MaxSize)}
	}
	if err := checkText(name, data); err != nil {
		return nil, err
	}
	if sniff(name, data) == JSON {
		return readJSON(name, string(data))
	}
	return readMarkdown(name, string(data))
}

// checkText refuses what is not UTF-8 text and names the line.
func checkText(name string, data []byte) error {
	bad := bytes.IndexByte(data, 0)
	msg := "a NUL byte"
	if bad < 0 && !utf8.Valid(data) {
		msg = "a byte that is not UTF-8"
		for rest := data; ; {
			r, size := utf8.DecodeRune(rest)
			if r == utf8.RuneError && size <= 1 {
				bad = len(data) - len(rest)
				break
			}
			rest = rest[size:]
		}
	}
	if bad < 0 {
		return nil
	}
	return &SyntaxError{File: name, Line: bytes.Count(data[:bad], []byte("\n")) + 1, Msg: msg, Fix: "save the file as UTF-8 text"}
}

// FormatOf returns the form that a file name asks for by its extension, or the
// fallback.
func FormatOf(name string, fallback Format) Format {
	switch strings.ToLower(path.Ext(name)) {
	case ".json":
		return JSON
	case ".md", ".markdown":
		return Markdown
	}
	return fallback
}

func sniff(name string, data []byte) Format {
	if f := FormatOf(name, ""); f != "" {
		return f
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), " \t\r\n")
	if len(text) > 0 && text[0] == '{' {
		return JSON
	}
	return Markdown
}

// Write writes the card in the form and style of the document it came from. Where
// the card did not change, the file does not change. It fails when the form cannot
// hold the card so that it reads back the same; the error names the place.
func (d *Document) Write(card *scorecard.Card) ([]byte, error) {
	if d.layout == nil {
		return nil, errors.New("write card: the document was not made by Read")
	}
	return d.layout.write(card)
}

// WriteAs writes the card in the given form: as Write does when it is the
// document's own, else as a new file, Markdown in the style Dash.
func (d *Document) WriteAs(f Format, card *scorecard.Card) ([]byte, error) {
	switch {
	case f == d.Format:
		return d.Write(card)
	case f == JSON:
		return WriteJSON(card)
	}
	return WriteMarkdown(card, Dash)
}

// Problems lists everything that is wrong with the document as others may have
// published it: what Validate finds under the lenient reading.
func (d *Document) Problems() []scorecard.Problem {
	return scorecard.Validate(d.Card, scorecard.Lenient)
}
