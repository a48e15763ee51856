"""What a person sees on the terminal before deciding."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heron.approval import Request


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
