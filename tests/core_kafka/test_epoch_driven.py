"""Kafka's five scripts on leader epochs, and the holes that eras left, acted out by the rules alone."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from core.kafka.epochs import Entries, assign, cut_end, end_of_epoch, latest_epoch
from core.kafka.eras import ERAS, Era
from core.kafka.switches import CacheCut, Switches
from core.kafka.truncation import (
    Ask,
    Cut,
    Next,
    diverges,
    on_diverging_answer,
    on_epoch_answer,
    on_following,
    on_out_of_range,
)

pytestmark = pytest.mark.broad(3)

IDS = [one.id for one in ERAS]


def scripts(name: str, kind: str) -> list[Any]:
    text = (Path(__file__).parent / "vectors" / f"{name}.toml").read_text(encoding="utf-8")
    return [pytest.param(script, id=script["id"]) for script in tomllib.loads(text)[kind]]


class Record(NamedTuple):
    offset: int
    epoch: int
    number: int
    base: int
    """The first offset of its batch: batches travel whole."""


@dataclass
class Replica:
    switches: Switches
    log: list[Record] = field(default_factory=list[Record])
    entries: Entries = ()
    hw: int = 0

    @property
    def leo(self) -> int:
        return self.log[-1].offset + 1 if self.log else 0

    def assign(self, epoch: int, start: int) -> None:
        self.entries = assign(self.entries, epoch, start, self.switches.epoch_conflict)

    def append(self, record: Record) -> None:
        self.log.append(record)
        if self.switches.epoch_entry != "none":
            self.assign(record.epoch, record.offset)

    def cut(self, offset: int) -> None:
        self.log = [record for record in self.log if record.offset < offset]
        self.entries = cut_end(self.entries, offset)
        self.hw = min(self.hw, self.leo)

    def carry_out(self, cut: Cut | None) -> None:
        assert cut is not None, "the broker exits"
        if cut.needed:
            self.cut(cut.offset)
        elif self.switches.epoch_cache_cut == "always":
            self.entries = cut_end(self.entries, cut.offset)

    def asks(self, leader: "Replica") -> bool:
        """One request for the end of an epoch. Gives whether another is due."""
        switches = self.switches
        asked, below = latest_epoch(self.entries), switches.epoch_lookup_below
        end = end_of_epoch(leader.entries, leader.leo, asked, below, switches.epoch_lookup_undefined)
        cut = on_epoch_answer(end, self.entries, self.leo, self.hw, answer=switches.epoch_answer, below=below)
        self.carry_out(cut)
        return cut.then == Next.ASK

    def diverges_from(self, leader: "Replica") -> bool:
        """One fetch that names its epoch. Gives whether it was told to cut."""
        last, below = latest_epoch(self.entries), self.switches.epoch_lookup_below
        if last < 0:
            return False
        end = end_of_epoch(leader.entries, leader.leo, last, below)
        if not diverges(end, last, self.leo):
            return False
        self.carry_out(on_diverging_answer(end, self.entries, self.leo, below))
        return True

    def agree(self, leader: "Replica") -> bool:
        """Cut by the era's rule. Gives whether that came to an end."""
        switches = self.switches
        rule = switches.truncation
        first = on_following(rule, switches.epoch_answer, self.entries, self.leo, self.hw)
        if isinstance(first, Cut):
            self.carry_out(first)
        for _ in range(20):
            again = self.asks(leader) if isinstance(first, Ask) else self.told_on_fetch(leader)
            if not again:
                return True
        return False

    def copy(self, leader: "Replica") -> None:
        """Agree with the leader, then take all that it has."""
        assert self.agree(leader)
        if self.leo > leader.leo:
            rule = self.switches.out_of_range
            self.carry_out(on_out_of_range(rule, leader.leo, self.leo, unclean_allowed=True))
        while self.leo < leader.leo:
            base = next(record.base for record in leader.log if record.offset == self.leo)
            batch = [record for record in leader.log if record.base == base]
            for record in batch:
                self.append(record)
        self.hw = leader.hw = leader.leo

    def told_on_fetch(self, leader: "Replica") -> bool:
        return self.switches.truncation == "fetch-divergence" and self.diverges_from(leader)


@dataclass
class Play:
    """Replicas A and B and their leader, moved by the steps of a script."""

    replicas: dict[str, Replica]
    entries_count: bool
    leader: str = ""
    epoch: int = -1
    written: int = 0

    def do(self, verb: str, *values: Any) -> None:
        match verb, values:
            case "lead", (who, epoch):
                self.leader, self.epoch = who, epoch
                if self.replicas[who].switches.epoch_entry == "election":
                    self.replicas[who].assign(epoch, self.replicas[who].leo)
            case "write", (count, *whole):
                self.write(count, whole=bool(whole))
            case "commit", ():
                self.replicas[self.leader].hw = self.replicas[self.leader].leo
            case "copy", (who,):
                self.replicas[who].copy(self.replicas[self.leader])
            case "agree", (who,):
                assert self.replicas[who].agree(self.replicas[self.leader])
            case "hw", (who, offset):
                self.replicas[who].hw = offset
            case "lose", (who, count):
                self.replicas[who].cut(self.replicas[who].leo - count)
            case "entries", (who, entries):
                if self.entries_count:
                    assert [list(entry) for entry in self.replicas[who].entries] == entries
            case "log-end", (who, offset):
                assert self.replicas[who].leo == offset
            case _:
                pytest.fail(f"unknown step {verb}")

    def write(self, count: int, *, whole: bool) -> None:
        leader = self.replicas[self.leader]
        first = leader.leo
        for offset in range(first, first + count):
            self.written += 1
            base = first if whole else offset
            leader.append(Record(offset, self.epoch, self.written, base))


@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
@pytest.mark.parametrize("script", scripts("epoch_driven", "script"))
def test_script(script: dict[str, Any], rules: Era) -> None:
    place = IDS.index(rules.id)
    play = Play(
        {who: Replica(rules.switches) for who in "AB"},
        entries_count=place >= IDS.index(script["entries_from"]),
    )
    for step in script["steps"]:
        play.do(*step)
    one, other = (play.replicas[who].log for who in "AB")
    offsets = [record.offset for record in other]
    agrees = one == other and offsets == sorted(set(offsets))
    assert agrees is (place >= IDS.index(script["agrees_from"]))


@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
@pytest.mark.parametrize("hole", scripts("holes", "hole"))
def test_hole(hole: dict[str, Any], rules: Era) -> None:
    play = Play({who: Replica(rules.switches) for who in "AB"}, entries_count=False)
    for step in hole["steps"]:
        play.do(*step)
    place = IDS.index(rules.id)
    expected = [numbers for since, numbers in hole["holds"] if IDS.index(since) <= place][-1]
    assert [record.number for record in play.replicas["B"].log] == expected


@pytest.mark.parametrize(("cut", "comes_to_an_end"), [("with-log", False), ("always", True)])
def test_an_epoch_without_records_is_asked_for_for_ever_unless_its_entry_goes(
    cut: CacheCut, *, comes_to_an_end: bool
) -> None:
    """KAFKA-10706: nothing is cut from the log, but the entry of B's own election has to go."""
    switches = replace(next(one for one in ERAS if one.id == "2.8").switches, epoch_cache_cut=cut)
    play = Play({who: Replica(switches) for who in "AB"}, entries_count=False)
    play.do("lead", "A", 0)
    play.do("write", 5)
    play.do("copy", "B")
    play.do("lead", "B", 1)
    play.do("lead", "A", 2)
    assert play.replicas["B"].agree(play.replicas["A"]) is comes_to_an_end
