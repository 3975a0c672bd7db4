"""Which eras could have made a trace, as plain values: command and window show the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.conform.judge import Broken, Judged, Judgement
from core.conform.own import Candidate
from core.kafka.held_words import HOLDS
from core.kafka.switches import SWITCH
from core.message import Count, Message, Names, Value, message
from core.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Break:
    """The first event that an era could not have made."""

    seq: int
    at: int
    partition: int
    """The index of the partition whose rules it breaks."""
    era: str
    """The era whose rules the broker would have had: of several in one candidate the broker's own."""
    rule: str
    """The entry of the table of rules (core/conform/table.py)."""
    evidence: tuple[int, ...]
    """The Seqs of the events that show it, its own first."""
    what: Message
    """What was done."""
    holds: Message | None
    """What the era does; None for a rule on words of lines."""
    instead: Message | None
    """What would have come of it, where that can be said."""

    def sentence(self, era: Value) -> Message:
        """What was done, and what an era does: `era` is what it is called, or several of them."""
        if self.holds is None:
            return message("conform.broken-line", what=self.what, era=era)
        if self.instead is None:
            return message("conform.broken", what=self.what, era=era, holds=self.holds)
        return message(
            "conform.broken-instead", what=self.what, era=era, holds=self.holds, instead=self.instead
        )


@dataclass(frozen=True, slots=True)
class Undecided:
    """Decisions under one rule of which nobody can say whether an era makes them."""

    rule: str
    count: int
    missing: Message
    """What is not known."""

    def sentence(self, eras: Value) -> Message:
        """How many decisions are open in these eras, and for want of what."""
        return message(
            "conform.open", count=Count(self.count), rule=self.rule, era=eras, missing=self.missing
        )


@dataclass(frozen=True, slots=True)
class Unread:
    """A rule of which the trace shows no decision, and what of a trace it reads."""

    rule: str
    needs: Message


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search for a run of an era found that goes along the trace (core/schedule)."""

    outcome: Literal["found", "impossible", "open"]
    era: str
    """What was asked, with the choices that the run needs: `--era` takes such a name."""
    states: int
    """How many runs were tried."""
    late: tuple[tuple[str, int], ...]
    """What comes later in the run than by itself: its class, and after how many events; in their order."""
    alike: bool
    """Where it is impossible: whether a run with other messages passes through the same facts."""
    in_time: bool
    """Where one was found: whether each event comes in it when it comes in the trace."""
    missing: Message | None
    """What was not enough, where nothing is decided."""

    def sentence(self, eras: Value) -> Message | None:
        """What there is to say beside the event that eras, called so, could not have made."""
        if self.outcome == "found" and not self.late:
            name = "conform.search.found-in-time" if self.in_time else "conform.search.found-later"
            return message(name, era=eras)
        if self.outcome == "found":
            return message("conform.search.found", era=eras, count=Count(len(self.late)))
        if self.outcome == "open" and self.missing is not None:
            return message("conform.search.open", era=eras, missing=self.missing)
        return message("conform.search.alike", era=eras) if self.alike else None


@dataclass(frozen=True, slots=True)
class OfEra:
    """What there is to say of one era, or of each broker's own release and protocol."""

    era: str
    accepted: bool | None
    """None where no decision that the trace shows could be judged."""
    breaks: Break | None
    undecided: tuple[Undecided, ...]
    fits_at: tuple[int, ...]
    """The Seqs of the decisions that the era makes so, in order."""
    open_at: tuple[int, ...]
    """The Seqs of those that are not decided, in order."""
    sought: Sought | None = None
    """None where nobody searched, or a rule is broken."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """The answer for a trace, or for some of its partitions."""

    own: str | None
    """What ran; None where that is not known."""
    eras: tuple[OfEra, ...]
    unread: tuple[Unread, ...]


def answer_of(trace: Trace, own: Candidate | None, judged: Judged) -> Conformance:
    """The answer, of what was judged. It holds nothing of the trace."""
    return Conformance(
        None if own is None else own.name,
        tuple(_of_era(trace, one) for one in judged.found),
        tuple(Unread(rule.id, rule.needs) for rule in judged.unread),
    )


def alike(eras: Sequence[OfEra]) -> Iterator[tuple[Break, tuple[str, ...]]]:
    """What breaks, once for all eras of which the same is to be said, with their names."""
    names: dict[tuple[int, Message], list[str]] = {}
    first: dict[tuple[int, Message], Break] = {}
    for one in eras:
        if one.breaks is not None:
            key = one.breaks.seq, one.breaks.sentence("")
            names.setdefault(key, []).append(one.era)
            first.setdefault(key, one.breaks)
    for key, found in names.items():
        yield first[key], tuple(found)


def open_alike(eras: Sequence[OfEra]) -> Iterator[tuple[Undecided, tuple[str, ...]]]:
    """What is not decided, once for all eras of which the same is to be said, with their names."""
    names: dict[Undecided, list[str]] = {}
    for one in eras:
        for undecided in one.undecided:
            names.setdefault(undecided, []).append(one.era)
    for undecided, found in names.items():
        yield undecided, tuple(found)


def sought_alike(eras: Sequence[OfEra]) -> Iterator[Message]:
    """What a search found, once for all eras of which the same is to be said."""
    names: dict[Message, list[str]] = {}
    first: dict[Message, Sought] = {}
    for one in eras:
        said = None if one.sought is None else one.sought.sentence("")
        if one.sought is not None and said is not None:
            names.setdefault(said, []).append(one.sought.era)
            first.setdefault(said, one.sought)
    for key, found in names.items():
        told = first[key].sentence(Names(tuple(found)))
        if told is not None:
            yield told


def _of_era(trace: Trace, found: Judgement) -> OfEra:
    return OfEra(
        found.candidate.name,
        found.accepted,
        None if found.broken is None else _break(trace, found.broken),
        tuple(
            Undecided(rule.id, count, rule.needs if rule.missing is None else rule.missing)
            for rule, count in found.open_by_rule
        ),
        found.fits_at,
        found.open_at,
    )


def _break(trace: Trace, broken: Broken) -> Break:
    decision, rule = broken.decision, broken.rule
    holds = (
        HOLDS[rule.switch][getattr(broken.era.switches, SWITCH[rule.switch].field)] if rule.switch else None
    )
    instead = None if decision.instead is None or not rule.switch else decision.instead(broken.era)
    return Break(
        decision.seq,
        int(trace.columns["at"][decision.seq]),
        broken.partition,
        broken.era.name,
        rule.id,
        (decision.seq, *decision.evidence),
        decision.message,
        holds,
        instead,
    )
