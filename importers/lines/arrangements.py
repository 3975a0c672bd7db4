"""In which order a line states time, level, thread, logger, message: tried until Kafka's words come out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from importers.kafka.grammar import table
from importers.kafka.rule import key
from importers.lines.stamps import DAY_FIRST, FORMS, order_of_days

_SEAM: Final = "~"
"""Where a terminal's colours may stand."""
_LEVEL: Final = r"\[?~(?P<level>TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)~\]?"
_NO_TIME: Final = r"(?![^\])\n]*\d\d:\d\d:\d\d)"
_THREAD: Final = rf"~(?:\[{_NO_TIME}[^\]\n]*\]|\({_NO_TIME}[^()\n]{{1,160}}\))~"
"""A time in brackets is no thread: behind the time of a collector it is the broker's own."""
_WORD: Final = r"[\w.\-]{1,80}"
"""A thread without brackets, a host, a process."""
_NAMED: Final = rf"{_WORD}(?:\([^()\n]{{1,160}}\))?"
"""A thread without brackets, as ZooKeeper names one: main-SendThread(localhost:2181)."""
_LOGGER: Final = r"~(?P<logger>[A-Za-z_$][\w.$\-]*)~(?::(?:\d+|\?))?~"
_GAP: Final = r"(?: *\| *|[ \t]+)"
_DASH: Final = r" *~[-:]~ +"
_ORDERS: Final = (
    rf"{_GAP}?{_LEVEL}{_GAP}",
    rf"{_GAP}?{_LEVEL}{_GAP}{_THREAD}{_GAP}",
    rf"{_GAP}?{_THREAD} *{_LEVEL}{_GAP}",
    rf" *{_LEVEL} +{_LOGGER}{_DASH}",
    rf" *{_LEVEL} +{_THREAD} +{_LOGGER}{_DASH}",
    rf" *{_THREAD} +{_LEVEL} +{_LOGGER}{_DASH}",
    rf" *{_LEVEL} +{_LOGGER} +{_THREAD}{_DASH}",
    rf" *{_LEVEL} +{_THREAD}{_DASH}",
    rf" *{_THREAD} +{_LEVEL}{_DASH}",
    rf" *{_LEVEL}{_DASH}",
    rf" *{_LEVEL} *\[{_LOGGER}\] *(?:\([^)\n]*\) +)?",
    rf" *{_THREAD} +{_LOGGER} +{_LEVEL}{_DASH}",
    rf" *{_LEVEL} +\d+ --- {_THREAD} +{_LOGGER} *: +",
    rf" *{_LEVEL} +{_THREAD} +\[{_LOGGER}\] +",
    rf" *{_LEVEL} +{_LOGGER} +{_THREAD} +",
    rf"{_GAP}{_LEVEL}{_GAP}{_LOGGER}{_GAP}",
    rf"{_GAP}{_LEVEL}{_GAP}{_WORD}{_GAP}{_LOGGER}{_GAP}",
    rf" *{_THREAD} +{_LEVEL} +{_LOGGER} [\w$]+{_DASH}",
    rf" +[\w.\-]+ +{_LEVEL} +(?:{_THREAD} +)?{_LOGGER}{_DASH}",
    rf" +{_NAMED} +{_LEVEL} +\[{_LOGGER}\] +",
)
"""What may stand between the time and the message. Which one it is, the grammar decides: a thread in brackets
looks like the prefixes of Kafka's own messages."""
_LEADS: Final = (r"~\[~(?P<stamp>FORM)~\]~", r"~(?P<stamp>FORM)~")
_BEHIND_BOTH: Final = (
    "",
    rf"{_THREAD} +",
    rf"{_LOGGER}{_DASH}",
    rf"{_LOGGER} +",
    rf"{_THREAD} +{_LOGGER}{_DASH}",
    rf"{_THREAD} +{_LOGGER} +",
    rf"{_THREAD} +{_LOGGER} [\w$]+{_DASH}",
)
"""What may stand between the time and the message where the level comes first."""
_WITHOUT_TIME: Final = [
    ("", order.removeprefix(start))
    for order in _ORDERS
    for start in (" *", f"{_GAP}?")
    if order.startswith(f"{start}{_LEVEL}")
]
_SHORT: Final = (
    rb"(?:Acceptor|Log|Metrics|Partition|Replica|Utils|logger|[A-Z]\w{1,60}(?:Acceptor|Apis|Batch|Builder|Cache|Cleaner"
    rb"|Client|Cnxn|Config|Controller|Coordinator|Driver|Elector|Emitter|Ephemeral|File|Generator|Handler|Impl|Keeper"
    rb"|Listener|Loader|Log|Machine|Manager|Metadata|Monitor|Parser|Processor|Publisher|Purgatory|Queue|Quotas|Reaper"
    rb"|Registration|Runtime|Scheduler|Segment|Selector|Server|Service|Socket|Startable|State|Stats|Thread|Utils))"
    rb"(?:\$\w{0,60})?"
)
"""Classes of a broker without their packages, as `%c{1}` prints them; of state.change.logger `logger`."""
_ENDING: Final = re.compile(
    rb" \((?P<logger>[A-Za-z_][\w$]*+(?:\.[\w$]++)++|" + _SHORT + rb")(?::[\d?]+)?\)(?: \[[^\[\]\n]*\])?$"
)
_MOST_ENDING: Final = 1 << 12
"""Of the name of a logger and a thread together."""
_MOST_TRIED: Final = 400
_AGREE: Final = 0.9
"""Of the lines that begin with the time, this share must have the whole arrangement."""
_LEAST: Final = 3
"""Lines that must agree before a layout that nobody ships is believed."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A pattern up to the message with the groups `stamp` (unless the carrier has it), `level`, `logger`.

    `head` is the same with colours allowed, `form` the form of the stamp (lines/stamps.py), "" without
    one. `known` is how many of the lines tried were a message of Kafka's that the grammar knows.
    """

    body: str
    head: str
    form: str
    known: int


def arrangement_of(lines: Sequence[bytes], *, stamped: bool = True) -> Arrangement | None:
    """The arrangement under which most messages are Kafka's; None where none is certain.

    `stamped` False: the carrier has the time, and lines begin with the level.
    """
    best: Arrangement | None = None
    for form, whole in _candidates(lines) if stamped else _WITHOUT_TIME:
        pattern = re.compile(whole.replace(_SEAM, "").encode())
        found = [(line, match) for line in lines if (match := pattern.match(line))]
        known = sum(known_message(line[match.end() :]) for line, match in found[:_MOST_TRIED])
        if known and (best is None or known > best.known):
            best = Arrangement(whole.replace(_SEAM, ""), whole, form, known)
    if best is None or best.form != DAY_FIRST:
        return best
    order = order_of_days(_stamps(best.body, lines))
    return None if order is None else replace(best, form=order)


def _stamps(body: str, lines: Sequence[bytes]) -> list[str]:
    pattern = re.compile(body.encode())
    return [match["stamp"].decode() for line in lines if (match := pattern.match(line))]


def _candidates(lines: Sequence[bytes]) -> list[tuple[str, str]]:
    """Forms with leads that enough of the lines begin with, each with every order; most frequent first."""
    tried: list[tuple[int, list[tuple[str, str]]]] = []
    begins = [(lead, _ORDERS) for lead in _LEADS]
    begins += [(f"{_LEVEL} +{lead} +", _BEHIND_BOTH) for lead in _LEADS]
    for form, stamp in FORMS.items():
        for lead, orders in begins:
            start = lead.replace("FORM", stamp)
            begun = _matching(start, lines)
            wholes = [(form, start + order) for order in orders]
            tried.append((len(begun), _agreeing(begun, wholes)))
    return [one for _, wholes in sorted(tried, key=lambda pair: -pair[0]) for one in wholes]


def _agreeing(begun: Sequence[bytes], wholes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    if len(begun) < _LEAST:
        return []
    return [(form, whole) for form, whole in wholes if len(_matching(whole, begun)) >= _AGREE * len(begun)]


def _matching(whole: str, lines: Sequence[bytes]) -> list[bytes]:
    pattern = re.compile(whole.replace(_SEAM, "").encode())
    return [line for line in lines if pattern.match(line)]


def known_message(text: bytes) -> bool:
    """Whether the grammar knows a message; the ending of the line is taken off first."""
    message, _ = split_ending(text)
    candidates = table().get(key(message))
    if not candidates:
        return False
    decoded = message.decode("utf-8", "replace")
    return any(pattern.fullmatch(decoded) for _, pattern in candidates)


def split_ending(text: bytes) -> tuple[bytes, bytes]:
    """Message and logger, from `(logger)`, `(logger:line)` or `(logger) [thread]` at the end of a line.

    A name with dots, or a class of a broker's: what a layout without loggers ends in (`(Expired)`, a state)
    is no logger.
    """
    match = _ENDING.search(text, max(0, len(text) - _MOST_ENDING))
    return (text, b"") if match is None else (text[: match.start()], match["logger"] or b"")


def times_at_the_beginning(lines: Sequence[bytes]) -> int:
    """How many lines begin with a time of any form, or with a level before it."""
    begins = [re.compile(rf"\[?(?:[A-Z]{{4,7}} +\[?)?(?:{stamp})".encode()) for stamp in FORMS.values()]
    return sum(any(begin.match(line) for begin in begins) for line in lines)
