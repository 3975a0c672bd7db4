"""From a cut to its x-ray: what the replica knew and asked, and what other eras would do in the same state.

The logs of both sides as known right before the cut go through core/kafka's own rules with the switches of
every era. Where the state is bounded the rules are applied at both bounds; where it is not known, neither is
the outcome.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import EraOutcome, LogThen, Truncation, XRay
from core.diagnose.verdict.made import number_value, who
from core.history.epoch_runs import Runs, end_of
from core.history.positions import previous_place
from core.history.state import Band
from core.history.view import Row
from core.kafka.epochs import UNDEFINED, Entries, EpochEnd, assign, end_of_epoch, latest_epoch
from core.kafka.eras import ERAS, Era
from core.kafka.rejoin import FollowerLog, LeaderLog, Step, Walk, rejoin
from core.message import Message, Sentences, Value, message
from core.trace.ids import Place
from core.trace.vocabulary import Basis, CutReason

RELEASES: Final[Mapping[str, tuple[Message | None, tuple[str, ...]]]] = {
    "high-watermark": (message("cut.releases.high-watermark"), ("KIP-101", "KAFKA-1211", "KAFKA-3919")),
    "leader-epoch": (
        message("cut.releases.leader-epoch"),
        ("KIP-101", "KAFKA-1211", "KIP-279", "KAFKA-6361"),
    ),
    "diverging-epoch": (message("cut.releases.diverging-epoch"), ("KIP-595", "KAFKA-10554")),
    "leader-end": (message("cut.releases.leader-end"), ("KAFKA-7414",)),
    "reset": (message("cut.releases.reset"), ("KAFKA-2477",)),
    "recovery": (message("cut.releases.recovery"), ()),
    "unknown": (None, ()),
}
"""By rule of truncation: the releases that have it, and the tickets that tell of it."""


_ENDLESS: Final = 2**62
"""In place of a bound that is not known."""


@dataclass(frozen=True, slots=True)
class _Sides:
    """Both logs right before a cut, and who leads."""

    leader: int | None
    called: Value
    """The leader as a person calls it."""
    own: LogThen
    other: LogThen | None
    leads_from: int | None
    """The log end offset with which the leader took over: where its epoch begins."""
    leader_epoch: int | None


def x_rays(case: Case, cuts: Sequence[Truncation]) -> tuple[XRay, ...]:
    """One for each truncation, in their order."""
    return tuple(_x_ray(case, cut) for cut in cuts)


def _x_ray(case: Case, cut: Truncation) -> XRay:
    """The x-ray of one truncation."""
    place = case.place_of(cut.seq)
    sides = _sides(case, cut, place)
    rows = _asked(case, cut, place)
    question, answer = _question(cut, sides, rows), _answer(cut, sides, rows)
    release, tickets = RELEASES[cut.rule]
    outcomes = () if cut.rule == "recovery" else tuple(_outcome(era, case, sides) for era in ERAS)
    seqs = [cut.seq, *(row.seq for row in rows.values())]
    return XRay(
        seq=cut.seq,
        broker=cut.broker,
        leader=sides.leader,
        own=sides.own,
        other=sides.other,
        question=question,
        answer=answer,
        branch=_branch(cut, sides),
        rule=cut.rule,
        release=release,
        tickets=tickets,
        from_offset=cut.from_offset,
        to_offset=cut.to_offset,
        hw_before=sides.own.hw,
        hw_after=case.hw(cut.broker, place),
        outcomes=outcomes,
        evidence=tuple(dict.fromkeys([*seqs, *cut.evidence])),
    )


def _sides(case: Case, cut: Truncation, place: Place) -> _Sides:
    """Both logs right before a cut, and who leads."""
    before = previous_place(place)
    epoch = case.roles[cut.broker].epoch_at[place]
    number = None if epoch is None else case.control.tenure_number(epoch)
    leader = case.control.tenures[number].leader if number is not None else None
    if leader is None and epoch is None:
        leader = case.control.leader_at[place]
    if leader in (-1, cut.broker) or leader not in case.history.replicas:
        leader = None
    own = _log_then(case, cut.broker, before, case.leo_before(cut.broker, before))
    if leader is None:
        return _Sides(None, message("xray.its-leader"), own, None, None, epoch)
    leads_from = None if number is None else case.led_from(case.control.tenures[number])
    band = None if leads_from is None else case.leo(leader, leads_from)
    return _Sides(
        leader=leader,
        called=who(case, leader),
        own=own,
        other=_log_then(case, leader, place, case.leo(leader, place)),
        leads_from=None if band is None else band.exact,
        leader_epoch=epoch,
    )


def _log_then(case: Case, broker: int, place: Place, leo: Band) -> LogThen:
    """A log at a place. Its cache is as a row or file states it, else as its records make it."""
    replica, cursor = case.history.replicas[broker], case.view.cursors[place]
    stated, runs = replica.epochs.at(cursor) or (), replica.runs.at(cursor)
    start = runs[0].start if runs else replica.log_start.at(cursor).lo
    entries: Entries | None = stated
    basis = Basis.OBSERVED
    if not stated or (start is not None and stated[0][1] > start):
        # No cache, or only a row that states its last entry: the others follow from the records.
        below = stated[0][1] if stated else None
        entries, basis = _made_of(runs, leo, below), Basis.DERIVED
        if entries is None:
            basis = Basis.UNKNOWN
        else:
            for epoch, begun in stated:
                entries = assign(entries, epoch, begun, "replaces")
    return LogThen(broker, entries, basis, replica.log_start.at(cursor), leo, case.hw(broker, place))


def _made_of(runs: Runs, leo: Band, below: int | None) -> Entries | None:
    """The entries that the records make, up to an offset; None where some epoch is not known."""
    top = leo.lo or 0 if below is None else below
    mine = [run for run in runs if run.start < top]
    if end_of(tuple(mine)) < top or any(run.epoch is None for run in mine):
        return None
    found: Entries = ()
    for run in mine:
        if run.epoch is not None:
            found = assign(found, run.epoch, run.start, "replaces")
    return found


_BEGINS: Final = frozenset({"became_follower", "became_leader", "log_loaded"})
_ASKED: Final = _BEGINS | {
    "epoch_end_asked",
    "fetch_sent",
    "epoch_end_answered",
    "fetch_diverged",
    "fetch_offset_reset",
    "truncation_decided",
    "truncated",
}
"""Questions, answers, and where they begin."""


def _asked(case: Case, cut: Truncation, place: int) -> dict[str, Row]:
    """The last rows of a question and of an answer of this replica since it follows, by kind."""
    found: dict[str, Row] = {}
    for row in reversed(case.of(_ASKED)):
        if row.number >= place or row.replica != cut.broker:
            continue
        if row.kind in _BEGINS or (row.kind == "truncated" and row.seq != cut.seq):
            break
        if row.kind != "truncated":
            found.setdefault(row.kind, row)
    return found


def _question(cut: Truncation, sides: _Sides, rows: dict[str, Row]) -> Message:
    """The request, with the epochs in it as far as known."""
    asked, fetched = rows.get("epoch_end_asked"), rows.get("fetch_sent")
    leader = sides.called
    if cut.rule == "leader-epoch":
        epoch = asked.aux if asked is not None else _latest(sides.own)
        return message("xray.question.end-of-epoch", leader=leader, epoch=number_value(epoch))
    if cut.rule == "diverging-epoch":
        offset, epoch = fetched.offset if fetched is not None else sides.own.leo, _latest(sides.own)
        return message(
            "xray.question.fetch-with-epoch",
            leader=leader,
            offset=number_value(offset),
            epoch=number_value(epoch),
        )
    if cut.rule in ("leader-end", "reset"):
        reset = rows.get("fetch_offset_reset")
        offset = reset.from_offset if reset is not None else cut.from_offset
        return message("xray.question.fetch", leader=leader, offset=number_value(offset))
    if cut.rule == "high-watermark":
        return message("xray.question.none-before-it-follows", leader=leader)
    return message("xray.question.none")


def _answer(cut: Truncation, sides: _Sides, rows: dict[str, Row]) -> Message:
    """The answer as a row states it, else as the leader's cache makes it; where there is none, why."""
    leader = sides.called
    if cut.rule == "leader-epoch":
        return _end_of_epoch(cut, sides, rows.get("epoch_end_answered"))
    if cut.rule == "diverging-epoch":
        diverged = rows.get("fetch_diverged")
        if diverged is None:
            return message("xray.answer.diverging-untold", to=cut.to_offset)
        epoch, offset = number_value(diverged.aux), number_value(diverged.offset)
        return message("xray.answer.diverging", leader=leader, epoch=epoch, offset=offset)
    if cut.rule == "leader-end":
        return message("xray.answer.log-ends", leader=leader, to=cut.to_offset)
    if cut.rule == "reset":
        return message("xray.answer.log-begins", leader=leader, to=cut.to_offset)
    return message("xray.answer.none")


def _end_of_epoch(cut: Truncation, sides: _Sides, answered: Row | None) -> Message:
    """The answer on the end of an epoch."""
    leader, end = sides.called, _leader_end(sides)
    if answered is not None and answered.aux is None:
        return message(
            "xray.answer.end-of-epoch-unnamed", leader=leader, offset=number_value(answered.offset)
        )
    if answered is not None:
        epoch, offset = number_value(answered.aux), number_value(answered.offset)
        return message("xray.answer.end-of-epoch", leader=leader, epoch=epoch, offset=offset)
    if end is not None and end.offset == cut.to_offset:
        return message("xray.answer.end-of-epoch-by-cache", leader=leader, offset=end.offset)
    return message("xray.answer.end-of-epoch-untold", to=cut.to_offset)


def _branch(cut: Truncation, sides: _Sides) -> Message:
    """The branch of the rule that was taken, with its numbers."""
    to, end, epoch = cut.to_offset, number_value(cut.from_offset), _latest(sides.own)
    if cut.rule == "high-watermark":
        return message("xray.branch.high-watermark", to=to, end=end)
    if cut.rule in ("leader-epoch", "diverging-epoch"):
        if epoch is None:
            return message("xray.branch.epoch-unknown", to=to, end=end)
        return message("xray.branch.epoch", to=to, end=end, epoch=epoch)
    if cut.rule == "leader-end":
        return message("xray.branch.leader-end", to=to, end=end)
    if cut.rule == "reset":
        return message("xray.branch.reset", to=to, end=end)
    if cut.rule == "recovery":
        return message("xray.branch.recovery", to=to)
    return message("xray.branch.unknown")


def _latest(log: LogThen) -> int | None:
    """The latest epoch that a log has, or None."""
    return None if log.entries is None else latest_epoch(log.entries)


def _leader_end(sides: _Sides) -> EpochEnd | None:
    """What the leader's cache has as the end of the follower's last epoch."""
    other, asked = sides.other, _latest(sides.own)
    if other is None or other.entries is None or asked is None:
        return None
    end = end_of_epoch(other.entries, other.leo.lo or 0, asked, "lowest-start")
    return None if end.offset == UNDEFINED else end


def _outcome(era: Era, case: Case, sides: _Sides) -> EraOutcome:
    """What a follower of an era does with this state, if the leader answers at once."""
    walks = _walks(era, sides, unclean=_unclean_allowed(case, era))
    if not walks:
        return EraOutcome(era.id, None, None, None, message("xray.era.unknown"))
    low = min(walks, key=lambda walk: walk.leo)
    most = max(walk.leo for walk in walks)
    high = most if most < _ENDLESS else None
    exits = {walk.exits for walk in walks}
    if low.leo == high:
        sentence = _walked(low, sides.called)
    elif high is None:
        sentence = message("xray.era.or-more", lo=low.leo)
    else:
        sentence = message("xray.era.between", lo=low.leo, hi=high)
    return EraOutcome(
        era=era.id,
        leo_lo=low.leo,
        leo_hi=high,
        exits=exits.pop() if len(exits) == 1 else None,
        message=sentence,
    )


def _unclean_allowed(case: Case, era: Era) -> bool:
    """Whether a release allows an unclean election here."""
    for key, value in case.history.trace.facts.items():
        if key.endswith("unclean.leader.election.enable"):
            return value == "true"
    return era.switches.unclean_election == "true"


def _walks(era: Era, sides: _Sides, *, unclean: bool) -> list[Walk]:
    """The rules at each end of each bound; none where something that they need is not known."""
    own, other = sides.own, sides.other
    if other is None:
        return []
    needs_epochs = era.switches.truncation != "high-watermark"
    own_entries, entries = own.entries, other.entries
    if needs_epochs and (own_entries is None or entries is None):
        return []
    leos, hws, ends = _ends(own.leo), _ends(own.hw), _ends(other.leo)
    if not leos or not ends or (not hws and not needs_epochs):
        return []
    epoch, begun = sides.leader_epoch, sides.leads_from
    if era.switches.epoch_entry == "election" and None not in (entries, epoch, begun):
        entries = assign(entries or (), epoch or 0, begun or 0, era.switches.epoch_conflict)
    starts = _ends(other.log_start) or [0]
    walks: list[Walk] = []
    for leo, hw, end in product(leos, hws or [0], ends):
        log = FollowerLog(own_entries or (), leo, min(hw, leo))
        leader = LeaderLog(entries or (), starts[0], end)
        walks.append(rejoin(era.switches, log, leader, unclean_allowed=unclean))
    asks_hw = any(step.reason is CutReason.LOCAL_HIGH_WATERMARK for walk in walks for step in walk.steps)
    return [] if asks_hw and not hws else walks


def _ends(band: Band) -> list[int]:
    """Both bounds of a band; none where nothing is known of it.

    Kafka's rules take the smaller of two ends, so a value without an upper bound may still decide nothing.
    """
    if band.lo is None:
        return []
    return sorted({band.lo, _ENDLESS if band.hi is None else band.hi})


def _walked(walk: Walk, leader: Value) -> Message:
    """The whole walk: its steps, and where it ends."""
    steps = tuple(_stepped(step, leader) for step in walk.steps) or (message("xray.step.agree"),)
    if walk.exits:
        return message("xray.era.exits", steps=Sentences(steps))
    return message("xray.era.ends-at", steps=Sentences(steps), leo=walk.leo)


def _stepped(step: Step, leader: Value) -> Message:
    """One step of a walk."""
    cut = message("xray.cut.nothing") if step.to is None else message("xray.cut.to", to=step.to)
    if step.reason is CutReason.LOCAL_HIGH_WATERMARK:
        if step.asked_epoch is None:
            return message("xray.step.high-watermark", cut=cut)
        return message("xray.step.no-end-of-epoch", leader=leader, epoch=step.asked_epoch, cut=cut)
    answered = number_value(step.said_offset)
    if step.reason in (CutReason.LEADER_END, CutReason.RESET):
        offset = number_value(step.asked_offset)
        return message("xray.step.out-of-range", leader=leader, offset=offset, answered=answered, cut=cut)
    epoch = number_value(step.asked_epoch if step.said_epoch is None else step.said_epoch)
    return message("xray.step.end-of-epoch", leader=leader, epoch=epoch, answered=answered, cut=cut)
