"""What the window remembers between two starts: one table of settings, kept by QSettings."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from PySide6.QtCore import QByteArray, QSettings

from core.message import Message, message
from core.picture.viewing import USUAL, Room
from gui.text.catalogues import languages
from gui.text.render import language_name
from gui.theme import THEME_NAMES
from gui.window.processing import MASTER

UTC: Final = "UTC"
LOCAL: Final = "local"
VERSION: Final = 1
"""Grows when a key changes its meaning; settings of another version are left behind, not guessed at."""


Choices: TypeAlias = tuple[tuple[Any, Message | str], ...]
_AS_THE_DESKTOP: Final = message("settings.as-the-desktop")


@dataclass(frozen=True, slots=True)
class Setting:
    """One remembered value: its key, its default, how its stored form is read, and what it is for.

    One that a person chooses in the dialog has a `title` (an id) and `choices`: each value with its message,
    or with a name that is the same in every language. Choices that take long to find are a function.
    """

    key: str
    default: Any
    read: Callable[[Any], Any]
    text: str
    title: str = ""
    choices: Choices | Callable[[], Choices] = ()

    def offered(self) -> Choices:
        """The choices."""
        return self.choices() if callable(self.choices) else self.choices


def _flag(stored: object) -> bool:
    """QSettings gives "true" from a file and True from memory."""
    return stored is True or str(stored).lower() == "true"


def _names(stored: object) -> tuple[str, ...]:
    """QSettings gives a lone string for a list of one."""
    if stored is None or stored == "":
        return ()
    return (stored,) if isinstance(stored, str) else tuple(str(name) for name in stored)  # pyright: ignore[reportGeneralTypeIssues]


def _bytes(stored: object) -> QByteArray:
    return stored if isinstance(stored, QByteArray) else QByteArray()


@cache
def zone_choices() -> Choices:
    """UTC, the zone of the machine, and every zone that has a place in its name: 600 files are looked at."""
    named = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ((UTC, UTC), (LOCAL, _AS_THE_DESKTOP), *((name, name) for name in named))


def language_choices() -> Choices:
    """The language of the desktop, and every one that has catalogues, by the name that it calls itself."""
    return (("system", _AS_THE_DESKTOP), *((one, language_name(one)) for one in languages()))


def zone_of(choice: str) -> dt.tzinfo | None:
    """The zone that one of the choices means, None is that of the machine; UTC where it is not known here."""
    if choice == LOCAL:
        return None
    try:
        return dt.UTC if choice == UTC else ZoneInfo(choice)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return dt.UTC


_THEMES: Final = (("system", _AS_THE_DESKTOP), *((name, Message(id_)) for name, id_ in THEME_NAMES.items()))
_SIZES: Final = tuple((size, f"{size} %") for size in (85, 100, 115, 130, 150, 200, 250, 300))
STRIPS: Final = (
    Setting("legend", False, _flag, "whether the signs in sight are explained under the lanes"),
    Setting("cells", True, _flag, "whether the logs at the cursor are shown"),
    Setting("narration", False, _flag, "whether the timeline is told as sentences, too"),
)
"""The panels below the lanes: each an action of the same name, and a widget in `Stage.below`."""
SETTINGS: Final = (
    Setting("theme", "system", str, "system, light, dark or contrast", "exports.theme", _THEMES),
    Setting("language", "system", str, "system, en, zh …", "settings.language", language_choices),
    Setting("text_size", 100, int, "percent; scales everything", "settings.text-size", _SIZES),
    Setting("zone", UTC, str, "UTC, local or a name of the IANA database", "settings.times-in", zone_choices),
    Setting("geometry", QByteArray(), _bytes, "size and place of the window"),
    *(
        Setting(f"layout-{view}", QByteArray(), _bytes, "places and sizes of the docks")
        for view in ("timeline", "compare")
    ),
    Setting("panels", QByteArray(), _bytes, "heights of findings, notes and ledger"),
    *STRIPS,
    Setting("grid", False, _flag, "whether triage shows all partitions as a grid"),
    Setting("recent", (), _names, "paths opened last, the newest first"),
    Setting("folder", "", str, "where the file dialogs start"),
    Setting("export", ".png", str, "the kind that was exported last"),
    Setting("master", MASTER, str, "the Spark master that was used last"),
    Setting("course", (), _names, "what was reached in the lessons, the one that was on last first"),
    Setting("rooms", (), _names, "displays on which a room saw lessons, the last one first"),
    Setting("room_width", USUAL.width_cm, int, "cm; how wide the picture of the room was"),
    Setting("room_distance", USUAL.distance_cm, int, "cm; how far from it the last row sat"),
    Setting("steps", 0, int, "steps made so far; the hint line goes after ten"),
)
_BY_KEY: Final = {setting.key: setting for setting in SETTINGS}


class Settings:
    """Reads and writes the values of SETTINGS. A key that is not in the table raises KeyError."""

    def __init__(self, store: QSettings) -> None:
        """Use `store`; drop what a program with another table left there."""
        self._store = store
        if store.value("version", VERSION, int) != VERSION:
            store.clear()
        store.setValue("version", VERSION)

    def get(self, key: str) -> Any:  # noqa: ANN401 - each key has its own type, named in the table
        """The remembered value, or the default where none is stored or it cannot be read."""
        setting = _BY_KEY[key]
        stored = self._store.value(key)
        if stored is None:
            return setting.default
        try:
            return setting.read(stored)
        except (TypeError, ValueError):
            return setting.default

    def room(self) -> Room:
        """The measures of the room in which lessons were last presented, else the usual ones."""
        room = Room(self.get("room_width"), self.get("room_distance"))
        return room if min(room.width_cm, room.distance_cm) > 0 else USUAL

    def keep_room(self, room: Room) -> None:
        """Remember the measures of a room."""
        self.put("room_width", room.width_cm)
        self.put("room_distance", room.distance_cm)

    def put(self, key: str, value: object) -> None:
        """Remember a value."""
        kept = _BY_KEY[key].key
        self._store.setValue(kept, list(value) if isinstance(value, tuple) else value)

    def remember_path(self, path: str) -> None:
        """Put a path at the head of the recent ones; eight are kept."""
        recent: tuple[str, ...] = self.get("recent")
        self.put("recent", (path, *(known for known in recent if known != path))[:8])
