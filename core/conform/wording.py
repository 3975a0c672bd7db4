"""The rule on words: a line that only some releases print. Asked where no rule of replication is broken."""

from collections.abc import Iterator, Mapping

from core.conform.decision import Decision, Rule
from core.diagnose.verdict.case import Case
from core.kafka.eras import ERAS, Era
from core.kafka.releases import version_numbers
from core.message import Message, message

Printed = Mapping[tuple[int, int], tuple[str, str]]
"""By source and line the first and the last release that print it; "" for no last one."""


def wording(printed: Printed) -> Rule:
    """The rule for a trace whose lines are printed so."""

    def decisions(case: Case) -> Iterator[Decision]:
        trace = case.view.trace
        sources, lines = trace.columns["source"], trace.columns["line"]
        for seq in case.view.seqs.tolist():
            releases = printed.get((int(sources[seq]), int(lines[seq])))
            if releases is not None:
                yield _decision(case, seq, *releases)

    return Rule("line.wording", "", message("conform.needs.logs"), decisions)


def _decision(case: Case, seq: int, since: str, until: str) -> Decision:
    broker = int(case.view.trace.columns["broker"][seq])
    return Decision(
        seq, None if broker < 0 else broker, lambda era: prints(era, since, until), _releases(since, until)
    )


def _releases(since: str, until: str) -> Message:
    if not until:
        return message("conform.line.since", since=since)
    return message("conform.line.between", since=since, until=until)


def prints(era: Era, since: str, until: str) -> bool:
    """Whether some release from that of an era up to the next era prints what these releases print."""
    first = version_numbers(era.id)
    last = version_numbers(until)
    later = [version_numbers(one.id) for one in ERAS if version_numbers(one.id) > first]
    begun = not later or version_numbers(since) < later[0]
    return begun and (not last or first[: len(last)] <= last)
