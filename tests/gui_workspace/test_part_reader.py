"""Partitions read for pages, also where a page asks late."""

from core.compare.align import make_run
from core.kafka.eras import era
from gui.workspace.content import alone
from gui.workspace.jobs import JobRunner
from gui.workspace.part_reader import PartReader
from gui.workspace.session import Session
from tests.runs import simulated


def test_a_page_that_asks_after_its_window_was_closed_gets_nothing() -> None:
    trace = simulated("hw-loss", era("2.8"))
    session, jobs = Session(), JobRunner()
    session.show(alone("", make_run(trace)), (trace,))
    reader = PartReader(session, jobs, lambda: "")
    given: list[object] = []
    reader.part(given.append, trace, 0)
    jobs.wait_for("part")
    assert len(given) == 1

    jobs.close()
    reader.part(given.append, trace, 0)
    reader.histories(given.append, (0,))

    assert len(given) == 1
    assert jobs.asked() == ()
