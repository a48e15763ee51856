package cardrepo

import (
	"regexp/syntax"

	"github.com/rescore-app/rescore/internal/search"
)

// maxSamples bounds the texts that are tried for one search.
const maxSamples = 64

// Samples returns short texts that the search may hit, at most 64.
func Samples(q *search.Query) []string { return samples(q.Patterns()) }

// samples returns short texts that the patterns may match, one for each way
// through their alternations. Whether they do is for the search engine to say.
func samples(patterns []string) []string {
	var out []string
	for _, p := range patterns {
		re, err := syntax.Parse(p, syntax.Perl)
		if err != nil {
			out = append(out, p) // the text itself, as with -F
			continue
		}
		out = append(out, expand(re)...)
		out = append(out, p)
	}
	return out[:min(len(out), maxSamples)]
}

// expand returns a text for each alternative below the expression.
func expand(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCharClass:
		return []string{string(printable(re.Rune))}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []string{"_"}
	case syntax.OpCapture, syntax.OpPlus:
		return expand(re.Sub[0])
	case syntax.OpRepeat:
		return repeat(expand(re.Sub[0]), re.Min)
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			out = product(out, expand(sub))
		}
		return out
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			out = append(out, expand(sub)...)
		}
		return out[:min(len(out), maxSamples)]
	default: // empty matches, anchors, stars and question marks
		return []string{""}
	}
}

func repeat(texts []string, n int) []string {
	out := []string{""}
	for range min(n, maxSamples) {
		out = product(out, texts[:1])
	}
	return out
}

func product(heads, ends []string) []string {
	var out []string
	for _, h := range heads {
		for _, e := range ends {
			if len(out) == maxSamples {
				return out
			}
			out = append(out, h+e)
		}
	}
	return out
}

// printable picks a character of the class, a printable one where there is one.
func printable(ranges []rune) rune {
	for i := 0; i+1 < len(ranges); i += 2 {
		if r := max(ranges[i], '!'); r <= min(ranges[i+1], '~') {
			return r
		}
	}
	if len(ranges) == 0 {
		return '_'
	}
	return ranges[0]
}
