"""`tidegauge state`: what every replica knew and held at a moment."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, LiteralString

from core.errors import QuestionError
from core.message import message
from core.system_errors import reason
from gui.commands import options, texts
from gui.commands.terminal import moment, print_json, print_line, print_table, working
from gui.terms import term
from gui.text.spoken import tr

_LOCAL: Final = "command.head.local-start"
"""A column that only partitions with a remote tier have (KIP-405)."""
_STABLE: Final = "command.head.lso"
"""A column that only partitions with transactions have (KIP-98)."""
_HEADS: Final = (
    "command.head.partition",
    "command.head.broker",
    "command.head.role",
    "command.head.epoch",
    "command.head.isr",
    "command.head.start",
    _LOCAL,
    "command.head.leo",
    "command.head.hw",
    _STABLE,
    "command.head.leader-epochs",
)

_TIME_OF_DAY: Final = len("03:29:10.161")

if TYPE_CHECKING:
    from core.trace.trace import Trace


@texts.command("state", "command.state.help")
@options.sources
@texts.option("--at", "moments", multiple=True, metavar="CURSOR|TIME", help="command.option.at")
@texts.option("--at-file", metavar="FILE", help="command.option.at-file")
@texts.option("--why", is_flag=True, help="command.option.why")
@texts.option("--without", "without", multiple=True, metavar="RULE", help="command.option.without-rule")
@options.trace_name
@options.partition_name
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    moments: tuple[str, ...],
    at_file: str | None,
    without: tuple[str, ...],
    trace_name: str | None,
    partition: str | None,
    *,
    why: bool,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Answer in the order asked."""
    from core.history.as_json import NOTHING, state_dict
    from core.history.inference import removable
    from core.history.open import open_partition
    from core.history.view import read_view
    from gui.commands.questions import opened
    from gui.workspace.named import partitions_of, position_of

    taken_away = removable(without)
    asked = [*moments, *_lines_of(at_file)]
    with working("command.working.reading") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
    positions = [position_of(trace, text) for text in asked] if asked else [(len(trace), None)]
    partitions = {
        index: open_partition(read_view(trace, index, without=taken_away))
        for index in partitions_of(trace, partition)
    }
    histories = [one.history for one in partitions.values()]
    stable = any(one.has_transactions for history in histories for one in history.replicas.values())
    for place, (cursor, moment_asked) in enumerate(positions):
        answer = state_dict(trace, histories, cursor, moment_asked, partitions if why else NOTHING)
        if as_json:
            print_json(answer)
            continue
        if place:
            print_line()
        _print_state(trace, answer, stable=stable)
    return 0


def _lines_of(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else message("error.scenario.no-text")
        raise QuestionError(message("error.command.moments-unread"), why=why, where=path) from error
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise QuestionError(message("error.command.moments-empty"), where=path)
    return lines


def _print_state(trace: "Trace", answer: dict[str, Any], *, stable: bool) -> None:
    """`stable`: with a column of last stable offsets."""
    when = moment(answer["at"]) or tr("command.state.before-first-event")
    place = tr("command.state.position", position=answer["cursor"], last=len(trace), when=when)
    print_line(place, style="bold")
    tiered = any(one["local_start"] is not None for each in answer["partitions"] for one in each["replicas"])
    rows: list[tuple[object, ...]] = []
    for partition in answer["partitions"]:
        name = f"{partition['topic']}-{partition['partition']}"
        for replica in partition["replicas"]:
            rows.append(
                (
                    name,
                    replica["broker"],
                    term(replica["role"]),
                    _known(replica["epoch"]),
                    {True: tr("command.state.in"), False: tr("command.state.out"), None: "?"}[
                        replica["in_isr"]
                    ],
                    _band(replica["log_start"]),
                    *((_local_start(replica),) if tiered else ()),
                    _band(replica["leo"]),
                    _band(replica["hw"]),
                    *((_band(replica["lso"]),) if stable else ()),
                    _epochs(replica["epochs"]),
                ),
            )
            name = ""
    left_out = {one for one, has in ((_LOCAL, tiered), (_STABLE, stable)) if not has}
    heads: list[LiteralString] = [one for one in _HEADS if one not in left_out]
    print_table(heads, rows, right=(1, 3, *range(5, len(heads) - 1)))
    for partition in answer["partitions"]:
        for replica in partition["replicas"]:
            _print_chains(f"{partition['topic']}-{partition['partition']}", replica)


def _local_start(replica: dict[str, Any]) -> str:
    """Where the replica's own disk begins; nothing where no line tells of a remote tier."""
    return "" if replica["local_start"] is None else _band(replica["local_start"])


def _print_chains(name: str, replica: dict[str, Any]) -> None:
    """What the bounds of a replica rest on, each step under the one that comes from it."""
    chains = [chain for value in ("leo", "hw") for chain in replica[value].get("because", ())]
    if not chains:
        return
    print_line()
    print_line(tr("command.state.why", partition=name, broker=replica["broker"]), style="bold")
    for chain in chains:
        for depth, step in enumerate(chain, start=1):
            when = moment(step["at"])[-_TIME_OF_DAY:] or tr("command.state.before-first-event")
            print_line(f"{'  ' * depth}{when}  {step['text']}")
            for one in step["evidence"]:
                print_line("  " * (depth + 1) + _place(one), style="dim")


def _place(evidence: dict[str, Any]) -> str:
    """File and line, and what the line says; the byte in a file without lines."""
    if evidence["line"] is None:
        return f"{evidence['file']} @ {evidence['byte']:,}"
    return f"{evidence['file']}:{evidence['line']}  {evidence['text']}".rstrip()


def _known(value: object) -> str:
    return "?" if value is None else str(value)


def _band(band: dict[str, Any]) -> str:
    lo, hi = band["lo"], band["hi"]
    if lo == hi:
        return _known(lo)
    if lo is None:
        return f"≤ {hi}"
    return f"≥ {lo}" if hi is None else f"{lo}–{hi}"


def _epochs(epochs: list[list[int]] | None) -> str:
    if epochs is None:
        return "?"
    return " ".join(f"({epoch}, {start})" for epoch, start in epochs) or tr("report-rows.none")
