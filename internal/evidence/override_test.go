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

		{"the user of a container and back", "Dockerfile", "2", user, "FROM a\nUSER nobody\nRUN x\nUSER root\nRUN z\nUSER nobody\nCMD y\n", true},
		{"the user of another stage", "Dockerfile", "4", "FROM a\nRUN x\nFROM b\nUSER nobody\n", "FROM a\nUSER root\nRUN x\nFROM b\nUSER nobody\n", true},
		{"the key of another service", "a.yml", "3", "services:\n  a:\n    read_only: true\n", "services:\n  a:\n    read_only: true\n  b:\n    read_only: false\n", true},
		{"a key of an item of a list", "a.yml", "2", "steps:\n  - run: gate\n", "steps:\n  - run: gate\n  - run: more\n", true},
		{"a variable of a function", "a.py", "2", "def f():\n    x = a()\n    return x\n", "def f():\n    x = a()\n    x = b(x)\n    return x\n", true},
		{"a function in another class", "a.py", "2-3", "class A:\n    def approve(self):\n        check(self)\n", "class A:\n    def approve(self):\n        check(self)\n\nclass B:\n    def approve(self):\n        pass\n", true},
		{"a setter", "a.py", "2-4", "class A:\n    @property\n    def mode(self):\n        return 1\n", "class A:\n    @property\n    def mode(self):\n        return 1\n    @mode.setter\n    def mode(self, v):\n        self.v = v\n", true},
		{"an argument of the same name", "a.py", "1", "SANDBOX = True\n", "SANDBOX = True\nrun(\n    SANDBOX=False,\n)\n", true},
		{"added above", "a.py", "1", "SANDBOX = True\n", "SANDBOX = False\nSANDBOX = True\n", true},
	} {
		c.check(t)
	}
}
