"""What can be read in an exported file: its texts, with packed streams unpacked and escapes undone. No Qt.

Letters that are drawn as shapes or pixels (PNG, GIF, the pages of a PDF, --outlines) are no text: nobody can
find them in bytes. Their words are looked at before they are drawn (gui/exports/gate.py, `check_picture`).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyarrow comes without types.

import base64
import binascii
import re
import struct
import zlib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from core.errors import DocumentError
from core.message import Message, message

_MOST: Final = 1 << 28
"""Bytes of one unpacked stream: what is more is no stream of ours."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PIXELS: Final = (b"IDAT", b"PLTE", b"fdAT")
_STREAM: Final = re.compile(rb"stream\r?\n")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_UNICODE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_HEX: Final = re.compile(r"<((?:[0-9a-fA-F]{2}\s*){4,})>")
_BACKSLASH: Final = re.compile(r"\\([\"'\\/()])")


def readings(path: Path, ending: str) -> Iterator[tuple[Message, str]]:
    """Each text in a file that was written as `ending`, with where it stands.

    Raises DocumentError where the file cannot be read as what it was written as.
    """
    raw = path.read_bytes()
    if ending == ".png":
        found = _png(raw)
    elif ending == ".pdf":
        found = _pdf(raw)
    elif ending == ".parquet":
        found = _parquet(path)
    elif ending == ".gif":
        found = _gif(raw)
    else:
        found = iter([(message("error.leak.place.text"), raw.decode("utf-8", "replace"))])
    for where, text in found:
        yield where, text
        for told in _undone(text):
            yield where, told


def unpacked(raw: bytes) -> Iterator[bytes]:
    """Bytes as they are, and what is in them if they are packed by zlib, gzip or Zstandard."""
    yield raw
    if raw[:2] == b"\x1f\x8b" or raw[:1] == b"\x78":
        # 47: zlib or gzip, by its head. What is cut off gives what is there.
        made = zlib.decompressobj(47)
        try:
            yield made.decompress(raw, _MOST)
        except zlib.error:
            return
    elif raw[:4] == b"\x28\xb5\x2f\xfd":
        import pyarrow as pa

        try:
            yield pa.CompressedInputStream(pa.BufferReader(raw), "zstd").read(_MOST)
        except (OSError, pa.ArrowException):
            return


def _texts(raw: bytes) -> Iterator[str]:
    """Bytes as text in the encodings that our formats use."""
    yield raw.decode("utf-8", "replace")
    if raw[:2] in (b"\xfe\xff", b"\xff\xfe") or raw.count(b"\0") * 3 > len(raw):
        for start in (0, 1):
            even = raw[start : start + (len(raw) - start) // 2 * 2]
            yield even.decode("utf-16-le", "replace")
            yield even.decode("utf-16-be", "replace")


def _undone(text: str) -> Iterator[str]:
    """A text with each kind of escape undone."""
    if "&" in text:
        yield unescape(text)
    if "%" in text:
        yield unquote(text, errors="replace")
    if "\\" in text:
        told = _UNICODE.sub(lambda one: chr(int(one[1], 16)), text)
        yield _BACKSLASH.sub(r"\1", _OCTAL.sub(lambda one: chr(int(one[1], 8) & 255), told))
    for match in _BASE64.finditer(text):
        run = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            raw = base64.b64decode(run[: len(run) - (len(run) % 4 == 1)] + "=" * (-len(run) % 4))
        except binascii.Error:
            continue
        for one in unpacked(raw):
            yield from _texts(one)


def _png(raw: bytes) -> Iterator[tuple[Message, str]]:
    """The chunks that are no pixels: title, description, what a camera or a tool adds."""
    if not raw.startswith(_PNG):
        raise DocumentError(message("error.export.no-png"))
    at = len(_PNG)
    while at + 8 <= len(raw):
        (length,) = struct.unpack(">I", raw[at : at + 4])
        name, body = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + length]
        at += length + 12
        if name in _PIXELS:
            continue
        # zTXt and iTXt have packed text behind a few zeros.
        tails = (body[place:] for place in (match.end() for match in re.finditer(rb"\0", body[:200])))
        for part in (body, *(tail for tail in tails if tail[:1] == b"\x78")):
            for one in unpacked(part):
                for text in _texts(one):
                    yield message("error.leak.place.chunk", name=name.decode("latin-1")), text


def _gif(raw: bytes) -> Iterator[tuple[Message, str]]:
    """Comments and other extensions; the rest is pixels."""
    at = raw.find(b"\x21")
    while at >= 0 and at + 2 < len(raw):
        if raw[at + 1] in (0xFE, 0xFF, 0x01):
            body, place = bytearray(), at + 2
            while place < len(raw) and raw[place]:
                body += raw[place + 1 : place + 1 + raw[place]]
                place += raw[place] + 1
            for text in _texts(bytes(body)):
                yield message("error.leak.place.comment"), text
        at = raw.find(b"\x21", at + 1)


def _pdf(raw: bytes) -> Iterator[tuple[Message, str]]:
    """The objects with their strings, and each stream unpacked; fonts and images are no texts."""
    at = 0
    number = 0
    for match in _STREAM.finditer(raw):
        if match.start() < at:
            continue
        head = raw[at : match.start()]
        end = raw.find(b"endstream", match.end())
        end = len(raw) if end < 0 else end
        yield from _pdf_texts(head, message("error.leak.place.object"))
        number += 1
        told = head[head.rfind(b" obj") :]
        if b"/FontFile" not in told and b"/Length1" not in told and b"/Subtype /Image" not in told:
            for one in unpacked(raw[match.end() : end]):
                yield from _pdf_texts(one, message("error.leak.place.stream", number=number))
        at = end
    yield from _pdf_texts(raw[at:], message("error.leak.place.object"))


def _pdf_texts(raw: bytes, where: Message) -> Iterator[tuple[Message, str]]:
    text = raw.decode("utf-8", "replace")
    yield where, text
    # A string with letters beyond ASCII is UTF-16 behind its mark, its bytes perhaps escaped.
    plain = re.sub(rb"\\([0-7]{3})", lambda one: bytes([int(one[1], 8) & 255]), raw)
    plain = re.sub(rb"\\([()\\])", rb"\1", plain)
    for match in re.finditer(rb"\(\xfe\xff", plain):
        for start in (match.end(),):
            yield where, plain[start : start + 4096].decode("utf-16-be", "replace")
    for match in _HEX.finditer(text):
        for one in _texts(bytes.fromhex("".join(match[1].split()))):
            yield where, one


def _parquet(path: Path) -> Iterator[tuple[Message, str]]:
    """Every text of every column, and what the file says of itself."""
    import pyarrow as pa
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        said = file.schema_arrow.metadata or {}
        keep = file.metadata.metadata or {}
        words = [str(file.metadata.created_by), *file.schema_arrow.names]
        words += [one.decode("utf-8", "replace") for pair in (*said.items(), *keep.items()) for one in pair]
        yield message("error.leak.place.head"), "\n".join(words)
        for number in range(file.num_row_groups):
            table = file.read_row_group(number)
            for name in table.column_names:
                column = table.column(name)
                kind = column.type.value_type if pa.types.is_list(column.type) else column.type
                if pa.types.is_string(kind):
                    flat = column.combine_chunks()
                    flat = flat.flatten() if pa.types.is_list(column.type) else flat
                    yield (
                        message("error.leak.place.column", name=name),
                        "\n".join(one for one in flat.unique().to_pylist() if one),
                    )
