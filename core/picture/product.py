"""What stands at the foot of a figure: the program with its version, and how far clocks were off."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from core.history.state import History
from core.picture.joining import commas, semicolons
from core.trace.units import MILLISECOND_NS
from core.words import said


def product_words(histories: Sequence[History]) -> str:
    """Such as "Tidegauge 0.1.0, skew b2 +4 ±2 ms, b3 unknown"; of several runs each has its number."""
    skews = [skew_words(history) for history in histories]
    told = [
        said("picture.product.run", number=number, skew=words) if len(histories) > 1 else words
        for number, words in enumerate(skews, start=1)
        if words
    ]
    if not told:
        return _program()
    return said("picture.product.skew", program=_program(), skews=semicolons(told))


def skew_words(history: History) -> str:
    """How far the clock of each broker of a partition is ahead of the reference, with the error.

    A clock that is ahead by 4 ms needs −4 ms added to its stamps. "" where no clock is measured by another.
    """
    bounds: dict[int, tuple[int | None, int | None]] = {}
    for row in history.trace.report.get("clocks", ()):
        what, _, number = str(row["clock"]).partition(" ")
        if what != "broker" or row.get("reference") or int(number) not in history.replicas:
            continue
        lo, hi = row["add_ns"]["lo"], row["add_ns"]["hi"]
        if int(number) in bounds:
            # A clock that was set, or drifts: from the least to the most of all its spans.
            before = bounds[int(number)]
            lo = None if lo is None or before[0] is None else min(lo, before[0])
            hi = None if hi is None or before[1] is None else max(hi, before[1])
        bounds[int(number)] = (lo, hi)
    return commas(f"b{number} {_ahead(lo, hi)}" for number, (lo, hi) in sorted(bounds.items()))


def _ahead(lo: int | None, hi: int | None) -> str:
    if lo is None or hi is None:
        return said("picture.unknown")
    middle, half = -(lo + hi) / 2 / MILLISECOND_NS, (hi - lo) / 2 / MILLISECOND_NS
    sign = "−" if middle < 0 else "+" if middle > 0 else ""
    return f"{sign}{_tenths(abs(middle))} ±{_tenths(half)} ms"


def _tenths(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


@cache
def _program() -> str:
    try:
        return f"Tidegauge {version('tidegauge')}"
    except PackageNotFoundError:
        # In a source folder without an installation.
        return "Tidegauge"
