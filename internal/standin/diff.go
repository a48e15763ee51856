package standin

import (
	"context"
	"fmt"
	"strings"
)

// changedFile is one row of pulls/files, compare and commits.
type changedFile struct {
	path, oldPath        string
	status               string // added, removed, modified, renamed, copied, changed
	sha                  string // blob at head; at base for a removed file
	additions, deletions int
	patch                string // without git's header; "" for binary files
	hasPatch             bool
}

// maxDiffsKept bounds what changes remembers.
const maxDiffsKept = 200

// diffKey names a comparison in a repository; both ends are object ids.
type diffKey struct {
	repo       int64
	base, head string
}

// changes compares two commits or trees, renames followed, and remembers the
// result: objects never change.
func (g *GitHub) changes(ctx context.Context, r *repository, base, head string) ([]changedFile, error) {
	key := diffKey{r.id, base, head}
	g.mu.Lock()
	files, known := g.diffs[key]
	g.mu.Unlock()
	if known {
		return files, nil
	}
	files, err := r.dir.diff(ctx, base, head)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.diffs) >= maxDiffsKept {
		clear(g.diffs)
	}
	g.diffs[key] = files
	return files, nil
}

func (d gitDir) diff(ctx context.Context, base, head string) ([]changedFile, error) {
	raw, err := d.run(ctx, "diff-tree", "-r", "-z", "-M", "--raw", "--no-abbrev", base, head)
	if err != nil {
		return nil, err
	}
	files, kinds, err := parseRaw(string(raw))
	if err != nil {
		return nil, err
	}
	patch, err := d.run(ctx, "diff-tree", "-r", "-M", "-p", "--no-ext-diff", "--no-textconv", "--no-color", base, head)
	if err != nil {
		return nil, err
	}
	return files, addPatches(files, kinds, string(patch))
}

// parseRaw reads "git diff-tree --raw -z". The second result is git's own letter
// for each file.
func parseRaw(out string) ([]changedFile, []byte, error) {
	names := map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var files []changedFile
	var kinds []byte
	for len(fields) > 0 && fields[0] != "" {
		meta := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		if len(meta) != 5 || len(fields) < 2 {
			return nil, nil, fmt.Errorf("read git diff: %q is no raw entry", fields[0])
		}
		kind := meta[4][0]
		f := changedFile{path: fields[1], status: names[kind], sha: meta[3]}
		fields = fields[2:]
		if kind == 'R' || kind == 'C' {
			if len(fields) == 0 {
				return nil, nil, fmt.Errorf("read git diff: the rename of %q has no target", f.path)
			}
			f.oldPath, f.path, fields = f.path, fields[0], fields[1:]
		}
		if kind == 'D' {
			f.sha = meta[2]
		}
		files, kinds = append(files, f), append(kinds, kind)
	}
	return files, kinds, nil
}

// addPatches gives each file its part of "git diff-tree -p", which comes in the
// same order. A change of type is two parts. Past maxPatchLines rows keep neither
// counts nor patch, as GitHub has it.
func addPatches(files []changedFile, kinds []byte, patch string) error {
	parts := splitPatch(patch)
	lines := 0
	for i := range files {
		n := 1
		if kinds[i] == 'T' {
			n = 2
		}
		if len(parts) < n {
			return fmt.Errorf("read git diff: no patch for %q", files[i].path)
		}
		mine := strings.Join(parts[:n], "")
		parts = parts[n:]
		lines += strings.Count(mine, "\n")
		if lines > maxPatchLines {
			continue
		}
		files[i].fill(mine)
	}
	return nil
}

// splitPatch cuts a patch at each file's header. Lines of content begin with a
// blank, plus, minus or backslash, so a header cannot be content.
func splitPatch(patch string) []string {
	const header = "diff --git "
	if patch == "" {
		return nil
	}
	sections := strings.Split("\n"+strings.TrimSuffix(patch, "\n"), "\n"+header)
	var out []string
	for _, s := range sections[1:] {
		out = append(out, header+s+"\n")
	}
	return out
}

// fill counts lines and keeps the hunks of one file.
func (f *changedFile) fill(part string) {
	at := strings.Index(part, "\n@@ ")
	if at < 0 {
		return
	}
	hunks := strings.TrimSuffix(part[at+1:], "\n")
	for line := range strings.SplitSeq(hunks, "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			f.additions++
		case strings.HasPrefix(line, "-"):
			f.deletions++
		}
	}
	f.patch, f.hasPatch = hunks, true
}

// fileJSON is a row of pulls/files. Caller holds mu.
func (g *GitHub) fileJSON(r *repository, head string) func(changedFile) object {
	return func(f changedFile) object {
		at := head + "/" + escapePath(f.path)
		out := object{
			"sha": f.sha, "filename": f.path, "status": f.status, "additions": f.additions, "deletions": f.deletions,
			"changes": f.additions + f.deletions, "blob_url": g.repoHTML(r) + "/blob/" + at, "raw_url": g.repoHTML(r) + "/raw/" + at,
			"contents_url": g.repoAPI(r) + "/contents/" + escapePath(f.path) + "?ref=" + head,
		}
		if f.hasPatch {
			out["patch"] = f.patch
		}
		if f.oldPath != "" {
			out["previous_filename"] = f.oldPath
		}
		return out
	}
}

// totals sums additions and deletions.
func totals(files []changedFile) (additions, deletions int) {
	for _, f := range files {
		additions += f.additions
		deletions += f.deletions
	}
	return additions, deletions
}
