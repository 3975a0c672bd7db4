"""Reads partitions of the one trace that is open, for pages that show more than what is in front."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.trace.trace import Trace
from gui.workspace import requests
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session

HISTORIES: Final = "histories"
PART: Final = "part"


@dataclass(frozen=True, slots=True)
class PartReader:
    """Reads where all of the trace is in memory; `source` gives what is read one partition at a time.

    A page asks some moments after its rows came into sight; its window may be closed by then.
    """

    session: Session
    jobs: JobRunner
    source: Callable[[], str]

    def histories(self, show: Callable[[dict[int, History]], None], partitions: tuple[int, ...]) -> None:
        """Read the histories of partitions."""
        traces = self.session.traces
        if len(traces) == 1 and not self.source() and not self.jobs.is_closed:
            self.jobs.in_thread(HISTORIES, requests.Histories(traces[0], partitions), show)

    def part(
        self, show: Callable[[tuple[History, PartitionVerdict]], None], trace: Trace, partition: int
    ) -> None:
        """Read a partition of this trace, if it is the one that is open, and judge it."""
        if self.session.traces == (trace,) and not self.source() and not self.jobs.is_closed:
            self.jobs.in_thread(PART, requests.Part(trace, partition), show)
