package evidence_test

import "testing"

// A later line that names the same takes the place of the cited one, though that
// stands as it did.
func TestNamesGivenAnotherMeaning(t *testing.T) {
	const gate = "def approve(call):\n    check(call)\n"
	const user = "FROM a\nUSER nobody\nRUN x\nCMD y\n"
	for _, c := range []change{
		{"a setting", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nSANDBOX = False\nrun()\n", false},
		{"a setting under a condition", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nif dev:\n    SANDBOX = False\nrun()\n", false},
		{"a function", "a.py", "1-2", gate, gate + "\ndef approve(call):\n    pass\n", false},
		{"a function by a value", "a.py", "1-2", gate, gate + "\napprove = lambda call: None\n", false},
		{"a field", "a.py", "2", "class A:\n    sandbox = True\n", "class A:\n    sandbox = True\n    sandbox = False\n", false},
		{"a function of a script", "a.ts", "1-3", "function approve(c) {\n  check(c);\n}\n", "function approve(c) {\n  check(c);\n}\nfunction approve(c) {\n}\n", false},
		{"a function of a shell", "a.sh", "1-3", "approve() {\n  check\n}\n", "approve() {\n  check\n}\napprove() {\n  :\n}\n", false},
		{"a variable of a shell", "a.sh", "1", "SANDBOX=1\nrun\n", "SANDBOX=1\nexport SANDBOX=0\nrun\n", false},
		{"the user of a container", "Dockerfile", "2", user, "FROM a\nUSER nobody\nRUN x\nUSER root\nCMD y\n", false},
		{"a key", "a.yml", "3", "services:\n  a:\n    read_only: true\n", "services:\n  a:\n    read_only: true\n    read_only: false\n", false},
		{"a variable", "a.env", "1", "SANDBOX=1\nB=2\n", "SANDBOX=1\nB=2\nSANDBOX=0\n", false},

		{"a setting among several", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nDENY, SANDBOX = [], False\nrun()\n", false},
		{"a setting of a chain", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nX = SANDBOX = False\nrun()\n", false},
		{"a setting under a condition on its line", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nif dev: SANDBOX = False\nrun()\n", false},
		{"a setting that is deleted", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\ndel SANDBOX\nrun()\n", false},
		{"a setting by an import", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nfrom local import X, SANDBOX\nrun()\n", false},
		{"a setting by an import over several lines", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nfrom local import (\n    X,\n    SANDBOX,\n)\nrun()\n", false},
		{"a setting by an import under its name", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nimport off as SANDBOX\nrun()\n", false},
		{"a setting by a loop", "a.py", "1", "SANDBOX = True\nrun()\n", "SANDBOX = True\nfor SANDBOX in [False]:\n    pass\nrun()\n", false},
		{"the function that lines stand in", "a.py", "2", gate, gate + "\ndef approve(call):\n    pass\n", false},
		{"the function that lines stand in, by a value", "a.py", "2", gate, gate + "\napprove = lambda call: None\n", false},
		{"the function that lines stand in, by an import", "a.py", "2", gate, gate + "\nfrom fast import approve\n", false},
		{"the method that lines stand in", "a.py", "3", "class A:\n    def approve(self):\n        check(self)\n", "class A:\n    def approve(self):\n        check(self)\n    def approve(self):\n        pass\n", false},
		{"the class that lines stand in", "a.py", "3", "class A:\n    def approve(self):\n        check(self)\n", "class A:\n    def approve(self):\n        check(self)\nclass A:\n    pass\n", false},
		{"an item of a dictionary", "a.py", "2", "C = {\n    'sandbox': True,\n}\n", "C = {\n    'sandbox': True,\n    'sandbox': False,\n}\n", false},
		{"the function that lines of a script stand in", "a.ts", "2", "export async function approve(c) {\n  check(c);\n}\n", "export async function approve(c) {\n  check(c);\n}\nexports.approve = () => {};\n", false},
		{"a variable of a script", "a.ts", "1", "let sandbox = true;\nrun();\n", "let sandbox = true;\nsandbox = false;\nrun();\n", false},
		{"a key of an object", "a.ts", "2", "export const c = {\n  sandbox: true,\n  a: 1,\n};\n", "export const c = {\n  sandbox: true,\n  a: 1,\n  \"sandbox\": false,\n};\n", false},
		{"a field of a class of a script", "a.ts", "2", "class A {\n  sandbox = true;\n  a = 1;\n}\n", "class A {\n  sandbox = true;\n  a = 1;\n  sandbox = false;\n}\n", false},
		{"a method of a class of a script", "a.ts", "3", "class A {\n  approve(c) {\n    check(c);\n  }\n}\n", "class A {\n  approve(c) {\n    check(c);\n  }\n  approve(c) {\n  }\n}\n", false},
		{"the function that lines of a shell stand in", "a.sh", "2", "approve() {\n  check\n}\n", "approve() {\n  check\n}\napprove() { :; }\n", false},
		{"the method of Ruby that lines stand in", "a.rb", "3", "class A\n  def approve(c)\n    check(c)\n  end\nend\n", "class A\n  def approve(c)\n    check(c)\n  end\n  def approve(c)\n  end\nend\n", false},
		{"the function of Lua that lines stand in", "a.lua", "2", "function approve(c)\n  check(c)\nend\n", "function approve(c)\n  check(c)\nend\nfunction approve(c)\nend\n", false},
		{"a target of a Makefile", "Makefile", "2", "scan:\n\ttrivy fs .\ntest:\n\tx\n", "scan:\n\ttrivy fs .\ntest:\n\tx\nscan:\n\ttrue\n", false},
		{"the user of a container in small letters", "Dockerfile", "2", user, "FROM a\nUSER nobody\nRUN x\nuser root\nCMD y\n", false},
		{"a variable of a container among others", "Dockerfile", "2", "FROM a\nENV SANDBOX=1\nCMD y\n", "FROM a\nENV SANDBOX=1\nENV A=1 \\\n    SANDBOX=0\nCMD y\n", false},
		{"a variable that is exported", "a.env", "1", "SANDBOX=1\nB=2\n", "SANDBOX=1\nB=2\nexport SANDBOX=0\n", false},
		{"a key in quotes", "a.yml", "3", "services:\n  a:\n    read_only: true\n", "services:\n  a:\n    read_only: true\n    'read_only': false\n", false},
		{"the service that lines stand under", "a.yml", "3", "services:\n  a:\n    read_only: true\n", "services:\n  a:\n    read_only: true\n  a:\n    image: x\n", false},
		{"a key of a section that is opened again", "a.ini", "2", "[box]\nsandbox = true\n[log]\nx = 1\n", "[box]\nsandbox = true\n[log]\nx = 1\n[box]\nSandbox = false\n", false},

		{"the user of a container and back", "Dockerfile", "2", user, "FROM a\nUSER nobody\nRUN x\nUSER root\nRUN z\nUSER nobody\nCMD y\n", true},
		{"the user of another stage", "Dockerfile", "4", "FROM a\nRUN x\nFROM b\nUSER nobody\n", "FROM a\nUSER root\nRUN x\nFROM b\nUSER nobody\n", true},
		{"the key of another service", "a.yml", "3", "services:\n  a:\n    read_only: true\n", "services:\n  a:\n    read_only: true\n  b:\n    read_only: false\n", true},
		{"a key of an item of a list", "a.yml", "2", "steps:\n  - run: gate\n", "steps:\n  - run: gate\n  - run: more\n", true},
		{"a variable of a function", "a.py", "2", "def f():\n    x = a()\n    return x\n", "def f():\n    x = a()\n    x = b(x)\n    return x\n", true},
		{"a function in another class", "a.py", "2-3", "class A:\n    def approve(self):\n        check(self)\n", "class A:\n    def approve(self):\n        check(self)\n\nclass B:\n    def approve(self):\n        pass\n", true},
		{"a setter", "a.py", "2-4", "class A:\n    @property\n    def mode(self):\n        return 1\n", "class A:\n    @property\n    def mode(self):\n        return 1\n    @mode.setter\n    def mode(self, v):\n        self.v = v\n", true},
		{"an argument of the same name", "a.py", "1", "SANDBOX = True\n", "SANDBOX = True\nrun(\n    SANDBOX=False,\n)\n", true},
		{"a decorated function that adds to it", "a.py", "2", gate, gate + "\n@approve.register\ndef approve(call: int):\n    pass\n", true},
		{"a local import", "a.py", "1", "SANDBOX = True\n", "SANDBOX = True\ndef f():\n    from local import SANDBOX\n", true},
		{"an import of another name", "a.py", "1", "SANDBOX = True\n", "SANDBOX = True\nfrom local import SANDBOX_MODE, X as Y\n", true},
		{"a comparison", "a.py", "1", "SANDBOX = True\n", "SANDBOX = True\nassert SANDBOX == True\n", true},
		{"a key of another object", "a.ts", "2", "a({\n  sandbox: true,\n});\n", "a({\n  sandbox: true,\n});\nb({\n  sandbox: false,\n});\n", true},
		{"a case of a switch", "a.ts", "2", "switch (x) {\ncase 1: gate();\n}\n", "switch (x) {\ncase 1: gate();\ncase 2: gate(2);\n}\n", true},
		{"a call in a class", "a.ts", "3", "class A {\n  f() {\n    check();\n  }\n}\n", "class A {\n  f() {\n    check();\n  }\n  g() {\n    if (x) {\n      check();\n    }\n  }\n}\n", true},
		{"more that a target needs", "Makefile", "2", "scan:\n\ttrivy fs .\n", "scan:\n\ttrivy fs .\nscan: build\n", true},
		{"a table of a list", "a.toml", "2", "[[box]]\nsandbox = true\n", "[[box]]\nsandbox = true\n[[box]]\nsandbox = false\n", true},
		{"a function in another branch", "a.py", "3", "if new:\n    def approve(c):\n        check(c)\n", "if new:\n    def approve(c):\n        check(c)\nelse:\n    def approve(c):\n        check_old(c)\n", true},
		{"a local function of a shell's subcommand", "a.sh", "2", "approve() {\n  check\n}\n", "approve() {\n  check\n}\napproved() { :; }\n", true},
		{"a copy that breaks off", "a.py", "1-2", "C = {\n    'a': f(1),\n    'b': 2,\n}\n", "C = {\n    'a': f(1),\n    'b': 2,\n}\nC = {\n    'a': f(1),\n", true},
		{"added above", "a.py", "1", "SANDBOX = True\n", "SANDBOX = False\nSANDBOX = True\n", true},
	} {
		c.check(t)
	}
}
