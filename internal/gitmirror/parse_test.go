package gitmirror

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	idA  = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	idB  = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	zero = "0000000000000000000000000000000000000000"
)

func TestParseRawDiffRefusesWhatGitDoesNotSay(t *testing.T) {
	for name, in := range map[string]string{
		"no colon":               "100644 100644 " + idA + " " + idB + " M\x00p\x00",
		"no end":                 ":100644 100644 " + idA + " " + idB + " M",
		"no path":                ":100644 100644 " + idA + " " + idB + " M\x00",
		"empty path":             ":100644 100644 " + idA + " " + idB + " M\x00\x00",
		"path without end":       ":100644 100644 " + idA + " " + idB + " M\x00p",
		"four fields":            ":100644 100644 " + idA + " M\x00p\x00",
		"six fields":             ":100644 100644 " + idA + " " + idB + " M x\x00p\x00",
		"short id":               ":100644 100644 aaaa " + idB + " M\x00p\x00",
		"mode not octal":         ":100648 100644 " + idA + " " + idB + " M\x00p\x00",
		"long mode":              ":0100644 100644 " + idA + " " + idB + " M\x00p\x00",
		"unknown status":         ":100644 100644 " + idA + " " + idB + " X\x00p\x00",
		"copy":                   ":100644 100644 " + idA + " " + idB + " C100\x00p\x00q\x00",
		"modified with a score":  ":100644 100644 " + idA + " " + idB + " M50\x00p\x00",
		"rename":                 ":100644 100644 " + idA + " " + idB + " R100\x00p\x00q\x00",
		"status with a score":    ":100644 100644 " + idA + " " + idB + " M100\x00p\x00",
		"added with an old side": ":100644 100644 " + idA + " " + idB + " A\x00p\x00",
		"deleted with a new one": ":100644 100644 " + idA + " " + idB + " D\x00p\x00",
		"modified without one":   ":000000 100644 " + zero + " " + idB + " M\x00p\x00",
		"mode without object":    ":100644 100644 " + zero + " " + idB + " M\x00p\x00",
		"object without mode":    ":000000 100644 " + idA + " " + idB + " A\x00p\x00",
		"combined diff":          "::100644 100644 100644 " + idA + " " + idA + " " + idB + " MM\x00p\x00",
		"rest after a record":    ":100644 100644 " + idA + " " + idB + " M\x00p\x00rest",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseRawDiff([]byte(in))
			require.ErrorContains(t, err, "raw diff at byte")
		})
	}
	changes, err := parseRawDiff(nil)
	require.NoError(t, err)
	assert.Empty(t, changes)
}

// printChange writes a change as git does.
func printChange(b *strings.Builder, c Change) {
	side := func(o OID) string {
		if o == "" {
			return zero
		}
		return string(o)
	}
	fmt.Fprintf(b, ":%06o %06o %s %s %c\x00%s\x00", c.OldMode, c.NewMode, side(c.OldOID), side(c.NewOID), c.Status, c.Path)
}

func TestParseRawDiffReadsWhatWasPrinted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		path := rapid.StringMatching(`[^\x00]{1,20}`)
		id := rapid.SampledFrom([]OID{idA, idB})
		mode := rapid.SampledFrom([]uint32{ModeFile, ModeExecutable, ModeSymlink, ModeSubmodule})
		paths := rapid.SliceOfNDistinct(path, 0, 8, rapid.ID[string]).Draw(rt, "paths")
		var want []Change
		for _, p := range paths {
			c := Change{Status: rapid.SampledFrom([]byte("AMDT")).Draw(rt, "status"), Path: p}
			if c.Status != 'A' {
				c.OldMode, c.OldOID = mode.Draw(rt, "old mode"), id.Draw(rt, "old id")
			}
			if c.Status != 'D' {
				c.NewMode, c.NewOID = mode.Draw(rt, "new mode"), id.Draw(rt, "new id")
			}
			want = append(want, c)
		}
		var printed strings.Builder
		for _, c := range want {
			printChange(&printed, c)
		}
		got, err := parseRawDiff([]byte(printed.String()))
		require.NoError(rt, err)
		require.ElementsMatch(rt, want, got)
	})
}

func FuzzParseRawDiff(f *testing.F) {
	f.Add([]byte(":100644 100644 " + idA + " " + idB + " M\x00p\x00:000000 100644 " + zero + " " + idB + " A\x00new\nline\x00"))
	f.Add([]byte(":100644 120000 " + idA + " " + idB + " R096\x00old\x00new\x00"))
	f.Add([]byte(":160000 000000 " + idA + " " + zero + " D\x00:sub\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		changes, err := parseRawDiff(in)
		if err != nil {
			return
		}
		var printed strings.Builder
		for _, c := range changes {
			printChange(&printed, c)
		}
		again, err := parseRawDiff([]byte(printed.String()))
		require.NoError(t, err)
		require.Equal(t, changes, again)
		require.Len(t, printed.String(), len(in), "nothing was dropped")
	})
}

func TestParseHeader(t *testing.T) {
	for in, want := range map[string]header{
		idA + " blob 0":  {oid: idA, kind: "blob", size: 0},
		idA + " tree 12": {oid: idA, kind: "tree", size: 12},
		idA + "aaaaaaaaaaaaaaaaaaaaaaaa commit 1": {oid: OID(idA + "aaaaaaaaaaaaaaaaaaaaaaaa"), kind: "commit", size: 1},
		idA + " missing":               {why: "missing"},
		"a b c missing":                {why: "missing"},
		"abc ambiguous":                {why: "ambiguous"},
		" missing":                     {why: "missing"},
		idA + " blob 12 missing":       {why: "missing"},
		"sub/module:path^{} submodule": {why: "submodule"},
	} {
		got, err := parseHeader([]byte(in), idA)
		require.NoError(t, err, in)
		assert.Equal(t, want, got, in)
	}
	for _, in := range []string{
		"", "missing", idA, idA + " blob", idA + " blob -1", idA + " blob x", "abc blob 1", idA + " note 1", idA + "  1",
		idA + " blob 1 2", idA + " blob 99999999999999999999",
	} {
		_, err := parseHeader([]byte(in), idA)
		require.Error(t, err, "%q", in)
	}
}

func FuzzParseHeader(f *testing.F) {
	f.Add([]byte(idA + " blob 12"))
	f.Add([]byte("HEAD~3 missing"))
	f.Fuzz(func(t *testing.T, in []byte) {
		h, err := parseHeader(in, idA)
		switch {
		case err != nil:
		case h.oid == "":
			require.NotEmpty(t, h.why)
			require.True(t, bytes.HasSuffix(in, []byte(" "+h.why)))
		default:
			require.Empty(t, h.why)
			require.GreaterOrEqual(t, h.size, int64(0))
			require.True(t, strings.HasPrefix(string(in), string(h.oid)+" "+h.kind+" "))
		}
	})
}

func TestReadBodyRefusesAnAnswerToAnotherQuestion(t *testing.T) {
	want := header{oid: idA, kind: "blob", size: 3}
	read := func(s string) ([]byte, error) {
		return readBody(bufio.NewReader(strings.NewReader(s)), want, make([]byte, want.size+1))
	}
	body, err := read(idA + " blob 3\nabc\n")
	require.NoError(t, err)
	assert.Equal(t, "abc", string(body))
	assert.Equal(t, 3, cap(body), "appending does not reach what follows")
	for _, in := range []string{idB + " blob 3\nabc\n", idA + " blob 4\nabcd\n", idA + " blob 3\nabcd\n"} {
		_, err := read(in)
		require.ErrorIs(t, err, ErrCorrupt, "%q", in)
	}
	for _, in := range []string{"", idA + " blob 3\n", idA + " blob 3\nabc", idA + " blob 3\nab"} {
		_, err := read(in)
		require.Error(t, err, "%q", in)
	}
}

func FuzzEachEntry(f *testing.F) {
	id := strings.Repeat("\x01", 20)
	f.Add([]byte("100644 a\x00"+id+"40000 b\x00"+id), false)
	f.Add([]byte("160000 sub\x00"+id+"\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02"), true)
	f.Fuzz(func(t *testing.T, raw []byte, long bool) {
		idLen := 20
		if long {
			idLen = 32
		}
		read := 0
		err := eachEntry(raw, idLen, func(e treeEntry) bool {
			require.Len(t, e.id, idLen)
			require.False(t, badName(e.name))
			require.Len(t, string(e.oid()), 2*idLen)
			read += len(e.name) + idLen
			return true
		})
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		require.LessOrEqual(t, read, len(raw))
	})
}

func TestDiagnose(t *testing.T) {
	for said, want := range map[string]error{
		"fatal: bad object " + idA:                                                                          ErrUnknownRev,
		"fatal: unable to read tree " + idA:                                                                 ErrMissing,
		"fatal: unable to read " + idA:                                                                      ErrMissing,
		"error: inflate: data stream error (incorrect header check)":                                        ErrCorrupt,
		"fatal: packed object " + idA + " (stored in x.pack) is corrupt":                                    ErrCorrupt,
		"error: wrong index v2 file size in x.idx\nfatal: bad object " + idA:                                ErrCorrupt,
		"fatal: could not read Username for 'https://h': terminal prompts disabled":                         ErrUnauthorized,
		"fatal: unable to access 'https://h/': The requested URL returned error: 403":                       ErrForbidden,
		"fatal: unable to access 'https://h/': The requested URL returned error: 503":                       ErrUnavailable,
		"fatal: unable to access 'https://h/': Could not resolve host: h":                                   ErrUnavailable,
		"fatal: unable to access 'https://h/': The requested URL returned error: 301":                       ErrRedirected,
		"fatal: repository 'https://h/o/n.git/' not found":                                                  ErrRemoteNotFound,
		"error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF": ErrUnavailable,
		"fatal: transport 'file' not allowed":                                                               ErrRemoteURL,
		"fatal: something else":                                                                             nil,
	} {
		assert.Equal(t, want, diagnose(said), said)
	}
}

func TestGitErrorNamesTheCause(t *testing.T) {
	err := &GitError{Args: []string{"fetch", "--quiet"}, ExitCode: 128, Stderr: "hint: chatter\nerror: one\nerror: one\nwarning: chatter\nfatal: two\n", kind: ErrCorrupt}
	assert.Equal(t, "git fetch: the repository is damaged (exit status 128: error: one; fatal: two)", err.Error())
	err = &GitError{Args: []string{"fetch"}, ExitCode: 1, Stderr: "no mark\n"}
	assert.Equal(t, "git fetch (exit status 1: no mark)", err.Error())
}

func TestTailBufferKeepsTheEnd(t *testing.T) {
	var b tailBuffer
	for i := range 10_000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	assert.Len(t, b.data, maxStderr)
	assert.True(t, strings.HasSuffix(b.String(), "line 9999\n"))
	b = tailBuffer{}
	fmt.Fprint(&b, "a\x1b[31m\xff\tb\n")
	assert.Equal(t, "a [31m? b\n", b.String())
}

func TestOperandsThatLookLikeFlagsAreRefused(t *testing.T) {
	for _, operand := range []string{"-x", "--upload-pack=touch x", "-", "a\x00b"} {
		_, err := call{subcommand: "diff-tree", operands: []string{operand}}.args()
		require.ErrorContains(t, err, "could be read as a flag")
	}
	_, err := call{subcommand: "diff-tree", operands: []string{strings.Repeat("x", maxOperandBytes)}}.args()
	require.ErrorIs(t, err, ErrTooLarge)
}

func TestOutputOverTheLimitEndsGit(t *testing.T) {
	ended := false
	b := &limitedBuffer{limit: 10, full: func() { ended = true }}
	_, err := b.Write([]byte("0123456789"))
	require.NoError(t, err)
	assert.False(t, ended)
	_, err = b.Write([]byte("x"))
	require.Error(t, err)
	assert.True(t, ended && b.overflow)
}

func TestTreeCacheStaysSmallAndKeepsWhatIsUsed(t *testing.T) {
	c := newTreeCache()
	c.put("used", []byte("x"))
	block := make([]byte, 64<<10)
	for i := range 1000 {
		c.put(OID(fmt.Sprint(i)), block)
		_, ok := c.get("used")
		require.True(t, ok)
		var total int
		for _, generation := range []map[OID][]byte{c.young, c.old} {
			for _, raw := range generation {
				total += len(raw)
			}
		}
		require.LessOrEqual(t, total, treeCacheBytes)
	}
	_, ok := c.get("0")
	assert.False(t, ok)
	c.put("huge", make([]byte, treeCacheBytes))
	_, ok = c.get("huge")
	assert.False(t, ok)
}

func TestOID(t *testing.T) {
	got, err := ParseOID(strings.ToUpper(idA))
	require.NoError(t, err)
	assert.Equal(t, OID(idA), got)
	assert.Equal(t, "aaaaaaaaaa", got.Short())
	assert.True(t, OID(zero).IsZero())
	assert.True(t, OID("").IsZero())
	assert.False(t, got.IsZero())
	assert.Equal(t, "abc", OID("abc").Short())
	for _, s := range []string{"", "abc", idA + "a", idA[:39] + "g", idA[:39] + "\n", strings.Repeat("a", 63)} {
		_, err := ParseOID(s)
		require.Error(t, err, "%q", s)
	}
}

func TestReadAheadIsBounded(t *testing.T) {
	const limit = 100 << 20
	of := func(sizes ...int64) (infos []header) {
		for _, size := range sizes {
			infos = append(infos, header{oid: idA, kind: kindBlob, size: size})
		}
		return infos
	}
	assert.Equal(t, 1, readAhead(of(50<<20, 1), kindBlob, limit), "one large alone")
	assert.Equal(t, 2, readAhead(of(1, 1, 9<<20, 1), kindBlob, limit))
	assert.Equal(t, 3, readAhead(of(1, 1, 1), kindBlob, limit))
	assert.Equal(t, 2, readAhead(of(limit+1, limit+1), kindBlob, limit), "what is refused costs nothing")
}
