"""Look into an alert, or show what was learned from earlier ones."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from pathlib import Path

from heron import __version__, config
from heron.approval import Gate
from heron.audit import AuditLog
from heron.credentials import Credentials
from heron.limits import Limits
from heron.memory import Memory
from heron.model import Model
from heron.planner import Planner
from heron.sandbox import Sandbox
from heron.tools.files import Workspace
from heron.tools.http import Pages
from heron.tools.registry import Registry
from heron.tools.services import Services
from heron.tools.shell import Shell


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="heron", description=__doc__)
    p.add_argument("alert", nargs="*", help="what is wrong, in your own words")
    p.add_argument("--workspace", type=Path, default=Path.cwd(), help="directory with runbooks and logs")
    p.add_argument("--notes", action="store_true", help="list the notes and stop")
    p.add_argument("--forget", action="store_true", help="drop every note and stop")
    p.add_argument("--auto-approve", action="store_true", default="HERON_AUTO_APPROVE" in os.environ,
                   help="run every call without asking")
    p.add_argument("--version", action="version", version=__version__)
    return p


def build(settings: config.Settings, workspace: Path, memory: Memory, auto_approve: bool) -> Planner:
    audit = AuditLog(config.STATE_HOME, f"heron/{__version__}", getpass.getuser())
    registry = Registry(Gate(auto_approve=auto_approve), audit, settings.tools.disabled)
    toolboxes = [
        Workspace(workspace).tools(),
        Pages(settings.tools.http_hosts).tools(),
        Services(Credentials(settings.credentials)).tools(),
        Shell(Sandbox(workspace)).tools(),
    ]
    for tool in (t for box in toolboxes for t in box):
        registry.add(tool)
    return Planner(Model(settings.model), registry, memory, Limits(settings.limits), workspace)


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    memory = Memory(config.STATE_HOME)
    if args.forget:
        print(f"forgot {memory.forget()} notes")
        return 0
    if args.notes or not args.alert:
        print("\n".join(memory.recall()) or "no notes")
        return 0
    planner = build(config.load(), args.workspace.resolve(), memory, args.auto_approve)
    print(planner.run(" ".join(args.alert)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
