package command_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/command"
)

func TestParse(t *testing.T) {
	rescore := command.Command{Verb: command.Rescore}
	all := command.Command{Verb: command.Rescore, All: true}
	some := func(ids ...string) command.Command {
		return command.Command{Verb: command.Rescore, Criteria: ids}
	}
	unknown := func(text string) command.Command {
		return command.Command{Verb: command.Unknown, Text: text}
	}
	for name, c := range map[string]struct {
		body string
		want command.Command
		none bool
	}{
		"alone":                    {body: "/rescore", want: rescore},
		"with line ending":         {body: "/rescore\n", want: rescore},
		"CRLF":                     {body: "Please:\r\n\r\n/rescore all\r\n", want: all},
		"after text on its line":   {body: "Thanks!\n/rescore C2", want: some("C2")},
		"after a long rule":        {body: strings.Repeat("-", 300) + "\n/rescore", want: rescore},
		"after a long paragraph":   {body: strings.Repeat("word ", 500) + "\n\n/rescore", want: rescore},
		"indented a little":        {body: "   /rescore", want: rescore},
		"trailing space":           {body: "/rescore \t ", want: rescore},
		"criteria":                 {body: "/rescore C2 C4", want: some("C2", "C4")},
		"criteria, sorted, once":   {body: "/rescore c10,C2, c2", want: some("C2", "C10")},
		"all in capitals":          {body: "/rescore ALL", want: all},
		"help":                     {body: "/rescore help", want: command.Command{Verb: command.Help}},
		"first of two":             {body: "/rescore C1\n/rescore C2", want: some("C1")},
		"after a quote":            {body: "> what about this?\n\n/rescore", want: rescore},
		"after code":               {body: "```\n/rescore C9\n```\n/rescore C1", want: some("C1")},
		"before code":              {body: "/rescore C1\n```\nx\n```", want: some("C1")},
		"unknown word":             {body: "/rescore everything", want: unknown("everything")},
		"all and more":             {body: "/rescore all C2", want: unknown("all C2")},
		"no such criterion":        {body: "/rescore C11", want: unknown("C11")},
		"zero":                     {body: "/rescore C0", want: unknown("C0")},
		"padded number":            {body: "/rescore C01", want: unknown("C01")},
		"sign":                     {body: "/rescore C+1", want: unknown("C+1")},
		"backticks are dropped":    {body: "/rescore a`b``c", want: unknown("abc")},
		"direction is not changed": {body: "/rescore a\u202eb\u200bc", want: unknown("abc")},
		"controls become spaces":   {body: "/rescore a\x01b", want: unknown("a b")},
		"long words are cut":       {body: "/rescore " + strings.Repeat("é", 100), want: unknown(strings.Repeat("é", 60) + "…")},
		"Markdown in the words":    {body: "/rescore **x** [y](z) <b>", want: unknown("**x** [y](z) <b>")},

		"nothing":             {body: "", none: true},
		"other text":          {body: "LGTM", none: true},
		"within a line":       {body: "I would run /rescore here", none: true},
		"longer word":         {body: "/rescored", none: true},
		"with a colon":        {body: "/rescore: all", none: true},
		"path":                {body: "/rescore/all", none: true},
		"quoted":              {body: "> /rescore", none: true},
		"quoted deeply":       {body: strings.Repeat("> ", 300) + "x\n" + strings.Repeat("> ", 300) + "/rescore", none: true},
		"indented deeply":     {body: strings.Repeat(" ", 300) + "/rescore", none: true},
		"lazily quoted":       {body: "> someone said\n/rescore", none: true},
		"nested quote":        {body: "> > /rescore all", none: true},
		"fenced":              {body: "```\n/rescore\n```", none: true},
		"fenced with tildes":  {body: "~~~ text\n/rescore\n~~~", none: true},
		"fence never closed":  {body: "```\n/rescore", none: true},
		"indented code":       {body: "    /rescore", none: true},
		"tab-indented code":   {body: "\t/rescore", none: true},
		"code span":           {body: "`/rescore`", none: true},
		"code span of lines":  {body: "`a\n/rescore\nb`", none: true},
		"list":                {body: "- /rescore", none: true},
		"item's own line":     {body: "- text\n  /rescore", none: true},
		"numbered":            {body: "1. /rescore", none: true},
		"heading":             {body: "# /rescore", none: true},
		"heading underlined":  {body: "/rescore\n=======", none: true},
		"hidden comment":      {body: "<!--\n/rescore\n-->", none: true},
		"comment within text": {body: "a <!--\n/rescore all\n--> b", none: true},
		"HTML block":          {body: "<div>\n/rescore\n</div>", none: true},
		"link text":           {body: "[\n/rescore](http://x)", none: true},
		"emphasis":            {body: "*x\n/rescore*", none: true},
		"link definition":     {body: "[a]:\n/rescore", none: true},
		"long paragraph":      {body: strings.Repeat("word ", 500) + "\n/rescore", none: true},
		"escaped":             {body: `\/rescore`, none: true},
		"capital":             {body: "/Rescore", none: true},
		"too long a comment":  {body: "/rescore\n" + strings.Repeat("x", command.MaxBody), none: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := command.Parse(c.body)
			assert.Equal(t, !c.none, ok)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestReply(t *testing.T) {
	assert.Contains(t, command.Reply(command.Help, ""), "`/rescore C2 C4`")
	assert.Contains(t, command.Reply(command.Unknown, "everything"), "`/rescore everything` is not a command")
	assert.Contains(t, command.Reply(command.Unknown, "``"), "This is not a command")
	assert.Empty(t, command.Reply(command.Rescore, ""))
}

// A quote of any comment asks for nothing; neither does any comment in a fence.
func TestQuotedAndFencedNeverCommand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"/rescore", "/rescore all", "text", "", "- x", "    y", "> z", "# h"}), 1, 8).Draw(t, "lines")
		quoted := "> " + strings.Join(lines, "\n> ")
		_, ok := command.Parse(quoted)
		require.False(t, ok, "%q", quoted)
		fenced := "```\n" + strings.Join(lines, "\n") + "\n```"
		_, ok = command.Parse(fenced)
		require.False(t, ok, "%q", fenced)
		plain := strings.Join(lines, "\n") + "\n\n\n/rescore C7"
		_, ok = command.Parse(plain)
		if !strings.HasPrefix(lines[len(lines)-1], "- ") {
			require.True(t, ok, "%q", plain)
		}
	})
}

// A comment as long as GitHub allows is read in bounded time, whatever it holds.
func TestHostileComments(t *testing.T) {
	for _, unit := range []string{"[", "![", "*a ", "**", "> ", "> > - 1. x\n", strings.Repeat("> ", 40) + "x\n", strings.Repeat("- ", 40) + "\n", "`", "<!--", "<a ", "- ", "](", "&", "\n\n/rescor", "_a_ ", "[a](", "1. ", "\\", "<!-- a --> ", "|", "/rescore x\n", "[a](\n/rescore", "`\n/rescore ", "[a]: b\n", "*a\n/rescore_\n\n"} {
		body := strings.Repeat(unit, 65_000/len(unit)) + "\n\n/rescore all"
		began := time.Now()
		_, _ = command.Parse(body)
		t.Logf("%-20q %v", unit, time.Since(began))
		assert.Less(t, time.Since(began), 2*time.Second, "%q", unit)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"/rescore", "> /rescore", "```\n/rescore\n```", "x\n/rescore C2, c4\r\n", "<!--\n/rescore-->", "/rescore `x`", "`\n/rescore all"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c, ok := command.Parse(body)
		if !ok {
			require.Equal(t, command.Command{}, c)
			return
		}
		require.Contains(t, body, command.Word)
		require.NotEmpty(t, c.Verb)
		require.LessOrEqual(t, len(c.Criteria), 10)
		require.LessOrEqual(t, len([]rune(c.Text)), 61)
		require.NotContains(t, c.Text, "`")
		for _, r := range c.Text {
			require.False(t, unicode.IsControl(r))
		}
		again, ok := command.Parse("> " + strings.ReplaceAll(body, "\n", "\n> "))
		require.False(t, ok, "quoted: %+v", again)
	})
}
