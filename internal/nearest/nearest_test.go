package nearest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/nearest"
)

func TestWord(t *testing.T) {
	words := []string{"drop", "minimum", "version", "RESCORE_WORKERS", "RESCORE_LISTEN"}
	for in, want := range map[string]string{
		"Drop": "drop", "drp": "drop", "dorp": "drop", "minmum": "minimum", "verison": "version",
		"RESCORE_WORKER": "RESCORE_WORKERS", "rescore_workers": "RESCORE_WORKERS", "RESCORE_LITSEN": "RESCORE_LISTEN",
		"": "", "d": "", "qqq": "", "until": "", "PATH": "", "RESCORE_COLOUR": "",
		strings.Repeat("x", 100): "", strings.Repeat("drop", 20): "",
	} {
		assert.Equal(t, want, nearest.Word(in, words), "%q", in)
	}
	assert.Empty(t, nearest.Word("drop", nil))
	assert.Equal(t, "bat", nearest.Word("cat", []string{"bat", "rat"}), "the first of several")
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "four", 4}, {"kitten", "sitting", 3}, {"Same", "sAME", 0},
		{"dorp", "drop", 1}, {"ca", "abc", 3}, {"abcdef", "badcfe", 3},
	} {
		assert.Equal(t, tc.want, nearest.Distance(tc.a, tc.b), "%q %q", tc.a, tc.b)
		assert.Equal(t, tc.want, nearest.Distance(tc.b, tc.a), "%q %q", tc.b, tc.a)
	}
}
