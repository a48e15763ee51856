package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/search/ignore"
)

// ignoreNames are the ignore files, in the order of precedence.
var ignoreNames = [...]string{".rgignore", ".ignore", ".gitignore"}

// names are the ignore files of these kinds.
func (k ignoreKinds) names() []string {
	var out []string
	for i, on := range [...]bool{k.RG, k.Dot, k.Git} {
		if on {
			out = append(out, ignoreNames[i])
		}
	}
	return out
}

// filter decides which files of a tree are searched.
type filter struct {
	q      *Query
	kinds  ignoreKinds
	layout *layout
	rules  map[string]*dirRules // by directory
	read   int                  // ignore files so far
	dirs   map[dirKey]decision
}

// dirRules are the ignore files of a directory, by ignoreNames.
type dirRules [len(ignoreNames)]*ignore.Rules

// maxDecisions bounds how many directories a filter remembers its decision on.
const maxDecisions = 4096

type dirKey struct{ root, dir string }

type decision struct {
	ok  bool
	err error
}

// newFilter makes a filter for a tree whose ignore files are in files: all that
// the paths asked about can meet, unless learn adds others before they are asked
// about.
func (q *Query) newFilter(ctx context.Context, src Source, l *layout, files []File) (*filter, error) {
	f := &filter{q: q, kinds: q.ignoreKinds(), layout: l, rules: map[string]*dirRules{}, dirs: map[dirKey]decision{}}
	if err := f.learn(ctx, src, files); err != nil {
		return nil, err
	}
	return f, f.checkGitDir()
}

// learn reads the ignore files in files.
func (f *filter) learn(ctx context.Context, src Source, files []File) error {
	var read []File
	for _, file := range files {
		switch {
		case !slices.Contains(f.kinds.names(), baseName(file.Path)):
		case file.Mode == ModeSymlink:
			return unsupported(file.Path, "an ignore file that is a symbolic link is not evaluated")
		case file.regular():
			read = append(read, file)
		}
	}
	if f.read += len(read); f.read > maxIgnoreFiles {
		return tooManyIgnoreFiles()
	}
	if len(read) > 0 {
		if err := src.Read(ctx, read, f.addRules); err != nil {
			return fmt.Errorf("read ignore files: %w", err)
		}
	}
	return nil
}

func tooManyIgnoreFiles() error {
	return unsupported("", "more than %d ignore files", maxIgnoreFiles)
}

func (f *filter) addRules(file File, data []byte) error {
	if len(data) > maxIgnoreBytes {
		return unsupported(file.Path, "an ignore file larger than %d bytes", maxIgnoreBytes)
	}
	rules, err := ignore.ParseRules(data, f.q.o.ignoreFold)
	if err != nil {
		return unsupported(file.Path, "%v", err)
	}
	if rules.Empty() {
		return nil
	}
	dir := parent(file.Path)
	if f.rules[dir] == nil {
		f.rules[dir] = &dirRules{}
	}
	f.rules[dir][slices.Index(ignoreNames[:], baseName(file.Path))] = rules
	return nil
}

func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// admits reports whether the file at path is searched through root r.
func (f *filter) admits(r root, path string) (bool, error) {
	if !r.covers(path) {
		return false, nil
	}
	if !r.dir {
		return true, nil // what is named is searched
	}
	if f.q.o.hasMaxDepth && strings.Count(relative(path, r.path), "/")+1 > f.q.o.maxDepth {
		return false, nil
	}
	if ok, err := f.enters(r, parent(path)); !ok || err != nil {
		return false, err
	}
	skip, err := f.skips(r, path, false)
	return !skip, err
}

// enters reports whether the walk from root r comes to the directory dir.
func (f *filter) enters(r root, dir string) (bool, error) {
	if dir == r.path {
		return true, nil
	}
	key := dirKey{r.path, dir}
	if d, ok := f.dirs[key]; ok {
		return d.ok, d.err
	}
	ok, err := f.enters(r, parent(dir))
	if ok && err == nil {
		var skip bool
		skip, err = f.skips(r, dir, true)
		ok = !skip
	}
	if len(f.dirs) >= maxDecisions {
		clear(f.dirs)
	}
	key.dir = strings.Clone(dir)
	f.dirs[key] = decision{ok, err}
	return ok, err
}

// skips reports whether an entry that the walk comes to is left out.
func (f *filter) skips(r root, path string, isDir bool) (bool, error) {
	v, err := f.verdict(r, path, isDir)
	if v == ignore.None && !f.q.showHidden() && ignore.Hidden(path) {
		v = ignore.Ignore
	}
	return v == ignore.Ignore, err
}

// verdict combines overrides, ignore files and types in ripgrep's order: an
// override decides alone, and types may ignore what an ignore file included.
func (f *filter) verdict(r root, path string, isDir bool) (ignore.Verdict, error) {
	if v := f.q.overrides.Override(path, isDir); v != ignore.None {
		return v, nil
	}
	v, err := f.ignoreFiles(r, path, isDir)
	if v == ignore.Ignore || err != nil {
		return v, err
	}
	return f.q.types.Match(path, isDir).Or(v), nil
}

// ignoreFiles is the verdict of the ignore files at and above the entry.
func (f *filter) ignoreFiles(r root, path string, isDir bool) (ignore.Verdict, error) {
	if len(f.rules) == 0 {
		return ignore.None, nil
	}
	bases := f.parentBases(r)
	if len(bases) == 0 {
		return f.ignoreFilesFrom(r, path, isDir, "", false), nil
	}
	v := f.ignoreFilesFrom(r, path, isDir, bases[0], true)
	for _, base := range bases[1:] {
		if f.ignoreFilesFrom(r, path, isDir, base, true) != v {
			return v, unsupported(path, "whether ripgrep ignores it depends on which of the scope paths it walks first")
		}
	}
	return v, nil
}

// ignoreFilesFrom is ignoreFiles where rules above the root are matched against
// base/path. That the path from the working directory is put after the scope
// path once more is a fault of ripgrep 13 that its counts show.
func (f *filter) ignoreFilesFrom(r root, path string, isDir bool, base string, parents bool) ignore.Verdict {
	var v [len(ignoreNames)]ignore.Verdict
	look := func(dir, path string) {
		rules := f.rules[dir]
		if rules == nil {
			return
		}
		for i := range v {
			if v[i] == ignore.None {
				v[i] = rules[i].Match(relative(path, dir), isDir)
			}
		}
	}
	for dir := parent(path); ; dir = parent(dir) {
		look(dir, path)
		if dir == r.path {
			break
		}
	}
	if parents {
		doubled := join(base, path)
		for _, dir := range ancestors(r.path) {
			look(dir, doubled)
		}
	}
	return v[0].Or(v[1]).Or(v[2])
}

// parentBases are the scope paths that ripgrep may put before a path when it
// matches it against rules above root r: that of the root that first looked into
// the directory above r. With several threads it is not settled which one is
// first.
func (f *filter) parentBases(r root) []string {
	if r.path == "" || !f.q.parentRules() {
		return nil
	}
	above := parent(r.path)
	var out []string
	for _, other := range f.layout.roots {
		if other.dir && other.path != "" && below(other.path, above) {
			out = append(out, other.path)
			if f.q.o.oneThread {
				break
			}
		}
	}
	return out
}

// gitFiles are names that a .git directory has after a clone or soon after, by
// which it is found out whether a search would read in there.
var gitFiles = func() []string {
	out := strings.Fields(`HEAD FETCH_HEAD ORIG_HEAD COMMIT_EDITMSG config description index packed-refs shallow info/exclude info/refs
		logs/HEAD logs/refs/heads/main logs/refs/heads/master logs/refs/remotes/origin/HEAD logs/refs/remotes/origin/main
		refs/heads/main refs/heads/master refs/remotes/origin/HEAD refs/remotes/origin/main refs/tags/v1.0.0
		objects/info/packs objects/info/commit-graph`)
	for hook := range strings.FieldsSeq(`applypatch-msg commit-msg fsmonitor-watchman post-update pre-applypatch pre-commit
		pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg push-to-checkout sendemail-validate update`) {
		out = append(out, "hooks/"+hook+".sample")
	}
	for _, digit := range "0123456789abcdef" {
		hex := func(n int) string { return strings.Repeat(string(digit), n) }
		out = append(out, "objects/"+hex(2)+"/"+hex(38))
		for _, ext := range []string{".pack", ".idx", ".rev"} {
			out = append(out, "objects/pack/pack-"+hex(40)+ext)
		}
	}
	return out
}()

// checkGitDir refuses a search that would read the .git directory of a checkout.
func (f *filter) checkGitDir() error {
	for _, r := range f.layout.roots {
		if r.path != "" {
			continue
		}
		for _, name := range gitFiles {
			ok, err := f.admits(r, ".git/"+name)
			if err != nil {
				return err
			}
			if ok {
				return unsupported("", "ripgrep would search .git/ of a checkout too; exclude it with -g '!.git'")
			}
		}
	}
	return nil
}
