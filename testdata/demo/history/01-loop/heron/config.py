"""Settings, read from the operator's own configuration directory.

The workspace never contributes a setting: it holds runbooks and the files an
incident is about, and both may have been written by somebody else.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

CONFIG_HOME = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "heron"
STATE_HOME = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "heron"


class ConfigError(Exception):
    """A setting that cannot be used; the message names it."""


@dataclass(frozen=True)
class ModelSettings:
    url: str = "https://models.acme.example/v1/chat"
    name: str = "acme-large"
    key_env: str = "HERON_MODEL_KEY"


@dataclass(frozen=True)
class LimitSettings:
    max_steps: int = 40
    max_tokens: int = 400_000


@dataclass(frozen=True)
class Settings:
    model: ModelSettings = field(default_factory=ModelSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)


def load(path: Path | None = None) -> Settings:
    """Read config.toml, or the defaults when there is none."""
    path = path or CONFIG_HOME / "config.toml"
    if not path.exists():
        return Settings()
    with path.open("rb") as handle:
        raw = tomllib.load(handle)
    return Settings(**{f.name: _section(f.name, f.default_factory, raw) for f in fields(Settings)})


def _section(name, kind, raw):
    values = raw.get(name, {})
    known = {f.name for f in fields(kind)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ConfigError(f"[{name}] has no setting {unknown[0]!r}; it knows {', '.join(sorted(known))}")
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
