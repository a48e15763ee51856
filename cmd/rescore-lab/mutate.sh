#!/usr/bin/env bash
# Runs the mutation bench on every card at hand: the demo's, and, where they are
# present, the published reports and the corpus of facts, on generated repositories and
# on clones of the real ones. Usage: mutate.sh RESCORE-LAB
set -euo pipefail
lab=$1
shared=${RESCORE_SHARED:-../shared}
mirrors=${RESCORE_MIRRORS:-../.mirror}
cards=(testdata/demo/scorecard.md)

for card in "$shared"/seeds/*.md; do
  [ -e "$card" ] && cards+=("$card")
done
# The same table is in internal/testenv/agents.go.
declare -A clone=(
  [taskweaver]=microsoft+TaskWeaver [qwen-agent]=QwenLM+Qwen-Agent [agentgpt]=reworkd+AgentGPT
  [aider]=Aider-AI+aider [autogen]=microsoft+autogen [claude-task-master]=eyaltoledano+claude-task-master
  [gpt-engineer]=gpt-engineer-org+gpt-engineer [superagi]=TransformerOptimus+SuperAGI
)
# real adds a card on its agent's own repository, where that is present.
real() {
  local dir=$mirrors/${clone[$1]-}/repo
  if [ -n "${clone[$1]-}" ] && [ -d "$dir" ]; then cards+=("$2=$dir"); fi
}
for card in "$shared"/seeds/*.md; do
  [ -e "$card" ] && real "$(basename "$card" .md)" "$card"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if command -v python3 >/dev/null && [ -e "$shared/corpus/facts2card.py" ]; then
  for facts in "$shared"/corpus/*.facts.json; do
    name=$(basename "$facts" .facts.json)
    [ -e "$shared/seeds/$name.md" ] && continue # there as a report
    python3 "$shared/corpus/facts2card.py" "$facts" >"$work/$name.json"
    cards+=("$work/$name.json")
    real "$name" "$work/$name.json"
  done
fi
[ -d "$shared" ] || echo "shared inputs are not present (RESCORE_SHARED): the demo's card alone is tried" >&2
"$lab" mutate "${cards[@]}"
