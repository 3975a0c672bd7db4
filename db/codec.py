"""A column of integers as a small blob, and back: delta, byte shuffle, zstd at level 1. Pure.

Delta turns rising numbers into small ones, the shuffle brings their equal bytes together, and zstd is then
left with long runs. A column of one value, which most are, becomes that value.
"""

from typing import Any, Final

import numpy as np
import zstandard
from numpy.typing import NDArray

CONSTANT: Final = "constant"
SHUFFLED: Final = "shuffle+zstd"
DELTA_SHUFFLED: Final = "delta+shuffle+zstd"
LEVEL: Final = 1


def encode(values: NDArray[Any], *, delta: bool) -> tuple[str, bytes]:
    """(codec, blob) of a column of signed integers. `delta` pays where neighbours are close to each other."""
    plain = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    if len(plain) == 0 or (plain[0] == plain[-1] and bool(np.all(plain == plain[0]))):
        return CONSTANT, plain[:1].tobytes()
    if delta:
        # Differences wrap around at the width of the type, and the sum wraps back: no value is out of reach.
        steps = np.empty_like(plain)
        steps[0] = plain[0]
        np.subtract(plain[1:], plain[:-1], out=steps[1:])
        plain = steps
    shuffled = np.ascontiguousarray(plain.view(np.uint8).reshape(len(plain), plain.dtype.itemsize).T)
    blob = zstandard.ZstdCompressor(level=LEVEL).compress(shuffled.data)
    return (DELTA_SHUFFLED if delta else SHUFFLED), blob


def decode(codec: str, blob: bytes, dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """The `count` values of a blob. Raises ValueError where the blob does not hold exactly those."""
    little = dtype.newbyteorder("<")
    if codec == CONSTANT:
        if len(blob) != (little.itemsize if count else 0):
            message = f"a constant of {len(blob)} bytes cannot be {count} values of {little}"
            raise ValueError(message)
        return np.repeat(np.frombuffer(blob, dtype=little), count).astype(dtype, copy=False)
    if codec not in (SHUFFLED, DELTA_SHUFFLED):
        message = f"the codec {codec!r} is not known"
        raise ValueError(message)
    raw = unpack(blob, count * little.itemsize)
    shuffled = np.frombuffer(raw, dtype=np.uint8).reshape(little.itemsize, count)
    values = np.ascontiguousarray(shuffled.T).reshape(-1).view(little)
    if codec == DELTA_SHUFFLED:
        values = np.cumsum(values, dtype=little)
    return values.astype(dtype, copy=False)


def unpack(blob: bytes, size: int) -> bytes:
    """The `size` bytes of a zstd blob. Raises ValueError where it is damaged or of another size."""
    try:
        said = zstandard.frame_content_size(blob)
        raw = zstandard.ZstdDecompressor().decompress(blob, max_output_size=size) if said == size else b""
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    if len(raw) != size:
        message = f"a blob says that it holds {said} bytes, expected are {size}"
        raise ValueError(message)
    return raw
