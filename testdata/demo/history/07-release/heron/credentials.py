"""Tokens for the operations API.

As shipped, one token serves every tool for the length of the run. Where the
operator names a broker, each call gets a token for that tool alone.
"""

from __future__ import annotations

import json
import os
import urllib.parse
import urllib.request

from heron.config import CredentialSettings

BROKER_TTL_S = 300

# What each tool needs, and nothing more. A tool that is not here gets no token.
TOOL_SCOPES = {
    "service_status": "services:read",
    "restart_service": "services:restart",
}


class CredentialError(Exception):
    """No token could be had; nothing is called without one."""


class Credentials:
    def __init__(self, settings: CredentialSettings):
        self._settings = settings
        self._shared = ""

    def for_tool(self, tool: str) -> str:
        if self._settings.broker:
            return self._minted(tool)
        if not self._shared:
            scope = os.environ.get("HERON_SCOPE", "services:*")
            self._shared = post(self._settings.issuer, {"scope": scope})
        return self._shared

    def _minted(self, tool: str) -> str:
        """A token for one call: this tool's scope, five minutes, this operator."""
        scope = TOOL_SCOPES.get(tool)
        if scope is None:
            raise CredentialError(f"{tool} has no scope, so it gets no token")
        return post(self._settings.broker, {"scope": scope, "ttl": str(BROKER_TTL_S)})


def post(url: str, form: dict[str, str]) -> str:
    form = form | {"assertion": os.environ["HERON_IDENTITY"]}
    request = urllib.request.Request(url, data=urllib.parse.urlencode(form).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=15) as response:
        token = json.load(response).get("access_token", "")
    if not token:
        raise CredentialError(f"{url} gave no token")
    return token
