package evidence_test

import "testing"

// White space inside a text is what the text says, whatever marks the text.
func TestTexts(t *testing.T) {
	for _, c := range []change{
		{"a block of YAML", "c.yml", "2-3", "s:\n  run: |\n    rm -rf / tmp\n  x: 1\n", "s:\n  run: |\n    rm -rf  / tmp\n  x: 1\n", false},
		{"a blank line in a block of YAML", "c.yml", "2-4", "s:\n  run: |\n    a\n    b\n  x: 1\n", "s:\n  run: |\n    a\n\n    b\n  x: 1\n", false},
		{"depth in a block of YAML", "c.yml", "2-4", "s:\n  run: |\n    a\n      b\n  x: 1\n", "s:\n  run: |\n    a\n        b\n  x: 1\n", false},
		{"a blank behind a backslash in a block of YAML", "c.yml", "3", "s:\n  run: |\n    cat \\\n    x\n", "s:\n  run: |\n    cat \\ \n    x\n", false},
		{"a block of YAML indented as a whole", "c.yml", "2-4", "s:\n  run: |\n    a\n    b\n  x: 1\n", "s:\n    run: |\n        a\n        b\n    x: 1\n", true},
		{"blanks at the ends of a block of YAML", "c.yml", "2-4", "s:\n  run: |\n    a \n    b\n  x: 1\n", "s:\n  run: |\n    a\n    b\n  x: 1\n", true},
		{"a key that became a text", "c.yml", "3", "services:\n  agent:\n    read_only: true\n", "services:\n  notes: |\n    read_only: true\n", false},
		{"a step that became a text", "c.yml", "2", "steps:\n  - run: gate\n", "steps: |\n  - run: gate\n", false},
		{"Lua", "a.lua", "1-3", "x = [==[\n a  b\n]==]\n", "x = [==[\n a b\n]==]\n", false},
		{"a long comment of Lua", "a.lua", "2", "f()\ngate()\ng()\n", "f()\n--[==[\ngate()\n]==]\ng()\n", false},
		{"Rust", "a.rs", "1-3", "let x = r###\"\n a  b\n\"###;\n", "let x = r###\"\n a b\n\"###;\n", false},
		{"around in Rust", "a.rs", "2", "f();\ngate();\ng();\n", "f(r###\"\ngate();\n\"###);\ng();\n", false},
		{"C++", "a.cpp", "1-3", "auto s = R\"x(\n a  b\n)x\";\n", "auto s = R\"x(\n a b\n)x\";\n", false},
		{"around in C++", "a.cpp", "2", "f();\ngate();\ng();\n", "f(R\"x(\ngate();\n)x\");\ng();\n", false},
		{"PHP", "a.php", "1-3", "$x = <<<E\n a  b\nE;\n", "$x = <<<E\n a b\nE;\n", false},
		{"around in PHP", "a.php", "2", "f();\ngate();\ng();\n", "f(<<<E\ngate();\nE);\ng();\n", false},
		{"Ruby", "a.rb", "1-3", "x = <<~E\n a  b\nE\n", "x = <<~E\n a b\nE\n", false},
		{"behind the end of Ruby", "a.rb", "2", "f\ngate\ng\n", "f\n__END__\ngate\ng\n", false},
		{"behind the end of Perl", "a.pl", "2", "f();\ngate();\n", "f();\n__END__\ngate();\n", false},
		{"a manual of Perl", "a.pl", "2", "f();\ngate();\n", "f();\n\n=pod\n\ngate();\n\n=cut\n", false},
		{"a template in a template", "a.ts", "1-3", "const s = `${f(`x`)}\n a  b\n`\n", "const s = `${f(`x`)}\n a b\n`\n", false},
		{"code after a template in a template", "a.ts", "2", "const s = `${f(`x`)}`;\ngate( a );\n", "const s = `${f(`x`)}`;\ngate(a);\n", true},
		{"a comment of HTML that does not end", "a.html", "2", "<a>\n<form x>\n<b>\n", "<a>\n<!--\n<form x>\n<b>\n", false},
		{"a value without quotes", "a.env", "1", "A=b  c\n", "A=b c\n", false},
		{"a value without quotes, aligned", "a.ini", "2", "[s]\nA = b c\n", "[s]\nA   =   b c\n", true},
		{"a docstring indented with its function", "a.py", "2-6", "def f():\n    '''Ask.\n\n    Then.\n    '''\n    return g()\nx()\n", "class A:\n    def f():\n        '''Ask.\n\n        Then.\n        '''\n        return g()\nx()\n", true},
		{"words of a docstring moved apart", "a.py", "1-3", "def f():\n    '''Ask.\n    Then  go.'''\n", "def f():\n    '''Ask.\n    Then go.'''\n", false},
		{"a string indented with its function", "a.py", "1-5", "def f():\n    s = '''\n    Then.\n    '''\n    return g()\nx()\n", "class A:\n    def f():\n        s = '''\n        Then.\n        '''\n        return g()\nx()\n", false},
		{"a string in a call that begins its line", "a.py", "2-3", "f(\n    '''a\n    b''')\n", "f(\n    '''a\n  b''')\n", false},
	} {
		c.check(t)
	}
}
