"""What the inspector says of a chosen lane: the bounds of its log, and the lines that they rest on."""

import pytest

import gui.panels.replica
from core.compare.comparison import Run
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.kafka.eras import era
from core.picture.marks import Ref
from core.trace.evidence import evidence_of
from core.work import QUIET
from gui.panels.explain import explain
from gui.panels.explanation import Explanation
from gui.workspace.content import Content, alone
from gui.workspace.simulating import Asked, replay
from tests.recordings.whole import sampled
from tests.runs import scenario

BROKER_1 = Ref("lane", 0, 1, 1)


@pytest.fixture(scope="module")
def content() -> Content:
    """Partition orders-2 of the recorded loss."""
    trace = sampled("k0102-hw-loss")
    (at,) = (at for at, one in enumerate(trace.partitions) if str(one.tp) == "orders-2")
    return alone("loss", Run("loss", None, open_history(trace, at), PartitionVerdict(at)))


def told(content: Content) -> Explanation:
    return explain(content, content.last, BROKER_1)


@pytest.mark.slow
def test_each_bound_leads_to_its_line(content: Content) -> None:
    """Read in the files: the checkpoint of broker 1 says 218, and so does the end of its segment."""
    state, rests_on = told(content).sections

    assert dict(state.facts)["High watermark"] == "218"
    lines = rests_on.sentences
    upper = lines.index("High watermark of broker 1 at most 218: the high watermark is not above the log end")
    assert lines[upper + 1] == "← Log end of broker 1 at most 218: a line or a file states it"
    trace = content.runs[0].history.trace
    found = [evidence_of(trace, seq) for _, seq in told(content).evidence]
    assert {(one.file.rsplit("/", 1)[1], one.text) for one in found if one is not None} >= {
        ("replication-offset-checkpoint", "orders 2 218"),
        ("00000000000000000000.log", ""),
    }


def test_where_nothing_is_bounded_nothing_is_explained() -> None:
    """In a simulation every value is an event."""
    content = replay(Asked(scenario("hw-loss"), (era("2.8"),)), QUIET).content

    (state,) = explain(content, content.last, BROKER_1).sections

    assert state.title == "broker A"


def test_the_local_log_start_has_a_row_where_there_is_a_remote_tier() -> None:
    """KIP-405: the log of each broker begins at 0, its disk at 6."""
    assert facts("tiered-new-disk")["Log start"] == "0"
    assert facts("tiered-new-disk")["Local log start"] == "6"
    assert "Local log start" not in facts("hw-loss")


def test_the_last_stable_offset_has_a_row_where_there_are_transactions() -> None:
    """KIP-98: m2 at 4 is open, and n0 behind it is replicated; the marker at 6 ends m2."""
    told = facts("open-transaction"), facts("open-transaction", broker=2)

    # A is dead since before the marker was written.
    assert [one["High watermark"] for one in told] == ["6", "7"]
    assert [one["Last stable offset"] for one in told] == ["4", "7"]
    assert "Last stable offset" not in facts("hw-loss")


def facts(name: str, broker: int = 1) -> dict[str, str]:
    """What is said of a broker at the end of a run of 4.1."""
    content = replay(Asked(scenario(name), (era("4.1"),)), QUIET).content
    return dict(explain(content, content.last, Ref("lane", 0, broker, broker)).sections[0].facts)


def test_of_very_many_events_only_the_state_is_said(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To follow their bounds would keep a person waiting; `tidegauge state --why` does it."""
    monkeypatch.setattr(gui.panels.replica, "FOLLOWED_AT_MOST", 10)

    assert len(explain(content, content.last - 1, BROKER_1).sections) == 1
