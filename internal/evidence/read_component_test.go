package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What prettier chooses in the script and the style sheet of a component, and what only
// looks like it.
var rereadComponents = []rereading{
	{"a script without semicolons", "a.svelte", "<script lang=\"ts\">\n  import a from 'b';\n  check(user, role);\n</script>", "<script lang=\"ts\">\n\timport a from \"b\"\n\tcheck(\n\t\tuser,\n\t\trole,\n\t)\n</script>", true},
	{"a script indented in another way", "a.vue", "<script setup>\nif (a) {\n  check(user)\n}\n</script>", "<script setup>\n  if (a) {\n      check(user)\n  }\n</script>", true},
	{"another value in a script", "a.svelte", "<script>\nlet a = 1;\n</script>", "<script>\nlet a = 2;\n</script>", false},
	{"a script in another language", "a.vue", "<script lang=\"ts\">\nf()\n</script>", "<script lang=\"coffee\">\nf()\n</script>", false},
	{"a script in a language that is not read", "a.vue", "<script lang=\"coffee\">\na = 'b'\n</script>", "<script lang=\"coffee\">\na = \"b\"\n</script>", false},
	{"data in a script", "a.vue", "<script type=\"text/template\">\na = 'b'\n</script>", "<script type=\"text/template\">\na = \"b\"\n</script>", false},
	{"quotes in a template", "a.svelte", "<script>\nf('a')\n</script>\n<b title='c'/>", "<script>\nf(\"a\")\n</script>\n<b title=\"c\"/>", false},
	{"a template that stays", "a.svelte", "<script>\nf('a')\n</script>\n<b>\n  c\n</b>", "<script>\nf(\"a\")\n</script>\n<b>\n\tc\n</b>", true},
	{"words of a template in another place", "a.vue", "<script>\nf('a')\n</script>\n<b>\n  c\n  d\n</b>", "<script>\nf(\"a\")\n</script>\n<b>\n  c\n    d\n</b>", false},
	{"words of a template that fall beside a level", "a.vue", "<script>\nf('a')\n</script>\n<b>\n    c\n    d\n</b>", "<script>\nf(\"a\")\n</script>\n<b>\n    c\n  d\n</b>", false},
	{"text that shows its blanks", "a.vue", "<script>\nf('a')\n</script>\n<pre>\n  a\n</pre>", "<script>\nf(\"a\")\n</script>\n<pre>\n   a\n</pre>", false},
	{"a text of several lines in a script", "a.svelte", "<script>\nf(`a\n  b`);\n</script>", "<script>\nf(`a\nb`);\n</script>", false},
	{"a script beside a text of several lines", "a.svelte", "<script>\ng('c');\nf(`a\n  b`);\n</script>", "<script>\n  g(\"c\")\n  f(`a\n  b`)\n</script>", true},
	{"a remark of several lines in a script", "a.svelte", "<script>\n/**\n * a\n */\ng('c');\n</script>", "<script>\n  /**\n   * a\n   */\n  g(\"c\")\n</script>", true},
	{"a remark that takes code in", "a.svelte", "<script>\ng() // c\nh()\n</script>", "<script>\ng() // c h()\n</script>", false},
	{"a return that loses its value", "a.vue", "<script>\nfunction f() {\n  return g()\n}\n</script>", "<script>\nfunction f() {\n  return\n  g()\n}\n</script>", false},
	{"a style sheet", "a.vue", "<style scoped>\na { color: RED; top: .5em }\n</style>", "<style scoped>\na {\n  color: RED;\n  top: 0.5em;\n}\n</style>", true},
	{"a style sheet of SCSS", "a.vue", "<style lang=\"scss\">\na { // why\nb { top: 0 } }\n</style>", "<style lang=\"scss\">\na {\n  // why\n  b {\n    top: 0;\n  }\n}\n</style>", true},
	{"a style sheet for all", "a.vue", "<style scoped>\na { top: 0 }\n</style>", "<style>\na { top: 0 }\n</style>", false},
	{"a selector in a style sheet", "a.svelte", "<style>\na b { top: 0 }\n</style>", "<style>\na, b { top: 0 }\n</style>", false},
}

// A script that nobody runs is none, however it is laid out.
func TestScriptsOfComponents(t *testing.T) {
	script := "<script>\nimport a from 'b';\ncheck(user, role);\n</script>\n<p>words</p>\n"
	formatted := "<script>\n  import a from \"b\"\n  check(\n    user,\n    role,\n  )\n</script>\n<p>words</p>\n"
	for head, holds := range map[string]bool{
		formatted: true,
		strings.Replace(formatted, "words", "other words", 1):                              true,
		"<!--\n" + formatted + "-->\n":                                                     false,
		strings.Replace(formatted, "check", "// check", 1):                                 false,
		strings.Replace(formatted, "check(", "if (a) check(", 1):                           false,
		strings.Replace(formatted, "<script>", "<script type=\"text/template\">", 1):       false,
		strings.Replace(formatted, "  check(", "  /* </script> */ check(", 1):              false,
		strings.ReplaceAll(strings.Replace(formatted, "role,", "", 1), "    \n", ""):       false,
		strings.NewReplacer("<script>", "<p>", "</script>", "</p>").Replace(formatted):     false,
		strings.NewReplacer("<script>", "<pre>", "</script>", "</pre>").Replace(formatted): false,
	} {
		it := follow(t, tree{"a.vue": script}, tree{"a.vue": head}, cite(t, "a.vue:3"))
		assert.Equal(t, holds, it.State.Holds(), "%q: %s %s", head, it.State, it.Reason)
	}
}
