"""Fetching pages from the few hosts an incident may need."""

from __future__ import annotations

import urllib.parse
import urllib.request

from heron.approval import Tier
from heron.tools.registry import Tool, ToolError

PAGE_LIMIT = 200_000


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could lead off the list, so it is an answer, not a step."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


class Pages:
    def __init__(self, hosts: tuple[str, ...]):
        self._hosts = frozenset(hosts)
        self._opener = urllib.request.build_opener(NoRedirect)

    def fetch(self, url: str) -> str:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "https" or parts.hostname not in self._hosts or parts.port not in (None, 443):
            raise ToolError(f"only https pages of {', '.join(sorted(self._hosts))} may be fetched")
        with self._opener.open(url, timeout=20) as response:
            return response.read(PAGE_LIMIT).decode("utf-8", "replace")

    def tools(self) -> list[Tool]:
        return [
            Tool("fetch_page", "Fetch a page of the status site or the wiki.", {"url": str}, Tier.READ,
                 run=self.fetch, literal=lambda url: f"GET {url}"),
        ]
