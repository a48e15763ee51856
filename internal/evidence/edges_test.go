package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// after is a change of what follows the cited line, the second of the file.
func after(file, cited, head string, holds bool) change {
	return change{file + " " + head, file, "2", "x = 1\n" + cited + "\n", "x = 1\n" + head + "\n", holds}
}

// before is a change of what stands before the cited line, which is the second at base.
func before(file, cited, head string, holds bool) change {
	return change{file + " " + head, file, "2", "x = 1;\n" + cited + "\n", "x = 1;\n" + head + "\n", holds}
}

// A statement that goes on past a cited line which stands as it did is another one.
func TestStatementsThatGoOn(t *testing.T) {
	for _, c := range []change{
		after("a.py", "ok = allowed(user)", "ok = allowed(user) \\\n    or True", false),
		after("a.py", "ok = allowed(user)", "ok = (allowed(user)\n    or True)", false),
		after("a.py", "ok = allowed(user)", "ok = (\n    allowed(user)\n    or True\n)", false),
		after("a.py", "ok = allowed(user)", "ok = (allowed(user)  # asked\n\n    # first\n    or True)", false),
		after("a.py", "return allowed(user)", "return allowed(user) \\\n    or True", false),
		after("a.py", "return allowed(user)", "return (allowed(user)\n    or True)", false),
		after("a.py", "assert allowed(user)", "assert allowed(user) \\\n    or True", false),
		after("a.py", "T = 5", "T = 5 \\\n    * 0", false),
		after("a.py", "MODE = \"strict\"", "MODE = (\"strict\"\n    if 0 else \"off\")", false),
		after("a.py", "MODE = \"strict\"", "MODE = (\"strict\"\n    \"ly\")", false),
		after("a.rb", "ok = allowed(user)", "ok = allowed(user) ||\n  true", false),
		after("a.rb", "ok = allowed(user)", "ok = allowed(user)\n  .then { true }", false),
		after("a.rb", "ok = allowed(user)", "ok = allowed(user)\nputs ok", true),
		after("a.php", "$ok = allowed($user);", "$ok = allowed($user) or\n  $ok = true;", false),
		before("a.php", "allowed($user);", "false and\nallowed($user);", false),
		before("a.php", "allowed($user);", "$x = 2;\nallowed($user);", true),
		before("a.rb", "allowed(user)", "false &&\nallowed(user)", false),
		after("a.py", "ok = allowed(user)", "ok = (\n    allowed(user)\n)", true),
		after("a.py", "ok = allowed(user)", "ok = allowed(\n    user,\n)", true),
		after("a.py", "ok = allowed(user)", "ok = allowed(user)\n-x\n", true),
		after("a.py", "ok = allowed(user)", "ok = allowed(user)\nif ok:\n    f()", true),
		{"an argument of Python", "a.py", "3", "x = 1\nf(\n    verify=True,\n)\n", "x = 1\nf(\n    verify=True\n    and False,\n)\n", false},
		{"an argument behind it", "a.py", "3", "x = 1\nf(\n    verify=True,\n)\n", "x = 1\nf(\n    verify=True,\n    a=1,\n)\n", true},
		{"what holds the argument goes on", "a.py", "3", "x = 1\nf(\n    verify=True\n)\n", "x = 1\ny = f(\n    verify=True\n) or 1\n", true},
		{"the other half went", "a.py", "3", "x = (\n    f()\n    and allowed(user)\n    and strict\n)\n", "x = (\n    f()\n    and allowed(user)\n)\n", false},
		{"a property of a script", "a.js", "3", "x = 1\nf({\n  verify: true,\n})\n", "x = 1\nf({\n  verify: true\n && false,\n})\n", false},
		{"a property behind it", "a.js", "3", "x = 1\nf({\n  verify: true,\n})\n", "x = 1\nf({\n  verify: true,\n  a: 1\n})\n", true},
		after("a.js", "ok = allowed(user);", "ok = allowed(user)\n  || true;", false),
		after("a.js", "return ok;", "return ok\n  || true;", false),
		after("a.js", "const mode = \"strict\";", "const mode = \"strict\"\n  && \"off\";", false),
		after("a.ts", "ok = allowed(user)", "ok = allowed(user)\n  || true", false),
		after("a.ts", "ok = allowed(user)", "ok = allowed(user)\n  ? true : true", false),
		after("a.ts", "const n = left(user)", "const n = left(user)\n  > -1", false),
		after("a.ts", "await gate(user)", "await gate(user)\n  .catch(() => 1)", false),
		after("a.js", "await gate(user)", "await gate(user)\n\n  // for now\n  ?.ok()", false),
		after("a.js", "run(gate)", "run(gate)\n(f || g)()", false),
		after("a.js", "ok = allowed(user);", "ok = allowed(user);\n(f || g)()", true),
		after("a.js", "ok = allowed(user)", "ok = allowed(user)\n++x", true),
		after("a.js", "ok = allowed(user)", "ok = allowed(user)\n// || true\ng()", true),
		after("a.js", "ok = allowed(user)", "ok = allowed(user)\n/* || true */\ng()", true),
		after("a.tsx", "<p>x</p>", "<p>x</p>\n<b>y</b>", true),
		after("a.kt", "val ok = allowed(user)", "val ok = allowed(user)\n    || true", false),
		after("a.kt", "val ok = allowed(user)", "val ok = allowed(user)\n    ?: true", false),
		after("a.kt", "val ok = allowed(user)", "val ok = allowed(user)\n-x", true),
		after("A.java", "ok = allowed(user);", "ok = allowed(user)\n    || true;", false),
		after("a.c", "ok = allowed(user);", "ok = allowed(user)\n    || 1;", false),
		after("a.c", "ok = allowed(user);", "ok = allowed(user);\n*p = 1;", true),
		after("a.rs", "let x = f(a)?;", "let x = f(a)?;\n&x", true),
		after("a.go", "ok := allowed(user)", "ok := allowed(user)\n*p = 1", true),
		after("a.sh", "check a", "check a \\\n  || true", false),
		after("a.sh", "check a", "check a &&\nother", false),
		after("a.sh", "check a", "check a\nother", true),
		{"a chain laid out anew", "a.ts", "2-3", "x = 1\nconst r = await run(user).then(f).catch(g);\ny = 2\n", "x = 1\nconst r = await run(user)\n  .then(f)\n  .catch(g);\ny = 2\n", true},
		{"a style that goes on", "a.css", "2", "a {\n  color: red\n}\n", "a {\n  color: red\n  !important\n}\n", false},
		{"a style behind it", "a.css", "2", "a {\n  color: red;\n}\n", "a {\n  color: red;\n  /* x */\n  top: 0\n}\n", true},
	} {
		c.check(t)
	}
}

// A line put right above one that stands as it did may take it in.
func TestLinesTakenIn(t *testing.T) {
	for _, c := range []change{
		before("a.sh", "check a", "false &&\ncheck a", false),
		before("a.sh", "check a", "[ -n \"$CI\" ] &&\ncheck a", false),
		before("a.sh", "check a", "grep x y |\ncheck a", false),
		before("a.sh", "check a", "!\ncheck a", false),
		before("a.sh", "check a", "true # ||\ncheck a", true),
		before("a.sh", "check a", "f && g\ncheck a", true),
		{"what came before it went", "a.sh", "3", "x\nf &&\ncheck a\n", "x\nf\ncheck a\n", false},
		{"another came before it", "a.sh", "3", "x\nf &&\ncheck a\n", "x\ng &&\ncheck a\n", true},
		before("a.c", "check(a);", "0 &&\ncheck(a);", false),
		before("a.c", "check(a);", "x ? y :\ncheck(a);", false),
		before("a.c", "check(a);", "if (0) y(); else\ncheck(a);", false),
		before("a.c", "check(a);", "x = y ? z : w;\ncheck(a);", true),
		before("a.js", "check(a);", "0 &&\ncheck(a);", false),
		before("a.ts", "check(a);", "x ? y :\ncheck(a);", false),
		before("a.js", "check(a);", "const later = () =>\ncheck(a);", false),
		before("a.js", "check(a);", "() =>\ncheck(a);", false),
		before("a.js", "check(a)", "!\ncheck(a)", false),
		before("a.ts", "check(a)", "const b = c!\ncheck(a)", true),
		before("a.py", "check(a)", "_ = (0 and\ncheck(a)\n)", false),
		before("a.go", "check(a)", "_ = ok ||\ncheck(a)", false),
		before("a.kt", "check(a)", "val b: String?\ncheck(a)", true),
		before("a.rs", "check(a);", "f()?;\ncheck(a);", true),
		{"the string before it went", "a.py", "4", "x = 1\nwarn(\n    \"note: \"\n    \"loads what it is told\",\n)\n", "x = 1\nwarn(\n    \"loads what it is told\",\n)\n", true},
		{"a comment in the place of the string before it", "a.py", "4", "x = 1\nwarn(\n    f\"note: {x}\"\n    f\"loads {x}\",\n)\n", "x = 1\nwarn(\n    # said\n    f\"loads {x}\",\n)\n", true},
		{"the string behind it went", "a.py", "3", "x = 1\nwarn(\n    \"loads what it is told\"\n    \", so beware\"\n)\n", "x = 1\nwarn(\n    \"loads what it is told\"\n)\n", true},
		{"a string that was added before it", "a.py", "3", "x = 1\nrun(\n    \"--sandbox\",\n)\n", "x = 1\nrun(\n    \"echo \"\n    \"--sandbox\",\n)\n", false},
		{"the word before it went", "a.py", "4", "x = 1\nok = (\n    not\n    allowed(user)\n)\n", "x = 1\nok = (\n    allowed(user)\n)\n", false},
		{"an else that got its brace", "a.js", "3", "if (x) y();\nelse\n  check(a);\n", "if (x) y();\nelse {\n  check(a);\n}\n", true},
		{"a selector of a child", "a.css", "2", "b { top: 0; }\na { color: red; }\n", "b { top: 0; }\n.x >\na { color: red; }\n", false},
		{"a selector more", "a.css", "2", "b { top: 0; }\na { color: red; }\n", "b { top: 0; }\n.x,\na { color: red; }\n", false},
		{"a rule before it", "a.css", "2", "b { top: 0; }\na { color: red; }\n", "b { top: 0; }\n.x { top: 1px }\na { color: red; }\n", true},
	} {
		c.check(t)
	}
}

// A statement that a formatter puts on one line goes on as it did, wherever the cited
// lines cut it.
func TestStatementsThatAreJoined(t *testing.T) {
	base := "first(one);\nconst allowed =\n  known(user) &&\n  !blocked(user) &&\n  asked(user);\nlast(one);\n"
	joined := "first(one)\nconst allowed = known(user) && !blocked(user) && asked(user)\nlast(one)\n"
	for _, lines := range []string{"2", "2-3", "2-4", "3", "3-4", "3-5", "4", "4-5", "5", "5-6"} {
		for head, holds := range map[string]bool{
			joined: true, "log(user)\n" + joined: true,
			"first(one)\nconst allowed = known(user) || !blocked(user) && asked(user)\nlast(one)\n":                  false,
			"first(one)\nconst allowed = !(known(user) && !blocked(user) && asked(user))\nlast(one)\n":               false,
			"first(one)\nconst allowed = known(user) && !blocked(user) && asked(user) && invited(user)\nlast(one)\n": false,
		} {
			it := follow(t, tree{"a.ts": base}, tree{"a.ts": head}, cite(t, "a.ts:"+lines))
			assert.Equal(t, holds, it.State.Holds(), "%s %q: %s %s", lines, head, it.State, it.Reason)
		}
	}
}
