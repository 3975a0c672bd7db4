"""Logs to a data set, with Spark: what a person chose, why it cannot be, and the job. No Qt but for words.

The job runs in a child process, which alone has Spark.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import DocumentError
from core.message import message
from core.work import Work
from gui.text.errors import headline
from gui.text.spoken import tr, words
from importers.prepared.folder import absolute, is_uri, without_secrets

ENDING: Final = ".parquet"
MASTER: Final = "local[*]"
"""This machine, with all of its cores."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Logs or their address, the folder that becomes the data set, and where Spark works."""

    source: str = ""
    output: str = ""
    master: str = MASTER
    replace: bool = False


def proposed_output(source: str, folder: str) -> str:
    """Where the data set of a source goes: beside it, and for an address into `folder`. "" for no source."""
    if not source:
        return ""
    if is_uri(source):
        name = without_secrets(source).partition("?")[0].rstrip("/").rpartition("/")[2]
        return str(Path(folder) / f"{name or 'logs'}{ENDING}")
    path = Path(absolute(source))
    return str(path.parent / f"{path.name or 'logs'}{ENDING}")


def refusal(plan: Plan) -> str:
    """Why this cannot be, as one sentence; "" where it can be tried."""
    if not plan.source:
        return tr("processing.choose-the-folder-that-holds-the")
    if not (is_uri(plan.source) or Path(plan.source).exists()):
        return tr("processing.there-is-nothing-at", path=plan.source)
    if not plan.output:
        return tr("processing.name-the-data-set-that-is")
    if is_uri(plan.output):
        return words()(message("error.process.address"))
    return _in_the_way(plan)


def goes_on(plan: Plan) -> bool:
    """Whether the data set is there already, and only what is new is read. For a plan that is not refused."""
    return not plan.replace and os.path.lexists(plan.output)


def _in_the_way(plan: Plan) -> str:
    # Only here: what reads data sets takes long to load.
    from spark.target import check_target, continues

    out = Path(absolute(plan.output))
    try:
        if plan.replace or not continues(out, [without_secrets(absolute(plan.source))]):
            check_target(out, replace=plan.replace)
    except DocumentError as error:
        return headline(error.facts, words())
    return ""


@dataclass(frozen=True, slots=True)
class Process:
    """Have Spark write the data set of a plan."""

    plan: Plan

    def answer(self, work: Work) -> str:
        """The path of the data set. Raises what `spark.job.process` raises."""
        from spark.job import process

        plan, out = self.plan, absolute(self.plan.output)
        process([absolute(plan.source)], out, master=plan.master, replace=plan.replace, work=work)
        return out
