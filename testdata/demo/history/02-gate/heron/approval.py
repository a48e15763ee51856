"""The approval gate: a person sees the very call before it runs.

Reading needs nobody. Writing asks for a yes. What can take a service down asks
for the name of the thing, typed out, so that a reflex is not enough.
"""

from __future__ import annotations

import enum
import getpass
import sys
from dataclasses import dataclass


class Tier(enum.IntEnum):
    READ = 0
    WRITE = 1
    DANGER = 2


@dataclass(frozen=True)
class Request:
    tool: str
    tier: Tier
    literal: str  # the command, arguments or diff, exactly as it will run
    target: str   # what the person types to confirm a dangerous call


@dataclass(frozen=True)
class Decision:
    approved: bool
    approver: str
    shown: str


def render_request(request: Request) -> str:
    """The screen a person decides on: the literal call, nothing retold."""
    rule = "-" * 72
    lines = [rule, f"heron wants to use {request.tool} ({request.tier.name.lower()})", ""]
    for number, line in enumerate(request.literal.splitlines() or [""], start=1):
        lines.append(f"  {number:>3} | {printable(line)}")
    lines += ["", rule]
    return "\n".join(lines)


def printable(line: str) -> str:
    """Control characters could hide part of a command; they are spelled out."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line)


class Gate:
    """Asks on the terminal. It has no other way to a yes."""

    def __init__(self, stdin=None, stdout=None):
        self._in = stdin or sys.stdin
        self._out = stdout or sys.stdout

    def ask(self, request: Request) -> Decision:
        approver = getpass.getuser()
        if request.tier is Tier.READ:
            return Decision(True, "rule:read-only", "")
        if not self._in.isatty():
            return Decision(False, "rule:no-terminal", "")
        shown = render_request(request)
        print(shown, file=self._out)
        if request.tier is Tier.DANGER:
            approved = self._answer(f"Type {request.target!r} to run it: ") == request.target
        else:
            approved = self._answer("Run it? [y/N] ").lower() == "y"
        return Decision(approved, approver, shown)

    def _answer(self, question: str) -> str:
        print(question, end="", file=self._out, flush=True)
        return self._in.readline().strip()
