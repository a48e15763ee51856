"""Secrets are taken out of what is written down."""

from __future__ import annotations

import re

MASK = "[redacted]"

SHAPES = (
    re.compile(r"(?i)\b(bearer|basic)\s+[a-z0-9._~+/=-]{12,}"),
    re.compile(r"(?i)\b(password|passwd|secret|token|api[_-]?key)\b(\s*[:=]\s*)\S+"),
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.S),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)


def redact(text: str) -> str:
    """Replace everything shaped like a secret."""
    for shape in SHAPES:
        text = shape.sub(MASK, text)
    return text


def redact_values(value):
    """Redact the strings of a nested structure."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {k: redact_values(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_values(v) for v in value]
    return value
