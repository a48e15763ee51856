"""What outlives a run: how each incident ended, and the workspace's runbooks."""

from __future__ import annotations

import datetime as dt
import json
import logging
from pathlib import Path

log = logging.getLogger("heron.memory")

NOTE_LIMIT = 500
NOTES_SHOWN = 30


class Memory:
    """The model's closing words, in one JSON-lines file of the operator's."""

    def __init__(self, directory: Path):
        self._path = directory / "notes.jsonl"
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)

    def add(self, note: str) -> None:
        entry = {"at": dt.datetime.now(dt.UTC).isoformat(), "note": note[:NOTE_LIMIT]}
        with self._path.open("a") as handle:
            handle.write(json.dumps(entry) + "\n")
        log.info("remembered %r", entry["note"])

    def recall(self) -> list[str]:
        if not self._path.exists():
            return []
        entries = [json.loads(line) for line in self._path.read_text().splitlines()]
        return [e["note"] for e in entries[-NOTES_SHOWN:]]

    def forget(self) -> int:
        """Drop every note; `heron --forget` calls it."""
        count = len(self.recall())
        self._path.unlink(missing_ok=True)
        return count


def runbooks(workspace: Path) -> str:
    """The workspace's runbooks, which go into the system prompt as they are."""
    parts = []
    for path in sorted((workspace / "runbooks").glob("*.md")):
        parts.append(f"## {path.stem}\n{path.read_text(errors='replace')}")
    return "\n\n".join(parts)
