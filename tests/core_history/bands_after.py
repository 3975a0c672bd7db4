"""What is known of a replica right after an event, as the tests of this folder ask for it."""

from core.history.state import Band, History


def leo(history: History, broker: int, seq: int) -> Band:
    """Its log end offset."""
    return history.at(seq + 1).replica(broker).leo


def hw(history: History, broker: int, seq: int) -> Band:
    """Its high watermark."""
    return history.at(seq + 1).replica(broker).hw


def bounds(band: Band) -> tuple[int | None, int | None]:
    """From where to where the value may lie."""
    return band.lo, band.hi
