package evidence

import (
	"strings"

	"github.com/rescore-app/rescore/internal/syntax"
)

// Bounds of the likeness of two lines.
const (
	maxTokens     = 200 // tokens of a line that are compared
	maxTokenBytes = 4000
)

// token is a word or a single byte of punctuation.
type token struct {
	text   string
	weight int // bytes of a word, 1 for punctuation
}

// tokens cuts a canonical line into words and punctuation.
func tokens(line []byte) []token {
	line = line[:min(len(line), maxTokenBytes)]
	var out []token
	for i := 0; i < len(line) && len(out) < maxTokens; {
		c := line[i]
		j := i + 1
		if syntax.IsWordByte(c) {
			for j < len(line) && syntax.IsWordByte(line[j]) {
				j++
			}
		}
		if !syntax.IsBlank(c) {
			out = append(out, token{string(line[i:j]), j - i})
		}
		i = j
	}
	return out
}

// alike is how much two lines have in common, from 0 to 1: twice the weight of
// the longest common subsequence of their tokens, words that differ in a few
// letters counting in part, over the weight of both.
func alike(a, b []token) float64 {
	total := 0
	for _, t := range a {
		total += t.weight
	}
	for _, t := range b {
		total += t.weight
	}
	if total == 0 {
		return 0
	}
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			row[j+1] = max(above, row[j], diagonal+common(a[i].text, b[j].text))
			diagonal = above
		}
	}
	return 2 * float64(row[len(b)]) / float64(total)
}

// common is how many bytes two tokens share: all when they are equal, their equal
// beginning and end when that is most of both, else none.
func common(a, b string) int {
	if a == b {
		return len(a)
	}
	shorter, longer := min(len(a), len(b)), max(len(a), len(b))
	if 2*shorter < longer || shorter < 3 {
		return 0
	}
	n := 0
	for n < shorter && a[n] == b[n] {
		n++
	}
	for m := 0; n < shorter && a[len(a)-1-m] == b[len(b)-1-m]; m++ {
		n++
	}
	if 3*n < 2*longer {
		return 0
	}
	return n
}

// commonWords are words that say little about where a line belongs.
var commonWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`return None null nil true false True False pass break continue else elif try except finally
		catch end fi done then do begin if for while in is not and or self this def func fn function var let const import from
		async await new void int str string bool class public private static default case switch err error`) {
		out[w] = true
	}
	return out
}()

// maxLineInfo caps what a single line can say, so that one long line does not
// outweigh the rest of a block.
const maxLineInfo = 40

// information is how much a canonical line says about where it belongs: the
// bytes of its words that are not common ones, capped.
func information(line []byte) int {
	n := 0
	for _, t := range tokens(line) {
		if syntax.IsWordByte(t.text[0]) && !commonWords[t.text] {
			n += t.weight
		}
	}
	return min(n, maxLineInfo)
}

// Thresholds of a block's and of a line's information.
const (
	distinctiveBlock = 16 // a block that says less is not recognised by content alone
	telling          = 6  // a line that says less proves nothing about its neighbours
)
