package search_test

import (
	"testing"
)

func TestAdHoc(t *testing.T) {
	files := tree{"a.py": "foo\nFoo bar\n\nbaz foo\n", "sub/b.txt": "foo\r\nfoo", "sub/.hid": "foo\n", ".gitignore": "ign\n", "sub/ign": "foo\n"}
	o := newOracle(t, checkout(t, files))
	for _, c := range []string{"rg foo", "rg -n foo", "rg -i foo", "rg -c foo", "rg -l foo", "rg -v foo", "rg -o foo", "rg -w foo", "rg -x foo", "rg '^$'", "rg --hidden foo", "rg -uu foo -g '!.git'", "rg --files-without-match foo"} {
		for _, s := range []string{"", "sub", "a.py", "a.py sub", "sub/", "./sub", "missing"} {
			t.Log(c, s, verify(t, o, files, c, s))
		}
	}
}
