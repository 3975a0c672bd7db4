"""Questions made from a run, simulated or recorded: at cuts, elections, watermarks, in-sync sets, losses.

At cuts and elections also by which rule it is decided: the options are the rules of all releases.

Each comes with wrong answers to choose from: first what other eras' rules would have given from the same
state, then the values beside the right one.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.compare.comparison import Run
from core.diagnose.verdict.counted import lost_parts
from core.diagnose.verdict.facts import XRay
from core.history.state import Steps
from core.message import Message, message
from core.teaching.answers import NOBODY, Answer, Given, answer_of
from core.teaching.facts import broker_ids
from core.teaching.lesson import Ask, AskKind, Fact, Option, Spot
from core.trace.vocabulary import NUMBER
from core.words import text

_CHOICES_MOST = 4


@dataclass(frozen=True, slots=True)
class Generated:
    """A question about a run: where it stops, the run's answer, and wrong ones, the best first."""

    ask: Ask
    stop: Spot
    answer: Answer
    wrong: tuple[Given, ...]
    eras_agree: bool = False
    """Whether every era would have given the same answer, as far as that is known."""


def questions_of(run: Run) -> tuple[Generated, ...]:
    """Every question that the run answers, in the order of where it stops."""
    asked = (*_cuts(run), *_leaders(run), *_watermarks(run), *_in_sync_sets(run), *_losses(run), *_rules(run))
    return tuple(sorted((one for one in asked if one.answer.known), key=_stop))


def drawn(questions: Sequence[Generated], count: int, seed: int) -> tuple[Generated, ...]:
    """So many of the questions, chosen by a seed, in their order. The same seed gives the same ones."""

    def luck(place: int) -> bytes:
        return hashlib.sha256(f"{seed}/{place}".encode()).digest()

    chosen = sorted(range(len(questions)), key=luck)[:count]
    return tuple(questions[place] for place in sorted(chosen))


def _stop(one: Generated) -> int:
    return one.stop.cursor or 0


def _made(run: Run, ask: Ask, stop: int, wrong: Iterable[Given], *, eras_agree: bool = False) -> Generated:
    spot = Spot(cursor=stop)
    answer = answer_of(ask, spot, run)
    others = tuple(dict.fromkeys(one for one in wrong if not _is_right(one, answer)))
    return Generated(ask, spot, answer, others[: _CHOICES_MOST - 1], eras_agree)


def _is_right(given: Given, answer: Answer) -> bool:
    """Whether the evidence allows this answer."""
    if isinstance(given, frozenset):
        return given == answer.members
    if not isinstance(given, int):
        return given == answer.order
    low = answer.lo is None or given >= answer.lo
    return low and (answer.hi is None or given <= answer.hi)


def _cuts(run: Run) -> Iterator[Generated]:
    for x_ray in run.verdict.x_rays:
        if x_ray.rule == "recovery":
            continue
        stop = min((x_ray.seq, *x_ray.evidence))
        ends = _ends_of_eras(x_ray)
        ask = Ask(AskKind.CUT, "", Spot(cursor=x_ray.seq + 1), broker=_name(run, x_ray.broker))
        beside = (x_ray.to_offset + 1, max(x_ray.to_offset - 1, 0))
        before = () if x_ray.from_offset is None else (x_ray.from_offset,)
        agree = set(ends) == {x_ray.to_offset}
        yield _made(run, ask, stop, (*ends, *before, *beside), eras_agree=agree)


def _ends_of_eras(x_ray: XRay) -> list[int]:
    """The log ends that the rules of every era would have left, where they are exactly known."""
    return [one.leo_lo for one in x_ray.outcomes if one.leo_lo is not None and one.leo_lo == one.leo_hi]


def _leaders(run: Run) -> Iterator[Generated]:
    """Before each election but the first."""
    changes = _cursors(run.history.leader_epoch, run.history.leader)
    for _, cursor in pairwise(changes):
        leader = run.history.leader.at(cursor)
        if leader in {None, NOBODY}:
            continue
        brokers = [*run.history.replicas, NOBODY]
        yield _made(run, Ask(AskKind.LEADER, "", Spot(cursor=cursor)), cursor - 1, brokers)


def _cursors(*steps: Steps[int | None]) -> list[int]:
    return sorted({int(cursor) for one in steps for cursor in one.cursors} - {0})


def _watermarks(run: Run) -> Iterator[Generated]:
    """Before each rise of a high watermark that somebody states."""
    columns, seqs = run.history.trace.columns, run.history.seqs
    for seq in seqs[columns["kind"][seqs] == NUMBER["hw_moved"]].tolist():
        broker = int(columns["replica"][seq])
        if broker not in run.history.replicas:
            continue
        before = run.history.at(seq).replica(broker)
        ask = Ask(AskKind.WATERMARK, "", Spot(cursor=seq + 1), broker=_name(run, broker))
        others = [one for one in (before.hw.exact, before.leo.exact) if one is not None]
        now = run.history.at(seq + 1).replica(broker).hw.exact
        beside = [] if now is None else [now + 1, max(now - 1, 0)]
        yield _made(run, ask, seq, (*others, *beside))


def _in_sync_sets(run: Run) -> Iterator[Generated]:
    """Before each change of the in-sync set but the first."""
    for before, cursor in pairwise(int(one) for one in run.history.isr.cursors if one):
        old, new = run.history.isr.at(before), run.history.isr.at(cursor)
        if old is None or new is None or set(old) == set(new):
            continue
        everybody = frozenset(run.history.replicas)
        wrong = (frozenset(old), everybody, frozenset(new) - {max(new, default=-1)})
        yield _made(run, Ask(AskKind.IN_SYNC, "", Spot(cursor=cursor)), cursor - 1, wrong)


def _losses(run: Run) -> Iterator[Generated]:
    """Once, before the first loss that is proven."""
    parts = lost_parts(run.verdict.losses)
    if not parts:
        return
    stop = min(part.loss.seq for part in parts)
    lost = frozenset(at for part in parts for at in range(part.first_offset, part.end_offset))
    wrong = (frozenset[int](), lost | {max(lost) + 1}, lost - {min(lost)})
    yield _made(run, Ask(AskKind.LOST, "", Spot()), stop, wrong)


_CUT_RULES: Final[Mapping[str, Message]] = {
    "high-watermark": message("why.rule.cut.high-watermark"),
    "leader-epoch": message("why.rule.cut.leader-epoch"),
    "diverging-epoch": message("why.rule.cut.diverging-epoch"),
    "leader-end": message("why.rule.cut.leader-end"),
}
_ELECTION_RULES: Final[Mapping[str, Message]] = {
    "clean": message("why.rule.election.clean"),
    "preferred": message("why.rule.election.preferred"),
    "unclean": message("why.rule.election.unclean"),
    "elr": message("why.rule.election.elr"),
}


def _rules(run: Run) -> Iterator[Generated]:
    """By which rule a replica cuts, and by which the next leader is chosen, where options have it.

    The options are the same each time, in the same order: they say nothing of the answer.
    """
    for x_ray in run.verdict.x_rays:
        if x_ray.rule in _CUT_RULES:
            name = _name(run, x_ray.broker)
            options = tuple(_option(f"cut-by-{rule}", told, name) for rule, told in _CUT_RULES.items())
            ask = Ask(AskKind.CHOICE, "", Spot(cursor=x_ray.seq + 1), broker=name, options=options)
            yield _made(run, ask, min((x_ray.seq, *x_ray.evidence)), range(len(options)))
    how = {one.epoch: one.election for one in run.verdict.leadership if one.leader != NOBODY}
    for _, cursor in pairwise(_cursors(run.history.leader_epoch, run.history.leader)):
        epoch = run.history.leader_epoch.at(cursor)
        if how.get(epoch) in _ELECTION_RULES and elected_at(run, epoch) is not None:
            options = tuple(_option(f"elected-{one}", told) for one, told in _ELECTION_RULES.items())
            ask = Ask(AskKind.CHOICE, "", Spot(cursor=cursor), options=options)
            yield _made(run, ask, cursor - 1, range(len(options)))


def elected_at(run: Run, epoch: int | None) -> int | None:
    """The cursor just after the controller chose the leader of an epoch; None where nothing states it."""
    columns, seqs = run.history.trace.columns, run.history.seqs
    found = seqs[(columns["kind"][seqs] == NUMBER["leader_elected"]) & (columns["epoch"][seqs] == epoch)]
    return int(found[0]) + 1 if epoch is not None and len(found) else None


def _option(kind: str, told: Message, broker: str = "") -> Option:
    """The sentence of a rule, and what holds of the run if it decided."""
    return Option(text(told), Fact(kind, kind, broker))


def _name(run: Run, broker: int) -> str:
    """By which a lesson calls a broker."""
    return [name for name, number in broker_ids(run).items() if number == broker][-1]
