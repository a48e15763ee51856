"""The sandbox: a container for every command the model asks for.

docker-compose.yml says how the container runs. There is no other place in Heron
that starts a process, and no way to run a command without the container.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

COMPOSE_FILE = Path(__file__).resolve().parent.parent / "docker-compose.yml"
OUTPUT_LIMIT = 64_000


class SandboxUnavailable(Exception):
    """There is no container to run in, so nothing runs."""


@dataclass(frozen=True)
class Result:
    status: int
    output: str


class Sandbox:
    def __init__(self, workspace: Path):
        docker = shutil.which("docker")
        if docker is None:
            raise SandboxUnavailable("docker is not installed; Heron runs no command outside its container")
        self._docker = docker
        self._environment = {"HERON_WORKSPACE": str(workspace), "PATH": "/usr/bin:/bin"}

    def run(self, command: str) -> Result:
        argv = [
            self._docker, "compose", "--file", str(COMPOSE_FILE),
            "run", "--rm", "--no-TTY", "--quiet-pull",
            "sandbox", "/bin/sh", "-c", command,
        ]
        done = subprocess.run(
            argv, env=self._environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        return Result(done.returncode, done.stdout[:OUTPUT_LIMIT].decode("utf-8", "replace"))
