package evidence_test

import "testing"

const rule = "Never log secrets.\n"

// Lines of Markdown that become code, or part of a script, say nothing any more.
func TestProseThatBecomesCode(t *testing.T) {
	base := "x\n\n" + rule
	for _, c := range []change{
		{"into a fence", "a.md", "3", base, "x\n\n```\n" + rule + "```\n", false},
		{"into a fence that ends with the file", "a.md", "3", base, "x\n\n~~~ text\n\n" + rule, false},
		{"into a fence of an item", "a.md", "3", "- x\n\n  " + rule, "- x\n\n  ```\n  " + rule + "  ```\n", false},
		{"out of a fence", "a.md", "2", "```\n" + rule + "```\n", "x\n\n" + rule, true},
		{"with the code behind it", "a.md", "1-4", rule + "```\nx\n```\n", "````\n" + rule + "```\nx\n```\n````\n", false},
		{"into a script", "a.md", "3", base, "x\n\n<script>\n\n" + rule + "\n</script>\n", false},
		{"into a style", "a.md", "3", base, "x\n\n<style type=\"x\">\n" + rule + "</style>\n", false},
		{"into text laid out before", "a.md", "3", base, "x\n\n<pre>\n\n" + rule + "\n</pre>\n", false},
		{"into the front matter", "a.md", "1", rule, "---\n" + rule + "---\n", false},
		{"a fence put before", "a.md", "3", base, "x\n\n```\na\n```\n\n" + rule, true},
		{"a script put before", "a.md", "3", base, "x\n\n<script>\n\na\n</script>\n\n" + rule, true},
		{"front matter put before", "a.md", "3", base, "---\na: b\n---\n\n" + base, true},
		{"words put before", "a.md", "3", base, "x\n\ny\n\n" + rule, true},
		{"a fence with another name", "a.md", "2", "```\n" + rule + "```\n", "```text\n" + rule + "```\n", true},
		{"code in a longer fence", "a.md", "2", "```\n" + rule + "```\n", "y\n````\n" + rule + "````\n", true},
		{"a box of markup", "a.md", "3", base, "x\n\n<div>\n\n" + rule + "\n</div>\n", true},
		{"a rule that is no front matter", "a.md", "3", base, "x\n\n---\n\n" + rule, true},
	} {
		c.check(t)
	}
}
