package regex

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A scanner near its bound gives up in the middle of a text, says so, and finds
// nothing from there on; below the bound it does not.
func TestScannerGivesUpAtItsBound(t *testing.T) {
	re, err := Compile(`o.*z|r`, Options{Lines: true, Each: true})
	require.NoError(t, err)
	line := bytes.Repeat([]byte("foo bar "), 4<<10) // each o looks for a z to the end of the line
	matches := func(looks int) (n int, s *Scanner) {
		s = re.NewScanner(nil)
		s.work.looks = looks
		s.Each(line, 0, func(int, int) bool { n++; return true })
		return n, s
	}
	all, free := matches(0)
	assert.False(t, free.Exhausted())
	assert.Equal(t, 4<<10, all)
	assert.Greater(t, free.work.looks, 3, "the text is not hard enough for this test")

	some, tired := matches(maxLooks - 3)
	assert.True(t, tired.Exhausted())
	assert.Less(t, some, all)
	_, _, found := tired.Find([]byte("r"), 0)
	for range 3 * workPerLook { // small texts may still be answered until the next look
		if !found {
			break
		}
		_, _, found = tired.Find([]byte("r"), 0)
	}
	assert.False(t, found)
}
