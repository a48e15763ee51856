package policy

import (
	"fmt"
	"reflect"
	"strings"
)

// typeOfFile is the form that the known keys are read from.
var typeOfFile = reflect.TypeFor[file]()

// unknownKey is the error for a key that the form does not have, with the
// nearest one that it has.
func (s *source) unknownKey(line, column int, key string) error {
	known := knownKeys(typeOfFile)
	fix := "known keys: " + strings.Join(known, ", ")
	if near := nearest(key, known); near != "" {
		fix = fmt.Sprintf("did you mean %q?", near)
	}
	return s.errorf(line, column, fmt.Sprintf("unknown key %q", clip(key)), fix)
}

// clip bounds a text of the file inside a message, in bytes.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// knownKeys lists the keys of the form, nested ones included.
func knownKeys(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		out = append(out, f.Tag.Get("yaml"))
		ft := f.Type
		for ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Slice {
			ft = ft.Elem()
		}
		if ft.Kind() == reflect.Struct {
			out = append(out, knownKeys(ft)...)
		}
	}
	return out
}

// nearest returns the word that differs least from s, or "" when none is near.
func nearest(s string, words []string) string {
	const longest = 40
	if len(s) > longest {
		return ""
	}
	best, bestDistance := "", len(s)/2+1
	for _, w := range words {
		if d := distance(strings.ToLower(s), w); d < bestDistance {
			best, bestDistance = w, d
		}
	}
	return best
}

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
