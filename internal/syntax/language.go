package syntax

import (
	"path"
	"regexp"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// joining says where a line break may move without changing what the lines mean.
type joining int

const (
	joinNever    joining = iota // every break counts
	joinBrackets                // breaks inside brackets do not count
	joinFree                    // breaks do not count, but for the exceptions in breakCounts
	joinProse                   // breaks inside a paragraph do not count
	joinAlways                  // no break counts: for finding words again, never for holding
)

// indenting says what leading white space means.
type indenting int

const (
	indentShape indenting = iota // the shape of the block counts, its distance from the margin does not
	indentFree                   // it means nothing
	indentExact                  // every byte of it counts
)

// nesting says what tells the lines that others stand under.
type nesting int

const (
	nestIndent   nesting = iota // indentation
	nestBrackets                // brackets
	nestWords                   // words that open and end, as in a shell
)

// Language is what has to be known of a language to tell a change of layout from
// a change of meaning. When in doubt, white space counts.
type Language struct {
	joins   joining
	indent  indenting
	spacing bool   // white space beside an operator outside strings means nothing
	comment string // marker of a comment that runs to the end of the line
	value   bool   // what follows the first "=" or ":" counts as written
	slashes bool   // a slash may open a pattern in which white space counts

	spells func(*lexemes) []respelling               // other spellings of the same lexemes; see Spelled
	reads  func(*linemap.Text) (*linemap.Text, bool) // what the lines say; see Reading

	data    bool                  // what lines stand under is a part of what they say
	nests   nesting               // what tells what lines stand under
	section func() *regexp.Regexp // lines that head all up to the next of their kind

	also    []string    // further markers of such comments
	spans   []delimiter // comments and strings of several lines, longer marks first
	heredoc bool        // text up to a line with a word of one's choice
	scalars bool        // text that lasts as long as its lines are indented
	raw     bool        // R"x(text)x" with a word of one's choice for x
	chars   bool        // a single quote opens a literal of one character, not a string
	percent bool        // %q(text) with a letter and a bracket of one's choice
	dollars bool        // $x$text$x$ with a word of one's choice for x, or none
}

var (
	slashStar     = delimiter{open: "/*", end: "*/", comment: true}
	nestingStar   = delimiter{open: "/*", end: "*/", comment: true, nests: true}
	angleComment  = delimiter{open: "<!--", end: "-->", comment: true, toEnd: true}
	tripleDouble  = delimiter{open: `"""`, end: `"""`, escapes: true}
	tripleSingle  = delimiter{open: "'''", end: "'''", escapes: true}
	rawBacktick   = delimiter{open: "`", end: "`"}
	backtick      = delimiter{open: "`", end: "`", escapes: true, holes: true}
	doubleQuote   = delimiter{open: `"`, end: `"`, escapes: true}
	singleQuote   = delimiter{open: "'", end: "'", escapes: true}
	verbatimQuote = delimiter{open: "'", end: "'"}
	afterEnd      = delimiter{open: "__END__", comment: true, column: true, toEnd: true} // and nothing ends it
)

// Lines that head what follows them, up to the next of their kind.
var (
	yamlDocument = lazy.Regexp(`^(---|\.\.\.)(\s|$)`)
	tableHeader  = lazy.Regexp(`^\[\[?[^\[\]]+\]\]?\s*([#;].*)?$`)
	tomlTable    = lazy.Regexp(`^[ \t]*\[\[?[ \t]*([\w-]+|"([^"\\]|\\.)*"|'[^']*')([ \t]*\.[ \t]*([\w-]+|"([^"\\]|\\.)*"|'[^']*'))*[ \t]*\]\]?[ \t\r]*(#.*)?$`) // with quoted parts of a key
	dockerStage  = lazy.Regexp(`^[ \t]*(?i:from)\s`)
)

var (
	pythonLike   = Language{joins: joinBrackets, spells: spellPython, spacing: true, comment: "#", spans: []delimiter{tripleDouble, tripleSingle}}
	braceLike    = Language{spells: spellBraces, joins: joinFree, indent: indentFree, spacing: true, comment: "//", nests: nestBrackets, chars: true, spans: []delimiter{slashStar}}
	breakLike    = Language{spells: spellBraces, joins: joinBrackets, indent: indentFree, spacing: true, comment: "//", nests: nestBrackets, chars: true, spans: []delimiter{nestingStar, tripleDouble}} // a line break may end a statement
	goLike       = Language{reads: readGo, spells: spellBraces, joins: joinBrackets, indent: indentFree, spacing: true, comment: "//", nests: nestBrackets, chars: true, spans: []delimiter{slashStar, rawBacktick}}
	scriptLike   = Language{joins: joinFree, spells: spellScript, indent: indentFree, spacing: true, comment: "//", nests: nestBrackets, slashes: true, spans: []delimiter{slashStar, backtick}}
	jsonLike     = Language{joins: joinFree, indent: indentFree, spacing: true, data: true, nests: nestBrackets, spans: []delimiter{slashStar}}
	yamlLike     = Language{reads: readYAML, comment: "#", data: true, section: yamlDocument, scalars: true}
	sectionLike  = Language{value: true, comment: "#", data: true, section: tableHeader}
	confLike     = Language{indent: indentFree, value: true, comment: "#", data: true, section: tableHeader}
	shellLike    = Language{reads: readShell, indent: indentFree, comment: "#", nests: nestWords, heredoc: true, spans: []delimiter{doubleQuote, verbatimQuote}}
	dockerLike   = Language{indent: indentFree, comment: "#", data: true, section: dockerStage, heredoc: true}
	tomlLike     = Language{reads: readTOML, indent: indentFree, comment: "#", data: true, section: tomlTable, spans: []delimiter{tripleDouble, {open: "'''", end: "'''"}}}
	hclLike      = Language{indent: indentFree, comment: "#", data: true, nests: nestBrackets, also: []string{"//"}, heredoc: true, spans: []delimiter{slashStar}}
	makeLike     = Language{indent: indentExact, comment: "#"}
	styleLike    = Language{reads: readStyle, indent: indentFree, nests: nestBrackets, spans: []delimiter{{open: "/*", end: "*/", comment: true, toEnd: true}}}
	sassLike     = Language{reads: readSass, indent: indentFree, nests: nestBrackets, spans: []delimiter{{open: "/*", end: "*/", comment: true, toEnd: true}}}
	sqlLike      = Language{indent: indentFree, comment: "--", nests: nestBrackets, dollars: true, spans: []delimiter{{open: "/*", end: "*/", comment: true, toEnd: true}, verbatimQuote}}
	markupLike   = Language{indent: indentFree, spans: []delimiter{angleComment}}
	mixedLike    = Language{reads: readComponent, spans: []delimiter{angleComment, slashStar}}
	proseLike    = Language{joins: joinProse, spans: []delimiter{angleComment}}
	markdownLike = Language{reads: readProse, joins: joinProse, spans: []delimiter{angleComment}}
	rubyLike     = Language{comment: "#", heredoc: true, percent: true, slashes: true, spans: []delimiter{{open: "=begin", end: "=end", comment: true, column: true}, afterEnd, doubleQuote, singleQuote}}
	perlLike     = Language{indent: indentFree, comment: "#", heredoc: true, spans: []delimiter{
		{open: "=pod", end: "=cut", comment: true, column: true}, {open: "=head", end: "=cut", comment: true, column: true},
		{open: "=begin", end: "=cut", comment: true, column: true}, {open: "=for", end: "=cut", comment: true, column: true},
		{open: "=item", end: "=cut", comment: true, column: true}, {open: "=over", end: "=cut", comment: true, column: true}, afterEnd}}
	luaLike     = Language{comment: "--", spans: longBrackets(6)}
	jinjaLike   = Language{spans: []delimiter{{open: "{#", end: "#}", comment: true}, angleComment}}
	unknownLike = Language{}
)

// with returns the brace language with further strings and comments.
func (l Language) with(also []string, spans ...delimiter) Language {
	l.also, l.spans = also, spans
	return l
}

var (
	rustLike = func() Language {
		l := braceLike.with(nil, nestingStar,
			delimiter{open: `r####"`, end: `"####`}, delimiter{open: `r###"`, end: `"###`}, delimiter{open: `r##"`, end: `"##`}, delimiter{open: `r#"`, end: `"#`}, delimiter{open: `r"`, end: `"`}, doubleQuote)
		l.reads = readRust
		return l
	}()
	sharpLike = braceLike.with(nil, slashStar, delimiter{open: `"""`, end: `"""`},
		delimiter{open: `$@"`, end: `"`}, delimiter{open: `@$"`, end: `"`}, delimiter{open: `@"`, end: `"`})
	phpLike = func() Language {
		l := braceLike.with([]string{"#"}, slashStar, doubleQuote, singleQuote, delimiter{open: "?>", end: "<?", toEnd: true},
			delimiter{open: "__halt_compiler", comment: true, toEnd: true})
		l.heredoc, l.chars = true, false
		return l
	}()
	dartLike = func() Language {
		l := braceLike.with(nil, nestingStar, tripleDouble, tripleSingle)
		l.chars = false
		return l
	}()
	javaLike = func() Language {
		l := braceLike.with(nil, slashStar, tripleDouble)
		l.reads = readJava
		return l
	}()
	cLike = func() Language {
		l := braceLike
		l.raw, l.reads = true, readC
		return l
	}()
)

// longBrackets are Lua's strings and comments with up to the given number of equal
// signs between their brackets.
func longBrackets(most int) []delimiter {
	var out []delimiter
	for n := range most + 1 {
		open, end := "["+strings.Repeat("=", n)+"[", "]"+strings.Repeat("=", n)+"]"
		out = append(out, delimiter{open: "--" + open, end: end, comment: true}, delimiter{open: open, end: end})
	}
	return out
}

var languages = map[string]*Language{
	"python": &pythonLike, "script": &scriptLike, "c": &cLike, "yaml": &yamlLike, "shell": &shellLike, "prose": &proseLike,
	".java": &javaLike, ".cs": &sharpLike, ".rs": &rustLike, ".php": &phpLike, ".dart": &dartLike, ".proto": &braceLike,
	".go": &goLike, ".kt": &breakLike, ".kts": &breakLike, ".swift": &breakLike, ".scala": &breakLike,
	".json": &jsonLike, ".css": &styleLike, ".scss": &sassLike, ".sql": &sqlLike, ".html": &markupLike, ".xml": &markupLike,
	".vue": &mixedLike, ".svelte": &mixedLike, ".rb": &rubyLike, ".pl": &perlLike, ".pm": &perlLike, ".lua": &luaLike, ".j2": &jinjaLike, ".jinja": &jinjaLike, ".jinja2": &jinjaLike,
	".toml": &tomlLike, ".ini": &confLike, ".cfg": &sectionLike, ".conf": &confLike, ".env": &confLike, ".tf": &hclLike, ".hcl": &hclLike, ".tfvars": &hclLike,
	"dockerfile": &dockerLike, "containerfile": &dockerLike, "makefile": &makeLike, ".mk": &makeLike,
}

// markdown matches names of files that are read as Markdown.
var markdown = lazy.Regexp(`(?i)\.(md|markdown)$`)

// IsMarkdown reports whether the file of the name is read as Markdown.
func IsMarkdown(path string) bool { return markdown().MatchString(path) }

// Known reports whether the language of the file is one that is known.
func Known(p string) bool { return Of(p) != &unknownLike }

// Of returns the language of the file, by its name. All files of a language share it, so
// it is never changed.
func Of(p string) *Language {
	if IsMarkdown(p) {
		return &markdownLike
	}
	if l, ok := languages[Family(p)]; ok {
		return l
	}
	if strings.HasPrefix(strings.ToLower(path.Base(p)), ".env") {
		return &confLike
	}
	return &unknownLike
}
