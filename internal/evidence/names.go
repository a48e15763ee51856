package evidence

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/syntax"
)

// How a line gives a name a meaning, by language.
var (
	definesName  = lazy.Regexp(`^(?:async )?(?:def|class|function) (\w+)\b`)
	assignsName  = lazy.Regexp(`^([A-Za-z_][\w.]*(?: ?, ?[A-Za-z_][\w.]*)*)(?: ?:[^=]+)? ?=([^=].*|)$`)
	deletesName  = lazy.Regexp(`^del (.+)$`)
	importsName  = lazy.Regexp(`^(?:from [\w.]+ ?)?import ?(.+)$`)
	bindsName    = lazy.Regexp(`^(?:async )?(?:for (\w+) in\b.*|with .* as (\w+)):`)
	underHeader  = lazy.Regexp(`^(?:if|elif|else|try|except|finally|with|for|while)\b[^:]*: ?([^ ].*)$`)
	scriptNames  = lazy.Regexp(`^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function ?\*? ?|class |let |var |const )([\w$]+)|^(?:module\.)?exports\.([\w$]+) ?=[^=>]|^([A-Za-z_$][\w$]*) ?=[^=>]`)
	scriptMember = lazy.Regexp(`^(?:(?:public|private|protected|static|readonly|override|declare|async|get|set) )*\*? ?(#?[\w$]+)[?!]?(?:\(.*\)(?:[^{};]*)\{.*|(?::[^=;]+)? ?=[^=>].*)$`)
	literalKey   = lazy.Regexp(`^(?:["']([\w$.-]+)["']|([\w$-]+)) ?:`)
	rubyDefines  = lazy.Regexp(`^def ((?:self\.)?[\w?!=]+)`)
	luaDefines   = lazy.Regexp(`^(?:local )?function ([\w.:]+)`)
	shellDefines = lazy.Regexp(`^(?:function )?([\w:-]+) ?\(\)|^function ([\w:-]+)`)
	shellAssigns = lazy.Regexp(`^(?:export |readonly |declare (?:-\w+ )*)?([A-Za-z_]\w*)=`)
	makeDefines  = lazy.Regexp(`^([\w./%-]+(?: [\w./%-]+)*) ?:(?:[^:=]|$)`)
	makeSets     = lazy.Regexp(`^([\w.-]+) ?:?:?=`)
	dataKey      = lazy.Regexp(`^(?:export )?["']?([\w.@/-]+)["']? ?[:=]`)
	dockerKey    = lazy.Regexp(`^(?i:(user|entrypoint|cmd|healthcheck))\b`)
	dockerEnv    = lazy.Regexp(`^(?i:env) ([A-Za-z_]\w*)[ =]`)
	dockerPair   = lazy.Regexp(`(?:^| )([A-Za-z_]\w*)=`)
	// classHead matches the header of a class, in which every name is given once.
	classHead = lazy.Regexp(`^(?:export )?(?:default )?(?:abstract )?(?:class|module)\b`)
	// keyword begins what only looks like the member of a class.
	keyword = lazy.Regexp(`^(?:if|for|while|switch|catch|return|function|with|do|else|constructor)\b`)
)

// names lists what the line gives a meaning; a statement of several lines gives all
// of them on its first.
func (d *document) names(n int) []string {
	code := d.Code(n)
	if len(code) == 0 || d.Inside(n).Name != "" {
		return nil
	}
	switch f := syntax.Family(d.Path); {
	case f == "dockerfile" || f == "containerfile":
		return d.namesOfStage(n)
	case d.Lang.Data():
		name := firstOf(dataKey, code)
		if f == ".ini" || f == ".cfg" {
			name = strings.ToLower(name)
		}
		return some(name)
	case f == "shell":
		return some(firstOf(shellDefines, code), firstOf(shellAssigns, code))
	case f == "python":
		if key := d.keyOfLiteral(n, code); key != "" {
			return some(key)
		}
		return d.namesInPython(n)
	case f == "script":
		return d.namesInScript(n, code)
	case f == ".rb":
		return some(firstOf(rubyDefines, code))
	case f == ".lua":
		return some(firstOf(luaDefines, code))
	case f == "makefile" || f == ".mk":
		return d.namesInMakefile(n, code)
	}
	return nil
}

// firstOf is the first group of the pattern that matched, or "".
func firstOf(pattern func() *regexp.Regexp, code []byte) string {
	m := pattern().FindSubmatch(code)
	for i := 1; i < len(m); i++ {
		if len(m[i]) > 0 {
			return string(m[i])
		}
	}
	return ""
}

// some leaves out what is empty.
func some(names ...string) []string {
	return slices.DeleteFunc(names, func(s string) bool { return s == "" || s == "_" })
}

// namesInPython gives those of a statement, the branches of a line among them.
func (d *document) namesInPython(n int) []string {
	if !d.Begins(n) {
		return nil
	}
	code := d.Code(n)
	if name := firstOf(bindsName, code); name != "" {
		return []string{name}
	}
	if m := underHeader().FindSubmatch(code); m != nil {
		code = m[1]
	}
	if name := firstOf(definesName, code); name != "" {
		return []string{name}
	}
	if importsName().Match(code) {
		return importedNames(d.wholeStatement(n))
	}
	if m := deletesName().FindSubmatch(code); m != nil {
		return split(string(m[1]))
	}
	var out []string
	for m := assignsName().FindSubmatch(code); m != nil; m = assignsName().FindSubmatch(bytes.TrimLeft(m[2], " ")) {
		out = append(out, split(string(m[1]))...)
	}
	return some(out...)
}

// wholeStatement is the code of the statement that begins on the line, in one piece.
func (d *document) wholeStatement(n int) []byte {
	out := slices.Clone(d.Code(n))
	for n++; n <= d.Text.Len() && !d.Begins(n); n++ {
		out = append(append(out, ' '), d.Code(n)...)
	}
	return out
}

// importedNames are the names under which an import makes things known.
func importedNames(code []byte) []string {
	m := importsName().FindSubmatch(code)
	if m == nil {
		return nil
	}
	var out []string
	for _, one := range split(strings.Trim(string(m[1]), "() ")) {
		if _, as, ok := strings.Cut(one, " as "); ok {
			one = as
		}
		one, _, _ = strings.Cut(one, ".")
		out = append(out, strings.Trim(one, "() "))
	}
	return some(out...)
}

func split(list string) []string {
	out := strings.Split(list, ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// namesInMakefile are variables, and targets with commands of their own.
func (d *document) namesInMakefile(n int, code []byte) []string {
	if len(syntax.Indentation(d.Text.Line(n))) > 0 {
		return nil
	}
	if name := firstOf(makeSets, code); name != "" {
		return []string{name}
	}
	if !d.Text.Has(n+1, n+1) || !bytes.HasPrefix(d.Text.Line(n+1), []byte{'\t'}) {
		return nil
	}
	return some(strings.Fields(firstOf(makeDefines, code))...)
}

// namesInScript are those of a module, of a class or of an object.
func (d *document) namesInScript(n int, code []byte) []string {
	if key := d.keyOfLiteral(n, code); key != "" {
		return some(key)
	}
	if above := d.above(n, n); len(above) > 0 && classHead().Match(d.Code(above[0])) {
		if keyword().Match(code) {
			return nil
		}
		return some(firstOf(scriptMember, code))
	}
	return some(firstOf(scriptNames, code))
}

// keyOfLiteral is the key that the line gives a value in the object or the
// dictionary which it stands in, or "".
func (d *document) keyOfLiteral(n int, code []byte) string {
	key := firstOf(literalKey, code)
	if key == "" || !d.BracketsKnown(n) {
		return ""
	}
	i := d.Around(n)
	if i < 0 || d.Bracket(i).Kind != '{' {
		return ""
	}
	if syntax.Family(d.Path) != "python" && !d.opensLiteral(d.Head(i)) {
		return ""
	}
	return "key " + key
}

// opensLiteral reports whether the line opens a value or the arguments of a call, and not
// a body that statements stand in. Every line of the file may stand under it, so the
// answer is kept.
func (d *document) opensLiteral(line int) bool {
	opens, known := d.literals[line]
	if !known {
		if d.literals == nil {
			d.literals = map[int]bool{}
		}
		code := d.Code(line)
		opens = literal().Match(code) && !blockWord().Match(code) && !d.OpensBody(line)
		d.literals[line] = opens
	}
	return opens
}

// namesOfStage are what a line of a container file sets for its stage. Variables may
// be set several at a time, over several lines.
func (d *document) namesOfStage(n int) []string {
	if name := firstOf(dockerKey, d.Code(n)); name != "" {
		return []string{strings.ToLower(name)}
	}
	start := n
	for d.Continued(start) {
		start--
	}
	m := dockerEnv().FindSubmatch(d.Code(start))
	if m == nil {
		return nil
	}
	if code := d.Code(start); code[len("env ")+len(m[1])] == ' ' {
		return []string{"env " + string(m[1])}
	}
	var out []string
	for _, m := range dockerPair().FindAllSubmatch(d.Code(n), -1) {
		out = append(out, "env "+string(m[1]))
	}
	return out
}
