"""Words of core's vocabularies as the window says them: kinds of events, checks, classes, certainties."""

from typing import Final

from core.diagnose.verdict.checks import CHECK
from core.language import speaking
from core.trace.kind_words import kind_words as named
from core.trace.units import SECOND_NS
from gui.i18n import language, mark, tr, worded

WORDS: Final = (
    mark("committed"),
    mark("acknowledged"),
    mark("possibly-acknowledged"),
    mark("uncommitted"),
    mark("loss"),
    mark("danger"),
    mark("notice"),
    mark("leader"),
    mark("follower"),
    mark("starting"),
    mark("offline"),
    mark("unknown"),
    mark("observed"),
    mark("reported"),
    mark("derived"),
    mark("held"),
    mark("bounded"),
    mark("inferred"),
    mark("printed"),
    mark("stated"),
    mark("assumed"),
    mark("first"),
    mark("clean"),
    mark("preferred"),
    mark("controlled"),
    mark("unclean"),
    mark("elr"),
    mark("last-known"),
    mark("none"),
    mark("yes"),
    mark("no"),
    mark("empty"),
    mark("high watermark truncation"),
    mark("unknown epoch"),
    mark("stale isr"),
    mark("stale leader"),
    mark("not replicated"),
    mark("unclean election"),
    mark("disk loss"),
    mark("divergence"),
    mark("Kafka log"),
    mark("data directory"),
    mark("settings"),
    mark("log of another program"),
    mark("not read"),
    mark("cannot be read"),
    mark("log"),
    mark("segment"),
    mark("offset checkpoint"),
    mark("leader epoch checkpoint"),
    mark("metadata log"),
    mark("partition metadata"),
    mark("clean shutdown marker"),
    mark("properties"),
    mark("output of a tool"),
    mark("ignored"),
    mark("offset"),
    mark("from offset"),
    mark("log end offset"),
    mark("log start offset"),
    mark("partition epoch"),
)
"""Values of enumerations and short answers. A word that is not here is shown as it is."""


def term(word: str) -> str:
    """One of WORDS in the chosen language."""
    return tr(word)


def kind_words(kind: str) -> str:
    """An event's kind for a person."""
    with speaking(language()):
        return named(kind)


def check_words(check: str) -> str:
    """A check in two or three words; the initials of Kafka's terms stay capital."""
    return worded(CHECK[check].title)


def lasting(ns: int) -> str:
    """How long something lasts: "1.5 s", "4 min 10 s", "3 h 20 min"."""
    seconds = ns / SECOND_NS
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def percent(share: float) -> str:
    """A share as people read it: 0.5 is "50 %"."""
    return f"{share * 100:.0f} %"
