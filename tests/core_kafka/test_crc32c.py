"""CRC-32C against published values: RFC 3720, appendix B.4, and the check value of "123456789"."""

import pytest

from core.kafka.crc32c import crc32c


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ],
)
def test_it_is_that_of_the_rfc(data: bytes, value: int) -> None:
    assert crc32c(data) == value


def test_of_nothing_it_is_0() -> None:
    assert crc32c(b"") == 0
