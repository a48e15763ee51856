package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// Files of Svelte and Vue hold a script, a style sheet and a template. The script and
// the style sheet are read as in files of their own; in a template white space may be
// content, so that its lines count as written.

var (
	// partStart matches the tag, alone on its line, that a script or a style sheet follows.
	partStart = lazy.Regexp(`^<(script|style)((\s+[\w:-]+(="[^"<>]*")?)*)\s*>[ \t\r]*$`)
	// partEnd matches what ends it: the first text of its kind, wherever it stands.
	partEnd = lazy.Regexp(`(?i)</(script|style)`)
	// partAttribute matches what says in which language a part is written.
	partAttribute = lazy.Regexp(`\b(lang|type)="([^"]*)"`)
)

// partLanguages are the languages of parts that are read.
var partLanguages = map[string]*Language{
	"script": &scriptLike, "script ts": &scriptLike, "script js": &scriptLike, "script tsx": &scriptLike, "script jsx": &scriptLike,
	"script module": &scriptLike, "script text/javascript": &scriptLike, "script text/typescript": &scriptLike,
	"style": &styleLike, "style css": &styleLike, "style text/css": &styleLike, "style postcss": &styleLike, "style scss": &sassLike, "style text/scss": &sassLike,
}

// componentReader reads such a file.
type componentReader struct {
	*reader
	levels Levels // of the template
}

// keptBlanks matches a template in which white space at the starts of lines is shown.
var keptBlanks = lazy.Regexp(`(?i)<(pre|textarea)\b`)

// readComponent is the reading of Svelte and Vue.
func readComponent(t *linemap.Text) (*linemap.Text, bool) {
	base, ok := newReader(t)
	if !ok || keptBlanks().Match(base.s) {
		return nil, false
	}
	r := componentReader{reader: base}
	remark := false
	for n := 0; n < t.Len(); n++ {
		line := WithoutCR(t.Line(n + 1))
		if m := partStart().FindSubmatch(line); m != nil && !remark {
			r.template(n, line)
			n = r.part(t, n, string(m[1]), m[2])
			continue
		}
		r.template(n, line)
		remark = inRemark(line, remark)
	}
	return r.text(), true
}

// template writes a line down as it is, and on which level of indentation it stands.
func (r *componentReader) template(n int, line []byte) {
	text := bytes.TrimRight(line, Blanks)
	if len(text) == 0 {
		return
	}
	indent := Indentation(text)
	depth, irregular := r.levels.Enter(width(indent))
	r.line = n
	if irregular {
		r.put(markEmpty) // it stands under no line as another does
	}
	r.put(bytes.Repeat([]byte{markDepth}, min(maxReadDepth, depth))...)
	r.put(text[len(indent):]...)
	r.put(markLine)
}

// inRemark reports whether a line that begins in a comment, or does not, ends in one.
func inRemark(line []byte, begins bool) bool {
	for at := 0; ; {
		mark := "<!--"
		if begins {
			mark = "-->"
		}
		n := bytes.Index(line[at:], []byte(mark))
		if n < 0 {
			return begins
		}
		at += n + len(mark)
		begins = !begins
	}
}

// part writes the lines behind the tag on the line down, up to the one that ends them,
// and returns the last of them, both from 0.
func (r *componentReader) part(t *linemap.Text, tag int, name string, attributes []byte) int {
	var lines [][]byte
	end := tag + 1
	for ; end < t.Len() && !partEnd().Match(t.Line(end+1)); end++ {
		lines = append(lines, WithoutCR(t.Line(end+1)))
	}
	read, ok := readPart(name, attributes, lines)
	if end == t.Len() || !bytes.HasPrefix(bytes.TrimLeft(t.Line(end+1), Blanks), []byte("</"+name)) {
		ok = false
	}
	for i, line := range lines {
		if !ok {
			r.template(tag+1+i, line)
			continue
		}
		r.line = tag + 1 + i
		r.put(read[i]...)
	}
	return end - 1
}

// readPart reads the lines of a part by its language; ok is false when it has none or
// they cannot be read.
func readPart(name string, attributes []byte, lines [][]byte) (out [][]byte, ok bool) {
	for _, m := range partAttribute().FindAllSubmatch(attributes, -1) {
		name += " " + string(m[2])
	}
	return embedded(partLanguages[name], lines, true)
}
