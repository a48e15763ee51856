package search

// summary is a form of output with at most one line a file.
type summary uint8

const (
	lines        summary = iota // the matching lines themselves
	countLines                  // -c
	countEach                   // --count-matches
	filesWith                   // -l
	filesWithout                // --files-without-match
)

// form is what decides which lines are printed for the matches of a file. It is
// part of keys, so its fields are exported to json.
type form struct {
	Summary     summary
	IncludeZero bool // -c: files with no match too
	Only        bool // -o: each match on a line
	Each        bool // --vimgrep: the line once for each match
	Trim        bool // leading white space is cut
	Prefixed    bool // lines begin with a number or an offset, so that none is blank
	Binary      bool // --binary, -uuu: NUL does not end the search of a file
	Text        bool // -a: NUL is nothing special
	Raw         bool // -E none: no byte-order mark is special
}

// form works out the output form from the flags.
func (o *options) form() (form, error) {
	f := form{
		IncludeZero: o.includeZero, Only: o.onlyMatching, Each: o.vimgrep, Trim: o.trim,
		Binary: o.binary || o.unrestricted >= 3, Text: o.text, Raw: o.rawBytes,
	}
	switch {
	case o.countMatches && o.invert:
		f.Summary = countLines
	case o.count && o.onlyMatching, o.countMatches:
		f.Summary = countEach
	case o.count:
		f.Summary = countLines
	case o.with:
		f.Summary = filesWith
	case o.without:
		f.Summary = filesWithout
	}
	column := (o.column || o.vimgrep) && !o.noColumn
	if f.Summary != lines {
		f.Only, f.Each, f.Trim = false, false, false
		return f, nil
	}
	f.IncludeZero = false
	if column && o.noNumbers {
		return f, unsupported("--column", "with -N its output is not evaluated")
	}
	f.Prefixed = !o.noNumbers && (o.numbers || o.column || o.vimgrep) || o.byteOffset
	if f.Only {
		f.Each = false
	}
	return f, nil
}

// showHidden, ignoreKinds and parentRules say which files are left out.
func (r *Reach) showHidden() bool { return r.o.hidden || r.o.unrestricted >= 2 }

// ignoreKinds are the kinds of ignore files that the search respects.
type ignoreKinds struct{ RG, Dot, Git bool }

func (r *Reach) ignoreKinds() ignoreKinds {
	o := r.o
	if o.noIgnore || o.unrestricted >= 1 {
		return ignoreKinds{}
	}
	return ignoreKinds{RG: true, Dot: !o.noIgnoreDot, Git: !o.noIgnoreVCS}
}

func (k ignoreKinds) any() bool { return k.RG || k.Dot || k.Git }

// parentRules reports whether ignore files above a scope path count.
func (r *Reach) parentRules() bool {
	return r.ignoreKinds().any() && !r.o.noIgnoreParent
}
