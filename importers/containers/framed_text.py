"""Syslog as it goes over TCP (RFC 6587): each message behind its length, no line end between two of them."""

import re
from collections.abc import Iterator
from typing import Final

from importers.containers.exported_objects import LINE, TIME, Row

_LENGTH: Final = re.compile(rb"[\r\n]*([1-9]\d{0,6}) (?=<\d{1,3}>)")
_HEADER: Final = re.compile(
    rb"<\d{1,3}>(?:1 (?P<time>\S+) (?P<host>\S+) \S+ \S+ \S+ (?:-|\[[^\]\n]*\])(?: (?:\xef\xbb\xbf)?|$)"
    rb"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?P<older>\S+) [^\s:]+: )"
)
"""RFC 5424, and the form before it, whose time has no year."""
_LEAST: Final = 2


def is_framed(head: bytes) -> bool:
    """Whether a file begins with such messages, each as long as its length says."""
    ends = [end for _, end in _frames(head)]
    return len(ends) >= _LEAST or (len(ends) == 1 and ends[0] == len(head))


def _frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Each message that is there whole, and where it ends."""
    at = 0
    while (length := _LENGTH.match(data, at)) is not None:
        begin, at = length.end(), length.end() + int(length[1])
        if at > len(data):
            return
        yield data[begin:at], at


def framed_rows(data: bytes) -> Iterator[Row | str]:
    """A row for each message. Raises ValueError where a length is none."""
    end = 0
    for frame, stop in _frames(data):
        end = stop
        yield _row(frame)
    rest = data[end:].strip()
    length = _LENGTH.match(rest)
    if rest and length is None:
        raise ValueError("a message is not as long as it says")
    if length is not None:
        # The last message was cut off.
        yield _row(rest[length.end() :])


def _row(frame: bytes) -> Row | str:
    """A message as a row, as it is where its header is of no known form."""
    header = _HEADER.match(frame)
    if header is None:
        return frame.decode("utf-8", "replace")
    host, time, said = header["host"] or header["older"], header["time"] or b"", frame[header.end() :]
    parts = (part.decode("utf-8", "replace") for part in (host, time, said))
    return dict(zip(("host", TIME, LINE), parts, strict=True))
