"""The rows that say how far an account can be trusted, and the event at which a fault is seen."""

from dataclasses import replace

import pytest

from core.diagnose.account.doubts import facts_of
from core.diagnose.account.partition_story import seq_of
from core.diagnose.account.story import Step, StepKind
from core.kafka.eras import era
from core.message import Message
from core.trace.trace import Source
from core.words import text
from tests.runs import simulated
from tests.stories import Story


def test_of_a_simulation_everything_is_known() -> None:
    (only,) = facts_of(simulated("hw-loss", era("2.8")))

    assert text(only.value) == "A simulation: everything is known, and nothing is to be collected."


@pytest.mark.parametrize(
    ("basis", "told"),
    [("assumed", "assumed Europe/Berlin: no line names one"), ("inferred", "Europe/Berlin")],
)
def test_a_zone_is_assumed_only_where_nothing_names_it(basis: str, told: str) -> None:
    story = Story()
    story.begin()
    source = Source("server.log", "0" * 64, 1, zone="Europe/Berlin", zone_basis=basis)

    rows = facts_of(replace(story.trace(), sources=(source,)))

    (zone,) = [one for one in rows if text(one.label) == "Time zone"]
    assert text(zone.value) == told
    assert zone.assumed is (basis == "assumed")


@pytest.mark.parametrize(("kind", "expected"), [(StepKind.SILENT, 0), (StepKind.GONE, 2)])
def test_a_silence_is_seen_at_the_last_line_of_its_own_broker(kind: StepKind, expected: int) -> None:
    """Three lines of one time, the first by broker 1."""
    story = Story()
    seqs = [story.add("leo_sample", broker, leo=5, wait=0) for broker in (1, 2, 2)]

    assert seq_of(story.trace(), Step(kind, 0, 0, (1,), 0, Message("a.step"), None, None)) == seqs[expected]
