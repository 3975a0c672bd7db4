"""Sentences in English and Simplified Chinese.

The numbers are those of the trace. Names of brokers stay as they are in both languages.
"""

from dataclasses import dataclass

from core.trace.units import MILLISECOND_NS, MINUTE_NS, SECOND_NS


@dataclass(frozen=True, slots=True)
class Saying:
    """One statement in both languages, with places for values (`{who}`, `{hw}`)."""

    en: str
    zh: str


def seconds(nanos: int) -> str:
    """A length of time with its unit: 85 ms, 8.5 s, 3 min 20 s."""
    if nanos < SECOND_NS:
        return f"{nanos // MILLISECOND_NS} ms"
    if nanos < MINUTE_NS:
        return f"{nanos / SECOND_NS:.1f} s"
    minutes, rest = divmod(nanos // SECOND_NS, 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
