"""`annotest config`: the settings in force, and where each comes from."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from annotest.config import DEFAULT, FILE, TABLE, Settings
from annotest.reports.paths import readable

_NOTHING = "–"
_WIDE = 40  # a longer value does not move the column behind it


def print_settings(console: Console, settings: Settings) -> None:
    """Print a table of the settings; those that somebody has set stand out."""
    console.print(Text(_heading(settings)))
    console.print()
    known = settings.known
    keys = max(map(len, known))
    values = max(len(setting.text) for setting in known.values() if len(setting.text) <= _WIDE)
    for key, setting in known.items():
        style = "dim" if setting.origin == DEFAULT else "bold"
        line = f"{key:{keys}}  {setting.text or _NOTHING:{values}}  {setting.origin}"
        console.print(Text(line, style=style))


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
        return f"no {FILE} with [{TABLE}] in this folder or above"
    profile = f"profile {settings.profile}" if settings.profile else "no profile"
    others = [name for name in settings.profiles if name != settings.profile]
    there = f" (there is {', '.join(others)})" if others else ""
    return f"{readable(settings.file)}, {profile}{there}"
