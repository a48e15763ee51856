"""The loop: think, answer."""

from __future__ import annotations

from heron.limits import LimitReached, Limits
from heron.model import Model

RULES = """You are Heron, an on-call engineer. Find out what is wrong before you
change anything. Stop when a person should take over, and say so."""


class Planner:
    def __init__(self, model: Model, limits: Limits):
        self._model = model
        self._limits = limits

    def run(self, alert: str) -> str:
        messages = [{"role": "system", "content": RULES}, {"role": "user", "content": alert}]
        try:
            self._limits.step()
            reply = self._model.complete(messages, [])
            self._limits.spend(reply.tokens)
            return reply.text
        except LimitReached as reached:
            return f"Stopped: {reached}."
