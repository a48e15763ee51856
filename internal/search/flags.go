package search

// flag is one flag of ripgrep 13.
type flag struct {
	long   string
	short  byte // 0 for none
	value  bool // it takes one
	hyphen bool // its value may begin with a hyphen
	many   bool // it may be given more than once
	refuse string
	apply  func(o *options, value string) error // nil: no influence on what is counted
}

// on and off make flags that set a switch.
func on(p func(*options) *bool) func(*options, string) error {
	return func(o *options, _ string) error { *p(o) = true; return nil }
}

func off(p func(*options) *bool) func(*options, string) error {
	return func(o *options, _ string) error { *p(o) = false; return nil }
}

// Reasons of flags that are refused.
const (
	notMatches   = "it prints something other than matches"
	otherEngine  = "the PCRE2 engine is not evaluated"
	outsideInput = "it reads patterns or rules from outside the command"
	runsPrograms = "it would run other programs"
	contextLines = "lines of context are not matches"
	otherFormat  = "its output form is not evaluated"
	onlyTimes    = "its order depends on file times"
)

// flagTable holds every flag of ripgrep 13, as its help and source list them.
// A flag that is not here is not one of ripgrep's.
var flagTable = []flag{
	// What matches.
	{long: "regexp", short: 'e', value: true, hyphen: true, many: true, apply: func(o *options, v string) error {
		o.patterns = append(o.patterns, v)
		o.hasRegexp = true
		return nil
	}},
	{long: "ignore-case", short: 'i', apply: func(o *options, _ string) error { o.caseMode = caseFold; return nil }},
	{long: "smart-case", short: 'S', apply: func(o *options, _ string) error { o.caseMode = caseSmart; return nil }},
	{long: "case-sensitive", short: 's', apply: func(o *options, _ string) error { o.caseMode = caseExact; return nil }},
	{long: "word-regexp", short: 'w', apply: func(o *options, _ string) error { o.word, o.line = true, false; return nil }},
	{long: "line-regexp", short: 'x', apply: func(o *options, _ string) error { o.word, o.line = false, true; return nil }},
	{long: "fixed-strings", short: 'F', apply: on(func(o *options) *bool { return &o.fixed })},
	{long: "no-fixed-strings", apply: off(func(o *options) *bool { return &o.fixed })},
	{long: "invert-match", short: 'v', apply: on(func(o *options) *bool { return &o.invert })},
	{long: "multiline", short: 'U', apply: on(func(o *options) *bool { return &o.multiline })},
	{long: "no-multiline", apply: off(func(o *options) *bool { return &o.multiline })},
	{long: "multiline-dotall", apply: on(func(o *options) *bool { return &o.dotAll })},
	{long: "no-multiline-dotall", apply: off(func(o *options) *bool { return &o.dotAll })},
	{long: "crlf", apply: on(func(o *options) *bool { return &o.crlf })},
	{long: "no-crlf", apply: off(func(o *options) *bool { return &o.crlf })},
	{long: "no-unicode", apply: on(func(o *options) *bool { return &o.ascii })},
	{long: "unicode", apply: off(func(o *options) *bool { return &o.ascii })},
	{long: "no-pcre2-unicode", apply: on(func(o *options) *bool { return &o.ascii })},
	{long: "pcre2-unicode", apply: off(func(o *options) *bool { return &o.ascii })},
	{long: "max-count", short: 'm', value: true, apply: func(o *options, v string) (err error) {
		o.hasMaxCount = true
		o.maxCount, err = number("--max-count", v)
		return err
	}},
	{long: "engine", value: true, apply: func(_ *options, v string) error {
		switch v {
		case "default", "auto": // auto falls back only for patterns we refuse
			return nil
		case "pcre2":
			return unsupported("--engine", otherEngine)
		}
		return unsupported("--engine", "%q is not a value of it", v)
	}},
	{long: "auto-hybrid-regex"}, {long: "no-auto-hybrid-regex"}, {long: "no-pcre2"},
	{long: "pcre2", short: 'P', refuse: otherEngine},
	{long: "file", short: 'f', value: true, hyphen: true, many: true, refuse: outsideInput},
	{long: "null-data", refuse: "lines that end in NUL are not evaluated"},
	{long: "regex-size-limit", value: true, refuse: "a limit of ripgrep's own engine is not evaluated"},
	{long: "dfa-size-limit", value: true},

	// Which files.
	{long: "glob", short: 'g', value: true, hyphen: true, many: true, apply: func(o *options, v string) error {
		o.globs = append(o.globs, v)
		return nil
	}},
	{long: "iglob", value: true, hyphen: true, many: true, apply: func(o *options, v string) error {
		o.iglobs = append(o.iglobs, v)
		return nil
	}},
	{long: "glob-case-insensitive", apply: on(func(o *options) *bool { return &o.globFold })},
	{long: "no-glob-case-insensitive", apply: off(func(o *options) *bool { return &o.globFold })},
	{long: "type", short: 't', value: true, many: true, apply: func(o *options, v string) error {
		o.types.Select = append(o.types.Select, v)
		return nil
	}},
	{long: "type-not", short: 'T', value: true, many: true, apply: func(o *options, v string) error {
		o.types.Deselect = append(o.types.Deselect, v)
		return nil
	}},
	{long: "type-add", value: true, many: true, apply: func(o *options, v string) error {
		o.types.Add = append(o.types.Add, v)
		return nil
	}},
	{long: "type-clear", value: true, many: true, apply: func(o *options, v string) error {
		o.types.Clear = append(o.types.Clear, v)
		return nil
	}},
	{long: "hidden", short: '.', apply: on(func(o *options) *bool { return &o.hidden })},
	{long: "no-hidden", apply: off(func(o *options) *bool { return &o.hidden })},
	{long: "no-ignore", apply: on(func(o *options) *bool { return &o.noIgnore })},
	{long: "ignore", apply: off(func(o *options) *bool { return &o.noIgnore })},
	{long: "no-ignore-dot", apply: on(func(o *options) *bool { return &o.noIgnoreDot })},
	{long: "ignore-dot", apply: off(func(o *options) *bool { return &o.noIgnoreDot })},
	{long: "no-ignore-vcs", apply: on(func(o *options) *bool { return &o.noIgnoreVCS })},
	{long: "ignore-vcs", apply: off(func(o *options) *bool { return &o.noIgnoreVCS })},
	{long: "no-ignore-parent", apply: on(func(o *options) *bool { return &o.noIgnoreParent })},
	{long: "ignore-parent", apply: off(func(o *options) *bool { return &o.noIgnoreParent })},
	{long: "ignore-file-case-insensitive", apply: on(func(o *options) *bool { return &o.ignoreFold })},
	{long: "no-ignore-file-case-insensitive", apply: off(func(o *options) *bool { return &o.ignoreFold })},
	// A clean checkout has no exclude file, no global ignore file, and a .git.
	{long: "no-ignore-exclude"}, {long: "ignore-exclude"}, {long: "no-ignore-global"}, {long: "ignore-global"},
	{long: "no-require-git"}, {long: "require-git"}, {long: "no-ignore-files"}, {long: "ignore-files"},
	{long: "unrestricted", short: 'u', many: true, apply: func(o *options, _ string) error { o.unrestricted++; return nil }},
	{long: "max-depth", value: true, apply: maxDepth}, {long: "maxdepth", value: true, apply: maxDepth},
	{long: "max-filesize", value: true, apply: func(o *options, v string) (err error) {
		o.hasMaxSize = true
		o.maxSize, err = size("--max-filesize", v)
		return err
	}},
	{long: "one-file-system"}, {long: "no-one-file-system"}, {long: "no-follow"},
	{long: "ignore-file", value: true, hyphen: true, many: true, refuse: outsideInput},
	{long: "follow", short: 'L', refuse: "symbolic links are not followed"},

	// How files are read.
	{long: "text", short: 'a', apply: func(o *options, _ string) error { o.text, o.binary = true, false; return nil }},
	{long: "binary", apply: func(o *options, _ string) error { o.text, o.binary = false, true; return nil }},
	{long: "no-text", apply: func(o *options, _ string) error { o.text, o.binary = false, false; return nil }},
	{long: "no-binary", apply: func(o *options, _ string) error { o.text, o.binary = false, false; return nil }},
	{long: "mmap", apply: func(o *options, _ string) error { o.mmap, o.noMmap = true, false; return nil }},
	{long: "no-mmap", apply: func(o *options, _ string) error { o.mmap, o.noMmap = false, true; return nil }},
	{long: "encoding", short: 'E', value: true, apply: func(o *options, v string) error {
		if v != "auto" && v != "none" {
			return unsupported("--encoding", "only auto and none are evaluated")
		}
		o.rawBytes = v == "none"
		return nil
	}},
	{long: "no-encoding", apply: off(func(o *options) *bool { return &o.rawBytes })},
	{long: "no-pre"}, {long: "no-search-zip"}, {long: "pre-glob", value: true, hyphen: true, many: true},
	{long: "pre", value: true, refuse: runsPrograms},
	{long: "search-zip", short: 'z', refuse: runsPrograms},

	// What is printed.
	{long: "count", short: 'c', apply: func(o *options, _ string) error { o.count, o.countMatches = true, false; return nil }},
	{long: "count-matches", apply: func(o *options, _ string) error { o.count, o.countMatches = false, true; return nil }},
	{long: "files-with-matches", short: 'l', apply: func(o *options, _ string) error { o.with, o.without = true, false; return nil }},
	{long: "files-without-match", apply: func(o *options, _ string) error { o.with, o.without = false, true; return nil }},
	{long: "include-zero", apply: on(func(o *options) *bool { return &o.includeZero })},
	{long: "only-matching", short: 'o', apply: on(func(o *options) *bool { return &o.onlyMatching })},
	{long: "vimgrep", apply: on(func(o *options) *bool { return &o.vimgrep })},
	{long: "trim", apply: on(func(o *options) *bool { return &o.trim })},
	{long: "no-trim", apply: off(func(o *options) *bool { return &o.trim })},
	{long: "line-number", short: 'n', apply: func(o *options, _ string) error { o.numbers, o.noNumbers = true, false; return nil }},
	{long: "no-line-number", short: 'N', apply: func(o *options, _ string) error { o.numbers, o.noNumbers = false, true; return nil }},
	{long: "column", apply: func(o *options, _ string) error { o.column, o.noColumn = true, false; return nil }},
	{long: "no-column", apply: func(o *options, _ string) error { o.column, o.noColumn = false, true; return nil }},
	{long: "byte-offset", short: 'b', apply: on(func(o *options) *bool { return &o.byteOffset })},
	{long: "with-filename", short: 'H', apply: func(o *options, _ string) error { o.names, o.noNames = true, false; return nil }},
	{long: "no-filename", short: 'I', apply: func(o *options, _ string) error { o.names, o.noNames = false, true; return nil }},
	{long: "null", short: '0', apply: on(func(o *options) *bool { return &o.nulNames })},
	{long: "color", value: true, apply: func(_ *options, v string) error {
		if v != "never" && v != "auto" {
			return unsupported("--color", "only never and auto are evaluated")
		}
		return nil
	}},
	{long: "colors", value: true, many: true, refuse: otherFormat},
	{long: "max-columns", short: 'M', value: true, apply: func(_ *options, v string) error {
		_, err := number("--max-columns", v)
		return err
	}},
	{long: "max-columns-preview"}, {long: "no-max-columns-preview"}, {long: "no-heading"},
	{long: "heading", refuse: otherFormat}, {long: "pretty", short: 'p', refuse: otherFormat},
	{long: "json", refuse: otherFormat}, {long: "no-json"},
	{long: "stats", refuse: notMatches}, {long: "no-stats"},
	{long: "quiet", short: 'q', refuse: "it prints nothing"},
	{long: "replace", short: 'r', value: true, hyphen: true, refuse: "replaced text is not evaluated"},
	{long: "passthru", refuse: contextLines}, {long: "passthrough", refuse: contextLines},
	{long: "after-context", short: 'A', value: true, refuse: contextLines},
	{long: "before-context", short: 'B', value: true, refuse: contextLines},
	{long: "context", short: 'C', value: true, refuse: contextLines},
	{long: "context-separator", value: true, refuse: contextLines}, {long: "no-context-separator"},
	{long: "field-context-separator", value: true, refuse: contextLines},
	{long: "field-match-separator", value: true, refuse: otherFormat},
	{long: "path-separator", value: true, refuse: otherFormat},
	{long: "files", refuse: notMatches}, {long: "type-list", refuse: notMatches},
	{long: "help", short: 'h', refuse: notMatches}, {long: "version", short: 'V', refuse: notMatches},
	{long: "pcre2-version", refuse: notMatches},

	// Order, threads and messages.
	{long: "threads", short: 'j', value: true, apply: func(o *options, v string) error {
		n, err := number("--threads", v)
		o.oneThread = o.oneThread || n == 1
		return err
	}},
	{long: "sort", value: true, apply: sorting}, {long: "sortr", value: true, apply: sorting},
	{long: "sort-files", apply: on(func(o *options) *bool { return &o.oneThread })}, {long: "no-sort-files"},
	{long: "line-buffered"}, {long: "no-line-buffered"}, {long: "block-buffered"}, {long: "no-block-buffered"},
	{long: "no-messages"}, {long: "messages"}, {long: "no-ignore-messages"}, {long: "ignore-messages"},
	{long: "no-config"}, {long: "debug"}, {long: "trace"},
}

func maxDepth(o *options, v string) (err error) {
	o.hasMaxDepth = true
	o.maxDepth, err = number("--max-depth", v)
	return err
}

func sorting(o *options, v string) error {
	switch v {
	case "none":
		return nil
	case "path":
		o.oneThread = true
		return nil
	case "modified", "accessed", "created":
		return unsupported("--sort", onlyTimes)
	}
	return unsupported("--sort", "%q is not a value of it", v)
}
