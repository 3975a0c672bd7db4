"""The checksum of record batches of magic 2 (0.11, KIP-98): CRC-32C, after Castagnoli."""

from typing import Final


def _table() -> tuple[int, ...]:
    table: list[int] = []
    for start in range(256):
        value = start
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return tuple(table)


_TABLE: Final = _table()


def crc32c(data: bytes) -> int:
    """The checksum of some bytes. Slow, byte by byte: for single batches, not for whole logs."""
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ _TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF
