"""The shell tool: one command, in the sandbox, approved as it stands."""

from __future__ import annotations

from heron.approval import Tier
from heron.sandbox import Sandbox
from heron.tools.registry import Tool

# What takes a service down or cannot be taken back asks for more than a yes.
DANGEROUS = ("rm ", "dd ", "mkfs", "reboot", "shutdown", "systemctl stop", "drop table", "truncate ")


class Shell:
    def __init__(self, sandbox: Sandbox):
        self._sandbox = sandbox

    def run(self, command: str) -> str:
        result = self._sandbox.run(command)
        return f"exit status {result.status}\n{result.output}"

    def tools(self) -> list[Tool]:
        return [
            Tool("run_command", "Run a shell command in the sandbox.", {"command": str}, Tier.DANGER,
                 run=self.run, literal=lambda command: command, target=word),
        ]


def word(command: str) -> str:
    """What a person types to let the command run."""
    lowered = command.lower()
    for mark in DANGEROUS:
        if mark in lowered:
            return mark.strip()
    return "run"
