package search

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// splitWords splits a command into words the way a shell would, without running
// anything. All that a shell would expand, redirect or combine is refused.
func splitWords(command string) ([]string, error) {
	if len(command) > maxCommandBytes {
		return nil, unsupported("", "the command is longer than %d bytes", maxCommandBytes)
	}
	if strings.ContainsAny(command, "\x00\n\r") {
		return nil, unsupported("", "the command must be one line")
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(command), "")
	if err != nil {
		var perr syntax.ParseError
		if errors.As(err, &perr) {
			return nil, unsupported("", "the command is not valid shell, at character %d: %s", perr.Pos.Col(), perr.Text)
		}
		return nil, unsupported("", "the command is not valid shell: %v", err)
	}
	call, err := onlyCall(file)
	if err != nil {
		return nil, err
	}
	words := make([]string, len(call.Args))
	for i, w := range call.Args {
		if words[i], err = plainWord(w); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// onlyCall returns the one simple command that the file must consist of.
func onlyCall(file *syntax.File) (*syntax.CallExpr, error) {
	if len(file.Stmts) != 1 {
		return nil, unsupported("", "the command must be a single rg command")
	}
	st := file.Stmts[0]
	comments := len(file.Last) + len(st.Comments)
	switch {
	case comments > 0:
		return nil, unsupported("#", "a comment in the command; quote the # if it is meant")
	case len(st.Redirs) > 0:
		return nil, unsupported("", "redirections are not evaluated")
	case st.Background || st.Coprocess || st.Negated || st.Disown:
		return nil, unsupported("", "the command must be a single rg command")
	}
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok {
		return nil, unsupported("", "pipes, lists and other shell syntax are not evaluated")
	}
	if len(call.Assigns) > 0 {
		return nil, unsupported("", "assignments are not evaluated")
	}
	return call, nil
}

// plainWord returns the value of a word that is made of quotes and plain text.
func plainWord(w *syntax.Word) (string, error) {
	var b strings.Builder
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if i == 0 && strings.HasPrefix(p.Value, "~") {
				return "", unsupported(p.Value, "a shell would expand ~; quote it")
			}
			if err := unquoted(&b, p.Value); err != nil {
				return "", err
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", unsupported("$'", "quoting with $' is not evaluated")
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return "", unsupported(`$"`, `quoting with $" is not evaluated`)
			}
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					return "", unsupported("$", "a shell would expand what follows in double quotes; use single quotes")
				}
				doubleQuoted(&b, lit.Value)
			}
		default:
			return "", unsupported("", "a shell would expand a word of the command; use single quotes")
		}
	}
	return b.String(), nil
}

// unquoted writes text that stands outside quotes, backslashes removed.
func unquoted(b *strings.Builder, text string) error {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		case '*', '?', '[', '{':
			return unsupported(text, "a shell could expand %q here; quote it", c)
		default:
			b.WriteByte(c)
		}
	}
	return nil
}

// doubleQuoted writes text that stands in double quotes, where a backslash
// escapes only what is special there.
func doubleQuoted(b *strings.Builder, text string) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\", text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
}
