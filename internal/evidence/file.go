package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/syntax"
)

// sniffBytes is how much of a file is looked at for a NUL byte, as git does to
// tell binary files.
const sniffBytes = 8000

// lfsPointer begins every pointer file of Git LFS.
const lfsPointer = "version https://git-lfs.github.com/spec/"

// trouble says why a file at one side cannot be read as text. The zero value is
// no trouble.
type trouble struct {
	words   string // completes "the file is ..."
	unknown bool   // its text exists and is not to be had, so nothing can be said of it
}

func (t trouble) any() bool { return t.words != "" }

// document is a file at one side.
type document struct {
	*syntax.Document
	trouble trouble
	bag     map[string]int
	depths  map[int]int // see lineDepths

	sections   []int        // see sectionOf
	directives []directive  // see branches
	literals   map[int]bool // see opensLiteral
}

// load reads the file as text. The error is one of the infrastructure; whatever
// the file holds ends in the document's trouble.
func (f *Follower) load(ctx context.Context, file search.File) (*document, error) {
	d, err := f.read(ctx, file, f.opts.MaxFile)
	if err == nil {
		f.documents[documentKey(file)] = d
	}
	return d, err
}

// Bounds of what is read of files that lines may have moved to, in bytes.
const (
	maxCandidate  = 4 << 20  // of one file
	maxCandidates = 48 << 20 // of all, for one pair of trees
)

// loadCandidate reads a file that lines may have moved to. One that is too large
// for that, or comes when enough was read, is not a candidate.
func (f *Follower) loadCandidate(ctx context.Context, file search.File) (*document, error) {
	if d, ok := f.documents[documentKey(file)]; ok {
		return d, nil
	}
	left := min(f.opts.MaxFile, maxCandidate, maxCandidates-f.candidateBytes)
	d, err := f.read(ctx, file, left)
	if err != nil {
		return nil, err
	}
	if !d.trouble.any() {
		f.candidateBytes += int64(d.Text.Size())
		f.documents[documentKey(file)] = d
	}
	return d, nil
}

func documentKey(file search.File) string { return file.OID + "\x00" + file.Path }

// read reads a file of at most limit bytes, unless it was read before.
func (f *Follower) read(ctx context.Context, file search.File, limit int64) (*document, error) {
	if d, ok := f.documents[documentKey(file)]; ok {
		return d, nil
	}
	text, why, err := f.text(ctx, file, limit)
	if err != nil {
		return nil, err
	}
	return &document{Document: syntax.New(file.Path, text), trouble: why}, nil
}

// text is what a file of at most limit bytes holds, or nothing and why.
func (f *Follower) text(ctx context.Context, file search.File, limit int64) (text *linemap.Text, why trouble, err error) {
	if !isRegular(file.Mode) {
		return linemap.Split(nil), trouble{words: kind(file.Mode)}, nil
	}
	data, err := f.src.Blob(ctx, file.OID, limit)
	switch {
	case errors.Is(err, ErrMissing):
		why = trouble{words: "not to be had: blob " + short(file.OID) + " is missing from the repository", unknown: true}
	case errors.Is(err, ErrTooLarge):
		why = trouble{words: fmt.Sprintf("larger than %d MiB, the most that is read", limit>>20), unknown: true}
	case err != nil:
		return nil, trouble{}, fmt.Errorf("read %q (blob %s): %w", file.Path, short(file.OID), err)
	default:
		if why = sniff(data); !why.any() {
			return linemap.Split(data), why, nil
		}
	}
	return linemap.Split(nil), why, nil
}

// sniff finds what keeps the content from being read as text.
func sniff(data []byte) trouble {
	switch {
	case len(data) == 0:
		return trouble{words: "empty"}
	case bytes.HasPrefix(data, []byte(lfsPointer)):
		return trouble{words: "a Git LFS pointer, its text is not in the repository", unknown: true}
	case bytes.IndexByte(data[:min(len(data), sniffBytes)], 0) >= 0:
		return trouble{words: "binary"}
	}
	return trouble{}
}

// lineBag counts the canonical lines that are not blank.
func (d *document) lineBag() map[string]int {
	if d.bag == nil {
		d.bag = map[string]int{}
		t := d.Plain()
		for n := 1; n <= t.Len(); n++ {
			if line := t.Line(n); len(line) > 0 {
				d.bag[string(line)]++
			}
		}
	}
	return d.bag
}

// likeness is the share of two documents' lines, by bytes, that both hold.
func likeness(a, b *document) float64 {
	x, y := a.lineBag(), b.lineBag()
	var common, sizeA, sizeB int
	for line, n := range x {
		common += min(n, y[line]) * len(line)
		sizeA += n * len(line)
	}
	for line, n := range y {
		sizeB += n * len(line)
	}
	if larger := max(sizeA, sizeB); larger > 0 {
		return float64(common) / float64(larger)
	}
	return 0
}

func short(oid string) string { return oid[:min(len(oid), 10)] }

// pair is a file at base and the file at head that may be its continuation.
type pair struct {
	old, new *document
	lines    *linemap.Map // by equal bytes
	plain    *linemap.Map // by canonical form

	keepLines, keepPlain *linemap.Keeper // see lineKeeper and plainKeeper
	compared             int             // pairs of tokens, see likenessLeft
	aligned              map[[4]int][]likeLine
	laid                 map[stretch][2]syntax.Layout // see layouts
	readings             *linemap.Map                 // see readMap
	laidRead             map[stretch][2]syntax.Layout // see readLayouts
	commonRead           *[2]int                      // see readCommon
	placedRead           map[[2]int]placement         // see placeRead
	relaidWhole          *bool                        // see onlyRelaid
	linewise             *bool                        // see sameLines
	moved                map[string]int               // see went
	renamed              map[string][]int             // see overridden
	switches             []int                        // see switched
	broken               *int                         // see brokenUp
	leavers              []int                        // see replaces
	stays                []int32                      // see replaces
}

// pair returns the two documents as a pair; its maps are made once.
func (f *Follower) pair(old, new *document) *pair {
	key := [2]*document{old, new}
	p, ok := f.pairs[key]
	if !ok {
		p = &pair{old: old, new: new}
		f.pairs[key] = p
	}
	return p
}

func (p *pair) lineMap() *linemap.Map {
	if p.lines == nil {
		p.lines = linemap.Diff(p.old.Text, p.new.Text)
	}
	return p.lines
}

func (p *pair) plainMap() *linemap.Map {
	if p.plain == nil {
		p.plain = linemap.Diff(p.old.Plain(), p.new.Plain())
	}
	return p.plain
}
