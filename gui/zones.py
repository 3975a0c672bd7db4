"""The zones of time in which a window can show what happened."""

import datetime as dt
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from gui.i18n import mark

UTC: Final = "UTC"
LOCAL: Final = "local"


def zone_choices() -> tuple[tuple[str, str], ...]:
    """(value, text): UTC, the zone of the machine, and every zone that has a place in its name."""
    named = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ((UTC, UTC), (LOCAL, mark("As the desktop")), *((name, name) for name in named))


def zone_of(choice: str) -> dt.tzinfo | None:
    """The zone that one of the choices means, None is that of the machine; UTC where it is not known here."""
    if choice == LOCAL:
        return None
    try:
        return dt.UTC if choice == UTC else ZoneInfo(choice)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return dt.UTC
