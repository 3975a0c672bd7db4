"""The truncation x-ray: what a replica knew when it cut its log, what it asked, and what other eras would do.

The logs of both sides as known right before the cut go through core/kafka's own rules with the switches of
every era. Where the state is bounded the rules are asked at both bounds; where it is not known, neither is
the outcome.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from core.diagnose.narrate.explain import broker_names, brokers_text, capital
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import EraOutcome, LogThen, Truncation, XRay
from core.history.runs import Runs, end_of
from core.history.state import Band
from core.history.view import Row
from core.kafka.epochs import UNDEFINED, Entries, EpochEnd, assign, end_of_epoch, latest_epoch
from core.kafka.eras import ERAS, Era
from core.kafka.rejoin import FollowerLog, LeaderLog, Step, Walk, rejoin
from core.trace.vocabulary import Basis, CutReason

RELEASES: Final = {
    "high-watermark": (
        "0.8 to 0.10.2; later where no epoch is known",
        ("KIP-101", "KAFKA-1211", "KAFKA-3919"),
    ),
    "leader-epoch": ("0.11.0 to 2.7", ("KIP-101", "KAFKA-1211", "KIP-279", "KAFKA-6361")),
    "diverging-epoch": ("since 2.8", ("KIP-595", "KAFKA-10554")),
    "leader-end": ("since 0.8; to 2.0.0 only with unclean election on", ("KAFKA-7414",)),
    "reset": ("since 0.8", ("KAFKA-2477",)),
    "recovery": ("every release", ()),
    "unknown": ("", ()),
}
"""By rule of truncation: the releases that have it, and the tickets that tell of it."""


_ENDLESS: Final = 2**62
"""In place of a bound that is not known."""


@dataclass(frozen=True, slots=True)
class _Sides:
    """Both logs right before a cut, and who leads."""

    leader: int | None
    who: str
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


def _sides(case: Case, cut: Truncation, place: int) -> _Sides:
    before = place - 1
    epoch = case.roles[cut.broker].epoch_at[place]
    number = None if epoch is None else case.control.term_of(epoch)
    leader = case.control.terms[number].leader if number is not None else None
    if leader is None and epoch is None:
        leader = case.control.leader_at[place]
    if leader in (-1, cut.broker) or leader not in case.history.replicas:
        leader = None
    own = _log_then(case, cut.broker, before, case.leo_before(cut.broker, before))
    if leader is None:
        return _Sides(None, "its leader", own, None, None, epoch)
    leads_from = None if number is None else case.led_from(case.control.terms[number])
    band = None if leads_from is None else case.leo(leader, leads_from)
    return _Sides(
        leader=leader,
        who=brokers_text(broker_names(case.history.trace), (leader,)),
        own=own,
        other=_log_then(case, leader, place, case.leo(leader, place)),
        leads_from=None if band is None else band.exact,
        leader_epoch=epoch,
    )


def _log_then(case: Case, broker: int, place: int, leo: Band) -> LogThen:
    """A log at a place. Its cache as a row or file gave it, else as the epochs of its records make it."""
    replica, cursor = case.history.replicas[broker], case.view.cursors[place]
    stated, runs = replica.epochs.at(cursor) or (), replica.runs.at(cursor)
    start = runs[0].start if runs else replica.log_start.at(cursor).lo
    entries: Entries | None = stated
    basis = Basis.OBSERVED
    if not stated or (start is not None and stated[0][1] > start):
        # No cache, or only a row that tells of its last entry: the records tell the others.
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


def _question(cut: Truncation, sides: _Sides, rows: dict[str, Row]) -> str:
    """The request in words, with the epochs in it as far as known."""
    asked, fetched = rows.get("epoch_end_asked"), rows.get("fetch_sent")
    whom = sides.who
    if cut.rule == "leader-epoch":
        epoch = asked.aux if asked is not None else _latest(sides.own)
        return f"Asked {whom}: where does epoch {_said(epoch)} end?"
    if cut.rule == "diverging-epoch":
        offset = fetched.offset if fetched is not None else sides.own.leo
        return f"Fetched from {whom} at offset {_said(offset)}, with last epoch {_said(_latest(sides.own))}."
    if cut.rule in ("leader-end", "reset"):
        reset = rows.get("fetch_offset_reset")
        offset = reset.from_offset if reset is not None else cut.from_offset
        return f"Fetched from {whom} at offset {_said(offset)}."
    if cut.rule == "high-watermark":
        return f"None: no one is asked before it follows {whom}."
    return "None."


def _answer(cut: Truncation, sides: _Sides, rows: dict[str, Row]) -> str:
    """The answer as a row gives it, else as the leader's cache makes it; why none came."""
    answered, diverged = rows.get("epoch_end_answered"), rows.get("fetch_diverged")
    if cut.rule == "leader-epoch":
        if answered is not None:
            named = "" if answered.aux is None else f"epoch {answered.aux} "
            return f"{capital(sides.who)} answered: {named}ends at {_said(answered.offset)}."
        end = _leader_end(sides)
        if end is not None and end.offset == cut.to_offset:
            return f"No row has it; by its epoch cache {sides.who} answered {end.offset}."
        return f"No row has the answer; the cut says that it led to {cut.to_offset}."
    if cut.rule == "diverging-epoch":
        if diverged is not None:
            return (
                f"{capital(sides.who)} answered: epoch {_said(diverged.aux)} ends at "
                f"{_said(diverged.offset)}; the logs diverge there."
            )
        return f"The logs diverge; the cut says that they agree up to {cut.to_offset}."
    if cut.rule in ("leader-end", "reset"):
        part = "ends" if cut.rule == "leader-end" else "begins"
        return f"Out of range: the log of {sides.who} {part} at {cut.to_offset}."
    return "None: nothing was asked."


def _branch(cut: Truncation, sides: _Sides) -> str:
    """The branch of the rule that was taken, with its numbers."""
    to, came = cut.to_offset, _said(cut.from_offset)
    if cut.rule == "high-watermark":
        return f"It cuts to its own high watermark {to}, whatever the leader holds; its log ended at {came}."
    if cut.rule in ("leader-epoch", "diverging-epoch"):
        epoch = _latest(sides.own)
        mine = "" if epoch is None else f" Its own last epoch was {epoch}."
        return f"It cuts to {to}, the smaller of the two ends of the epoch; its log ended at {came}.{mine}"
    return {
        "leader-end": f"Its log end {came} is above the leader's log end {to}: it cuts to that.",
        "reset": f"Its log end {came} is below the leader's log start {to}: it drops all and begins there.",
        "recovery": f"What lay above {to} was not on the disk when the log was loaded.",
    }.get(cut.rule, "Nothing in the trace names the rule.")


def _latest(log: LogThen) -> int | None:
    return None if log.entries is None else latest_epoch(log.entries)


def _leader_end(sides: _Sides) -> EpochEnd | None:
    """What the leader's cache says of the follower's last epoch."""
    other, asked = sides.other, _latest(sides.own)
    if other is None or other.entries is None or asked is None:
        return None
    end = end_of_epoch(other.entries, other.leo.lo or 0, asked, "lowest-start")
    return None if end.offset == UNDEFINED else end


def _outcome(era: Era, case: Case, sides: _Sides) -> EraOutcome:
    """What a follower of an era does with this state, if the leader answers at once."""
    walks = _walks(era, sides, unclean=_unclean_allowed(case, era))
    if not walks:
        return EraOutcome(era.id, None, None, None, "The state that this era goes by is not known.")
    low = min(walks, key=lambda walk: walk.leo)
    most = max(walk.leo for walk in walks)
    high = most if most < _ENDLESS else None
    exits = {walk.exits for walk in walks}
    text = (
        f"Its log ends between {low.leo} and {high}." if high is not None else f"It keeps {low.leo} or more."
    )
    return EraOutcome(
        era=era.id,
        leo_lo=low.leo,
        leo_hi=high,
        exits=exits.pop() if len(exits) == 1 else None,
        text=_walk_text(low, sides.who) if low.leo == high else text,
    )


def _unclean_allowed(case: Case, era: Era) -> bool:
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


def _walk_text(walk: Walk, leader: str) -> str:
    """The whole walk in words."""
    parts = [_step_text(step, leader) for step in walk.steps] or ["Its fetch shows that the logs agree."]
    if walk.exits:
        return " ".join([*parts, "It may not cut: the broker stops."])
    return " ".join([*parts, f"Its log ends at {walk.leo}."])


def _step_text(step: Step, leader: str) -> str:
    cut = "it cuts nothing." if step.to is None else f"it cuts to {step.to}."
    if step.reason is CutReason.LOCAL_HIGH_WATERMARK:
        if step.asked_epoch is not None:
            whom = capital(leader)
            return f"{whom} knows no end of epoch {step.asked_epoch}: by its own high watermark {cut}"
        return f"By its own high watermark {cut}"
    if step.reason in (CutReason.LEADER_END, CutReason.RESET):
        return f"Its fetch at {step.asked_offset} is out of range; {leader} says {step.said_offset}: {cut}"
    named = step.asked_epoch if step.said_epoch is None else step.said_epoch
    return f"{capital(leader)} says that epoch {named} ends at {step.said_offset}: {cut}"


def _said(value: object) -> str:
    return "?" if value is None else str(value)
