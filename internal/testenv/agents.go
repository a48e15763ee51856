package testenv

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// Agent is an agent that was audited: its card is among the shared inputs, and its
// repository, with the history up to the pinned commit, among the mirrors.
type Agent struct {
	ID     string // in the names of the shared inputs
	Mirror string // in the directory of the mirrors; "" when none can be had
	Report bool   // its report is there as it was published; of others, the facts alone
}

// Agents are the audited agents, the published reports first.
var Agents = []Agent{
	{ID: "taskweaver", Mirror: "microsoft+TaskWeaver", Report: true},
	{ID: "qwen-agent", Mirror: "QwenLM+Qwen-Agent", Report: true},
	{ID: "windmill", Report: true},
	{ID: "agentgpt", Mirror: "reworkd+AgentGPT"},
	{ID: "aider", Mirror: "Aider-AI+aider"},
	{ID: "autogen", Mirror: "microsoft+autogen"},
	{ID: "claude-task-master", Mirror: "eyaltoledano+claude-task-master"},
	{ID: "gpt-engineer", Mirror: "gpt-engineer-org+gpt-engineer"},
	{ID: "superagi", Mirror: "TransformerOptimus+SuperAGI"},
}

// EachAgent runs fn as a subtest for every audited agent.
func EachAgent(t *testing.T, fn func(*testing.T, Agent)) {
	t.Helper()
	for _, a := range Agents {
		t.Run(a.ID, func(t *testing.T) { fn(t, a) })
	}
}

// EachMirror runs fn as a subtest for every audited agent whose repository can be
// had, with the repository's git directory. Where it is not present the subtest is
// skipped.
func EachMirror(t *testing.T, fn func(t *testing.T, a Agent, dir string)) {
	t.Helper()
	for _, a := range Agents {
		if a.Mirror != "" {
			t.Run(a.ID, func(t *testing.T) { fn(t, a, Mirror(t, a.Mirror)) })
		}
	}
}

// Facts is the path of what the audit found, without its prose (JSON).
func (a Agent) Facts(t testing.TB) string {
	t.Helper()
	return Shared(t, "corpus/"+a.ID+".facts.json")
}

// Card returns the agent's card with a file name that says its format: the report
// as published, or else an entry made from the facts by the corpus's own program,
// which needs python3; without it the test is skipped.
func (a Agent) Card(t testing.TB) (name string, data []byte) {
	t.Helper()
	if !a.Report {
		return a.Entry(t)
	}
	name = Shared(t, "seeds/"+a.ID+".md")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("read the report of %s: %v", a.ID, err)
	}
	return name, data
}

// Entry returns the entry (JSON) that the corpus's own program makes from the facts.
// Without python3 the test is skipped.
func (a Agent) Entry(t testing.TB) (name string, data []byte) {
	t.Helper()
	program, facts := Shared(t, "corpus/facts2card.py"), a.Facts(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not installed: the facts of audited agents cannot be turned into cards")
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), python, program, facts)
	cmd.Stderr = &stderr
	if data, err = cmd.Output(); err != nil {
		t.Fatalf("make the entry of %s: %v: %s", a.ID, err, stderr.Bytes())
	}
	return a.ID + ".json", data
}
