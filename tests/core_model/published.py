"""What TLC printed of the published specifications: distinct states, depth, lengths of counterexamples.

Bounds are (replicas, log size, records, largest epoch). Lengths count states, the initial one included.
"""

from typing import Final

ROW: Final = ("truncate-to-hw", "kip-101", "kip-279", "kip-320-first-try", "kip-320")

_COUNTS: Final = {
    (2, 1, 1, 0): ((39, 9), (39, 9), (39, 9), (39, 9), (37, 9)),
    (2, 1, 1, 1): ((353, 12), (341, 12), (341, 12), (337, 12), (277, 12)),
    (2, 2, 2, 1): ((1251, 16), (1177, 15), (1177, 15), (1165, 15), (957, 15)),
    (2, 2, 2, 2): ((10131, 20), (9045, 18), (9027, 18), (8429, 18), (5973, 18)),
    (3, 2, 2, 1): ((67807, 21), (59788, 22), (60106, 22), (59092, 22), (39619, 22)),
}
COUNTS: Final = {
    **{
        (name, bounds): found for bounds, row in _COUNTS.items() for name, found in zip(ROW, row, strict=True)
    },
    ("kip-101-clamped", (2, 2, 2, 2)): (9047, 18),
    ("kip-101-clamped", (3, 2, 2, 1)): (60106, 22),
}
"""By variant and bounds: distinct states and depth."""

ORBITS: Final = {
    ("truncate-to-hw", (3, 2, 2, 1)): (11453, 21),
    ("kip-101", (3, 2, 2, 1)): (10111, 22),
    ("kip-279", (3, 2, 2, 1)): (10164, 22),
    ("kip-320-first-try", (3, 2, 2, 1)): (9983, 22),
    ("kip-320", (3, 2, 2, 1)): (6713, 22),
    ("kip-320", (3, 2, 2, 2)): (123311, 26),
}
"""The same with symmetry over replicas."""

HOLDS: Final = 0
ASKED: Final = ("WeakIsr", "StrongIsr", "LogMatchingBelowHw")
LENGTHS: Final = {
    ("truncate-to-hw", (2, 2, 2, 1)): (9, 10, HOLDS),
    ("truncate-to-hw", (2, 2, 2, 2)): (None, None, 15),
    ("truncate-to-hw", (3, 2, 2, 1)): (9, 9, None),
    ("truncate-to-hw", (2, 3, 3, 3)): (None, None, 14),
    ("truncate-to-hw", (3, 2, 2, 2)): (None, None, 14),
    ("kip-101", (2, 2, 2, 1)): (HOLDS, HOLDS, None),
    ("kip-101", (2, 2, 2, 2)): (12, 12, HOLDS),
    ("kip-101", (2, 2, 2, 3)): (None, None, HOLDS),
    ("kip-101", (3, 2, 2, 1)): (HOLDS, 12, None),
    ("kip-101", (3, 2, 2, 2)): (11, 11, 18),
    ("kip-101", (2, 3, 3, 3)): (None, None, 13),
    ("kip-279", (2, 3, 3, 3)): (HOLDS, HOLDS, HOLDS),
    ("kip-279", (3, 2, 2, 1)): (None, 12, None),
    ("kip-279", (3, 2, 2, 2)): (11, 11, 18),
    ("kip-320-first-try", (2, 2, 2, 2)): (HOLDS, HOLDS, HOLDS),
    ("kip-320-first-try", (3, 2, 2, 1)): (HOLDS, HOLDS, HOLDS),
    ("kip-320-first-try", (3, 2, 2, 2)): (12, 13, HOLDS),
    ("kip-320", (2, 1, 1, 1)): (HOLDS, HOLDS, HOLDS),
    ("kip-320", (2, 2, 2, 3)): (HOLDS, HOLDS, HOLDS),
    ("kip-320", (2, 3, 3, 3)): (HOLDS, HOLDS, HOLDS),
    ("kip-320", (3, 2, 2, 1)): (HOLDS, HOLDS, HOLDS),
    ("kip-320", (3, 2, 2, 2)): (HOLDS, HOLDS, HOLDS),
}
"""Of WeakIsr, StrongIsr and LogMatchingBelowHw; None where TLC was not asked."""

LARGE: Final = ((3, 2, 2, 3), (3, 3, 3, 2))
"""Where kip-320 holds, too; they take many seconds."""

ABLATIONS: Final = {
    "fetch": (13, HOLDS, HOLDS),
    "truncation": (14, 14, HOLDS),
    "high-watermark": (13, 13, HOLDS),
    "expand": (14, 12, 18),
    "expand-wait": (14, 12, 18),
    "shrink": (HOLDS, HOLDS, HOLDS),
}
"""kip-320 without one guard, (3, 2, 2, 2)."""
SMALL_ABLATIONS: Final = {"expand": (HOLDS, 12, HOLDS), "expand-wait": (HOLDS, 12, HOLDS)}
"""The same, (3, 2, 2, 1); all others hold there."""

ASYNC_ISR: Final = {(2, 1, 2): 42, (2, 2, 3): 168, (3, 1, 2): 1460}
"""By replicas, largest offset and largest version: distinct states."""
