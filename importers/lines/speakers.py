"""Whose lines are whose in a file that several share: services, pods, hosts, each named before its lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from importers.lines.evidence import NEIGHBOURS, Packed
from importers.lines.layout import Layout, lines_of_a_broker
from importers.lines.parsed import Drafts
from importers.lines.reading import LogReader, last_lines
from importers.lines.transports import LABEL

_OTHERS: Final = "others"
_MOST: Final = 100
"""Speakers that are told apart. Each has a reader, which looks through the whole file."""
_FEW: Final = 3
"""Lines of a broker's that must be among those of a speaker of whom none can be read."""
_LONG_LINE: Final = 1 << 16
"""Who speaks in a line is said at its beginning."""


def may_be_shared(layout: Layout) -> bool:
    """Whether lines say who speaks, so that others may come anywhere in the file."""
    return layout.wrap in ("prefix", "json") and not layout.label and LABEL in layout.carrier


def layout_of(layout: Layout, label: str) -> Layout:
    """The layout of one speaker's lines."""
    before, behind = _parts(layout.carrier)
    return _carried_by(layout, f"{before}{LABEL}{re.escape(label)}){behind}", label)


def labels_in(lines: bytes, layout: Layout, known: Sequence[str] = ()) -> Iterator[str]:
    """Who speaks in these lines beside those that are known, in the order of their first lines.

    At most one more than are told apart: those behind him are all "others", and looking for the next one
    takes the longer the more are known.
    """
    found = [*known]
    at = 0
    while (
        len(found) <= _MOST
        and (match := _at_lines(_carrier_of_others(layout, found)).search(lines, at)) is not None
    ):
        label, at = match["label"].decode("utf-8", "replace"), match.end()
        if label not in found:
            found.append(label)
            yield label


def layouts_in(lines: bytes, layout: Layout) -> tuple[Layout, ...]:
    """One layout for each who speaks in these lines, by name; the layout itself for a single one."""
    labels = sorted(labels_in(lines, layout)) if may_be_shared(layout) else []
    return tuple(layout_of(layout, label) for label in labels) if len(labels) > 1 else (layout,)


class Listener:
    """Finds out who speaks in a log that comes in pieces. `labels` are those who have spoken so far."""

    def __init__(self, layout: Layout) -> None:
        """Nobody yet."""
        self.labels: list[str] = []
        self._layout = layout
        self._held = b""
        self._in_line = False

    def hear(self, piece: bytes, *, last: bool = False) -> tuple[bytes, list[str]]:
        """The lines that are whole by now (all that is left with the last piece), and who is new in them."""
        text = self._held + piece
        cut = text.rfind(b"\n") + 1
        if last or len(text) - cut > _LONG_LINE:
            cut = len(text)
        self._held, text = text[cut:], text[:cut]
        lines = text[text.find(b"\n") + 1 or len(text) :] if self._in_line else text
        new = list(labels_in(lines, self._layout, self.labels))
        self.labels += new
        if text:
            self._in_line = not text.endswith(b"\n")
        return text, new


class SharedLog:
    """A log that comes in pieces, with a reader for each who speaks in it, from the first of his lines on.

    So what is read does not depend on where in the file a speaker comes up. `unread` are, at the end, the
    layouts of brokers of whose lines none could be read: they have another layout than the file begins with.
    """

    def __init__(self, layout: Layout) -> None:
        """Nothing read yet."""
        self._layout = layout
        self._listener = Listener(layout) if may_be_shared(layout) else None
        self._readers = [LogReader(layout)]
        self._of_a_broker = [0]
        self.unread: tuple[Layout, ...] = ()
        self._first = ""
        self._before = b""
        self._base, self._line = 0, 1

    def feed(self, piece: bytes) -> None:
        """The next bytes of the file."""
        self._take(*((piece, []) if self._listener is None else self._listener.hear(piece)))

    def end(self) -> tuple[tuple[Layout, Drafts, tuple[Packed, ...]], ...]:
        """For each speaker with a record, by name: his layout, all drafts, and the lines around those.

        One entry where nobody shares the file.
        """
        if self._listener is not None:
            self._take(*self._listener.hear(b"", last=True))
        found = [(reader.layout, *reader.end()) for reader in self._readers]
        silent = zip(found, self._of_a_broker, strict=True) if len(found) > 1 else ()
        self.unread = tuple(one[0] for one, lines in silent if not len(one[1].stamps) and lines >= _FEW)
        found.sort(key=lambda one: one[0].label)
        return tuple(one for one in found if len(found) == 1 or len(one[1].stamps))

    def _take(self, text: bytes, new: Sequence[str]) -> None:
        """Lines, with those who speak in them for the first time."""
        for label in new:
            self._add(label)
        for reader in self._readers:
            reader.feed(text)
        if self._listener is not None:
            for number, reader in enumerate(self._readers):
                if self._of_a_broker[number] < _FEW:
                    carried = _lines_behind(text, reader.layout.carrier)
                    self._of_a_broker[number] += lines_of_a_broker(carried)
            self._base += len(text)
            self._line += text.count(b"\n")
            self._before = last_lines(self._before + text, NEIGHBOURS)

    def _add(self, label: str) -> None:
        """A reader for somebody new. The first one has read on as if nobody else would come."""
        if not self._first:
            self._first = label
            return
        if len(self._readers) == 1:
            self._readers[0].layout = layout_of(self._layout, self._first)
        if len(self._readers) < _MOST:
            layout = layout_of(self._layout, label)
        elif len(self._readers) == _MOST:
            told = [reader.layout.label for reader in self._readers]
            layout = _carried_by(self._layout, _carrier_of_others(self._layout, told), _OTHERS)
        else:
            return
        self._of_a_broker.append(0)
        self._readers.append(LogReader(layout, base=self._base, line=self._line, before=self._before))


def _lines_behind(text: bytes, carrier: str) -> Iterator[bytes]:
    """The lines that begin with a carrier, without it."""
    for match in _at_lines(carrier).finditer(text):
        end = text.find(b"\n", match.end())
        yield text[match.end() : end if end >= 0 else len(text)]


def _carried_by(layout: Layout, carrier: str, label: str) -> Layout:
    head = f"^{carrier}{layout.head.removeprefix(f'^{layout.carrier}')}"
    return replace(layout, head=head, carrier=carrier, label=label)


def _carrier_of_others(layout: Layout, labels: Sequence[str]) -> str:
    """A carrier's pattern for whoever is not among these."""
    if not labels:
        return layout.carrier
    before, behind = _parts(layout.carrier)
    others = "|".join(re.escape(label) for label in labels)
    unnamed = re.sub(r"\(\?P<\w+>", "(?:", behind)
    return f"{before}(?!(?:{others}){unnamed}){layout.carrier[len(before) :]}"


def _parts(carrier: str) -> tuple[str, str]:
    """What stands before and behind the group of the label in a carrier's pattern."""
    at = carrier.index(LABEL)
    depth, end = 0, at
    for end in range(at, len(carrier)):
        depth += (carrier[end] == "(") - (carrier[end] == ")")
        if depth == 0:
            break
    return carrier[:at], carrier[end + 1 :]


@lru_cache(maxsize=_MOST)
def _at_lines(carrier: str) -> re.Pattern[bytes]:
    return re.compile(f"^{carrier}".encode(), re.MULTILINE)
