package evidence

// Data reports whether what lines stand under is a part of what they say.
func (l *language) Data() bool { return l.data }

// Prose reports whether breaks inside a paragraph do not count.
func (l *language) Prose() bool { return l.joins == joinProse }

// BracketsJoin reports whether breaks inside brackets, and no others, do not count.
func (l *language) BracketsJoin() bool { return l.joins == joinBrackets }

// FreeSpacing reports whether white space beside an operator means nothing outside
// strings, as in a program.
func (l *language) FreeSpacing() bool { return l.spacing }

// FreeIndent reports whether leading white space means nothing.
func (l *language) FreeIndent() bool { return l.indent == indentFree }

// ShapedIndent reports whether the shape counts that indentation gives a block.
func (l *language) ShapedIndent() bool { return l.indent == indentShape }

// NestsByIndent reports whether indentation tells what lines stand under.
func (l *language) NestsByIndent() bool { return l.nests == nestIndent }

// NestsByBrackets reports whether brackets do.
func (l *language) NestsByBrackets() bool { return l.nests == nestBrackets }

// NestsByWords reports whether words do that open and end, as in a shell.
func (l *language) NestsByWords() bool { return l.nests == nestWords }

// Braces reports whether it is one of programs with their statements in brackets.
func (l *language) Braces() bool { return l.spacing && l.nests == nestBrackets && !l.data }

// HasScalars reports whether texts in it last as long as their lines are indented, as
// in YAML.
func (l *language) HasScalars() bool { return l.scalars }

// HasSections reports whether lines in it head all up to the next of their kind.
func (l *language) HasSections() bool { return l.section != nil }

// HeadsSection reports whether the line is one of those.
func (l *language) HeadsSection(line []byte) bool { return l.section != nil && l.section().Match(line) }

// HasReading reports whether there are readings of its texts; see Document.Reading.
func (l *language) HasReading() bool { return l.reads != nil }

// HasSpelling reports whether the same can be spelled in several ways; see
// Document.Spelled.
func (l *language) HasSpelling() bool { return l.spells != nil }

// Loose is the language with no break and no indentation that counts: for finding
// words again, never for holding.
func (l *language) Loose() *language {
	return &language{joins: joinAlways, indent: indentFree, spacing: l.spacing, comment: l.comment}
}

// IsLoose reports whether the language is such a one.
func (l *language) IsLoose() bool { return l.joins == joinAlways }
