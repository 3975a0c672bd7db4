"""Rules on cuts: by which rule a replica cut its log, and whether an era's rule gives that offset."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.conform.decision import Decision
from core.conform.kinds import named
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.made import RULES as WORDS
from core.diagnose.verdict.made import number_value
from core.diagnose.verdict.truncations import RULES
from core.diagnose.verdict.two_logs import ENDLESS, Sides, sides_at, unclean_allowed, unclean_stated, walks
from core.history.state import Band
from core.history.statements import Cut
from core.history.view import Row
from core.kafka.epochs import UNDEFINED, EpochEnd, end_of_epoch, latest_epoch
from core.kafka.eras import Era
from core.kafka.rejoin import Walk
from core.kafka.truncation import on_diverging_answer, on_epoch_answer
from core.message import Message, message
from core.trace.ids import Place
from core.trace.vocabulary import Basis, CutReason

_BY_EPOCH: Final = (CutReason.LEADER_EPOCH, CutReason.DIVERGING_EPOCH)
_ANSWERS: Final = frozenset({"epoch_end_answered", "fetch_diverged"})
_EXACT_CUTS: Final = frozenset({"truncation_decided", "truncation_not_needed"})


@dataclass(frozen=True, slots=True)
class _Seen:
    """A cut as the trace shows it."""

    case: Case
    broker: int
    at: int
    to: int
    reason: CutReason | None
    """As a row states it; None where none does."""
    sides: Sides
    answer: Row | None
    """The leader's answer, where a row states it."""


def cuts(case: Case) -> Iterator[Decision]:
    """Every cut that a log states; in a simulation also each decision to cut nothing."""
    for broker, known in case.cuts.items():
        for cut in known:
            if cut.row.kind == "truncated" and not case.view.exact:
                yield _decision(case, broker, cut.row, cut.to, _stated(cut), _evidence(cut))
    if case.view.exact:
        for row in case.of(_EXACT_CUTS):
            to = row.leo if row.kind == "truncation_not_needed" else row.offset
            if row.replica is not None and to is not None and row.aux in _REASONS:
                yield _decision(case, row.replica, row, to, CutReason(row.aux), ())


_REASONS: Final = frozenset({*_BY_EPOCH, CutReason.LOCAL_HIGH_WATERMARK})


def _stated(cut: Cut) -> CutReason | None:
    """The reason that a row states; a fetch out of range before it is one."""
    if cut.after_reset is not None:
        return CutReason.LEADER_END
    for row in (cut.row, cut.decided):
        if row is not None and row.kind in ("truncated", "truncation_decided") and row.aux in RULES:
            return CutReason(row.aux)
    return None


def _evidence(cut: Cut) -> tuple[int, ...]:
    return tuple(row.seq for row in (cut.decided, cut.after_reset) if row is not None)


def _decision(
    case: Case, broker: int, row: Row, to: int, reason: CutReason | None, evidence: tuple[int, ...]
) -> Decision:
    place = case.place_of(row.seq)
    sides, answer = sides_at(case, broker, place), _answer(case, broker, place)
    seen = _Seen(case, broker, row.at, to, reason, sides, answer)
    told = _cut_message(case, broker, row, to, reason)
    return Decision(
        row.seq, broker, lambda era: _fits(era, seen), told, evidence, lambda era: _instead(era, seen)
    )


def _walks(era: Era, seen: _Seen) -> list[Walk]:
    """What the rules of an era make of the state."""
    unclean = unclean_allowed(era, stated=unclean_stated(seen.case, seen.at))
    return walks(era, seen.sides, unclean=unclean)


def _instead(era: Era, seen: _Seen) -> Message | None:
    """Where the log would have ended by the era's rules, if the leader had answered at once."""
    ends = {walk.leo for walk in _walks(era, seen)}
    if not ends or max(ends) >= ENDLESS:
        return None
    return message("conform.would-end", offset=number_value(Band(min(ends), max(ends), Basis.DERIVED)))


def _cut_message(case: Case, broker: int, row: Row, to: int, reason: CutReason | None) -> Message:
    who = named(case, broker)
    if row.kind == "truncation_not_needed":
        return message("conform.kept-log", who=who)
    if reason is None:
        return message("conform.cut-unstated", who=who, to=to)
    return message("conform.cut", who=who, to=to, rule=message(WORDS[RULES[reason]]))


_BEGINS: Final = frozenset(
    {"became_follower", "became_leader", "log_loaded", "epoch_end_asked", "fetch_sent"}
)


def _answer(case: Case, broker: int, place: Place) -> Row | None:
    """The answer that this replica had last, if it has asked for nothing else since."""
    for row in reversed(case.of(_ANSWERS | _BEGINS)):
        if row.number < place and row.replica == broker:
            return row if row.kind in _ANSWERS else None
    return None


def _fits(era: Era, seen: _Seen) -> bool | None:
    if seen.reason is CutReason.LOCAL_HIGH_WATERMARK:
        return _to_high_watermark(era, seen)
    if seen.reason in _BY_EPOCH:
        return _by_epoch(era, seen)
    if seen.reason is None:
        return _within(era, seen)
    return True


def _is_within(value: int, band: Band) -> bool | None:
    """Whether a value can be that of a band; None where nothing is known of it."""
    if band.lo is None and band.hi is None:
        return None
    return (band.lo is None or band.lo <= value) and (band.hi is None or value <= band.hi)


def _to_high_watermark(era: Era, seen: _Seen) -> bool | None:
    """To 0.10 always; later where the replica knows no epoch, or the leader could not say where it ends."""
    switches, own, other = era.switches, seen.sides.own, seen.sides.other
    at_mark = _is_within(seen.to, own.hw)
    if switches.truncation == "high-watermark" or switches.epoch_entry == "none":
        return at_mark
    if own.entries is None:
        return None
    if not own.entries:
        return at_mark
    if switches.truncation != "epoch-request":
        return False
    if seen.answer is not None:
        said = seen.answer.offset
        return at_mark if said is None or said < 0 else False
    if other is None or other.entries is None or other.leo.lo is None:
        return None
    end = end_of_epoch(
        other.entries,
        other.leo.lo,
        latest_epoch(own.entries),
        switches.epoch_lookup_below,
        switches.epoch_lookup_undefined,
    )
    return at_mark if end.offset == UNDEFINED else False


def _by_epoch(era: Era, seen: _Seen) -> bool | None:
    """From 0.11: to where the leader says that an epoch ends, asked for it (to 2.7) or on a fetch."""
    switches = era.switches
    if switches.truncation in ("high-watermark", "leader-end") or switches.epoch_entry == "none":
        return False
    if seen.case.view.exact:
        asked = seen.reason is CutReason.LEADER_EPOCH
        if asked != (switches.truncation == "epoch-request"):
            return False
    return _within(era, seen)


def _within(era: Era, seen: _Seen) -> bool | None:
    """Whether the era's rule gives this offset, for some values between the bounds of both logs."""
    exact = _by_answer(era, seen)
    if exact is not None:
        return seen.to == exact
    found = _walks(era, seen)
    if not found:
        return None
    offsets = [offset for walk in found for offset in _stops(walk)]
    own = seen.sides.own.leo
    if any(step.to is None for walk in found for step in walk.steps):
        # A cut that removes nothing, to where the log ends.
        offsets.append(ENDLESS if own.hi is None else own.hi)
    highest = max(offsets)
    return min(offsets) <= seen.to and (highest >= ENDLESS or seen.to <= highest)


def _stops(walk: Walk) -> list[int]:
    """The log ends that a replica has on its way: it may ask more than once."""
    return [*(step.to for step in walk.steps if step.to is not None), walk.leo]


def _by_answer(era: Era, seen: _Seen) -> int | None:
    """The log end after the answer that a row states, where nothing else is needed to know it."""
    own, answer, switches = seen.sides.own, seen.answer, era.switches
    if answer is None or answer.offset is None or answer.offset < 0 or own.entries is None:
        return None
    leo, mark = own.leo.exact, own.hw.exact
    if leo is None:
        return None
    end = EpochEnd(UNDEFINED if answer.aux is None else answer.aux, answer.offset)
    below = switches.epoch_lookup_below
    if answer.kind == "fetch_diverged":
        return min(leo, on_diverging_answer(end, own.entries, leo, below).offset)
    if mark is None:
        return None
    cut = on_epoch_answer(end, own.entries, leo, mark, answer=switches.epoch_answer, below=below)
    return min(leo, cut.offset)
