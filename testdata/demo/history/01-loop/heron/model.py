"""The model's client: one request, one reply, no tools of its own."""

from __future__ import annotations

import json
import os
import urllib.request
from dataclasses import dataclass

from heron.config import ModelSettings

REPLY_LIMIT = 2_000_000


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: dict


@dataclass(frozen=True)
class Reply:
    text: str
    calls: tuple[ToolCall, ...]
    tokens: int


class Model:
    def __init__(self, settings: ModelSettings):
        self._settings = settings

    def complete(self, messages: list[dict], tools: list[dict]) -> Reply:
        body = json.dumps({"model": self._settings.name, "messages": messages, "tools": tools}).encode()
        request = urllib.request.Request(self._settings.url, data=body, method="POST")
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", "Bearer " + os.environ[self._settings.key_env])
        with urllib.request.urlopen(request, timeout=120) as response:
            return parse(json.loads(response.read(REPLY_LIMIT)))


def parse(payload: dict) -> Reply:
    message = payload["choices"][0]["message"]
    calls = tuple(
        ToolCall(c["id"], c["function"]["name"], json.loads(c["function"]["arguments"] or "{}"))
        for c in message.get("tool_calls") or ()
    )
    return Reply(message.get("content") or "", calls, payload.get("usage", {}).get("total_tokens", 0))
