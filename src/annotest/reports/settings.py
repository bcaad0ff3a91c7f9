"""`annotest config`: the settings in force, and where each comes from."""

from __future__ import annotations

from typing import Any

from annotest.config import DEFAULT, FILE, TABLE, Settings
from annotest.reports.console import Console
from annotest.reports.paths import readable

_NOTHING = "–"
_WIDE = 40  # a longer value does not move the column behind it


def print_settings(console: Console, settings: Settings) -> None:
    """Print a table of the settings, first of those that somebody has set."""
    known = settings.known
    keys = max(map(len, known))
    values = max(len(setting.text) for setting in known.values() if len(setting.text) <= _WIDE)
    lines = {
        key: f"{key:{keys}}  {setting.text or _NOTHING:{values}}  {setting.origin}"
        for key, setting in known.items()
    }
    console.say(_heading(settings), style="bold")
    for style, is_default in (("", False), ("dim", True)):
        told = [lines[key] for key in known if (known[key].origin == DEFAULT) is is_default]
        if told:
            console.say("\n".join(["", *told]), style=style)


def settings_record(settings: Settings) -> dict[str, Any]:
    """Return the settings as JSON has them; sizes are in bytes, times in seconds."""
    return {
        "file": settings.file or None,
        "profile": settings.profile or None,
        "profiles": list(settings.profiles),
        "settings": {
            key: {"value": setting.value, "from": setting.origin}
            for key, setting in settings.known.items()
        },
    }


def _heading(settings: Settings) -> str:
    if not settings.file:
        return f"no {FILE} with [{TABLE}] here or above"
    known = f" (of {', '.join(settings.profiles)})" if settings.profiles else ""
    return f"{readable(settings.file)}, profile: {settings.profile or 'none'}{known}"
