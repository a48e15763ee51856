package syntax

import "github.com/rescore-app/rescore/internal/lazy"

// What rustfmt chooses outside of macros.

// idle reports whether the comma says nothing.
func (r *rustReader) idle(i int) bool {
	outer, before, next := r.all[i].outer, r.beside(i, -1), r.beside(i, 1)
	switch {
	case r.is(next, ">"):
		return true
	case r.is(next, "{"), r.is(next, ";"):
		return r.bounds[outer]
	case outer < 0 || next >= len(r.all) || before == outer || r.is(before, ";"):
		return false
	case r.is(outer, "[") && (r.attribute(outer) || r.name(r.beside(outer, -1))):
		return false // an attribute or an index, no list
	case r.all[next].match == outer:
		return !r.is(outer, "(") || r.name(r.beside(outer, -1)) || r.commas(outer, i)
	}
	return r.arms[outer] && r.is(before, "}") && r.blocks[before]
}

// commas reports whether another comma stands right inside the bracket before the given.
func (r *rustReader) commas(open, before int) bool {
	for i := before - 1; i > open; i-- {
		if m := r.all[i].match; m >= 0 && m < i {
			i = m
			continue
		}
		if r.is(i, ",") {
			return true
		}
	}
	return false
}

// unwrapped writes down what is left of a brace that is left out: behind an arm that
// nothing parts from the next one, a comma.
func (r *rustReader) unwrapped(i int) {
	open := r.all[i].match
	next := r.beside(i, 1)
	if open > i || r.blocks[i] || !r.is(r.beside(open, -1), "=>") || r.is(next, ",") || r.is(next, "}") {
		return
	}
	r.puts(", ")
}

// wraps reports whether the braces hold a single expression and are all of an arm or a
// closure.
func (r *rustReader) wraps(open int) bool {
	end := r.all[open].match
	before, next := r.beside(open, -1), r.beside(end, 1)
	switch {
	case r.is(before, "=>"):
		if r.is(next, ".") || r.is(next, "?") {
			return false
		}
	case r.is(before, "||"), r.is(before, "|"):
		if !r.closure(before) || !(r.is(next, ",") || r.is(next, ")") || r.is(next, "]") || r.is(next, "}") || r.is(next, ";")) {
			return false
		}
	default:
		return false
	}
	return r.expression(open, end)
}

// closure reports whether the sign ends the parameters of a closure.
func (r *rustReader) closure(i int) bool {
	if r.is(i, "|") {
		outer := r.all[i].outer
		for i--; i > outer && !(r.is(i, "|") && r.all[i].outer == outer); i-- {
			if m := r.all[i].match; m >= 0 && m < i {
				i = m
			}
		}
		if i <= outer {
			return false
		}
	}
	b := r.beside(i, -1)
	return r.is(b, "(") || r.is(b, ",") || r.is(b, "=") || r.is(b, "move") || r.is(b, "[") || r.is(b, ":")
}

// notAlone matches words that begin what is more than an expression, or may.
var notAlone = lazy.Regexp(`^(fn|struct|enum|union|impl|mod|use|trait|static|const|type|pub|extern|let|macro_rules|#|unsafe|async|auto|default)$`)

// expression reports whether a single expression stands in the braces, and no comment.
func (r *rustReader) expression(open, end int) bool {
	first := open + 1
	if first == end || notAlone().MatchString(r.textOf(first)) || r.callsMacro(first) {
		return false
	}
	for i := first; i < end; i++ {
		if r.kindOf(i) == tokenComment || r.is(i, ";") {
			return false
		}
		if m := r.all[i].match; m > i {
			i = m
		}
		if r.is(i, "}") && i+1 < end && !r.is(i+1, ".") && !r.is(i+1, "?") && !r.is(i+1, "else") {
			return false // it may end a statement
		}
	}
	return true
}

// callsMacro reports whether a macro is called at the token with what stands in braces:
// as a statement that need not be an expression.
func (r *rustReader) callsMacro(i int) bool {
	for r.kindOf(i) == tokenWord || r.is(i, "::") {
		i++
	}
	return r.is(i, "!") && r.is(i+1, "{")
}
