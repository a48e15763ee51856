#!/usr/bin/env bash
# Runs the mutation bench on every card at hand: the demo's, and, where they are
# present, the published reports (on generated repositories and on clones of the
# real ones) and the corpus of facts. Usage: mutate.sh RESCORE-LAB
set -euo pipefail
lab=$1
shared=${RESCORE_SHARED:-../shared}
mirrors=${RESCORE_MIRRORS:-../.mirror}
cards=(testdata/demo/scorecard.md)

for card in "$shared"/seeds/*.md; do
  [ -e "$card" ] && cards+=("$card")
done
declare -A clone=([taskweaver]=microsoft+TaskWeaver [qwen-agent]=QwenLM+Qwen-Agent)
for name in taskweaver qwen-agent; do
  dir=$mirrors/${clone[$name]}/repo
  if [ -e "$shared/seeds/$name.md" ] && [ -d "$dir" ]; then
    cards+=("$shared/seeds/$name.md=$dir")
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if command -v python3 >/dev/null && [ -e "$shared/corpus/facts2card.py" ]; then
  for facts in "$shared"/corpus/*.facts.json; do
    name=$(basename "$facts" .facts.json)
    [ -e "$shared/seeds/$name.md" ] && continue # there as a report
    python3 "$shared/corpus/facts2card.py" "$facts" >"$work/$name.json"
    cards+=("$work/$name.json")
  done
fi
[ -d "$shared" ] || echo "shared inputs are not present (RESCORE_SHARED): the demo's card alone is tried" >&2
"$lab" mutate "${cards[@]}"
