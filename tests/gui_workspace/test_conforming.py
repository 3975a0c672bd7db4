"""Which eras could have made what is open: what is asked about, each question once, where an answer leads."""

import gc

import pytest

from core.compare.align import compare, make_run
from core.conform.answer import Conformance
from core.kafka.eras import era
from core.trace.evidence import evidence_of
from core.trace.trace import Trace
from core.work import QUIET
from gui.workspace import conforming
from gui.workspace.conforming import CONFORM, Conform, Conforming, Subject, is_in_front, subjects_of, where_of
from gui.workspace.content import alone, compared
from gui.workspace.jobs import JobRunner
from importers.load import load
from importers.samples import sample_path
from tests.recordings.whole import sampled
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)


@pytest.fixture(scope="module")
def loss() -> Trace:
    """The recorded loss of 0.10.2."""
    return sampled("k0102-hw-loss")


def test_of_one_trace_all_partitions_come_first_then_the_one_in_front(loss: Trace) -> None:
    whole, front = subjects_of(alone("night", make_run(loss, "orders-1")))
    assert (whole.partition, whole.name) == (None, "")
    assert (front.partition, front.name) == (loss.partition_index("orders-1"), "orders-1")
    assert subjects_of(None) == ()


def test_a_trace_of_many_partitions_is_asked_about_as_a_whole_only_on_demand(
    loss: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conforming, "MOST_AT_ONCE", len(loss.partitions) - 1)

    first, second = subjects_of(alone("night", make_run(loss, "audit-0")))
    assert (first.name, second.name) == ("audit-0", "")


def test_of_a_comparison_each_run_can_be_asked_about() -> None:
    runs = tuple(make_run(simulated("hw-loss", era(which))) for which in ("0.10.2", "2.8"))
    found = subjects_of(compared("both", compare(runs)))

    assert [(one.run, one.trace) for one in found] == [
        (number, run.history.trace) for number, run in enumerate(runs)
    ]
    assert [one.partition for one in found] == [run.history.partition for run in runs]


def test_the_recorded_loss_breaks_where_its_line_stands_and_leads_to_its_partition(loss: Trace) -> None:
    """Line 394 of broker 2's server.log: "Truncating log orders-0 to offset 206" (README of recordings)."""
    subject = Subject(0, loss, None)
    found = Conform(subject).answer(QUIET)
    places = {one.era: place for place, one in enumerate(found.eras)}

    assert (found.own, found.eras[places["0.10.2"]].accepted) == ("0.10.2", True)
    assert where_of(subject, found, places["0.10.2"]) is None
    where = where_of(subject, found, places["2.8"])
    assert where is not None
    at = evidence_of(loss, where.seq)
    assert at is not None
    assert (at.line, where.partition) == (394, "orders-0")
    shown = [alone("night", make_run(loss, name)) for name in ("orders-0", "clicks-0")]
    assert [is_in_front(one, where) for one in shown] == [True, False]


def test_one_partition_is_held_alone(loss: Trace) -> None:
    """The cut of orders-0 is no event of audit-0, which has its own."""
    index = loss.partition_index("audit-0")
    subject = Subject(0, loss, index)
    found = Conform(subject).answer(QUIET)
    where = where_of(subject, found, [one.era for one in found.eras].index("2.8"))

    assert where is not None
    at = evidence_of(loss, where.seq)
    assert at is not None
    assert "audit-0" in at.text


def asked(jobs: JobRunner, answers: Conforming, subject: Subject) -> list[Conformance]:
    given: list[Conformance] = []
    answers.ask(subject, given.append)
    jobs.wait_for(CONFORM)
    return given


def test_a_question_is_answered_once_while_its_trace_is_open() -> None:
    jobs = JobRunner()
    begun: list[str] = []
    jobs.started.connect(begun.append)
    answers = Conforming(jobs)
    trace, other = simulated("hw-loss", era("0.10.2")), simulated("hw-loss", era("2.8"))

    first, second, third = (
        asked(jobs, answers, Subject(0, one, partition))
        for one, partition in ((trace, 0), (trace, 0), (trace, None))
    )
    of_other = asked(jobs, answers, Subject(1, other, 0))
    assert first == second == third
    assert first[0] is second[0]
    assert of_other[0].own == "2.8"
    assert begun == [CONFORM] * 3
    jobs.close()


def test_an_answer_goes_with_its_trace() -> None:
    jobs = JobRunner()
    answers = Conforming(jobs)
    # Read by itself: nobody else holds this trace.
    trace = load([sample_path("k43-elr")])
    assert asked(jobs, answers, Subject(0, trace, 0))
    assert len(answers) == 1

    jobs.close()
    del trace
    gc.collect()
    assert len(answers) == 0


def test_work_that_is_stopped_hands_over_nothing_and_can_be_asked_for_again(loss: Trace) -> None:
    jobs = JobRunner()
    answers = Conforming(jobs)
    given: list[Conformance] = []
    answers.ask(Subject(0, loss, None), given.append)
    jobs.cancel(CONFORM)
    jobs.wait_for(CONFORM)

    assert (given, answers.known(Subject(0, loss, None))) == ([], None)
    assert asked(jobs, answers, Subject(0, loss, 0))
    jobs.close()
    answers.ask(Subject(0, loss, 0), given.append)
    assert given == []
