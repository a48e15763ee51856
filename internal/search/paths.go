package search

import (
	"slices"
	"strings"
)

// scopePath is a path that the command searches.
type scopePath struct {
	path      string // cleaned; "" is the root
	dirOnly   bool   // written with a trailing slash
	onCommand bool   // written in the command; else from the scope, where only paths that exist count
}

// cleanPath brings a path into one form and refuses what leads out of the tree
// or is written in a way that ripgrep's own path matching would trip over.
func cleanPath(raw string) (scopePath, error) {
	var p scopePath
	switch {
	case raw == "-":
		return p, unsupported(raw, "standard input is not searched")
	case strings.HasPrefix(raw, "/"):
		return p, unsupported(raw, "an absolute path leads out of the repository")
	case strings.ContainsAny(raw, "\x00\n"):
		return p, unsupported("", "a path with a control character: %q", raw)
	case raw == "." || raw == "./":
		return p, nil
	}
	rest := strings.TrimPrefix(raw, "./")
	rest, p.dirOnly = strings.CutSuffix(rest, "/")
	for part := range strings.SplitSeq(rest, "/") {
		switch part {
		case "..":
			return p, unsupported(raw, "the path leads out of the repository")
		case "", ".":
			return p, unsupported(raw, "write the path without empty or dot components")
		}
	}
	p.path = rest
	return p, nil
}

// scopePaths lists the paths of the command and those of the scope, each of these
// once. With a trailing slash and without it are two: a file has only one of them.
func scopePaths(command []string, scope string) (all []scopePath, cleaned []string, err error) {
	for _, raw := range command {
		p, err := cleanPath(raw)
		if err != nil {
			return nil, nil, err
		}
		p.onCommand = true
		all = append(all, p)
	}
	for _, raw := range strings.Fields(scope) {
		if strings.HasPrefix(raw, "-") {
			return nil, nil, unsupported(raw, "a scope path that begins with a hyphen would be read as a flag")
		}
		p, err := cleanPath(raw)
		if err != nil {
			return nil, nil, err
		}
		if !slices.Contains(cleaned, p.path) {
			cleaned = append(cleaned, p.path)
		}
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(all) > maxPaths {
		return nil, nil, unsupported("", "more than %d paths", maxPaths)
	}
	if len(cleaned) == 0 {
		for _, p := range all {
			if !slices.Contains(cleaned, p.path) {
				cleaned = append(cleaned, p.path)
			}
		}
	}
	if len(all) == 0 {
		all, cleaned = []scopePath{{onCommand: true}}, []string{""}
	}
	return all, cleaned, nil
}

// below reports whether p lies under the directory dir; everything lies under
// the root.
func below(p, dir string) bool {
	return dir == "" || len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// parent is the directory that holds p; "" for what is at the root.
func parent(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

// ancestors are the directories above p, nearest first, the root last.
func ancestors(p string) []string {
	var out []string
	for p != "" {
		p = parent(p)
		out = append(out, p)
	}
	return out
}

// relative is p from the directory dir, which must be above it.
func relative(p, dir string) string {
	if dir == "" {
		return p
	}
	return p[len(dir)+1:]
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
