package syntax

// Data reports whether what lines stand under is a part of what they say.
func (l *Language) Data() bool { return l.data }

// Prose reports whether breaks inside a paragraph do not count.
func (l *Language) Prose() bool { return l.joins == joinProse }

// BracketsJoin reports whether breaks inside brackets, and no others, do not count.
func (l *Language) BracketsJoin() bool { return l.joins == joinBrackets }

// FreeSpacing reports whether white space beside an operator means nothing outside
// strings, as in a program.
func (l *Language) FreeSpacing() bool { return l.spacing }

// FreeIndent reports whether leading white space means nothing.
func (l *Language) FreeIndent() bool { return l.indent == indentFree }

// ShapedIndent reports whether the shape counts that indentation gives a block.
func (l *Language) ShapedIndent() bool { return l.indent == indentShape }

// NestsByIndent reports whether indentation tells what lines stand under.
func (l *Language) NestsByIndent() bool { return l.nests == nestIndent }

// NestsByBrackets reports whether brackets tell it.
func (l *Language) NestsByBrackets() bool { return l.nests == nestBrackets }

// NestsByWords reports whether words tell it that open and end, as in a shell.
func (l *Language) NestsByWords() bool { return l.nests == nestWords }

// Braces reports whether it is a language of programs whose statements stand in brackets.
func (l *Language) Braces() bool { return l.spacing && l.nests == nestBrackets && !l.data }

// HasScalars reports whether texts in it last as long as their lines are indented, as
// in YAML.
func (l *Language) HasScalars() bool { return l.scalars }

// HasSections reports whether lines in it head all up to the next of their kind.
func (l *Language) HasSections() bool { return l.section != nil }

// HeadsSection reports whether the line is one of those.
func (l *Language) HeadsSection(line []byte) bool { return l.section != nil && l.section().Match(line) }

// HasReading reports whether there are readings of its texts; see Document.Reading.
func (l *Language) HasReading() bool { return l.reads != nil }

// HasSpelling reports whether the same can be spelled in several ways; see
// Document.Spelled.
func (l *Language) HasSpelling() bool { return l.spells != nil }

// Loose is the language with no break and no indentation that counts: for finding
// words again, never for holding.
func (l *Language) Loose() *Language {
	return &Language{joins: joinAlways, indent: indentFree, spacing: l.spacing, comment: l.comment}
}

// IsLoose reports whether the language is one that Loose made.
func (l *Language) IsLoose() bool { return l.joins == joinAlways }
