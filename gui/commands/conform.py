"""`tidegauge conform`: which eras could have made a trace, and the first event that one could not."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from core.message import Message, Names
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table, working
from gui.text.spoken import tr, worded

if TYPE_CHECKING:
    from core.conform.judge import Broken, Judgement

_ACCEPTED: Final = 0
_REFUSED: Final = 1
_NOT_DECIDED: Final = 3


@texts.command("conform", "command.conform.help")
@options.sources
@options.trace_name
@texts.option("--era", "names", multiple=True, metavar="E", help="command.option.conform.era")
@options.partition_name
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_name: str | None,
    names: tuple[str, ...],
    partition: str | None,
    *,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Judge, print, and say by the exit code whether the eras that were asked accept it."""
    from core.conform.as_json import conform_dict
    from core.conform.judge import conform
    from core.conform.own import candidate, own_candidate
    from core.conform.table import RULES
    from core.conform.wording import wording
    from core.kafka.eras import ERAS, era_named
    from core.words import text
    from gui.commands.questions import opened
    from gui.workspace.named import partitions_of
    from importers.lines.wording import printed_in

    asked = [candidate(era_named(name)) for name in dict.fromkeys(names)]
    with working("command.working.conforming") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
        own = own_candidate(trace)
        candidates = asked or [candidate(era) for era in ERAS]
        if not asked and own is not None and own.name not in {one.name for one in candidates}:
            candidates.append(own)
        rules = (*RULES, wording(printed_in(trace)))
        found = conform(trace, candidates, partitions_of(trace, partition), work, rules=rules)
        answer = conform_dict(trace, own, found, text)
    if as_json:
        print_json(answer)
    else:
        _print(answer, found)
    deciding = [one for one in answer["eras"] if asked or one["era"] == answer["own_release"]]
    return _exit_code([one["accepted"] for one in deciding])


def _exit_code(accepted: list[bool | None]) -> int:
    if False in accepted:
        return _REFUSED
    return _ACCEPTED if accepted and None not in accepted else _NOT_DECIDED


def _print(answer: dict[str, Any], found: "Sequence[Judgement]") -> None:
    own = answer["own_release"]
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
        [_row(one) for one in answer["eras"]],
        right=(2, 3),
    )
    for same, where in _alike(answer, found):
        print_line()
        print_line(tr("command.conform.broken", text=worded(same), where=where))


def _alike(answer: dict[str, Any], found: "Sequence[Judgement]") -> "Iterator[tuple[Message, str]]":
    """What breaks, and where: once for all eras of which the same is to be said."""
    from core.conform.as_json import broken_message

    eras: dict[tuple[Message, str], list[str]] = {}
    first: dict[tuple[Message, str], Broken] = {}
    for one, row in zip(found, answer["eras"], strict=True):
        if one.broken is not None:
            key = broken_message(one.broken, ""), _where(row["breaks_at"])
            eras.setdefault(key, []).append(one.candidate.name)
            first.setdefault(key, one.broken)
    for key, names in eras.items():
        yield broken_message(first[key], Names(tuple(names))), key[1]


def _row(one: dict[str, Any]) -> tuple[object, ...]:
    said = {True: tr("terms.yes"), False: tr("terms.no"), None: tr("command.conform.undecided")}
    broken, bounds = one["breaks_at"], one["bounds"]
    cells = ("", "") if broken is None else (broken["rule"], _where(broken))
    return (one["era"], said[one["accepted"]], bounds["fitting"], bounds["not_decided"], *cells)


def _where(broken: dict[str, Any]) -> str:
    """File and line of the event; its Seq where it has none."""
    first = broken["evidence"][0] if broken["evidence"] else None
    if first is None:
        return f"#{broken['seq']}"
    return first["file"] if first["line"] is None else f"{first['file']}:{first['line']}"
