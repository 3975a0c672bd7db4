"""Marks of rank 2 to 8 that stand closer than 10 px in the density view (visual design, section 6).

The highest of them keeps its shape and stands for all, with their count below it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, LiteralString

from core.message import Count, Listing, message
from core.picture.lane import Lane
from core.picture.marks import Align, Ref, Text
from core.picture.metrics import text_width
from core.picture.sheet import Depth, Sheet
from core.words import said

_CLOSER: Final = 10.0
_SIZE: Final = 10.0
_WEIGHT: Final = 16
"""What is written beside a cut may cross a pole; of a count it covers nothing."""
_KINDS: Final[Mapping[str, LiteralString]] = {
    "loss": "picture.crowd.losses",
    "possible loss": "picture.crowd.possible-losses",
    "divergence": "picture.crowd.divergences",
    "truncation": "picture.crowd.truncations",
    "unclean election": "picture.crowd.unclean-elections",
    "election": "picture.crowd.elections",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A mark of a lane before it is drawn. `kind` is one of those that are counted, `rank` its priority."""

    x: float
    rank: int
    kind: str
    seq: int


@dataclass(frozen=True, slots=True)
class Crowds:
    """What is drawn of the marks of a lane that crowd. Empty where each has its place."""

    counts: Mapping[Member, tuple[Member, ...]] = field(default_factory=dict[Member, tuple[Member, ...]])
    """Those that stand for several, with all of these."""
    hidden: frozenset[Member] = frozenset()
    """Those that another one stands for."""


def crowds_of(members: Sequence[Member]) -> Crowds:
    """Who stands for whom: each group reaches less than 10 px from its first mark on."""
    counts: dict[Member, tuple[Member, ...]] = {}
    hidden: set[Member] = set()
    group: list[Member] = []
    for member in (*sorted(members, key=lambda one: (one.x, one.rank, one.seq)), None):
        if group and (member is None or member.x - group[0].x >= _CLOSER):
            if len(group) > 1:
                first = min(group, key=lambda one: (one.rank, one.seq))
                counts[first] = tuple(group)
                hidden.update(set(group) - {first})
            group = []
        if member is not None:
            group.append(member)
    return Crowds(counts, frozenset(hidden))


def count_below(
    lane: Lane, group: Sequence[Member], x: float, edges: tuple[float, float], sheet: Sheet
) -> None:
    """How many a mark stands for, below it, or above where the lane ends: its middle, top and bottom."""
    seqs = [member.seq for member in group]
    kinds = Counter(member.kind for member in sorted(group, key=lambda one: one.rank))
    told = tuple(message(_KINDS[kind], count=Count(count)) for kind, count in kinds.items())
    words = said("picture.crowd.told", told=Listing(told))
    ref = Ref("group", lane.run, min(seqs), lane.broker, words, max(seqs))
    label = f"×{len(group)}"
    top, bottom = edges
    base = bottom + 10 if bottom + 12 <= lane.box.bottom else top - 3
    wide = text_width(label, _SIZE, 600)
    sheet.keep_clear((x - wide / 2 - 2, base - 9, wide + 4, 12), weight=_WEIGHT)
    text = Text(x, base, label, "text", _SIZE, 600, align=Align.CENTRE, plate=True, ref=ref)
    sheet.add(Depth.LABEL, text)
