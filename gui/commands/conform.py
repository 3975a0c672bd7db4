"""`tidegauge conform`: which eras could have made a trace, and the first event that one could not."""

from typing import TYPE_CHECKING, Any, Final

import click

from core.message import Names
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table, working
from gui.text.spoken import tr, worded

if TYPE_CHECKING:
    from core.conform.answer import Conformance, OfEra
    from core.trace.trace import Trace

_ACCEPTED: Final = 0
_REFUSED: Final = 1
_NOT_DECIDED: Final = 3


@texts.command("conform", "command.conform.help")
@options.sources
@options.trace_name
@texts.option("--era", "names", multiple=True, metavar="E", help="command.option.conform.era")
@texts.option("--search", "wants_search", is_flag=True, help="command.option.conform.search")
@texts.option("--states", type=click.IntRange(min=1), metavar="N", help="command.option.conform.states")
@options.partition_name
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_name: str | None,
    names: tuple[str, ...],
    states: int | None,
    partition: str | None,
    *,
    wants_search: bool,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Judge, print, and say by the exit code whether the eras that were asked accept it."""
    from core.conform.as_json import conform_dict
    from core.schedule.search import STATES
    from core.words import text
    from gui.commands.questions import opened
    from gui.workspace.conforming import conformance
    from gui.workspace.named import partitions_of

    with working("command.working.conforming") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
        most = (states or STATES) if wants_search or states is not None else 0
        eras = tuple(dict.fromkeys(names))
        answer = conformance(trace, partitions_of(trace, partition), work, eras, states=most)
        if as_json:
            print_json(conform_dict(trace, answer, text))
        else:
            _print(trace, answer)
    return _exit_code([one.accepted for one in answer.eras if names or one.era == answer.own])


def _exit_code(accepted: list[bool | None]) -> int:
    if False in accepted:
        return _REFUSED
    return _ACCEPTED if accepted and None not in accepted else _NOT_DECIDED


def _print(trace: "Trace", answer: "Conformance") -> None:
    from core.conform.answer import alike, open_alike, sought_alike

    own = answer.own
    print_line(tr("command.conform.own-unknown") if own is None else tr("command.conform.own", name=own))
    print_line()
    print_table(
        (
            "command.head.era",
            "command.head.accepted",
            "command.head.judged",
            "command.head.open",
            "command.head.rule",
            "command.head.breaks",
        ),
        [_row(trace, one) for one in answer.eras],
        right=(2, 3),
    )
    for breaks, eras in alike(answer.eras):
        print_line()
        said = worded(breaks.sentence(Names(eras)))
        print_line(tr("command.conform.broken", text=said, where=_where(trace, breaks.evidence)))
    for undecided, eras in open_alike(answer.eras):
        print_line()
        print_line(worded(undecided.sentence(Names(eras))))
    for said in sought_alike(answer.eras):
        print_line()
        print_line(worded(said))


def _row(trace: "Trace", one: "OfEra") -> tuple[object, ...]:
    said = {True: tr("terms.yes"), False: tr("terms.no"), None: tr("command.conform.undecided")}
    breaks = one.breaks
    cells = ("", "") if breaks is None else (breaks.rule, _where(trace, breaks.evidence))
    return (one.era, said[one.accepted], len(one.fits_at), len(one.open_at), *cells)


def _where(trace: "Trace", seqs: tuple[int, ...]) -> str:
    """File and line of the event; its Seq where it has none."""
    from core.trace.evidence import evidence_list

    found = evidence_list(trace, seqs)
    if not found:
        return f"#{seqs[0]}"
    first = found[0]
    return first["file"] if first["line"] is None else f"{first['file']}:{first['line']}"
