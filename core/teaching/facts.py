"""Statements about a run in plain words, and whether they hold at a cursor: "B has high watermark 1".

A number is exact here: it is what a reader is told. None is the answer where the evidence does not decide.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from core.compare.comparison import Run
from core.diagnose.verdict.counted import lost_parts
from core.diagnose.verdict.facts import Truncation
from core.history.state import Band, PartitionState, ReplicaState, Role
from core.teaching.lesson import Fact
from core.trace.vocabulary import NUMBER

_B: Final = r"(?P<broker>\w[\w-]*)"
_O: Final = r"(?P<other>\w[\w-]*)"
_N: Final = r"(?P<number>\d{1,15})"
_M: Final = r"(?P<second>\d{1,15})"

FORMS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (kind, words, re.compile(pattern))
    for kind, words, pattern in (
        ("nobody-leads", "nobody leads", r"nobody leads"),
        ("leads", "A leads", rf"{_B} leads"),
        ("leads-in", "A leads in epoch 1", rf"{_B} leads in epoch {_N}"),
        ("follows", "B follows A", rf"{_B} follows {_O}"),
        ("down", "B is down", rf"{_B} is down"),
        ("log-end", "B has log end offset 2", rf"{_B} has log end offset {_N}"),
        ("watermark", "B has high watermark 1", rf"{_B} has high watermark {_N}"),
        ("remembers", "A remembers log end offset 2 of B", rf"{_B} remembers log end offset {_N} of {_O}"),
        ("in-sync", "B is in the in-sync set", rf"{_B} is in the in-sync set"),
        ("not-in-sync", "B is not in the in-sync set", rf"{_B} is not in the in-sync set"),
        ("cut", "B has cut its log from 2 to 1", rf"{_B} has cut its log from {_N} to {_M}"),
        ("cut-nothing", "B has cut nothing", rf"{_B} has cut nothing"),
        (
            "cut-by-high-watermark",
            "B has last cut its log to its own high watermark",
            rf"{_B} has last cut its log to its own high watermark",
        ),
        (
            "cut-by-leader-epoch",
            "B has last cut its log to the end of an epoch",
            rf"{_B} has last cut its log to the end of an epoch",
        ),
        (
            "cut-by-diverging-epoch",
            "B has last cut its log where a fetch diverged",
            rf"{_B} has last cut its log where a fetch diverged",
        ),
        (
            "cut-by-leader-end",
            "B has last cut its log to the leader's log end",
            rf"{_B} has last cut its log to the leader's log end",
        ),
        (
            "elected-clean",
            "the leader was elected from the in-sync set",
            r"the leader was elected from the in-sync set",
        ),
        (
            "elected-preferred",
            "the leader was elected as the preferred replica",
            r"the leader was elected as the preferred replica",
        ),
        ("elected-unclean", "the leader was elected out of sync", r"the leader was elected out of sync"),
        (
            "elected-elr",
            "the leader was elected as an eligible leader replica",
            r"the leader was elected as an eligible leader replica",
        ),
        ("acknowledged", "offset 1 is acknowledged", rf"offset {_N} is acknowledged"),
        ("not-acknowledged", "offset 1 is not acknowledged", rf"offset {_N} is not acknowledged"),
        ("read", "a consumer has read offset 1", rf"a consumer has read offset {_N}"),
        ("not-read", "no consumer has read offset 1", rf"no consumer has read offset {_N}"),
        ("lost-offset", "offset 1 is lost", rf"offset {_N} is lost"),
        ("lost-count", "1 record is lost", rf"{_N} records? (?:is|are) lost"),
        ("nothing-lost", "nothing is lost", r"nothing is lost"),
        ("differ", "A and B differ at offset 2", rf"{_B} and {_O} differ at offset {_N}"),
        ("agree", "no logs differ", r"no logs differ"),
    )
)
"""(kind, an example, pattern)."""
CUT_RULES: Final = ("high-watermark", "leader-epoch", "diverging-epoch", "leader-end")
"""The rules of truncation that a fact can name: those by which a follower agrees with its leader."""
ELECTIONS_ASKED: Final = ("clean", "preferred", "unclean", "elr")
"""The kinds of elections that a fact can name."""
_OF_RUN: Final = re.compile(r" in run ([1-4])$")
"""Behind a fact where a step shows several runs."""


def parse_fact(text: str) -> Fact | None:
    """The fact that the words say, or None if no form fits."""
    words = " ".join(text.split())
    run = _OF_RUN.search(words)
    main = words[: run.start()] if run else words
    for kind, _, pattern in FORMS:
        match = pattern.fullmatch(main)
        if match:
            said = match.groupdict()
            number, second = said.get("number"), said.get("second")
            return Fact(
                kind,
                words,
                said.get("broker") or "",
                said.get("other") or "",
                None if number is None else int(number),
                None if second is None else int(second),
                int(run[1]) if run else None,
            )
    return None


def broker_ids(run: Run) -> Mapping[str, int]:
    """By the name of a broker, and by its number as text, its id."""
    ids = {str(one.broker_id): int(one.broker_id) for one in run.history.trace.brokers}
    return {**ids, **{one.name: int(one.broker_id) for one in run.history.trace.brokers if one.name}}


@dataclass(frozen=True, slots=True)
class Asked:
    """A fact beside the state that decides it."""

    fact: Fact
    run: Run
    state: PartitionState
    broker: int
    other: int

    @property
    def replica(self) -> ReplicaState:
        """The state of the broker that the fact is about."""
        return self.state.replica(self.broker)

    def cuts(self) -> list[Truncation]:
        """The cuts of that broker's log up to here."""
        return [
            cut
            for cut in self.run.verdict.truncations
            if cut.broker == self.broker and cut.seq < self.state.cursor
        ]


def holds(fact: Fact, run: Run, cursor: int) -> bool | None:
    """Whether a fact holds after `cursor` events of the run; None where the evidence does not decide.

    Raises KeyError for a broker that the run does not have.
    """
    ids = broker_ids(run)
    broker = ids[fact.broker] if fact.broker else -1
    other = ids[fact.other] if fact.other else -1
    return _HOLDS[fact.kind](Asked(fact, run, run.history.at(cursor), broker, other))


def _is(band: Band, number: int | None) -> bool | None:
    if band.exact is not None:
        return band.exact == number
    if number is None:
        return None
    outside = (band.lo is not None and number < band.lo) or (band.hi is not None and number > band.hi)
    return False if outside else None


def _leads(asked: Asked) -> bool | None:
    return None if asked.state.leader is None else asked.state.leader == asked.broker


def _leads_in(asked: Asked) -> bool | None:
    leads, epoch = _leads(asked), asked.state.leader_epoch
    if not leads:
        return leads
    return None if epoch is None else epoch == asked.fact.number


def _follows(asked: Asked) -> bool | None:
    replica = asked.replica
    if replica.role is Role.UNKNOWN or asked.state.leader is None:
        return None
    return replica.role is Role.FOLLOWER and asked.state.leader == asked.other


def _remembers(asked: Asked) -> bool:
    return (asked.other, asked.fact.number) in asked.replica.remote


def _in_sync(asked: Asked) -> bool | None:
    return None if asked.state.isr is None else asked.broker in asked.state.isr


def _not_in_sync(asked: Asked) -> bool | None:
    known = _in_sync(asked)
    return None if known is None else not known


def _cut(asked: Asked) -> bool:
    wanted = asked.fact.number, asked.fact.second
    return any((cut.from_offset, cut.to_offset) == wanted for cut in asked.cuts())


def _last_cut_by(rule: str, asked: Asked) -> bool | None:
    """Whether the last cut up to here was by a rule; None where nothing names the rule."""
    last = max(asked.cuts(), key=lambda cut: cut.seq, default=None)
    if last is None:
        return False
    return None if last.rule == "unknown" else last.rule == rule


def _elected(how: str, asked: Asked) -> bool | None:
    """How the leader of now came to lead; None where nobody leads or nothing tells it."""
    state = asked.state
    same = [one for one in asked.run.verdict.leadership if one.epoch == state.leader_epoch]
    told = {one.election for one in same if one.leader == state.leader and one.leader != -1}
    return None if len(told) != 1 or "unknown" in told else told == {how}


def _covered(kind: str, asked: Asked) -> bool:
    """Whether an event of the kind, up to here, spans the offset."""
    columns = asked.run.history.trace.columns
    seqs = asked.run.history.seqs
    seqs = seqs[: int(seqs.searchsorted(asked.state.cursor))]
    found = seqs[columns["kind"][seqs] == NUMBER[kind]]
    number = asked.fact.number or 0
    covered = (columns["from_offset"][found] <= number) & (columns["offset"][found] > number)
    return bool(covered.any())


def _not_covered(kind: str, asked: Asked) -> bool | None:
    """The reverse; None of a recording, which does not show all that clients were told."""
    if _covered(kind, asked):
        return False
    return True if asked.run.history.trace.facts.get("script") else None


def lost_offsets(run: Run, cursor: int) -> frozenset[int]:
    """The offsets of committed or acknowledged records that are proven to be lost by then."""
    parts = (part for part in lost_parts(run.verdict.losses) if part.loss.seq < cursor)
    return frozenset(offset for part in parts for offset in range(part.first_offset, part.end_offset))


def _lost_count(asked: Asked) -> bool:
    parts = (part for part in lost_parts(asked.run.verdict.losses) if part.loss.seq < asked.state.cursor)
    return sum(part.records for part in parts) == asked.fact.number


def _differ(asked: Asked) -> bool:
    number = asked.fact.number or 0
    return any(
        set(one.brokers) == {asked.broker, asked.other} and one.first_offset <= number < one.end_offset
        for one in asked.run.verdict.divergences
    )


_HOLDS: Final[Mapping[str, Callable[[Asked], bool | None]]] = {
    "nobody-leads": lambda one: None if one.state.leader is None else one.state.leader == -1,
    "leads": _leads,
    "leads-in": _leads_in,
    "follows": _follows,
    "down": lambda one: None if one.replica.alive is None else not one.replica.alive,
    "log-end": lambda one: _is(one.replica.leo, one.fact.number),
    "watermark": lambda one: _is(one.replica.hw, one.fact.number),
    "remembers": _remembers,
    "in-sync": _in_sync,
    "not-in-sync": _not_in_sync,
    "cut": _cut,
    "cut-nothing": lambda one: not one.cuts(),
    **{f"cut-by-{rule}": partial(_last_cut_by, rule) for rule in CUT_RULES},
    **{f"elected-{how}": partial(_elected, how) for how in ELECTIONS_ASKED},
    "acknowledged": lambda one: _covered("acknowledged", one),
    "not-acknowledged": lambda one: _not_covered("acknowledged", one),
    "read": lambda one: _covered("consumed", one),
    "not-read": lambda one: _not_covered("consumed", one),
    "lost-offset": lambda one: one.fact.number in lost_offsets(one.run, one.state.cursor),
    "lost-count": _lost_count,
    "nothing-lost": lambda one: not lost_offsets(one.run, one.state.cursor),
    "differ": _differ,
    "agree": lambda one: not one.run.verdict.divergences,
}
