"""An incident as six named fields of sentences: what a person reads first, in a terminal and in a report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from sys import maxsize
from typing import Final

from core.assumptions import LEADERLESS_TOLD_FOR_MORE_THAN
from core.diagnose.account.failed_directories import FailedDirectory, failed_in
from core.diagnose.account.incident import FinalState, Incident, PartitionLoss, lost_of, possible_of
from core.diagnose.narrate.story_words import CAUSES, ELECTIONS
from core.diagnose.verdict.facts import Leadership, Truncation
from core.diagnose.verdict.made import RULES
from core.message import Count, Duration, Listing, Message, Moment, SimulatedMoment, Value, message
from core.trace.broker_names import brokers_value
from core.trace.evidence import evidence_of
from core.trace.times import day, zone_words
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

LABELS: Final = {
    "totals": message("incident.field.totals"),
    "cause": message("incident.field.cause"),
    "when": message("incident.field.when"),
    "now": message("incident.field.now"),
    "do": message("incident.field.do"),
    "trust": message("incident.field.trust"),
}
"""The six fields, in their order."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named field: its label, and a sentence a line."""

    key: str
    label: Message
    lines: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """How many sentences fields have at most, and how many partitions are named in one."""

    cause: int = maxsize
    when: int = maxsize
    now: int = maxsize
    do: int = maxsize
    trust: int = maxsize
    names: int = maxsize


EVERYTHING: Final = Room()
"""All that there is to say."""


def account(trace: Trace, incident: Incident, room: Room = EVERYTHING) -> tuple[Field, ...]:
    """The six fields, as far as there is room."""
    sentences = _Sentences(trace, incident, room)
    lines = {
        "totals": sentences.totals(),
        "cause": sentences.causes(),
        "when": sentences.times(),
        "now": sentences.final_states(),
        "do": sentences.advice(),
        "trust": sentences.trust(),
    }
    return tuple(Field(key, label, tuple(lines[key])) for key, label in LABELS.items())


@dataclass(frozen=True, slots=True)
class _Sentences:
    """The sentences of one incident."""

    trace: Trace
    incident: Incident
    room: Room

    def totals(self) -> Iterable[Message]:
        """How many records, and in which partitions."""
        one, losses = self.incident.totals, self.incident.losses
        users = [loss for loss in losses if not loss.compacted]
        compacted = [loss for loss in losses if loss.compacted]
        lost, possible = ([x for x in users if x.lost], [x for x in users if x.possible])
        if one.lost:
            yield message("incident.totals.lost", count=lost_of(lost), where=self._where(lost))
        if one.possible:
            yield message(
                "incident.totals.possible", count=possible_of(possible), where=self._where(possible)
            )
        if one.compacted_lost:
            lost = [x for x in compacted if x.lost]
            yield message("incident.totals.offsets", count=lost_of(lost), where=self._where(lost))
        if one.compacted_possible:
            possible = [x for x in compacted if x.possible]
            count = possible_of(possible)
            yield message("incident.totals.offsets-possible", count=count, where=self._where(possible))
        if not losses:
            yield message("incident.totals.nothing")
        if self.incident.apart and not losses:
            where = self._names(dict.fromkeys(one.partition for one in self.incident.apart))
            yield message("incident.totals.apart", where=where)
        yield from self._unavailable()

    def _unavailable(self) -> Iterable[Message]:
        """The longest time without a leader, if it was longer than an election takes."""
        ends = self.incident.end_of_evidence
        lasted = [(one.partition, (one.end or ends) - one.start) for one in self.incident.unavailable]
        long = [(partition, time) for partition, time in lasted if time > LEADERLESS_TOLD_FOR_MORE_THAN.ns]
        if long:
            where = self._names(dict.fromkeys(partition for partition, _ in long))
            time = Duration(max(time for _, time in long))
            yield message("incident.totals.unavailable", where=where, time=time)

    def causes(self) -> Iterable[Message]:
        """One row a cause, with its partitions."""
        rows: list[Message] = []
        for cause in dict.fromkeys(one.cause for one in self.incident.losses):
            mine = [one for one in self.incident.losses if one.cause == cause]
            told = CAUSES.get(cause, message("incident.cause.unknown"))
            rows.append(message("incident.cause", where=self._where(mine), amount=_amount(mine), cause=told))
        for check in dict.fromkeys(one.check for one in self.incident.findings):
            mine = [one for one in self.incident.findings if one.check == check]
            if self.incident.losses and check == "unclean-election":
                continue  # What was lost by it stands above.
            rows.append(mine[0].message)
        if not rows:
            rows.append(CAUSES["divergence"])
        return rows[: self.room.cause]

    def times(self) -> Iterable[Message]:
        """When, by which rule, with the line: elections, returns and cuts of the losses, in order of time."""
        found: list[tuple[int, Message]] = []
        elections: dict[tuple[int, str, bool], list[tuple[int, Leadership]]] = {}
        returns: dict[int, list[PartitionLoss]] = {}
        cuts: dict[str, list[Truncation]] = {}
        for one in self.incident.losses:
            led = one.election
            if led is not None and one.returned is not None:
                returns.setdefault(led.leader, []).append(one)
            elif led is not None:
                key = led.leader, led.election, led.basis >= Basis.INFERRED
                elections.setdefault(key, []).append((one.partition, led))
            if one.cut is not None:
                cuts.setdefault(one.cut.rule, []).append(one.cut)
        found += [(min(x.start for _, x in mine), self._election(mine)) for mine in elections.values()]
        found += [self._return(leader, mine) for leader, mine in returns.items()]
        found += [(min(x.at for x in mine), self._cuts(mine)) for mine in cuts.values()]
        found += [self._failed(one) for one in failed_in(self.trace, self.incident)]
        if not found:
            for one in self.incident.findings[: self.room.when]:
                found.append((one.start, self._alarm(one.start, one.evidence)))
            for one in self.incident.apart[:1]:
                seqs = one.divergence.evidence
                at = int(self.trace.columns["at"][seqs[0]]) if seqs else self.incident.end_of_evidence
                found.append((at, self._alarm(at, seqs)))
        return [told for _, told in sorted(found, key=lambda one: one[0])][: self.room.when]

    def _election(self, mine: Sequence[tuple[int, Leadership]]) -> Message:
        """How a leader that lacked the records came to lead, in one or more partitions."""
        _, first = min(mine, key=lambda one: one[1].start)
        who, where = (
            brokers_value(self.trace, (first.leader,)),
            self._names(dict.fromkeys(p for p, _ in mine)),
        )
        at, place = self._moment(first.start), self._place(first.evidence)
        if first.leader == -1:
            return message("incident.when.nobody", at=at, where=where, place=place)
        if first.election == "unclean" and first.basis >= Basis.INFERRED:
            return message("incident.when.led.not-announced", at=at, who=who, where=where, place=place)
        how = ELECTIONS[first.election]
        return message("incident.when.led", at=at, who=who, where=where, how=how, place=place)

    def _return(self, leader: int, mine: Sequence[PartitionLoss]) -> tuple[int, Message]:
        """When a leader led again in its own epoch, in one or more partitions; and that as a sentence."""
        at, seq = min((one.returned.at, one.returned.seq) for one in mine if one.returned is not None)
        who, where = brokers_value(self.trace, (leader,)), self._where(mine)
        moment, place = self._moment(at), self._place((seq,))
        return at, message("incident.when.led-again", at=moment, who=who, where=where, place=place)

    def _cuts(self, mine: Sequence[Truncation]) -> Message:
        """The cuts by one rule."""
        first = min(mine, key=lambda one: one.at)
        last = max(one.at for one in mine)
        who = brokers_value(self.trace, sorted({one.broker for one in mine}))
        rule, place = message(RULES[first.rule]), self._place(first.evidence)
        at = self._moment(first.at)
        if len(mine) == 1:
            return message("incident.when.cut", at=at, who=who, to=first.to_offset, rule=rule, place=place)
        return message(
            "incident.when.cuts",
            first=at,
            last=self._moment(last),
            count=Count(len(mine)),
            who=who,
            rule=rule,
            place=place,
        )

    def _failed(self, one: FailedDirectory) -> tuple[int, Message]:
        """When a log directory failed, and with it logs of the incident; and that as a sentence."""
        who, where = brokers_value(self.trace, (one.broker,)), self._names(one.partitions)
        at, place = self._moment(one.at), self._place((one.seq,))
        told = message("incident.when.directory", at=at, who=who, where=where, path=one.path, place=place)
        return one.at, told

    def _alarm(self, at: int, evidence: Sequence[int]) -> Message:
        """When something else went wrong."""
        return message("incident.when.alarm", at=self._moment(at), place=self._place(evidence))

    def final_states(self) -> Iterable[Message]:
        """Who leads at the end, with which in-sync set; whether logs still differ."""
        groups: dict[tuple[object, ...], list[FinalState]] = {}
        for one in self.incident.now:
            members = tuple(sorted((one.isr if one.isr is not None else one.stated_isr) or ()))
            groups.setdefault((one.leader, one.last_leader, one.isr is not None, members), []).append(one)
        at = self._moment(self.incident.end_of_evidence)
        largest = sorted(groups.values(), key=lambda mine: -len(mine))
        yield from [self._led(mine, at) for mine in largest][: self.room.now]
        if not self.incident.apart:
            yield message("incident.now.none-apart")
        pairs: dict[tuple[int, int], list[int]] = {}
        for one in self.incident.apart:
            pairs.setdefault(one.divergence.brokers, []).append(one.partition)
        yield from [self._apart(pair, mine) for pair, mine in pairs.items()][: self.room.now]

    def _apart(self, pair: tuple[int, int], partitions: Sequence[int]) -> Message:
        """Two replicas that still differ, in one or more partitions."""
        where = self._names(dict.fromkeys(partitions))
        return message("incident.now.apart", where=where, who=brokers_value(self.trace, pair))

    def _led(self, mine: Sequence[FinalState], at: Value) -> Message:
        """One sentence on partitions that stand alike."""
        one, where = mine[0], self._names(dict.fromkeys(one.partition for one in mine))
        if one.leader is None:
            return self._led_until(mine, at, where)
        if one.leader == -1:
            return message("incident.now.nobody", at=at, where=where)
        who = brokers_value(self.trace, (one.leader,))
        if one.isr is not None:
            isr = brokers_value(self.trace, sorted(one.isr))
            return message("incident.now.led", at=at, who=who, where=where, isr=isr)
        if one.stated_isr is None:
            return message("incident.now.led.unknown-isr", at=at, who=who, where=where)
        isr = brokers_value(self.trace, sorted(one.stated_isr))
        return message("incident.now.led.stated-isr", at=at, who=who, where=where, isr=isr)

    def _led_until(self, mine: Sequence[FinalState], at: Value, where: Value) -> Message:
        """Until when partitions had a leader that is known, where that is not known of their end."""
        leader, ends = mine[0].last_leader, [one.led_until for one in mine if one.led_until is not None]
        if leader is None or leader == -1 or not ends:
            return message("incident.now.unknown", at=at, where=where)
        who, until = brokers_value(self.trace, (leader,)), min(ends)
        if until == self.incident.end_of_evidence:
            return message("incident.now.led-until-end", at=at, where=where, who=who)
        return message("incident.now.led-until", at=at, where=where, who=who, until=self._moment(until))

    def advice(self) -> Iterable[Message]:
        """What to do."""
        return (self.incident.actions or (message("incident.do.nothing-known"),))[: self.room.do]

    def trust(self) -> Iterable[Message]:
        """How far the evidence can be trusted, and what to collect next."""
        one = self.incident.trust
        if one.simulated:
            yield message("incident.trust.simulated")
            return
        unseen = [broker for broker in one.named if broker not in one.seen]
        nodes = message("incident.trust.nodes", count=Count(len(one.named)))
        if unseen:
            who = brokers_value(self.trace, unseen)
            nodes = message("incident.trust.nodes-missing", seen=len(one.seen), named=len(one.named), who=who)
        files = message("incident.trust.nothing-left-out")
        if one.left_out:
            files = message("incident.trust.left-out", count=Count(one.left_out))
        yield message("incident.trust", nodes=nodes, files=files, clocks=self._clocks(), gaps=self._gaps())
        yield from (one.sentence for one in self.incident.missing[: self.room.trust])

    def _clocks(self) -> Message:
        """How well the clocks are tied."""
        one = self.incident.trust
        if one.untied or one.clocks_within is None:
            return message("incident.trust.clocks.untied")
        return message("incident.trust.clocks", time=Duration(one.clocks_within))

    def _gaps(self) -> Message:
        """How many times logs are silent."""
        one = self.incident.trust
        if not one.gaps:
            return message("incident.trust.no-gaps")
        return message("incident.trust.gaps", count=Count(one.gaps), time=Duration(one.longest_gap))

    def _moment(self, at: int) -> Value:
        """A moment with its date; of a simulation since its start."""
        if self.incident.trust.simulated:
            return SimulatedMoment(at)
        return message("incident.moment", day=day(at), at=Moment(at), zone=zone_words(at))

    def _place(self, evidence: Sequence[int]) -> Value:
        """The file and line of the first evidence that has a line, else the file and byte."""
        found = [one for one in (evidence_of(self.trace, seq) for seq in evidence) if one is not None]
        for one in found:
            if one.line is not None:
                return f"{one.file}:{one.line}"
        if found:
            return message("story.place.byte", file=found[0].file, byte=found[0].byte)
        return message("incident.no-line")

    def _name(self, partition: int) -> str:
        return str(self.trace.partitions[partition].tp)

    def _where(self, losses: Sequence[PartitionLoss]) -> Value:
        """The partitions of losses, each once."""
        return self._names(dict.fromkeys(one.partition for one in losses))

    def _names(self, partitions: Iterable[int]) -> Value:
        """Names of partitions; of many the first, and how many more."""
        names = [self._name(one) for one in partitions]
        most = self.room.names
        if len(names) <= most:
            return Listing(tuple(names))
        return message(
            "incident.and-more", named=Listing(tuple(names[:most])), count=Count(len(names) - most)
        )


def _amount(losses: Sequence[PartitionLoss]) -> Message:
    """How many records, in brackets after the partitions."""
    lost, possible = lost_of(losses), possible_of(losses)
    if not possible.number:
        return message("incident.amount.lost", count=lost)
    if not lost.number:
        return message("incident.amount.possible", count=possible)
    return message("incident.amount.both", lost=lost, possible=possible)
