"""A question about what is open, answered beside the window, and where a row of the answer points to."""

from dataclasses import dataclass
from typing import Any

from core.errors import QuestionError
from core.trace.times import parse_time
from core.trace.trace import Trace
from core.work import Work
from gui.text.errors import one_line
from gui.text.spoken import words
from gui.workspace.query_answer import Answer


@dataclass(frozen=True, slots=True)
class AskInSql:
    """Ask about a trace. `source`: the document or data set read in parts, "" where `trace` is all of it."""

    sql: str
    source: str
    trace: Trace

    def answer(self, work: Work) -> Answer | str:
        """The rows, or what is wrong with the question: that is said beside the field."""
        from db.document import open_document
        from db.recognise import is_document
        from gui.workspace.query import ask
        from gui.workspace.query_tables import DataSetTables, DocumentTables, TraceTables

        try:
            if not self.source:
                return ask(TraceTables(self.trace, work), self.sql, work)
            if not is_document(self.source):
                return ask(DataSetTables(self.source, work), self.sql, work)
            with open_document(self.source) as document:
                return ask(DocumentTables(document, None, work), self.sql, work)
        except QuestionError as error:
            return one_line(error.facts, words())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row points to: a partition ("" is the one that is seen) and a time, ns, if it names one."""

    partition: str
    at: int | None


def place_of(answer: Answer, row: int) -> Place | None:
    """The place that the columns `topic`, `partition` and `time` of a row name; None where they name none."""
    told: dict[str, Any] = dict(zip(answer.columns, answer.rows[row], strict=True))
    topic, number, time = (told.get(name) for name in ("topic", "partition", "time"))
    partition = f"{topic}-{number}" if isinstance(topic, str) and isinstance(number, int) else ""
    try:
        at = parse_time(time) if isinstance(time, str) else None
    except QuestionError:
        at = None
    return Place(partition, at) if partition or at is not None else None
