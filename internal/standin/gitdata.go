package standin

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// treeEntry is one row of git ls-tree.
type treeEntry struct {
	mode, kind, sha, path string
	size                  int64 // of blobs
}

// lsTree lists a tree, a commit's tree, or one path of it.
func (d gitDir) lsTree(ctx context.Context, treeish string, recursive bool, paths ...string) ([]treeEntry, error) {
	args := []string{"ls-tree", "-z", "-l", "--full-tree"}
	if recursive {
		args = append(args, "-r", "-t")
	}
	out, err := d.run(ctx, append(append(args, treeish, "--"), paths...)...)
	if err != nil {
		return nil, err
	}
	var entries []treeEntry
	for row := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if row == "" {
			continue
		}
		meta, path, _ := strings.Cut(row, "\t")
		f := strings.Fields(meta)
		if len(f) != 4 {
			return nil, fmt.Errorf("read git ls-tree: %q is no entry", row)
		}
		size, _ := strconv.ParseInt(f[3], 10, 64) // "-" for all but blobs
		entries = append(entries, treeEntry{mode: f[0], kind: f[1], sha: f[2], path: path, size: size})
	}
	return entries, nil
}

// getTree takes a tree, a commit or a ref. Recursion is cut at maxTreeEntries.
func getTree(c *call) reply {
	name := c.params["tree_sha"]
	treeish := name
	if kind, err := c.repo.dir.objectType(c.ctx(), name); err != nil || kind != "tree" {
		if treeish, err = c.repo.dir.commitOf(c.ctx(), name); err != nil {
			if c.repo.dir.empty(c.ctx()) {
				return refuse(http.StatusConflict, "Git Repository is empty.")
			}
			return notFound()
		}
	}
	sha, err := c.repo.dir.text(c.ctx(), "rev-parse", "--verify", treeish+"^{tree}")
	if err != nil {
		return serverError(err)
	}
	entries, err := c.repo.dir.lsTree(c.ctx(), sha, c.query.Get("recursive") != "")
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	api := c.g.repoAPI(c.repo) + "/git/"
	truncated := len(entries) > maxTreeEntries
	rows := mapped(entries[:min(len(entries), maxTreeEntries)], func(e treeEntry) object {
		row := object{"path": e.path, "mode": e.mode, "type": e.kind, "sha": e.sha}
		switch e.kind {
		case "blob":
			row["size"], row["url"] = e.size, api+"blobs/"+e.sha
		case "tree":
			row["url"] = api + "trees/" + e.sha
		}
		return row
	})
	return ok(object{"sha": sha, "url": api + "trees/" + sha, "tree": rows, "truncated": truncated})
}

func getBlob(c *call) reply {
	sha := c.params["file_sha"]
	if kind, err := c.repo.dir.objectType(c.ctx(), sha); err != nil || kind != "blob" {
		if c.repo.dir.empty(c.ctx()) {
			return refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return notFound()
	}
	data, err := c.repo.dir.run(c.ctx(), "cat-file", "blob", sha)
	if err != nil {
		return serverError(err)
	}
	if len(data) > maxRawBytes {
		return refuse(http.StatusForbidden, "This API returns blobs up to 100 MB in size.")
	}
	if c.wantsRaw() {
		return rawReply("application/vnd.github.raw; charset=utf-8", data)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return ok(object{
		"sha": sha, "node_id": nodeID("Blob", sha), "size": len(data), "url": c.g.repoAPI(c.repo) + "/git/blobs/" + sha,
		"content": base64.StdEncoding.EncodeToString(data), "encoding": "base64",
	})
}

// wantsRaw reports whether the Accept header asks for bytes instead of JSON.
func (c *call) wantsRaw() bool {
	accept := c.req.Header.Get("Accept")
	return strings.Contains(accept, ".raw")
}

// getRef takes "heads/x" or "tags/x", exactly.
func getRef(c *call) reply {
	name := strings.TrimPrefix(c.params["ref"], "refs/")
	if !plainRef(name) {
		return notFound()
	}
	sha, err := c.repo.dir.text(c.ctx(), "rev-parse", "--quiet", "--verify", "refs/"+name)
	if err != nil {
		if c.repo.dir.empty(c.ctx()) {
			return refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return notFound()
	}
	kind, err := c.repo.dir.objectType(c.ctx(), sha)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	api := c.g.repoAPI(c.repo) + "/git/"
	return ok(object{
		"ref": "refs/" + name, "node_id": nodeID("Ref", name), "url": api + "refs/" + name,
		"object": object{"type": kind, "sha": sha, "url": api + kind + "s/" + sha},
	})
}
