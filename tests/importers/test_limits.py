"""How much may be unpacked from a file, by how large it is."""

import errno
import io
import zipfile
from typing import IO, cast

import pytest

from importers.limits import EXPANSION_FLOOR, MOST_EXPANSION, Budget, DamagedError, Stream, Total, damaged


@pytest.mark.parametrize("packed", [0, 1, 1024**2])
def test_a_file_may_unpack_to_two_thousand_times_its_size_and_no_more(packed: int) -> None:
    """Below 256 MiB all are let through; a file that says it has no size counts as one byte."""
    most = max(EXPANSION_FLOOR, 2_000 * packed)
    budget = Budget("logs.gz", io.BytesIO(), packed, Total("logs.gz"))

    budget.take(most)
    with pytest.raises(DamagedError) as caught:
        budget.take(1)

    assert MOST_EXPANSION == 2_000
    assert "2,000" in str(caught.value) or "2000" in str(caught.value)


class Waiting(io.RawIOBase):
    """A file that has nothing to read now: read(2) says EAGAIN, which Python tells by None."""

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> None:
        return None


def test_a_file_that_would_be_waited_for_ends() -> None:
    source = cast("IO[bytes]", Waiting())
    stream = Stream(source, Budget("kmsg", source, 0, Total("kmsg")), "kmsg")

    assert stream.peek(16) == b""
    assert stream.read(16) == b""


def test_a_disk_that_cannot_read_is_no_damage_of_an_archive() -> None:
    error = OSError(errno.EIO, "Input/output error")

    assert str(damaged("server.log", error)).startswith("The file cannot be read. ")
    assert str(damaged("logs.zip", zipfile.BadZipFile("bad"))).startswith("The archive is damaged")
