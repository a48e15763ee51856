"""The audit log: what was going to happen, who allowed it, what came of it.

It lies in the operator's state directory, which the sandbox does not mount. A
call whose intent cannot be written down does not run.

One line an event. "intent" and "refusal" say what was asked and who decided;
"outcome" says what came of an intent. The id of the call ties the two together,
and the id of the run ties the calls of one incident.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path

from heron.approval import Decision
from heron.redact import redact, redact_values

OUTCOME_LIMIT = 4_000


class AuditLog:
    def __init__(self, directory: Path, agent: str, requester: str):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = directory / "audit.jsonl"
        self._agent = agent
        self._requester = requester

    def intent(self, run_id: str, call_id: str, tool: str, arguments: dict, decision: Decision) -> None:
        self._decided("intent", run_id, call_id, tool, arguments, decision)

    def refusal(self, run_id: str, call_id: str, tool: str, arguments: dict, decision: Decision) -> None:
        self._decided("refusal", run_id, call_id, tool, arguments, decision)

    def _decided(self, event, run_id, call_id, tool, arguments, decision):
        self._append({
            "event": event,
            "run": run_id,
            "call": call_id,
            "agent": self._agent,
            "requester": self._requester,
            "approver": decision.approver,
            "tool": tool,
            "arguments": redact_values(arguments),
        })

    def outcome(self, run_id: str, call_id: str, status: str, text: str) -> None:
        self._append({
            "event": "outcome",
            "run": run_id,
            "call": call_id,
            "status": status,
            "text": redact(text)[:OUTCOME_LIMIT],
        })

    def _append(self, entry: dict) -> None:
        entry["at"] = dt.datetime.now(dt.UTC).isoformat()
        with self._path.open("a") as handle:
            handle.write(json.dumps(entry, sort_keys=True) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
