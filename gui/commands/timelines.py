"""Traces as text timelines on stdout: one line an event, LEO and HW of each replica."""

from collections.abc import Sequence

from core.trace.trace import Trace
from gui.commands.terminal import print_text


def print_timelines(traces: Sequence[Trace], partition: str | None = None) -> None:
    """Print each partition of each trace, with a line above that says which it is."""
    print_text("\n\n".join(timeline_of(trace, partition) for trace in traces))


def timeline_of(trace: Trace, partition: str | None) -> str:
    """The timelines of a trace's partitions, or of one. Raises QuestionError."""
    from core.diagnose.verdict.check import diagnose_partition
    from core.history.open import open_history
    from core.picture.words import timeline_text
    from gui.workspace.named import partitions_of

    parts: list[str] = []
    for index in partitions_of(trace, partition):
        history = open_history(trace, index)
        title = trace.facts.get("title") or trace.name
        head = f"{trace.facts.get('era', trace.name)}  {title}  {trace.partitions[index].tp}"
        parts.append(f"{head}\n{timeline_text(history, diagnose_partition(history)).rstrip()}")
    return "\n\n".join(parts)
