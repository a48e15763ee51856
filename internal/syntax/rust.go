package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// rustReader reads Rust, in which white space only parts tokens. What rustfmt chooses
// outside of macros is spelled one way: the comma behind the last item, a block around
// all of a closure or of an arm of a match, the semicolon behind a return that ends a
// block. A macro may look at any token it is given, so in one all of them count.
type rustReader struct {
	program
	macro  []bool       // by token: it is in what a macro or an attribute is given
	takes  []bool       // by bracket: what stands in it is
	arms   []bool       // by bracket: arms of a match stand in it
	bare   []bool       // by brace: it is left out, and so is its match
	blocks []bool       // by token: what is written up to it ends a block
	bounds map[int]bool // by bracket: what is written last in it are bounds of types
	leaves map[int]bool // by bracket: what is written last in it leaves it
	failed bool
}

// readRust is the reading of Rust.
func readRust(t *linemap.Text) (*linemap.Text, bool) {
	base, ok := newReader(t)
	if !ok {
		return nil, false
	}
	r := rustReader{program: program{reader: base}, bounds: map[int]bool{}, leaves: map[int]bool{}}
	if !r.tokenize(lexRust, nil) {
		return nil, false
	}
	r.survey()
	for i := range r.all {
		r.write(i)
	}
	return r.text(), !r.failed
}

// rustOperator matches a sign of several bytes. Those that end what angle brackets hold
// are read one by one.
var rustOperator = lazy.Regexp(`^(<<=|<<|<=|==|=>|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|->|::|\.\.\.|\.\.=|\.\.)`)

// rustPrefix matches what begins a string or a character, but for a plain one.
var rustPrefix = lazy.Regexp(`^((b|c)?r#*"|[bc]"|b')`)

// lexRust cuts Rust.
func lexRust(s []byte, i int) (tokenKind, int) {
	c := s[i]
	switch {
	case hasPrefixAt(s, i, "//"), i == 0 && hasPrefixAt(s, i, "#!/"):
		return tokenComment, endOfLine(s, i)
	case hasPrefixAt(s, i, "/*"):
		return tokenComment, blockComment(s, i, true)
	case c == '"':
		return tokenString, quoted(s, i, true)
	case c == '\'':
		if n := len(charLiteral().Find(s[i:min(len(s), i+maxChar)])); n > 0 {
			return tokenString, i + n
		}
		return tokenWord, wordEnd(s, i+1) // a lifetime
	case isDigit(c):
		return tokenNumber, numberEnd(s, i)
	case startsWord(c):
		return rustWord(s, i)
	}
	return tokenSign, i + max(1, len(rustOperator().Find(s[i:min(len(s), i+3)])))
}

// maxHashes bounds the prefix of a string that is looked at, in bytes.
const maxHashes = 260

// rustWord cuts a word, or a string that begins with one.
func rustWord(s []byte, i int) (tokenKind, int) {
	prefix := rustPrefix().Find(s[i:min(len(s), i+maxHashes)])
	switch n := len(prefix); {
	case n == 0 && hasPrefixAt(s, i, "r#"):
		return tokenWord, wordEnd(s, i+2)
	case n == 0:
		return tokenWord, wordEnd(s, i)
	case bytes.IndexByte(prefix, 'r') < 0:
		if end := quoted(s, i+n-1, true); end > i+n-1 {
			return tokenString, end
		}
		return tokenString, i
	default:
		hashes := bytes.Repeat([]byte{'#'}, bytes.Count(prefix, []byte{'#'}))
		if end := bytes.Index(s[i+n:], append([]byte{'"'}, hashes...)); end >= 0 {
			return tokenString, i + n + end + 1 + len(hashes)
		}
		return tokenString, i
	}
}

// rustKeyword matches words that are no names.
var rustKeyword = lazy.Regexp(`^('.*|as|async|await|become|box|break|const|continue|do|dyn|else|enum|extern|fn|for|gen|if|impl|in|let|loop|match|mod|move|mut|pub|ref|return|static|struct|trait|try|type|unsafe|use|where|while|yield)$`)

// name reports whether the token is a name.
func (r *rustReader) name(i int) bool {
	return r.kindOf(i) == tokenWord && !rustKeyword().MatchString(r.textOf(i))
}

// survey finds out what the tokens stand in.
func (r *rustReader) survey() {
	for _, of := range []*[]bool{&r.macro, &r.takes, &r.arms, &r.bare, &r.blocks} {
		*of = make([]bool, len(r.all))
	}
	for i, x := range r.all {
		r.macro[i] = x.outer >= 0 && r.takes[x.outer]
		r.takes[i] = r.macro[i] || x.match > i && r.given(i)
		switch {
		case r.macro[i]:
		case r.is(i, "=>") && x.outer >= 0:
			r.arms[x.outer] = true
		case r.is(i, "macro"):
			r.failed = true // whatever follows is given to it
		}
	}
	for i := range r.all {
		if r.is(i, "{") && !r.macro[i] && r.wraps(i) {
			r.bare[i], r.bare[r.all[i].match] = true, true
		}
		if r.is(i, "}") {
			before := r.beside(i, -1)
			r.blocks[i] = !r.bare[i] || r.is(before, "}") && r.blocks[before]
		}
	}
}

// ordinary matches attributes of the language in which a comma behind the last item
// means nothing.
var ordinary = lazy.Regexp(`^(derive|cfg|allow|warn|deny|forbid|expect)$`)

// given reports whether what stands in the bracket is given to a macro or an attribute.
func (r *rustReader) given(open int) bool {
	before := r.beside(open, -1)
	if r.attribute(open) {
		return !ordinary().MatchString(r.textOf(r.beside(open, 1)))
	}
	if r.is(before, "!") {
		return r.name(r.beside(before, -1))
	}
	bang := r.beside(before, -1)
	return r.name(before) && r.is(bang, "!") && r.is(r.beside(bang, -1), "macro_rules")
}

// attribute reports whether the bracket is that of an attribute.
func (r *rustReader) attribute(open int) bool {
	before := r.beside(open, -1)
	return r.is(before, "#") || r.is(before, "!") && r.is(r.beside(before, -1), "#")
}

// write writes the token down.
func (r *rustReader) write(i int) {
	r.goTo(i)
	switch x := r.all[i]; {
	case x.kind == tokenComment:
		r.comment(x)
	case x.kind == tokenString:
		r.literal(x)
	case r.macro[i]:
		r.upTo(x.to, markLine)
		if !(r.joint(i) && r.joint(i+1) && r.all[i+1].from == x.to) {
			r.put(' ')
		}
	case r.bare[i]:
		r.unwrapped(i)
	case r.is(i, ",") && r.idle(i), r.is(i, ";") && r.left(i):
	default:
		r.follow(i)
		r.putToken(i)
		if next := r.beside(i, 1); r.is(i, "extern") && r.kindOf(next) != tokenString && !r.is(next, "crate") {
			r.puts(`"C" `)
		}
	}
}

// joint reports whether the token is a sign that a macro may see beside another.
func (r *rustReader) joint(i int) bool {
	return i < len(r.all) && r.macro[i] && r.all[i].kind == tokenSign && !IsBracket(r.s[r.all[i].from]) && !r.is(i, ",") && !r.is(i, ";")
}

// follow keeps what the tokens so far make of those that come.
func (r *rustReader) follow(i int) {
	outer := r.all[i].outer
	switch {
	case r.is(i, "where"):
		r.bounds[outer] = true
	case r.is(i, "{"), r.is(i, ";"):
		r.bounds[outer], r.leaves[outer] = false, false
	case r.is(i, "return"), r.is(i, "break"), r.is(i, "continue"):
		before := r.beside(i, -1)
		r.leaves[outer] = before == outer || r.is(before, ";") || r.is(before, "}")
	}
}

// left reports whether the semicolon ends a statement that leaves the block which ends
// behind it.
func (r *rustReader) left(i int) bool {
	return r.leaves[r.all[i].outer] && r.is(r.beside(i, 1), "}")
}

// comment writes a comment down, as its lines without what indents them; documentation
// in one of several lines counts as written.
func (r *rustReader) comment(x token) {
	switch text := r.s[x.from:x.to]; {
	case bytes.HasPrefix(text, []byte("/*!")), bytes.HasPrefix(text, []byte("/**")) && !bytes.HasPrefix(text, []byte("/***")) && len(text) > len("/**/"):
		r.upTo(x.to, markLine)
	case bytes.HasPrefix(text, []byte("/*")):
		for r.at < x.to {
			stop := min(x.to, r.lineEnd())
			r.put(bytes.TrimRight(r.s[r.at:stop], Blanks+"\r")...)
			if r.at = stop; r.at < x.to {
				r.put(markLine)
				r.newline()
				r.skip()
			}
		}
	default:
		r.rest()
		r.put(bytes.TrimRight(text, Blanks+"\r")...)
	}
	r.put(markRemark)
}

// rawString matches what begins a string in which a backslash says nothing.
var rawString = lazy.Regexp(`^[bc]?r#*"`)

// literal writes a string or a character down. A backslash at a line's end leaves out
// the break and all white space behind it.
func (r *rustReader) literal(x token) {
	head := r.s[x.from:min(x.to, x.from+maxHashes)]
	if rawString().Match(head) {
		r.upTo(x.to, markLine)
		r.put(' ')
		return
	}
	for r.at < x.to {
		switch c := r.peek(0); {
		case c == '\\' && r.peek(1) == '\n':
			r.at++
			for r.at < x.to && (r.peek(0) == '\n' || IsBlank(r.peek(0))) {
				if r.skip() == 0 {
					r.newline()
				}
			}
		case c == '\\':
			r.put(r.s[r.at : r.at+2]...)
			r.at += 2
		case c == '\n':
			r.put(markLine)
			r.newline()
		default:
			r.put(c)
			r.at++
		}
	}
	r.put(' ')
}
