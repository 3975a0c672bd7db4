"""Ranges [first, end) of offsets."""

from collections.abc import Iterable


def joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, those that touch or overlap as one."""
    whole: list[tuple[int, int]] = []
    for first, end in sorted(ranges):
        if whole and first <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((first, end))
    return whole


def without(ranges: Iterable[tuple[int, int]], taken: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of some where others are taken away."""
    left = list(ranges)
    for low, high in taken:
        left = [
            part
            for first, end in left
            for part in ((first, min(end, low)), (max(first, high), end))
            if part[0] < part[1]
        ]
    return left
