"""The one way from the model to a tool: validate, ask, record, run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from heron.approval import Gate, Request, Tier
from heron.audit import AuditLog
from heron.model import ToolCall
from heron.redact import redact

RESULT_LIMIT = 20_000


class ToolError(Exception):
    """A call that cannot be made; its text goes back to the model."""


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: dict[str, type]
    tier: Tier
    run: Callable[..., str]
    literal: Callable[..., str]
    target: Callable[..., str] = lambda **_: "yes"


class Registry:
    def __init__(self, gate: Gate, audit: AuditLog, disabled: tuple[str, ...] = ()):
        self._gate = gate
        self._audit = audit
        self._disabled = set(disabled)
        self._tools: dict[str, Tool] = {}

    def add(self, tool: Tool) -> None:
        if tool.name in self._tools:
            raise ValueError(f"two tools are called {tool.name!r}")
        if tool.name not in self._disabled:
            self._tools[tool.name] = tool

    def schemas(self) -> list[dict]:
        kinds = {str: "string", int: "integer", bool: "boolean"}
        return [
            {
                "type": "function",
                "function": {
                    "name": t.name,
                    "description": t.description,
                    "parameters": {
                        "type": "object",
                        "properties": {k: {"type": kinds[v]} for k, v in t.parameters.items()},
                        "required": list(t.parameters),
                        "additionalProperties": False,
                    },
                },
            }
            for t in self._tools.values()
        ]

    def call(self, call: ToolCall, run_id: str, summary: str = "") -> str:
        tool = self._tools.get(call.name)
        if tool is None:
            raise ToolError(f"there is no tool {call.name!r}")
        arguments = check(tool, call.arguments)
        request = Request(tool.name, tool.tier, tool.literal(**arguments), tool.target(**arguments), summary)
        decision = self._gate.ask(request)
        if not decision.approved:
            self._audit.refusal(run_id, call.id, tool.name, arguments, decision)
            return f"Refused by {decision.approver}. Do not try the same call again."
        self._audit.intent(run_id, call.id, tool.name, arguments, decision)
        try:
            result = tool.run(**arguments)
        except Exception as error:
            self._audit.outcome(run_id, call.id, "failed", str(error))
            raise ToolError(str(error)) from error
        self._audit.outcome(run_id, call.id, "done", result)
        return result[:RESULT_LIMIT]


def check(tool: Tool, arguments: dict) -> dict:
    """Every argument named, of its type, and none besides."""
    wrong = set(arguments) ^ set(tool.parameters)
    if wrong:
        raise ToolError(f"{tool.name} takes {sorted(tool.parameters)}, not {sorted(arguments)}")
    for name, kind in tool.parameters.items():
        if type(arguments[name]) is not kind:
            raise ToolError(f"{tool.name}: {name} must be {kind.__name__}")
    return arguments
