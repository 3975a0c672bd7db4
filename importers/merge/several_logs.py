"""The logs of one broker one after the other in one file, without headings: `cat *.log`."""

from itertools import pairwise
from typing import Final

import numpy as np

from core.assumptions import LINES_OUT_OF_ORDER_WITHIN
from core.history.own_lines import SERVER_LOG
from core.message import message
from core.trace.vocabulary import NUMBER
from importers.lines.parsed import Drafts
from importers.merge.arrival import by_stamps
from importers.merge.files import ReadFile, Role, noted

_PRINTED: Final = tuple(
    np.array([NUMBER[kind] for kind in kinds])
    for kinds in (
        SERVER_LOG,
        (
            "leader_and_isr_received",
            "leader_and_isr_sent",
            "metadata_applied",
            "metadata_sent",
            "stale_request_ignored",
        ),
        (
            "controller_elected",
            "controller_resigned",
            "broker_failure_noticed",
            "broker_fenced",
            "leader_recovery_changed",
        ),
    )
)
"""Kinds that stand in server.log alone, in state-change.log, in controller.log."""


def as_one_log(file: ReadFile) -> ReadFile:
    """Such a file in the order of its times; every other one as it is.

    Each part must be another log: where the clock of a broker was set back, the same log goes on.
    """
    drafts = file.drafts
    if file.role is not Role.LOG or drafts is None or not _of_several_logs(drafts):
        return file
    found, parts = by_stamps(drafts)
    return noted(file, message("report.several-logs", file=file.path), drafts=found, parts=parts)


def _of_several_logs(drafts: Drafts) -> bool:
    """Whether times go back once or twice, and what stands between is told in one log, each in another."""
    falls = np.flatnonzero(np.diff(drafts.stamps) < -LINES_OUT_OF_ORDER_WITHIN.ns) + 1
    if not 0 < len(falls) < len(_PRINTED):
        return False
    told = drafts.drafts.columns
    edges = [0, *drafts.bytes[falls].tolist(), int(drafts.bytes[-1]) + 1]
    seen: list[int] = []
    for begin, end in pairwise(edges):
        kinds = told["kind"][(begin <= told["byte"]) & (told["byte"] < end)]
        logs = [place for place, of_log in enumerate(_PRINTED) if np.isin(kinds, of_log).any()]
        if len(kinds) and len(logs) != 1:
            return False
        seen += logs
    return len(seen) > 1 and len(set(seen)) == len(seen)
