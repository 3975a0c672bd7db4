"""`tidegauge compare`: where runs differ first, and why."""

from typing import TYPE_CHECKING, Any, Final

import click

from core.errors import QuestionError
from core.message import Listing, message
from core.words import text
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table, print_text, working
from gui.text.render import renderer
from gui.text.spoken import tr

_ALIGNED: Final = {
    "script": "command.compare.aligned-by-script",
    "landmarks": "command.compare.aligned-by-landmarks",
}
"""By axis of a comparison; every other one was aligned by hand."""
_CAUSES: Final = message("cause.title")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.compare.comparison import Comparison, Difference, PairCauses
    from core.trace.trace import Trace


@texts.command("compare", "command.compare.help")
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE|DOC...")
@texts.option("--trace", "trace_names", multiple=True, metavar="NAME", help="command.option.traces")
@texts.option(
    "--tie",
    "ties",
    multiple=True,
    metavar="CURSOR=CURSOR",
    help="command.option.tie",
)
@texts.option(
    "--keep",
    is_flag=True,
    help="command.option.keep",
)
@texts.option("--ticket", is_flag=True, help="command.option.ticket")
@options.partition_name
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_names: tuple[str, ...],
    partition: str | None,
    ties: tuple[str, ...],
    *,
    keep: bool,
    ticket: bool,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Align them, print, and say by the exit code whether they differ."""
    from core.compare.as_json import compare_json
    from core.compare.ticket import ticket_text

    made = tuple(map(_tie, ties))
    comparison = _caused(comparison_of(paths, trace_names, partition, told, made, keep=keep))
    if as_json:
        print_json(compare_json(comparison, renderer()))
    elif ticket:
        print_text(ticket_text(comparison), end=False)
    else:
        _print_comparison(comparison)
    return int(bool(comparison.differences))


def comparison_of(
    paths: tuple[str, ...],
    trace_names: tuple[str, ...],
    partition: str | None,
    told: dict[str, Any],
    ties: tuple[tuple[int, ...], ...] = (),
    *,
    keep: bool = False,
) -> "Comparison":
    """The comparison of all traces of all that is named, or of those named. Each source is one run.

    Ties that the documents hold are used where none is named; with `keep` those named are stored in the first
    document.
    """
    from core.compare.align import compare, is_too_many, make_runs, wrong_number
    from core.trace.trace import Trace
    from db.ties import Tie, cursors_of
    from gui.commands.questions import opened

    traces: list[Trace] = []
    known: list[str] = []
    held: list[Tie] = []
    with working("command.working.reading") as work:
        for path in paths:
            with opened((path,), told, work) as thing:
                known += thing.names
                held += () if thing.document is None else thing.document.ties()
                wanted = [name for name in thing.names if not trace_names or name in trace_names]
                if is_too_many(len(traces) + len(wanted)):
                    raise wrong_number([*(trace.name for trace in traces), *wanted])
                traces += [thing.trace(name) for name in wanted]
    missing = [name for name in trace_names if name not in known]
    if missing:
        raise QuestionError(
            message("error.trace.none", name=missing[0]),
            advice=message("error.choose-from", names=Listing(tuple(known))),
        )
    comparison = compare(make_runs(traces, partition), ties or (() if keep else cursors_of(held, traces)))
    if keep:
        _keep(paths, traces, ties)
    return comparison


def _caused(comparison: "Comparison") -> "Comparison":
    from core.compare.cause import with_causes

    with working("command.working.flipping") as work:
        return with_causes(comparison, work)


def _keep(paths: tuple[str, ...], traces: "Sequence[Trace]", ties: tuple[tuple[int, ...], ...]) -> None:
    """Store the ties between these traces in the first document; those between others stay."""
    from db.document import open_document
    from db.recognise import is_document
    from db.ties import tied_among

    place = next((path for path in paths if is_document(path)), None)
    if place is None:
        raise QuestionError(
            message("error.command.ties-document"), advice=message("error.command.ties-document.way-out")
        )
    if len({trace.name for trace in traces}) < len(traces):
        raise QuestionError(message("error.command.same-name"))
    with open_document(place, write=True) as document:
        document.put_ties(tied_among(document.ties(), traces, ties))


def _tie(written: str) -> tuple[int, ...]:
    """17=23 as (17, 23)."""
    parts = written.split("=")
    if not all(part.isdecimal() for part in parts):
        raise QuestionError(
            message("error.command.no-tie", text=written), advice=message("error.command.no-tie.form")
        )
    return tuple(map(int, parts))


def _print_comparison(comparison: "Comparison") -> None:
    from core.picture.comparison import verdict_words

    for number, run in enumerate(comparison.runs, start=1):
        tp = run.history.trace.partitions[run.history.partition].tp
        print_line(
            tr(
                "command.compare.run",
                number=number,
                title=run.title,
                partition=str(tp),
                verdict=verdict_words(run)[0],
            )
        )
        if run.rule is not None:
            print_line(f"       {text(run.rule)}")
    anchors = sum(1 for stop in comparison.stops if stop.anchor)
    print_line(tr(_ALIGNED.get(comparison.axis, "command.compare.aligned-by-hand"), number=anchors))
    print_line()
    first = comparison.first
    if first is None:
        print_line(tr("command.compare.alike"))
        for pair in comparison.causes:
            if pair.carried:
                _print_causes(comparison, pair)
        return
    print_line(tr("command.compare.first-difference"), style="bold")
    _print_difference(comparison, first)
    for rule in first.rules:
        print_line(tr("command.compare.rule", rule=rule))
    for pair in comparison.causes:
        _print_causes(comparison, pair)
    if len(comparison.differences) == 1:
        return
    print_line()
    print_line(tr("command.compare.what-follows"), style="bold")
    for difference in comparison.differences[1:]:
        _print_difference(comparison, difference)


def _print_causes(comparison: "Comparison", pair: "PairCauses") -> None:
    """What carries the first difference of two runs, and what is responsible for their outcomes."""
    from core.compare.cause_words import aspect_message, change_message, first_messages, responsible_messages
    from core.picture.words import place_words

    several = len(comparison.runs) > 2
    made = first_messages(pair)
    if several and made:
        print_line()
    for one in made:
        print_line(f"{_both(pair)}: {text(one)}" if several else text(one))
    print_line()
    print_line(text(_CAUSES) + (f" ({_both(pair)})" if several else ""), style="bold")
    if not pair.carried:
        print_line(text(message("cause.same")))
    for aspect, sets in pair.carried:
        print_line(text(aspect_message(aspect, pair, comparison.runs[pair.runs[0]])))
        for line in responsible_messages(sets):
            print_line(f"  {text(line)}")
        for found in sets:
            where = "" if found.change.stop is None else f"{place_words(comparison, found.change.stop)}: "
            print_line(f"    {where}{text(change_message(found.change))}")


def _both(pair: "PairCauses") -> str:
    return " | ".join(tr("explain.run", run=run + 1) for run in pair.runs)


def _print_difference(comparison: "Comparison", difference: "Difference") -> None:
    from core.picture.words import place_words

    print_line(f"{_capital(place_words(comparison, difference.stop))}: {text(difference.decision)}")
    answers = zip(difference.runs, (difference.left, difference.right), strict=True)
    rows = [
        ("  " + tr("explain.run", run=run + 1), comparison.runs[run].title, text(answer))
        for run, answer in answers
    ]
    print_table(("", "", ""), rows)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
