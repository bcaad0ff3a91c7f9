"""What parent and child agree on: how to search, and how a search can end."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

PASSED, FAILED, STARVED, BLOCKED, ERROR = "passed", "failed", "starved", "blocked", "error"
SKIPPED, LISTED = "skipped", "listed"


@dataclass(frozen=True)
class SearchOptions:
    """How hard to search, and with which seed."""

    seed: int
    max_examples: int
    max_seconds: float | None = None
    avoid: frozenset[str] = frozenset()


def digest(data: bytes) -> str:
    """Return a short name for an input's bytes."""
    return hashlib.sha256(data).hexdigest()[:16] if data else ""
