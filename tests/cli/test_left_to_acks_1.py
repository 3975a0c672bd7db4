"""Records that acks=1 alone may have promised stand beside an incident as well: its totals leave them out."""

from dataclasses import replace

import pytest

from core.diagnose.account.as_json import check_dict
from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.counted import amount_of, left_to_acks_1
from core.diagnose.verdict.facts import Loss, LossClass, Severity, Shown, Verdict
from core.kafka.eras import era
from core.message import AtLeast, Count
from core.trace.ids import TopicPartition
from core.trace.trace import Trace
from core.words import text
from gui.commands.account_text import LINES, print_account
from tests.runs import simulated

pytestmark = pytest.mark.broad(2)


def with_tail(*tails: tuple[int, int], **changed: bool) -> tuple[Trace, Verdict]:
    """A run in which committed records are lost, and others beside that nothing shows committed."""
    trace = simulated("hw-loss", era("0.10.2"))
    (partition,) = diagnose(trace).partitions
    first = partition.losses[0]
    notices = tuple(notice(first, *tail, **changed) for tail in tails)
    partition = replace(partition, losses=(*partition.losses, *notices))
    return trace, Verdict((partition,), partition.findings)


def notice(like: Loss, first: int, end: int, **changed: bool) -> Loss:
    return replace(
        like,
        first_offset=first,
        end_offset=end,
        loss_class=LossClass.POSSIBLY_ACKNOWLEDGED,
        severity=Severity.NOTICE,
        commit=Shown.NOT_SHOWN,
        **changed,
    )


@pytest.mark.parametrize(
    ("everything", "told"),
    [
        (False, "12 more records went that nothing shows committed. All of it"),
        (True, "12 records of t-0 were removed that nothing shows committed: with acks=1 a producer may"),
    ],
)
def test_they_stand_below_the_incident(
    told: str, *, everything: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    trace, verdict = with_tail((100, 110), (105, 112))

    print_account(trace, verdict, check_dict(trace, verdict, text), everything=everything)

    lines = capsys.readouterr().out.splitlines()
    said = " ".join(" ".join(lines).split())
    assert said.startswith("Totals Lost: ")
    assert told in said
    assert everything or len(lines) <= LINES


def test_none_are_spoken_of_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    trace, verdict = with_tail()
    print_account(trace, verdict, check_dict(trace, verdict, text), everything=False)
    assert "nothing shows" not in capsys.readouterr().out


def test_they_are_counted_once_each_and_bounded_where_their_end_is() -> None:
    trace, verdict = with_tail((100, 110), at_least=True)
    (parts,) = left_to_acks_1(trace, verdict.partitions).values()
    assert amount_of(parts) == AtLeast(10)
    trace, verdict = with_tail((100, 110))
    (parts,) = left_to_acks_1(trace, verdict.partitions).values()
    assert amount_of(parts) == Count(10)


def test_offsets_of_a_compacted_partition_are_no_records() -> None:
    trace, verdict = with_tail((100, 110))
    compacted = replace(trace.partitions[0], tp=TopicPartition("__consumer_offsets", 0))
    assert not left_to_acks_1(replace(trace, partitions=(compacted,)), verdict.partitions)
