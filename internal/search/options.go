package search

import (
	"math"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/search/ignore"
)

// caseMode is how the case of letters counts.
type caseMode uint8

const (
	caseExact caseMode = iota
	caseFold
	caseSmart
)

// options are the flags of a command, as they stand after the last one.
type options struct {
	patterns  []string
	hasRegexp bool // by -e, so that no positional argument is a pattern
	paths     []string

	caseMode                                                  caseMode
	word, line, fixed, invert, multiline, dotAll, crlf, ascii bool
	hasMaxCount                                               bool
	maxCount                                                  int

	globs, iglobs                                                          []string
	globFold                                                               bool
	types                                                                  ignore.TypeFlags
	hidden, noIgnore, noIgnoreDot, noIgnoreVCS, noIgnoreParent, ignoreFold bool
	unrestricted                                                           int
	hasMaxDepth, hasMaxSize                                                bool
	maxDepth                                                               int
	maxSize                                                                int64

	text, binary, mmap, noMmap, rawBytes bool

	count, countMatches, with, without, includeZero  bool
	onlyMatching, vimgrep, trim                      bool
	numbers, noNumbers, column, noColumn, byteOffset bool
	names, noNames, nulNames                         bool
	oneThread                                        bool
}

// number parses the value of a flag that takes a whole number.
func number(flag, v string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(v, "+"), 10, 64)
	if err != nil || strings.HasPrefix(v, "++") {
		return 0, unsupported(flag, "%q is not a number", v)
	}
	return int(min(n, math.MaxInt)), nil
}

// size parses a number of bytes with an optional suffix K, M or G.
func size(flag, v string) (int64, error) {
	shift := 0
	if i := strings.IndexByte("KMG", lastByte(v)); i >= 0 {
		shift = 10 * (i + 1)
		v = v[:len(v)-1]
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil || n > math.MaxInt64>>shift {
		return 0, unsupported(flag, "%q is not a size such as 50K or 80M", v)
	}
	return int64(n) << shift, nil
}

func lastByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// parseFlags reads the words of a command after its name.
func parseFlags(words []string) (*options, error) {
	p := flagParser{o: &options{}, words: words, given: map[string]bool{}}
	for len(p.words) > 0 {
		w := p.words[0]
		p.words = p.words[1:]
		var err error
		switch {
		case p.literal || w == "-" || !strings.HasPrefix(w, "-"):
			p.positional = append(p.positional, w)
		case w == "--":
			p.literal = true
		case strings.HasPrefix(w, "--"):
			err = p.long(w[2:])
		default:
			err = p.cluster(w[1:])
		}
		if err != nil {
			return nil, err
		}
	}
	if !p.o.hasRegexp {
		if len(p.positional) == 0 {
			return nil, unsupported("", "the command has no pattern")
		}
		p.o.patterns, p.positional = p.positional[:1], p.positional[1:]
	}
	p.o.paths = p.positional
	return p.o, p.o.check()
}

// flagParser holds what is left of a command.
type flagParser struct {
	o          *options
	words      []string
	positional []string
	literal    bool            // after --
	given      map[string]bool // flags seen so far
	inner      string          // one-letter flags with another one after them in their word
}

// rivals are one-letter flags of which the last one given holds. ripgrep 13
// settles that only for the last letter of each word: of two that both have
// another letter after them neither gives way.
var rivals = [...]string{"isS", "wx", "nN", "HI"}

// noteInner records a flag that another one follows in its word.
func (p *flagParser) noteInner(c byte) error {
	for _, group := range rivals {
		if strings.IndexByte(group, c) < 0 {
			continue
		}
		if i := strings.IndexAny(p.inner, group); i >= 0 {
			return unsupported("-"+string(c), "both it and -%c have another flag after them in their word, so that ripgrep 13 applies both", p.inner[i])
		}
	}
	p.inner += string(c)
	return nil
}

// long reads --name or --name=value.
func (p *flagParser) long(text string) error {
	name, value, attached := strings.Cut(text, "=")
	for i := range flagTable {
		if f := &flagTable[i]; f.long == name {
			return p.flag(f, "--"+name, value, attached)
		}
	}
	return unsupported("--"+name, "ripgrep 13 has no such flag")
}

// cluster reads what follows a single hyphen: one-letter flags, the last of which
// may take the rest of the word as its value.
func (p *flagParser) cluster(text string) error {
	for i := 0; i < len(text); i++ {
		f := shortFlag(text[i])
		if f == nil {
			return unsupported("-"+text[i:], "ripgrep 13 has no such flag")
		}
		if f.value {
			return p.flag(f, "-"+text[i:i+1], text[i+1:], i+1 < len(text))
		}
		if err := p.flag(f, "-"+text[i:i+1], "", false); err != nil {
			return err
		}
		if i+1 < len(text) {
			if err := p.noteInner(text[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func shortFlag(c byte) *flag {
	for i := range flagTable {
		if f := &flagTable[i]; f.short == c && c != 0 {
			return f
		}
	}
	return nil
}

// flag applies one flag, with the value attached to it or the next word.
func (p *flagParser) flag(f *flag, as, value string, attached bool) error {
	if f.refuse != "" {
		return unsupported(as, "%s", f.refuse)
	}
	if p.given[f.long] && !f.many {
		return unsupported(as, "it is given twice, which confuses ripgrep 13")
	}
	p.given[f.long] = true
	if !f.value {
		if attached {
			return unsupported(as, "it takes no value")
		}
		if f.apply == nil {
			return nil
		}
		return f.apply(p.o, "")
	}
	if !attached {
		if len(p.words) == 0 || len(p.words[0]) > 1 && p.words[0][0] == '-' && !f.hyphen {
			return unsupported(as, "it needs a value")
		}
		value, p.words = p.words[0], p.words[1:]
	}
	if strings.HasPrefix(value, "=") && attached || value == "" && !f.hyphen {
		return unsupported(as, "the value %q is not evaluated", value)
	}
	if f.apply == nil {
		return nil
	}
	return f.apply(p.o, value)
}

// check refuses combinations whose output is not evaluated.
func (o *options) check() error {
	switch {
	case o.hasMaxCount && o.maxCount == 0:
		return unsupported("--max-count", "with 0 ripgrep searches nothing")
	case o.nulNames && (o.with || o.without) && !o.count && !o.countMatches:
		return unsupported("--null", "the names would all be one line")
	case len(o.globs)+len(o.iglobs) > maxGlobs:
		return unsupported("--glob", "more than %d globs", maxGlobs)
	case o.fixed && len(o.patterns) >= manyLiterals:
		return unsupported("--fixed-strings", "%d patterns or more take another way through ripgrep", manyLiterals)
	}
	return nil
}

// manyLiterals is the number of -F patterns from which on ripgrep takes them as
// written, whatever other flags and the empty pattern would make of them.
const manyLiterals = 40
