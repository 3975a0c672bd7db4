"""Truncations as cut faces, and the losses that they made."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, LiteralString

from core.diagnose.verdict.counted import LostPart, cut_of, each_once
from core.diagnose.verdict.facts import PartitionVerdict, Severity, Truncation
from core.diagnose.verdict.ranges import joined
from core.history.state import History
from core.picture.crowds import Crowds, Member, count_below
from core.picture.hatch import hatched
from core.picture.lane import Lane, names_in, number, offset_range, record_names
from core.picture.marks import Box, Glyph, Hatch, Line, Mark, Ref, Sign, Text
from core.picture.memo import Same, keeping
from core.picture.metrics import text_width
from core.picture.sheet import Depth, Sheet
from core.trace.broker_names import broker_name
from core.words import said

_FACE = 11.0
_MOST = 500.0
"""Square pixels that the numbers of a cut which lost nothing may cover: poles and folds, but no count."""
_HEAVY = 4
"""By so much more it counts to cover the sign of a cut that lost records."""
_FEW = 3
"""Records that are named one by one."""
_FOLDED = 8.0
"""How far before its moment the sign of a cut stands in a folded lane."""
_RULES: Final[Mapping[str, LiteralString]] = {
    "high-watermark": "picture.cut.high-watermark",
    "leader-epoch": "picture.cut.leader-epoch",
    "diverging-epoch": "picture.cut.diverging-epoch",
    "leader-end": "picture.cut.leader-end",
    "reset": "picture.cut.reset",
    "recovery": "picture.cut.recovery",
}


@dataclass(frozen=True, slots=True)
class Cut:
    """A truncation with the records that it completed the loss of, each once, in the order of their offsets.

    `lost` are proven, `possible` those that no evidence settles. A cut of records of several leader epochs
    has a part for each.
    """

    truncation: Truncation
    lost: tuple[LostPart, ...] = ()
    possible: tuple[LostPart, ...] = ()

    @property
    def records_lost(self) -> int:
        """How many records are proven lost by it."""
        return sum(part.records for part in self.lost)

    @property
    def lost_at_least(self) -> bool:
        """Whether more may have gone with them."""
        return any(part.at_least for part in self.lost)


def cuts_of(verdict: PartitionVerdict) -> tuple[Cut, ...]:
    """Every truncation, each with its losses. Remembered for the last verdicts: each lane and step asks."""
    return _cuts_of(Same((verdict,), verdict))


@keeping(16)
def _cuts_of(same: Same[PartitionVerdict]) -> tuple[Cut, ...]:
    verdict = same.value
    lost: dict[int, list[LostPart]] = {}
    possible: dict[int, list[LostPart]] = {}
    kinds = {Severity.LOSS: lost, Severity.DANGER: possible}
    for part in each_once(verdict.losses):
        cut = cut_of(part.loss, verdict.truncations)
        if cut is not None and part.loss.severity in kinds:
            kinds[part.loss.severity].setdefault(cut.seq, []).append(part)
    return tuple(
        Cut(cut, tuple(lost.get(cut.seq, ())), tuple(possible.get(cut.seq, ())))
        for cut in verdict.truncations
    )


def cut_faces(lane: Lane, sheet: Sheet, crowds: Crowds) -> None:
    """The cut faces of this lane's replica, with count, numbers and rule beside each."""
    for cut in _drawn(lane):
        member = _member(lane, cut)
        if member not in crowds.hidden:
            _face(lane, cut, sheet, crowds.counts.get(member, ()))


def cut_members(lane: Lane) -> tuple[Member, ...]:
    """The same as marks that may crowd."""
    return tuple(_member(lane, cut) for cut in _drawn(lane))


def cut_xs(lane: Lane, crowds: Crowds) -> Iterator[float]:
    """The middles of the signs of cuts in a folded lane."""
    return (member.x - _FOLDED for member in cut_members(lane) if member not in crowds.hidden)


def _drawn(lane: Lane) -> Iterator[Cut]:
    for cut in cuts_of(lane.verdict):
        truncation = cut.truncation
        here = truncation.broker == lane.broker and lane.axis.first < truncation.seq + 1 <= lane.axis.last
        removes = truncation.from_offset is not None and truncation.from_offset > truncation.to_offset
        if here and (removes or cut.lost):
            yield cut


def _member(lane: Lane, cut: Cut) -> Member:
    rank, kind = (2, "loss") if cut.lost else (3, "possible loss") if cut.possible else (6, "truncation")
    return Member(lane.axis.x(cut.truncation.seq + 1), rank, kind, cut.truncation.seq)


def _face(lane: Lane, cut: Cut, sheet: Sheet, group: Sequence[Member]) -> None:
    truncation = cut.truncation
    x = lane.axis.x(truncation.seq + 1)
    role = "loss" if cut.lost or cut.possible else "text"
    old = truncation.from_offset if truncation.from_offset is not None else truncation.to_offset
    y0, y1 = (lane.y(offset, truncation.seq + 1) for offset in (old, truncation.to_offset))
    ref = _ref(lane, cut)
    if not lane.box.area:
        unsure = (Glyph.POSSIBLE_LOSS, 3) if cut.possible else (Glyph.TRUNCATION, 6)
        glyph, rank = (Glyph.LOSS, 2) if cut.lost else unsure
        sheet.add(Depth.LABEL, Sign(x - _FOLDED, lane.box.band + 8, glyph, 16, role, rank=rank, ref=ref))
        return
    if y1 - y0 < 4:
        top = max(y0 - 10, lane.box.band + 8)
        sheet.add(Depth.CUT, Sign(x, top, Glyph.TRUNCATION, 17, role, rank=6, ref=ref))
        sheet.keep_clear((x - 9, top - 9, 18, 18), weight=_HEAVY if cut.lost else 1)
    else:
        left = max(x - _FACE, lane.axis.left)
        rect = (left, y0, x - left, y1 - y0)
        sheet.add(Depth.CUT, Box(*rect, fill="bg.lane"))
        if cut.lost:
            sheet.add(Depth.CUT, Box(*rect, fill="loss", opacity=0.16))
        if cut.lost or not cut.possible:
            pattern = Hatch.CROSSED if cut.lost else Hatch.FALLING
            sheet.add(
                Depth.CUT,
                *hatched(
                    (left, y0, max(x - left, 12.0) if x - left > 8 else x - left, y1 - y0),
                    pattern,
                    4.0,
                    lane.origin,
                    role,
                ),
            )
        sheet.add(Depth.CUT, Box(left + 0.5, y0 + 0.5, x - left - 1, y1 - y0 - 1, edge=role, ref=ref))
        sheet.add(Depth.CUT, Line(((x, y0 - 6), (x, y1 - 1)), role, width=2.0, arrow=8.0, ref=ref))
        sheet.add(Depth.CUT, Line(((x - 7, y1), (x + 7, y1)), role, width=2.0))
    sheet.keep_clear((x - _FACE, y0 - 6, _FACE + 4, y1 - y0 + 8))
    if group:
        top = max(y0 - 10, lane.box.band + 8)
        count_below(lane, group, x, (y0 - 6, y1) if y1 - y0 >= 4 else (top - 9, top + 9), sheet)
    if not group or cut.lost:
        _label(lane, cut, x, (y0, y1), sheet)


def _ref(lane: Lane, cut: Cut) -> Ref:
    truncation = cut.truncation
    old = "?" if truncation.from_offset is None else number(truncation.from_offset)
    who, new = broker_name(lane.trace, lane.broker), number(truncation.to_offset)
    words = said("picture.cut.log", who=who, old=old, new=new)
    kind = "loss" if cut.lost else "truncation"
    return Ref(kind, lane.run, truncation.seq, lane.broker, words)


def _label(lane: Lane, cut: Cut, x: float, ys: tuple[float, float], sheet: Sheet) -> None:
    truncation, ref = cut.truncation, _ref(lane, cut)
    numbers = said("picture.cut.short", path=path_words(truncation))
    rule = rule_words(truncation.rule)
    y = min(ys[0] + 10, lane.box.bottom - 18)
    y = max(y, lane.box.area_top + 8)
    if cut.lost:
        places = _loss_places(lane, cut, f"{numbers} {rule}".strip(), (x, y), ref)
    elif cut.possible:
        places = _possible_places(lane, numbers, (x, y), ref)
    else:
        places = _plain_places(lane, numbers, rule, (x, y, ys[0]), ref)
    lost = cut.lost or cut.possible
    sheet.wish(2 if cut.lost else 3 if lost else 6, *places, most=inf if lost else _MOST)


def _plain_places(
    lane: Lane,
    numbers: str,
    rule: str,
    at: tuple[float, float, float],
    ref: Ref,
) -> list[list[Mark]]:
    """What was cut and why.

    Beside the face or above it, right or left, the reason only where there is room.
    """
    x, y, top = at
    wide = text_width(numbers, 11, 600)
    above = max(min(top - 8, y), lane.box.strip + 18)
    left, right = x - _FACE - 6 - wide, x + 9
    places: list[list[Mark]] = []
    if rule:
        tail = Text(right, y + 13, rule, "text.2", 10, plate=True, ref=ref)
        places.append([Text(right, y, numbers, "text", 11, 600, plate=True, ref=ref), tail])
    spots = (
        (right, y),
        (right + 4, above),
        (left, above),
        (left, y),
        (right, lane.box.strip + 18),
        (left, lane.box.strip + 18),
        (right, lane.box.bottom - 6),
        (left, lane.box.bottom - 6),
    )
    places.extend([Text(px, py, numbers, "text", 11, 600, plate=True, ref=ref)] for px, py in spots)
    return places


def _loss_places(
    lane: Lane,
    cut: Cut,
    numbers: str,
    at: tuple[float, float],
    ref: Ref,
) -> list[list[Mark]]:
    """Count, what is gone and how.

    Beside the face or above it, right or left; shorter where there is less room.
    """
    x, y = at
    label = f"{'≥' if cut.lost_at_least else '−'}{number(cut.records_lost)}"
    wide = max(34.0, text_width(label, 11, 700) + 18)
    what = parts_words(lane.history, cut.lost)
    short = said("picture.gone.short", what=what)
    left = any(part.loss.survives_on for part in cut.lost)
    texts = (short if left else said("picture.gone.everywhere", what=what), short, "")
    heights = [y, max(y - 26, lane.box.strip + 18), lane.box.strip + 18]
    places: list[list[Mark]] = []
    # Right of the moment the loss is true: shorter words there come before longer ones left of it.
    right = [(words, second, True) for words, second in ((texts[0], numbers), (texts[0], ""), (texts[1], ""))]
    before = [(words, "", False) for words in texts[:2]]
    for words, second, after in [*right, *before, ("", "", True), ("", "", False)]:
        head = wide + (8 + text_width(words, 11, 600) if words else 0.0)
        start = x + 14 if after else x - _FACE - 8 - head
        for height in (y,) if second else heights:
            sign = Sign(start + wide / 2, height - 4, Glyph.LOSS, wide, "loss", label=label, rank=2, ref=ref)
            marks: list[Mark] = [sign]
            if words:
                marks.append(Text(start + wide + 8, height, words, "loss", 11, 600, plate=True, ref=ref))
            if second:
                marks.append(Text(start, height + 14, second, "text.2", 10, plate=True, ref=ref))
            places.append(marks)
    return places


def _possible_places(lane: Lane, numbers: str, at: tuple[float, float], ref: Ref) -> list[list[Mark]]:
    x, y = at
    wide = text_width(numbers, 11, 600)
    places: list[list[Mark]] = []
    for words in (numbers, ""):
        for left in (x + 12, x - _FACE - 28 - (wide if words else 0)):
            for height in (y, lane.box.strip + 18):
                marks: list[Mark] = [
                    Sign(left + 8, height - 4, Glyph.POSSIBLE_LOSS, 16, "loss", rank=3, ref=ref)
                ]
                if words:
                    marks.append(Text(left + 22, height, words, "loss", 11, 600, plate=True, ref=ref))
                places.append(marks)
    return places


def parts_words(history: History, parts: Sequence[LostPart]) -> str:
    """Which records: up to three by name in a simulation, else their offsets."""
    names = names_of_parts(history, parts)
    return ", ".join(names or [offset_range(first, end) for first, end in ranges_of_parts(parts)])


def names_of_parts(history: History, parts: Sequence[LostPart]) -> tuple[str, ...]:
    """The names of up to three records; () of more, and where a record has none."""
    if sum(part.records for part in parts) > _FEW:
        return ()
    of_parts = [_names_of_part(history, part) for part in parts]
    return tuple(name for names in of_parts for name in names) if all(of_parts) else ()


def _names_of_part(history: History, part: LostPart) -> tuple[str, ...]:
    """The names of its records: where none held them any more when they were lost, as one held them last."""
    loss, asked = part.loss, (part.first_offset, part.end_offset, part.loss.epoch)
    names = record_names(history, loss.seq, *asked)
    if names or loss.epoch is None or not history.trace.records:
        return names
    for broker in loss.removed_from:
        steps = history.replicas[broker].runs
        for runs in reversed(steps.values[: bisect_right(steps.cursors, loss.seq)]):
            if names := names_in(runs, *asked):
                return names
    return ()


def ranges_of_parts(parts: Sequence[LostPart]) -> list[tuple[int, int]]:
    """The offsets of parts as ranges [first, end), neighbours joined."""
    return joined((part.first_offset, part.end_offset) for part in parts)


def path_words(cut: Truncation) -> str:
    """From which log end to which: "254 → 206"."""
    old = "?" if cut.from_offset is None else number(cut.from_offset)
    return f"{old} → {number(cut.to_offset)}"


def offsets_words(cut: Truncation) -> str:
    """From which log end to which, and by which rule where that is known."""
    path, rule = path_words(cut), rule_words(cut.rule)
    return said("picture.step.cut", path=path, rule=rule) if rule else path


def rule_words(rule: str) -> str:
    """A truncation's rule in a few words; "" where it is not known."""
    if rule in _RULES:
        return said(_RULES[rule])
    return "" if rule in ("unknown", "") else rule.replace("-", " ")
