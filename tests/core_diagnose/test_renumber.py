"""A verdict on a part of a trace, in the Seqs of the whole: no number of an event is forgotten."""

from dataclasses import fields, is_dataclass
from typing import Any

from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import Loss
from core.diagnose.verdict.renumber import renumbered
from core.history.open import open_history
from core.kafka.eras import era
from tests.runs import simulated

FAR = 1_000_000


def test_a_loss_names_its_cut_in_the_numbers_of_the_whole() -> None:
    trace = simulated("hw-loss", era("0.10.2"))
    (loss,) = diagnose_partition(open_history(trace, 0)).losses
    assert loss.cut_seq is not None

    moved = renumbered(loss, [FAR + seq for seq in range(len(trace))])

    assert (moved.seq, moved.cut_seq) == (FAR + loss.seq, FAR + loss.cut_seq)
    assert moved.evidence == tuple(FAR + seq for seq in loss.evidence)
    assert (moved.first_offset, moved.end_offset) == (loss.first_offset, loss.end_offset)


def test_every_number_of_an_event_is_named_as_one() -> None:
    """What is called seq, or ends so, is moved: a new one with such a name is seen here."""
    trace = simulated("hw-loss", era("0.10.2"))
    (loss,) = diagnose_partition(open_history(trace, 0)).losses
    moved = renumbered(loss, [FAR + seq for seq in range(len(trace))])

    def numbers(value: Any) -> list[int]:
        if isinstance(value, tuple):
            return [number for one in value for number in numbers(one)]
        if not is_dataclass(value):
            return []
        own = [getattr(value, one.name) for one in fields(value) if one.name.endswith("seq")]
        return [*filter(None, own), *(n for one in fields(value) for n in numbers(getattr(value, one.name)))]

    assert isinstance(loss, Loss)
    assert numbers(moved)
    assert all(number >= FAR for number in numbers(moved))
