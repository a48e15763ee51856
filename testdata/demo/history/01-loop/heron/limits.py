"""How much one run may do."""

from __future__ import annotations

from heron.config import LimitSettings


class LimitReached(Exception):
    """The run is over; the message says which limit ended it."""


class Limits:
    """Counts the steps and tokens of one run. The model cannot reach it."""

    def __init__(self, settings: LimitSettings):
        self._max_steps = settings.max_steps
        self._max_tokens = settings.max_tokens
        self._steps = 0
        self._tokens = 0

    def step(self) -> None:
        self._steps += 1
        if self._steps > self._max_steps:
            raise LimitReached(f"the run took more than {self._max_steps} steps")

    def spend(self, tokens: int) -> None:
        self._tokens += tokens
        if self._tokens > self._max_tokens:
            raise LimitReached(f"the run used more than {self._max_tokens} tokens")

    @property
    def left(self) -> str:
        return f"{self._max_steps - self._steps} steps, {self._max_tokens - self._tokens} tokens"
