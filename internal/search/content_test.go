package search

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestDecode(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"", ""}, {"a", "a"}, {"\xef\xbb\xbfa", "a"}, {"\xef\xbb\xbf\xef\xbb\xbfa", "\xef\xbb\xbfa"}, {"\xef\xbb", "\xef\xbb"},
		{"\xff\xfea\x00", "a"}, {"\xfe\xff\x00a", "a"}, {"\xff\xfe", ""}, {"\xff\xfea", "\uFFFD"}, {"\xff\xfe\xff\xfea\x00", "a"},
		{"\xff\xfe\x00\xd8a\x00", "\uFFFDa"}, {"\xff\xfe\x3d\xd8\x00\xde", "\U0001F600"}, {"\xff\xfe\x3d\xd8\x00", "\uFFFD"},
	} {
		assert.Equal(t, tc.want, string(decode([]byte(tc.in), false).data), "%q", tc.in)
	}
	assert.Equal(t, "\xef\xbb\xbfa", string(decode([]byte("\xef\xbb\xbfa"), true).data))
}

func TestDecodeUTF16AgreesWithStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOf(rapid.OneOf(rapid.Uint16(), rapid.Uint16Range(0xD7F0, 0xE010))).Draw(t, "units")
		if len(units) > 0 && units[0] == 0xFEFF {
			t.Skip("a second mark")
		}
		src := []byte{0xFF, 0xFE}
		for _, u := range units {
			src = append(src, byte(u), byte(u>>8))
		}
		c := decode(src, false)
		if len(units) > 0 {
			assert.Equal(t, string(utf16.Decode(units)), string(c.data))
		}
		sum := 0
		for _, n := range c.reads {
			sum += n
		}
		assert.Equal(t, len(c.data), sum)
	})
}

// The windows of a content are whole lines and make up the content.
func TestRollerGivesWholeLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 50_000), 0, 8).Draw(t, "lines") {
			b.WriteString(strings.Repeat("x", n) + "\n")
		}
		b.WriteString(rapid.SampledFrom([]string{"", "end"}).Draw(t, "end"))
		r := newRoller(content{data: b.Bytes(), reads: []int{min(3, b.Len())}}, false)
		at := 0
		for {
			start, end, nul, ok := r.next()
			assert.False(t, nul)
			if !ok {
				break
			}
			assert.Equal(t, at, start)
			assert.True(t, end == b.Len() || b.Bytes()[end-1] == '\n')
			at = end
		}
		assert.Equal(t, b.Len(), at)
	})
}

func TestRollerSeesNULWhereItIsRead(t *testing.T) {
	early := newRoller(content{data: []byte("a\n\x00b\n"), reads: []int{3}}, false)
	_, _, nul, ok := early.next()
	assert.True(t, ok && nul, "the first read brings the NUL along")
	late := []byte("a\nbc\n" + strings.Repeat("x\n", lineBuffer) + "\x00")
	r := newRoller(content{data: late, reads: []int{3}}, true)
	_, end, nul, ok := r.next()
	assert.True(t, ok && !nul)
	assert.Equal(t, 2, end, "what is peeked at for a mark comes as a read of its own")
	for ok && !nul {
		_, end, nul, ok = r.next()
	}
	assert.True(t, nul)
	assert.Equal(t, len(late), end)
	assert.NotContains(t, string(r.data), "\x00")
}
