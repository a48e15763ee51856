package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Token is a `path:lines` reference in a card's prose.
type Token struct {
	Where     string // field that holds it, for example "C4.notes" or "rule_of_two.untrusted_input"
	Criterion string // criterion of that field; "" for text about the whole card
	Text      string // as written, for example "module/tracing.py:16"
	File      string // the one file it means; "" when it does not map to one
	Lines     scorecard.LineRange
	Reason    string // why it does not map; "" when it does
}

// Evidence is the token as a citation that can be followed.
func (t Token) Evidence() scorecard.Evidence {
	return scorecard.Evidence{File: t.File, Lines: t.Lines}
}

// At writes the token for another place. A file that kept its path keeps the
// form in which the path was written, which may be its last part alone.
func (t Token) At(file string, lines scorecard.LineRange) string {
	if file == t.File {
		file, _, _ = strings.Cut(t.Text, ":")
	}
	return file + ":" + lines.String()
}

// ProseTokens lists the tokens in the prose of the card, in card order. A token
// means the cited or changed file of exactly that path or, failing that, the
// only one whose path ends in it. What looks like a file and maps to none or to
// several is listed with the reason; what does not (a host with a port, an image
// with a tag) is not a token.
//
// The re-audit log is history and not looked at.
func ProseTokens(card *scorecard.Card, changes []search.Change) []Token {
	known := knownFiles(card, changes)
	var out []Token
	walk(card, func(f field) {
		for _, found := range scan(*f.text) {
			t := found.Token
			t.Where, t.Criterion = f.where, f.criterion
			t.File, t.Reason = known.resolve(t.written())
			if t.File != "" || looksLikeFile(t.written()) {
				out = append(out, t)
			}
		}
	})
	return out
}

// RewriteProse replaces tokens in the prose of the card, which it changes in
// place. replace gets each token as written, without its file, and returns what
// to write instead; false leaves it.
func RewriteProse(card *scorecard.Card, replace func(where, token string) (string, bool)) {
	walk(card, func(f field) {
		*f.text = rewrite(*f.text, func(token string) (string, bool) { return replace(f.where, token) })
	})
}

func rewrite(text string, replace func(token string) (string, bool)) string {
	var b strings.Builder
	done := 0
	for _, t := range scan(text) {
		with, ok := replace(t.Text)
		if !ok {
			continue
		}
		b.WriteString(text[done:t.at])
		b.WriteString(with)
		done = t.at + len(t.Text)
	}
	b.WriteString(text[done:])
	return b.String()
}

// scanned is a token with its place in the text.
type scanned struct {
	Token
	at int
}

// written is the path as the text has it.
func (t Token) written() string {
	p, _, _ := strings.Cut(t.Text, ":")
	return p
}

var tokenForm = lazy.Regexp(`([\pL\pN_.@+~/-]+):([1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?)`)

// scan finds everything of the form path:N or path:N-M.
func scan(text string) []scanned {
	var out []scanned
	for _, m := range tokenForm().FindAllStringSubmatchIndex(text, -1) {
		p := text[m[2]:m[3]]
		if strings.HasPrefix(p, "/") || !strings.ContainsFunc(p, isLetter) || continues(text[m[1]:]) {
			continue // an URL's host, an absolute path, a time, a version
		}
		lines, err := scorecard.ParseLines(text[m[4]:m[5]])
		if err != nil {
			continue
		}
		out = append(out, scanned{Token: Token{Text: text[m[0]:m[1]], Lines: lines}, at: m[0]})
	}
	return out
}

// continues reports whether what follows a number belongs to the same word, as
// in "python:3.12-slim".
func continues(rest string) bool {
	if rest == "" {
		return false
	}
	if isWord(rest[0]) {
		return true
	}
	return len(rest) > 1 && (rest[0] == '.' || rest[0] == '-') && isWord(rest[1])
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f }

func isWord(c byte) bool { return c >= '0' && c <= '9' || c == '_' || isLetter(rune(c)) }

// sourceExtensions are extensions by which a bare name is taken for a file.
var sourceExtensions = strings.Fields(`.py .pyi .ipynb .js .jsx .mjs .cjs .ts .tsx .mts .go .rs .java .kt .scala .swift
	.c .h .cc .cpp .hpp .cs .rb .php .sh .bash .ps1 .sql .proto .yaml .yml .toml .json .ini .cfg .conf .env .md .rst .txt
	.html .css .scss .vue .svelte .tf .nix .xml .gradle .lock`)

func looksLikeFile(p string) bool {
	ext := path.Ext(p)
	if strings.Contains(p, "/") {
		return ext != "" && !strings.HasSuffix(p, "/")
	}
	return slices.Contains(sourceExtensions, strings.ToLower(ext))
}

// files knows paths by their last element.
type files map[string][]string

func knownFiles(card *scorecard.Card, changes []search.Change) files {
	all := map[string]bool{}
	for i := range card.Criteria {
		for e := range Evidence(card, &card.Criteria[i]) {
			if !e.IsSearch() {
				all[e.File] = true
			}
		}
	}
	for _, c := range changes {
		if c.Old != nil {
			all[c.Old.Path] = true
		}
	}
	out := files{}
	for p := range all {
		out[path.Base(p)] = append(out[path.Base(p)], p)
	}
	for _, paths := range out {
		slices.Sort(paths)
	}
	return out
}

// resolve returns the one file that the written path means, or why there is none.
func (k files) resolve(written string) (file, reason string) {
	written = path.Clean(written)
	var fit []string
	for _, p := range k[path.Base(written)] {
		if p == written {
			return p, ""
		}
		if strings.HasSuffix(p, "/"+written) {
			fit = append(fit, p)
		}
	}
	switch len(fit) {
	case 0:
		return "", fmt.Sprintf("%q is no file that the card cites or that changed", written)
	case 1:
		return fit[0], ""
	default:
		return "", fmt.Sprintf("%q may be any of %d files: %s; write more of its path", written, len(fit), strings.Join(fit, ", "))
	}
}
