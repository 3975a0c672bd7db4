"""What a note can be tied to, and what it can look like: as documents keep it."""

from enum import StrEnum
from typing import Final

COLOURS: Final = ("note", "text", "hw", "ok", "warn")
"""Roles that a note can be drawn in. Red is none of them: it means that records are gone."""
SHAPES: Final = ("tag", "round", "pointed")
"""What a tag can look like. Each has a tail, so that it is never mistaken for an event."""


class NoteKind(StrEnum):
    """What a note is tied to."""

    POSITION = "position"
    """A place after an event; with a broker, that event in the broker's lane."""
    BOOKMARK = "bookmark"
    """A name for a position, drawn as a notch and without a number."""
    RANGE = "range"
    """From one position to another."""
    LANE = "lane"
    """A replica, at all times."""
    ARROW = "arrow"
    """From one event to another, lane to lane."""
