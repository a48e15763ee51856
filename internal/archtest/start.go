package archtest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"regexp"
	"slices"
)

// atStart are the calls that no package may make when the program starts: every
// command would wait for them, also those that use nothing of the package.
var atStart = []string{"regexp.MustCompile", "regexp.Compile", "template.Must", "goldmark.New", "goldmark.DefaultParser", "parser.NewParser"}

// Start returns the package-level variables of non-test files that do work which
// belongs to their first use, and the lazy patterns that do not compile or are not
// written out.
func Start(files []File) ([]string, error) {
	all, err := parseAll(files, 0)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range all {
		if f.Test || within("internal/archtest", f.Package) {
			continue
		}
		for _, decl := range f.Syntax.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			eachCall(gen, func(call *ast.CallExpr, name string) {
				if why := startFault(call, name); why != "" {
					out = append(out, fmt.Sprintf("%s: %s", f.Path, why))
				}
			})
		}
	}
	return unique(out), nil
}

func startFault(call *ast.CallExpr, name string) string {
	switch {
	case slices.Contains(atStart, name):
		return name + " at the start of the program: use lazy.Regexp or sync.OnceValue"
	case name == "lazy.Regexp" && len(call.Args) == 1:
		pattern, ok := literal(call.Args[0])
		if !ok {
			return "the pattern of lazy.Regexp is not written out, so that nothing can check it"
		}
		if _, err := regexp.Compile(pattern); err != nil {
			return err.Error()
		}
	}
	return ""
}

// eachCall visits the calls that run when the declaration is initialised: those
// inside function literals do not, unless the literal itself is called.
func eachCall(root ast.Node, visit func(call *ast.CallExpr, name string)) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if lit, ok := n.Fun.(*ast.FuncLit); ok {
				eachCall(lit.Body, visit)
			}
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok {
					visit(n, pkg.Name+"."+sel.Sel.Name)
				}
			}
		}
		return true
	})
}

// literal returns the value of string literals joined by +.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		return constant.StringVal(v), v.Kind() == constant.String
	case *ast.BinaryExpr:
		x, okX := literal(e.X)
		y, okY := literal(e.Y)
		return x + y, okX && okY && e.Op == token.ADD
	}
	return "", false
}
