"""A column comes back as it went in, whatever it holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from zstandard import compress

from core.trace.ids import UNSAID
from db.codec import CONSTANT, DELTA_SHUFFLED, SHUFFLED, decode, encode, unpack

columns = st.sampled_from([np.int8, np.int16, np.int32, np.int64]).flatmap(
    lambda dtype: hnp.arrays(dtype, st.integers(0, 200)),
)


@pytest.mark.slow
@given(columns, st.booleans())
def test_any_column_comes_back(values: np.ndarray, delta: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    codec, blob = encode(values, delta=delta)

    back = decode(codec, blob, values.dtype, len(values))

    assert back.dtype == values.dtype
    assert back.tolist() == values.tolist()


def test_the_widest_jump_comes_back() -> None:
    values = np.array([UNSAID, 2**63 - 1, UNSAID, 0, -1], dtype=np.int64)

    codec, blob = encode(values, delta=True)

    assert codec == DELTA_SHUFFLED
    assert decode(codec, blob, values.dtype, 5).tolist() == values.tolist()


def test_a_column_of_one_value_is_that_value() -> None:
    codec, blob = encode(np.full(100_000, 7, dtype=np.int32), delta=False)

    assert (codec, blob) == (CONSTANT, (7).to_bytes(4, "little"))


def test_a_column_that_ends_as_it_begins_has_its_other_values() -> None:
    values = np.array([3, 9, 3], dtype=np.int64)

    codec, blob = encode(values, delta=True)

    assert codec == DELTA_SHUFFLED
    assert decode(codec, blob, values.dtype, 3).tolist() == [3, 9, 3]


def test_rising_numbers_become_small() -> None:
    rising = np.cumsum(np.arange(16_384, dtype=np.int64) % 7 + 1_000_000)

    _, with_delta = encode(rising, delta=True)
    _, without = encode(rising, delta=False)

    assert len(with_delta) * 20 < rising.nbytes
    assert len(with_delta) < len(without)


@pytest.mark.parametrize(
    ("codec", "blob", "count"),
    [
        (SHUFFLED, b"no zstd", 3),
        (SHUFFLED, compress(b"\0" * 16), 3),
        (CONSTANT, b"\0\0\0\0", 3),
        (CONSTANT, b"", 1),
        ("brotli", b"", 0),
    ],
)
def test_a_blob_that_is_not_that_column_is_refused(codec: str, blob: bytes, count: int) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        decode(codec, blob, np.dtype(np.int64), count)


def test_a_blob_cannot_grow_beyond_what_it_says() -> None:
    bomb = compress(b"\0" * 10_000_000)

    with pytest.raises(ValueError, match="10000000"):
        unpack(bomb, 64)
