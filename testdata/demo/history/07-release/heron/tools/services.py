"""The operations API: look at services, restart one."""

from __future__ import annotations

import json
import re
import urllib.request

from heron.approval import Tier
from heron.credentials import Credentials
from heron.tools.registry import Tool, ToolError

API = "https://ops.acme.example/v2"
NAME = re.compile(r"[a-z][a-z0-9-]{1,40}")


class Services:
    def __init__(self, credentials: Credentials):
        self._credentials = credentials

    def status(self, service: str) -> str:
        return self._call("GET", service, "status", self._credentials.for_tool("service_status"))

    def restart(self, service: str) -> str:
        return self._call("POST", service, "restart", self._credentials.for_tool("restart_service"))

    def _call(self, method: str, service: str, action: str, token: str) -> str:
        if not NAME.fullmatch(service):
            raise ToolError(f"{service!r} is not the name of a service")
        request = urllib.request.Request(f"{API}/services/{service}/{action}", method=method)
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.dumps(json.load(response), indent=1)

    def tools(self) -> list[Tool]:
        return [
            Tool("service_status", "Status and recent events of a service.", {"service": str}, Tier.READ,
                 run=self.status, literal=lambda service: f"status of {service}"),
            Tool("restart_service", "Restart a service.", {"service": str}, Tier.DANGER,
                 run=self.restart, literal=lambda service: f"restart {service}", target=lambda service: service),
        ]
