"""Logs whose times have no fraction of a second: syslog, short forms of the journal, patterns of log4j."""

from core.trace.units import SECOND_NS
from importers.lines.layout import STOCK
from importers.merge.files import ReadFile


def late_by(file: ReadFile) -> int:
    """Up to how many ns later than its time a line of a log was written: 0, or just under a second."""
    drafts = file.drafts
    if drafts is None or not drafts.kafka or file.layout in (None, STOCK) or not len(drafts.stamps):
        return 0
    return 0 if (drafts.stamps % SECOND_NS).any() else SECOND_NS - 1


def in_whole_seconds(file: ReadFile) -> bool:
    """Whether the times of a broker's log are cut to seconds."""
    return late_by(file) > 0
