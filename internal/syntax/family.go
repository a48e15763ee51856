package syntax

import (
	"path"
	"strings"
)

// families are extensions that one program may carry interchangeably.
var families = map[string]string{
	".js": "script", ".jsx": "script", ".mjs": "script", ".cjs": "script",
	".ts": "script", ".tsx": "script", ".mts": "script", ".cts": "script",
	".py": "python", ".pyi": "python", ".pyx": "python",
	".yml": "yaml", ".yaml": "yaml",
	".c": "c", ".h": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".hpp": "c", ".hh": "c",
	".sh": "shell", ".bash": "shell", ".zsh": "shell",
	".md": "prose", ".mdx": "prose", ".markdown": "prose", ".rst": "prose", ".adoc": "prose",
}

// Family is the group of file names that the path belongs to. Lines that move
// to another family no longer do what they did: code in a document does not run.
func Family(p string) string {
	base := strings.ToLower(path.Base(p))
	if stem, _, _ := strings.Cut(base, "."); stem == "dockerfile" || stem == "containerfile" || stem == "makefile" {
		return stem
	}
	ext := path.Ext(base)
	if f, ok := families[ext]; ok {
		return f
	}
	return ext
}
