"""The records of the KRaft metadata log, `__cluster_metadata-0`: bytes to values and back.

The schemas are in metadata_schemas.py. Uuids are text as Kafka prints them: URL-safe base64 of 16 bytes,
unpadded. The importer decodes with this module, the simulator's log writer encodes with it.
"""

import base64
import binascii
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.kafka.metadata_schemas import CONTROL_SCHEMAS, SCHEMAS, Field, Schema
from core.message import Message, message
from core.words import text

NO_CHANGE: Final = -2
"""`leader` of a PartitionChangeRecord that leaves the leader as it is; -1 is no leader."""
NO_UUID: Final = "AAAAAAAAAAAAAAAAAAAAAA"


@dataclass(frozen=True, slots=True)
class MetadataRecord:
    """One decoded record.

    `name` is "" for a key that no schema here has; `data` holds the fields that the record carries, tagged
    fields only where they are there. `doubt` says what is not as the schema has it, None if all is.
    """

    key: int
    name: str
    version: int
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    doubt: Message | None = None


_BY_NAME: Final = {schema.name: schema for schema in (*SCHEMAS.values(), *CONTROL_SCHEMAS.values())}
_FRAME: Final = 1
"""The frame version of a record's value (AbstractApiMessageSerde)."""
_NUMBERS: Final = {
    "int8": struct.Struct(">b"),
    "bool": struct.Struct(">?"),
    "int16": struct.Struct(">h"),
    "uint16": struct.Struct(">H"),
    "int32": struct.Struct(">i"),
    "int64": struct.Struct(">q"),
    "float64": struct.Struct(">d"),
}
_UUID: Final = 16


class BadRecordError(ValueError):
    """The bytes are not what a schema says: `what` is wrong."""

    def __init__(self, what: Message) -> None:
        """Keep what is wrong."""
        super().__init__(text(what))
        self.what = what


def decode_record(value: bytes) -> MetadataRecord:
    """The value of a data record of the metadata log. Never raises: what is wrong stands in `doubt`."""
    reader = _Reader(value)
    try:
        frame, key, version = reader.varint(), reader.varint(), reader.varint()
    except BadRecordError as error:
        return MetadataRecord(-1, "", -1, doubt=error.what)
    schema = SCHEMAS.get(key)
    if frame != _FRAME:
        return MetadataRecord(
            key, "", version, doubt=message("report.record.frame", found=frame, known=_FRAME)
        )
    return _decoded(reader, schema, key, version)


def decode_control(key: bytes, value: bytes) -> MetadataRecord:
    """A record of a control batch; `key` is int16 version, int16 type. Never raises, as `decode_record`."""
    if len(key) < 4:
        return MetadataRecord(-1, "", -1, doubt=message("report.record.control-key", size=len(key)))
    _, kind = struct.unpack_from(">hh", key)
    if len(value) < 2:
        return MetadataRecord(kind, "", -1, doubt=message("report.record.control", size=len(value)))
    (version,) = struct.unpack_from(">h", value)
    return _decoded(_Reader(value), CONTROL_SCHEMAS.get(kind), kind, version)


def _decoded(reader: "_Reader", schema: Schema | None, key: int, version: int) -> MetadataRecord:
    if schema is None:
        return MetadataRecord(key, "", version, doubt=message("report.record.type", key=key))
    if not schema.first <= version:
        return MetadataRecord(
            key, schema.name, version, doubt=message("report.record.version", version=version)
        )
    data: dict[str, Any] = {}
    try:
        reader.struct(schema.fields, version, data)
    except BadRecordError as error:
        return MetadataRecord(key, schema.name, version, data, error.what)
    doubt = None
    if reader.left:
        # A vendor's field without a tag moves all that follows it: what was read may be wrong.
        doubt = message("report.record.more", size=reader.left)
    elif version > schema.last:
        doubt = message("report.record.newer", version=version, known=schema.last)
    return MetadataRecord(key, schema.name, version, data, doubt)


def encode_record(name: str, version: int, data: Mapping[str, Any]) -> bytes:
    """The value of a metadata record, as a controller writes it.

    `data` must hold every field of that version that has no tag; tagged fields only where they are to be
    written (a controller leaves out those that have their default). Raises LookupError for a name,
    BadRecordError for a version or a missing field.
    """
    schema = _BY_NAME[name]
    if not schema.first <= version <= schema.last:
        raise BadRecordError(message("report.record.no-version", name=name, version=version))
    head = b"".join(unsigned_varint(number) for number in (_FRAME, schema.key, version))
    return head + _encoded_struct(schema.fields, version, data)


def encode_control(name: str, data: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Key and value of a control record; `data["version"]` is its version."""
    schema = _BY_NAME[name]
    return struct.pack(">hh", 0, schema.key), _encoded_struct(schema.fields, data["version"], data)


def unsigned_varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first, the eighth bit set in all but the last."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def uuid_text(raw: bytes) -> str:
    """16 bytes as Kafka prints a uuid."""
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def uuid_bytes(uuid: str) -> bytes:
    """The 16 bytes of a uuid as Kafka prints it. Raises BadRecordError."""
    try:
        raw = base64.urlsafe_b64decode(uuid + "==")
    except binascii.Error as error:
        raise BadRecordError(message("report.record.no-uuid", words=uuid)) from error
    if len(raw) != _UUID:
        raise BadRecordError(message("report.record.no-uuid", words=uuid))
    return raw


class _Reader:
    """Bytes and a place in them."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    @property
    def left(self) -> int:
        return len(self.data) - self.place

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise BadRecordError(message("report.record.bytes", size=size, byte=self.place, left=self.left))
        self.place += size
        return self.data[self.place - size : self.place]

    def varint(self) -> int:
        number = 0
        for shift in range(0, 35, 7):
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise BadRecordError(message("report.batch.number", byte=self.place))

    def struct(self, fields: tuple[Field, ...], version: int, into: dict[str, Any]) -> None:
        """Fields in their order, then the tagged ones: those that are not known are skipped by their size."""
        tagged = {one.tag: one for one in fields if one.tag is not None and version >= one.since}
        for one in fields:
            if one.tag is None and version >= one.since:
                into[one.name] = self.value(one, version)
        for _ in range(self.varint()):
            tag, size = self.varint(), self.varint()
            end = self.place + size
            if size > self.left:
                raise BadRecordError(message("report.record.tag", tag=tag, size=size, left=self.left))
            known = tagged.get(tag)
            if known is not None:
                into[known.name] = self.value(known, version)
                if self.place > end:
                    raise BadRecordError(message("report.record.long-tag", tag=tag, size=size))
            self.place = end

    def value(self, one: Field, version: int) -> Any:  # noqa: ANN401 - JSON values
        if not one.array:
            return self.scalar(one, version)
        count = self.varint() - 1
        if count < 0:
            return None
        if count > self.left:
            raise BadRecordError(message("report.record.entries", name=one.name, count=count, left=self.left))
        return [self.scalar(one, version) for _ in range(count)]

    def scalar(self, one: Field, version: int) -> Any:  # noqa: ANN401 - JSON values
        number = _NUMBERS.get(one.type)
        if number is not None:
            return number.unpack(self.take(number.size))[0]
        if one.type == "uuid":
            return uuid_text(self.take(_UUID))
        if one.type == "struct":
            found: dict[str, Any] = {}
            self.struct(one.fields, version, found)
            return found
        size = self.varint() - 1
        if size < 0:
            return None
        raw = self.take(size)
        return raw.decode("utf-8", "replace") if one.type == "string" else raw


def _encoded_struct(fields: tuple[Field, ...], version: int, data: Mapping[str, Any]) -> bytes:
    parts: list[bytes] = []
    tagged: list[tuple[int, bytes]] = []
    for one in fields:
        if version < one.since:
            continue
        if one.tag is None:
            if one.name not in data:
                raise BadRecordError(message("report.record.missing", name=one.name))
            parts.append(b"".join(_encoded(one, version, data[one.name])))
        elif one.name in data:
            tagged.append((one.tag, b"".join(_encoded(one, version, data[one.name]))))
    parts.append(unsigned_varint(len(tagged)))
    for tag, body in sorted(tagged):
        parts += [unsigned_varint(tag), unsigned_varint(len(body)), body]
    return b"".join(parts)


def _encoded(one: Field, version: int, value: Any) -> Iterator[bytes]:  # noqa: ANN401 - JSON values
    if not one.array:
        yield _encoded_scalar(one, version, value)
        return
    if value is None:
        yield unsigned_varint(0)
        return
    yield unsigned_varint(len(value) + 1)
    for entry in value:
        yield _encoded_scalar(one, version, entry)


def _encoded_scalar(one: Field, version: int, value: Any) -> bytes:  # noqa: ANN401 - JSON values
    number = _NUMBERS.get(one.type)
    if number is not None:
        return number.pack(value)
    if one.type == "uuid":
        return uuid_bytes(value)
    if one.type == "struct":
        return _encoded_struct(one.fields, version, value)
    if value is None:
        return unsigned_varint(0)
    raw = value.encode() if one.type == "string" else value
    return unsigned_varint(len(raw) + 1) + raw
