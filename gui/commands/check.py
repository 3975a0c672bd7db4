"""`tidegauge check`: losses, truncations, divergence."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Final, LiteralString

from core.message import Listing
from gui.commands import options, texts
from gui.commands.terminal import moment, print_json, print_line, print_table, working
from gui.terms import counted, term
from gui.text.spoken import tr

_BAD = ("loss", "danger")
_FINDINGS: Final = (
    "command.head.severity",
    "command.head.partition",
    "command.head.from",
    "command.head.to",
    "command.head.finding",
)
_LOSSES: Final[tuple[LiteralString, ...]] = (
    "command.head.partition",
    "command.head.offsets",
    "command.head.records",
    "command.head.epoch",
    "command.head.class",
    "command.head.cause",
    "command.head.removed-from",
    "command.head.still-on",
)
_OFFSETS: Final[tuple[LiteralString, ...]] = tuple(
    "command.head.count" if one == "command.head.records" else one for one in _LOSSES
)
_CUTS: Final = (
    "command.head.partition",
    "command.head.broker",
    "command.head.at",
    "command.head.from",
    "command.head.to",
    "command.head.rule",
    "command.head.below-hw",
)
"""Heads of columns."""
_REMOVED: Final[tuple[tuple[str, LiteralString, tuple[LiteralString, ...]], ...]] = (
    ("records", "command.check.records-removed", _LOSSES),
    ("offsets", "command.check.offsets-removed", _OFFSETS),
)
"""The ledger's tables: what is counted, title, heads. Compaction may have emptied offsets before."""
_NOT_ALL_READ: Final = 3
_NAMED: Final = 12
"""Partitions named in a row of many."""


@texts.command("check", "command.check.help")
@options.sources
@options.trace_name
@options.partition_name
@texts.option("--all", "everything", is_flag=True, help="command.check.all")
@options.reading
@options.jobs
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_name: str | None,
    partition: str | None,
    *,
    everything: bool,
    jobs: int | None,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Diagnose, print, and say by the exit code whether something is wrong."""
    from core.diagnose.account.as_json import check_dict
    from core.diagnose.verdict.check import diagnose, jobs_for
    from core.diagnose.verdict.facts import of_partition
    from core.trace.broker_names import short_names
    from core.words import text
    from gui.commands.account_text import print_account
    from gui.commands.questions import opened, stored
    from gui.workspace.named import partitions_of
    from importers.prepared.stored import stored_verdict

    with working("command.working.reading") as work:
        found = stored(paths, trace_name, told, partial(stored_verdict, partition=partition, work=work))
        if found is None:
            with opened(paths, told, work, jobs) as thing:
                trace = thing.trace(trace_name)
                wanted = partitions_of(trace, partition)
                verdict = diagnose(trace, work, jobs or jobs_for(trace))
            if partition is not None:
                name = trace.partitions[wanted[0]].tp
                own = [index for index, one in enumerate(trace.partitions) if one.tp == name]
                verdict = of_partition(verdict, own)
        else:
            trace, verdict = found
        answer = check_dict(trace, verdict, text, document=", ".join(paths))
    if as_json:
        print_json(answer)
    else:
        print_account(trace, verdict, answer, everything=everything)
        if everything:
            _print_tables(answer, short_names(trace))
    if any(finding["severity"] in _BAD for finding in answer["findings"]):
        return 1
    return 0 if answer["complete"] else _NOT_ALL_READ


def _print_tables(answer: dict[str, Any], names: Mapping[int, str]) -> None:
    """Findings, then the ledger of records removed, then truncations."""
    simulated = answer["origin"] == "simulated"
    findings = answer["findings"]
    if findings:
        print_line()
        print_table(
            _FINDINGS,
            [_finding_row(same, simulated=simulated) for same in alike(findings)],
        )
    losses = [(partition, loss) for partition in answer["partitions"] for loss in partition["losses"]]
    # "Lost" is a word for committed and acknowledged records; the class says which these are.
    for unit, title, heads in _REMOVED:
        mine = [_loss_row(partition, loss, names) for partition, loss in losses if loss["counted"] == unit]
        if mine:
            print_line()
            print_line(tr(title), style="bold")
            print_table(heads, mine, right=(2, 3))
    cuts = [(partition, cut) for partition in answer["partitions"] for cut in partition["truncations"]]
    if cuts:
        print_line()
        print_line(tr("command.check.truncations"), style="bold")
        print_table(
            _CUTS,
            [
                (
                    _place(partition),
                    _brokers([cut["broker"]], names),
                    _when(cut["at"], simulated=simulated),
                    _start(cut),
                    cut["to_offset"],
                    cut["rule"].replace("-", " "),
                    {True: tr("terms.yes"), False: tr("terms.no"), None: "?"}[cut["below_high_watermark"]],
                )
                for partition, cut in cuts
            ],
            right=(1, 3, 4),
        )


def _loss_row(
    partition: dict[str, Any], loss: dict[str, Any], names: Mapping[int, str]
) -> tuple[str | int, ...]:
    """One row of the ledger of what was removed."""
    return (
        _place(partition),
        _offsets(loss["first_offset"], loss["end_offset"]),
        counted(loss["records"], at_least=loss["at_least"]),
        "?" if loss["epoch"] is None else loss["epoch"],
        term(loss["class"]),
        term(loss["cause"].replace("-", " ")),
        _brokers(loss["removed_from"], names),
        _brokers(loss["survives_on"], names),
    )


def alike(findings: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Findings that say the same of the same brokers, each in another partition, as one group.

    In the order of their first. A broker that stops twice has two groups: its stops have their own times.
    """
    groups: dict[Hashable, list[dict[str, Any]]] = {}
    seen: Counter[Hashable] = Counter()
    for finding in findings:
        said = (finding["check"], *finding["brokers"], finding["text"])
        if finding["check"] == "unclean-stop":
            said = (*said, finding["from"], finding["to"])
        again = (said, _place(finding))
        groups.setdefault((said, seen[again]), []).append(finding)
        seen[again] += 1
    return list(groups.values())


def _finding_row(same: Sequence[dict[str, Any]], *, simulated: bool) -> tuple[str, ...]:
    """One row of a group: how many partitions, the whole time, and which partitions after the sentence."""
    first = same[0]
    start = min(one["from"] for one in same)
    end = max((one["to"] for one in same if one["to"] is not None), default=None)
    times = (
        _when(start, simulated=simulated),
        "" if end == start else _when(end, simulated=simulated),
    )
    if len(same) == 1:
        return term(first["severity"]), _place(first), *times, first["text"]
    places = sorted(map(_place, same))
    named = Listing(tuple(places[:_NAMED]))
    if len(places) > _NAMED:
        which = tr("command.check.partitions-and-more", named=named, more=len(places) - _NAMED)
    else:
        which = tr("command.check.partitions", named=named)
    number = tr("command.check.partition-count", number=len(same))
    return term(first["severity"]), number, *times, f"{first['text']} {which}"


def _place(thing: dict[str, Any]) -> str:
    return "" if thing["topic"] is None else f"{thing['topic']}-{thing['partition']}"


def _brokers(ids: list[int], names: Mapping[int, str]) -> str:
    """Ids, or names in a simulation: "1, 2", "A, B"."""
    return ", ".join(names.get(one, str(one)) for one in ids) or term("none")


def _offsets(first: int, end: int) -> str:
    return str(first) if end - first == 1 else f"{first}–{end - 1}"


def _when(at: str | None, *, simulated: bool) -> str:
    """A moment; a simulation begins at 0 and has no date."""
    return moment(at)[11:] if simulated else moment(at)


def _start(cut: dict[str, Any]) -> str:
    if cut["from_offset"] is None:
        return "?"
    return f"≥ {cut['from_offset']}" if cut["basis"] == "bounded" else str(cut["from_offset"])
