"""Files of the workspace. Paths are resolved before they are compared."""

from __future__ import annotations

import difflib
from pathlib import Path

from heron.approval import Tier
from heron.tools.registry import Tool, ToolError

SIZE_LIMIT = 400_000


class Workspace:
    def __init__(self, root: Path):
        self._root = root.resolve(strict=True)

    def path(self, name: str) -> Path:
        full = (self._root / name).resolve()
        if not full.is_relative_to(self._root):
            raise ToolError(f"{name!r} lies outside the workspace")
        return full

    def read(self, path: str) -> str:
        full = self.path(path)
        if full.stat().st_size > SIZE_LIMIT:
            raise ToolError(f"{path!r} is larger than {SIZE_LIMIT} bytes; read a part of it with the shell")
        return full.read_text(errors="replace")

    def write(self, path: str, content: str) -> str:
        full = self.path(path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(content)
        return f"wrote {len(content)} characters to {path}"

    def diff(self, path: str, content: str) -> str:
        full = self.path(path)
        before = full.read_text(errors="replace").splitlines() if full.exists() else []
        return "\n".join(difflib.unified_diff(before, content.splitlines(), path, path, lineterm=""))

    def tools(self) -> list[Tool]:
        return [
            Tool("read_file", "Read a file of the workspace.", {"path": str}, Tier.READ,
                 run=self.read, literal=lambda path: f"read {path}"),
            Tool("write_file", "Replace a file of the workspace.", {"path": str, "content": str}, Tier.WRITE,
                 run=self.write, literal=self.diff),
        ]
