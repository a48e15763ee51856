package search

import (
	"context"
	"path"
	"slices"
	"strings"
)

// binaryFormats are name endings of formats that begin with a NUL within their
// first bytes, by their definitions: fonts, images, archives, compiled code. In
// a file that is not named itself ripgrep prints nothing for such content.
var binaryFormats = []string{
	".ttf", ".ttc", ".otf", ".woff", ".woff2",
	".png", ".jpg", ".jpeg", ".ico", ".webp", ".tif", ".tiff",
	".zip", ".jar", ".whl", ".nupkg", ".docx", ".xlsx", ".pptx",
	".mp4", ".mov", ".m4a", ".wav",
	".wasm", ".class", ".pyc", ".so", ".dll", ".exe",
	".sqlite", ".safetensors", ".npy",
}

// dispensable reports whether a search can do without the content of a file, if
// need be, because of the format that its name says.
func (q *Query) dispensable(jobs []job) bool {
	if q.form.Text || q.form.Binary || len(jobs) == 0 {
		return false
	}
	if slices.ContainsFunc(jobs, func(j job) bool { return j.at.explicit || j.at.mapped }) {
		return false
	}
	return slices.Contains(binaryFormats, strings.ToLower(path.Ext(jobs[0].file.Path)))
}

// readEach reads files one at a time where the source cannot give all of them
// (a partial clone, a size limit) and returns the paths of those that it cannot.
func readEach(ctx context.Context, src Source, files []File, fn func(File, []byte) error) (unread []string, err error) {
	for _, f := range files {
		called := false
		err := src.Read(ctx, []File{f}, func(f File, data []byte) error {
			called = true
			return fn(f, data)
		})
		switch {
		case err == nil:
		case called || ctx.Err() != nil:
			return nil, err
		default:
			unread = append(unread, f.Path)
		}
	}
	return unread, nil
}
