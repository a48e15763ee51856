package regex

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

func TestFoldableIsAllThatFolds(t *testing.T) {
	var all []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.SimpleFold(r) != r {
			all = append(all, r)
		}
	}
	assert.Equal(t, all, foldable())
}
