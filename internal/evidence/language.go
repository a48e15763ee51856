package evidence

import (
	"path"
	"strings"
)

// joining says where a line break may move without changing what the lines mean.
type joining int

const (
	joinNever    joining = iota // every break counts
	joinBrackets                // breaks inside brackets do not count
	joinFree                    // breaks do not count, but for the exceptions in stream
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

// language is what has to be known of a language to tell a change of layout from
// a change of meaning. When in doubt, white space counts.
type language struct {
	joins   joining
	indent  indenting
	spacing bool   // white space beside an operator outside strings means nothing
	comment string // marker of a comment that runs to the end of the line
	slashes bool   // a slash may open a pattern in which white space counts

	block    [2]string // opens and closes a comment of several lines
	triple   bool      // three quotes open a string of several lines
	backtick bool      // a backtick does
}

var (
	slashStar = [2]string{"/*", "*/"}

	pythonLike  = language{joins: joinBrackets, spacing: true, comment: "#", triple: true}
	braceLike   = language{joins: joinFree, indent: indentFree, spacing: true, comment: "//", block: slashStar}
	breakLike   = language{joins: joinBrackets, indent: indentFree, spacing: true, comment: "//", block: slashStar} // a line break may end a statement
	goLike      = language{joins: joinBrackets, indent: indentFree, spacing: true, comment: "//", block: slashStar, backtick: true}
	scriptLike  = language{joins: joinFree, indent: indentFree, spacing: true, comment: "//", block: slashStar, backtick: true, slashes: true}
	jsonLike    = language{joins: joinFree, indent: indentFree, spacing: true}
	yamlLike    = language{comment: "#"}
	shellLike   = language{indent: indentFree, comment: "#"}
	makeLike    = language{indent: indentExact, comment: "#"}
	styleLike   = language{indent: indentFree, block: slashStar}
	markupLike  = language{indent: indentFree, block: [2]string{"<!--", "-->"}}
	proseLike   = language{joins: joinProse, block: [2]string{"<!--", "-->"}}
	unknownLike = language{}
)

var languages = map[string]language{
	"python": pythonLike, "script": scriptLike, "c": braceLike, "yaml": yamlLike, "shell": shellLike, "prose": proseLike,
	".java": braceLike, ".cs": braceLike, ".rs": braceLike, ".php": braceLike, ".dart": braceLike, ".proto": braceLike,
	".go": goLike, ".kt": breakLike, ".kts": breakLike, ".swift": breakLike, ".scala": breakLike,
	".json": jsonLike, ".css": styleLike, ".scss": styleLike, ".sql": styleLike, ".html": markupLike, ".xml": markupLike,
	".toml": shellLike, ".ini": shellLike, ".cfg": yamlLike, ".conf": shellLike, ".env": shellLike, ".tf": shellLike,
	"dockerfile": shellLike, "containerfile": shellLike, "makefile": makeLike, ".mk": makeLike,
}

// languageOf chooses by the file's name.
func languageOf(p string) language {
	if l, ok := languages[family(p)]; ok {
		return l
	}
	if strings.HasPrefix(strings.ToLower(path.Base(p)), ".env") {
		return shellLike
	}
	return unknownLike
}
