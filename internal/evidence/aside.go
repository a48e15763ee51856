package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/syntax"
)

// Names that the program does not load. A file that gets one was put aside, not
// moved: what stands in a test, a document or an example protects nothing.
var (
	deadEndings = strings.Fields(`.bak .backup .orig .old .disabled .off .unused .deprecated .inactive .save .rej .tmp .txt
		.example .sample .dist ~ _`)
	// templateEndings are of files that something else is made from, where such a file is
	// not what was there before.
	templateEndings = strings.Fields(`.template .tmpl .tpl`)
	deadParts       = strings.Fields(`disabled off unused deprecated inactive bak backup orig old example sample test tests`) // between dots
	deadDirectories = strings.Fields(`attic archive archived disabled deprecated unused obsolete graveyard
		test tests __tests__ testdata fixtures __fixtures__ mocks __mocks__ e2e
		doc docs example examples sample samples vendor vendored third_party node_modules`)
	// testName matches names that test runners look for.
	testName = lazy.Regexp(`^(test_.*|conftest)\.py$|_(test|spec)\.\w+$|\.(spec|cy)\.[cm]?[jt]sx?$|\w(Test|Tests|Spec)\.(java|kt|kts|cs|scala|swift|php|groovy)$`)
)

// putAside reports whether a file of the new name no longer does what one of the
// old name did: nothing loads it, or whatever loaded the old name finds a
// directory there.
func putAside(old, new string) bool {
	return !dead(old) && (dead(new) || endsIn(new, templateEndings) && !endsIn(old, templateEndings)) ||
		strings.HasPrefix(new, old+"/") || unloaded(old, new)
}

// endsIn reports whether the name has one of the endings.
func endsIn(p string, endings []string) bool {
	base := strings.ToLower(path.Base(p))
	return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(base, end) })
}

// Names by which a tool finds what it loads.
var (
	// workflow matches the only place in which a workflow of GitHub runs.
	workflow = lazy.Regexp(`^\.github/workflows/[^/]+\.ya?ml$`)
	// someBuilds matches a file of Go that is built for some systems or processors only,
	// or not at all.
	someBuilds = lazy.Regexp(`^[._]|_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|` +
		`386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)\.go$`)
)

// unloaded reports whether a tool that finds its files by their names loads the old one
// and not the new, or only in some cases.
func unloaded(old, new string) bool {
	switch {
	case workflow().MatchString(old):
		return !workflow().MatchString(new)
	case path.Ext(old) == ".go":
		return someBuilds().MatchString(path.Base(new)) && !someBuilds().MatchString(path.Base(old))
	case path.Ext(old) == ".py":
		return path.Ext(new) == ".pyi" // says what types there are
	}
	return false
}

// dead reports whether the name, or a directory in it, is one that the program
// does not load.
func dead(p string) bool {
	base := path.Base(p)
	if testName().MatchString(base) {
		return true
	}
	p, base = strings.ToLower(p), strings.ToLower(base)
	parts := strings.Split(base, ".")
	return syntax.Family(p) == "prose" ||
		endsIn(p, deadEndings) ||
		slices.ContainsFunc(parts[1:], func(part string) bool { return slices.Contains(deadParts, part) }) ||
		slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(d string) bool { return slices.Contains(deadDirectories, d) })
}

// continuable reports whether a file of the new name may do what one of the old
// name did: it belongs to the same program, and something loads it.
func continuable(old, new string) bool {
	return (sameLanguage(old, new) || path.Base(old) == path.Base(new)) && !putAside(old, new)
}

// asideOf returns the first added file that holds the removed one whole under a
// name that does not continue it.
func (f *Follower) asideOf(old search.File) (search.File, bool) {
	for _, c := range f.index.added {
		if c.OID == old.OID && !continuable(old.Path, c.Path) {
			return c, true
		}
	}
	return search.File{}, false
}
