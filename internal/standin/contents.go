package standin

import (
	"encoding/base64"
	"net/http"
	"path"
	"strings"
)

// git's modes of the entries that are not plain files.
const (
	modeSymlink   = "120000"
	modeSubmodule = "160000"
)

// getContents is GET /repos/{owner}/{repo}/contents/{path}: a file, a symlink, a
// submodule, or the list of a directory.
func getContents(c *call) reply {
	ref := c.query.Get("ref")
	if ref == "" {
		ref = c.g.mainBranch(c.repo)
	}
	commit, err := c.repo.dir.commitOf(c.ctx(), ref)
	if err != nil {
		if c.repo.dir.empty(c.ctx()) {
			return refuse(http.StatusNotFound, "This repository is empty.")
		}
		return refuse(http.StatusNotFound, "No commit found for the ref %s", ref)
	}
	name := strings.Trim(c.params["path"], "/")
	if name == "" {
		return c.directory(commit, ref, "")
	}
	if path.Clean(name) != name || strings.HasPrefix(name, "..") {
		return notFound()
	}
	entries, err := c.repo.dir.lsTree(c.ctx(), commit, false, name)
	if err != nil || len(entries) == 0 || entries[0].path != name {
		return notFound()
	}
	if entries[0].kind == "tree" {
		return c.directory(commit, ref, name)
	}
	return c.file(ref, entries[0])
}

// entryJSON is what files and directories have in common. Caller holds mu.
func (c *call) entryJSON(ref string, e treeEntry) object {
	kinds := map[string]string{"tree": "dir", "commit": "submodule", "blob": "file"}
	kind := kinds[e.kind]
	if e.mode == modeSymlink {
		kind = "symlink"
	}
	api, at := c.g.repoAPI(c.repo), ref+"/"+escapePath(e.path)
	self, html := api+"/contents/"+escapePath(e.path)+"?ref="+ref, c.g.repoHTML(c.repo)+"/blob/"+at
	gitURL := api + "/git/blobs/" + e.sha
	if e.kind == "tree" {
		html, gitURL = c.g.repoHTML(c.repo)+"/tree/"+at, api+"/git/trees/"+e.sha
	}
	out := object{
		"name": path.Base(e.path), "path": e.path, "sha": e.sha, "size": e.size, "type": kind, "url": self, "html_url": html, "git_url": gitURL,
		"download_url": nil, "_links": object{"self": self, "git": gitURL, "html": html},
	}
	if e.kind == "blob" {
		out["download_url"] = c.g.repoHTML(c.repo) + "/raw/" + at
	}
	return out
}

func (c *call) directory(commit, ref, name string) reply {
	treeish := commit
	if name != "" {
		treeish += ":" + name
	}
	entries, err := c.repo.dir.lsTree(c.ctx(), treeish, false)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return ok(mapped(entries, func(e treeEntry) object {
		e.path = path.Join(name, e.path)
		return c.entryJSON(ref, e)
	}))
}

// file answers with content up to maxContentBytes, raw up to maxRawBytes.
func (c *call) file(ref string, e treeEntry) reply {
	if e.mode == modeSubmodule {
		c.g.mu.Lock()
		defer c.g.mu.Unlock()
		out := c.entryJSON(ref, e)
		out["submodule_git_url"] = nil
		return ok(out)
	}
	if e.size > maxRawBytes {
		return refuse(http.StatusForbidden, "This API returns blobs up to 100 MB in size.")
	}
	data, err := c.repo.dir.run(c.ctx(), "cat-file", "blob", e.sha)
	if err != nil {
		return serverError(err)
	}
	if c.wantsRaw() {
		return rawReply("application/vnd.github.raw; charset=utf-8", data)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	out := c.entryJSON(ref, e)
	switch {
	case e.mode == modeSymlink:
		out["target"] = string(data)
	case e.size > maxContentBytes:
		out["content"], out["encoding"] = "", "none"
	default:
		out["content"], out["encoding"] = wrapped(base64.StdEncoding.EncodeToString(data)), "base64"
	}
	return ok(out)
}

// wrapped breaks base64 into lines of 60, as GitHub does.
func wrapped(s string) string {
	const width = 60
	var b strings.Builder
	for len(s) > width {
		b.WriteString(s[:width] + "\n")
		s = s[width:]
	}
	if s != "" {
		b.WriteString(s + "\n")
	}
	return b.String()
}
