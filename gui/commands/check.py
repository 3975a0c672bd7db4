"""`tidegauge check`: losses, truncations, divergence."""

from typing import Any

import click

from gui.commands import options
from gui.commands.terminal import moment, print_json, print_line, print_table, working

_BAD = ("loss", "danger")


@click.command(
    "check", help="Find losses, truncations and divergence. Exits with 1 if something is lost or in danger."
)
@options.sources
@options.trace_name
@options.partition_name
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_name: str | None,
    partition: str | None,
    *,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Diagnose, print, and say by the exit code whether something is wrong."""
    from core.diagnose.as_json import verdict_dict
    from core.diagnose.check import diagnose
    from gui.commands.questions import opened, partitions_of

    with working("reading") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
        wanted = partitions_of(trace, partition)
        answer = verdict_dict(trace, diagnose(trace, work), document=thing.path)
    if partition is not None:
        tp = trace.partitions[wanted[0]].tp
        for part in ("partitions", "findings"):
            answer[part] = [
                one for one in answer[part] if (one["topic"], one["partition"]) == (tp.topic, tp.partition)
            ]
    if as_json:
        print_json(answer)
    else:
        _print_check(answer)
    return int(any(finding["severity"] in _BAD for finding in answer["findings"]))


def _print_check(answer: dict[str, Any]) -> None:
    findings = answer["findings"]
    if not findings:
        print_line("Nothing found.")
    else:
        print_table(
            ("severity", "partition", "from", "finding"),
            [(f["severity"], _place(f), moment(f["from"]), f["text"]) for f in findings],
        )
    losses = [(partition, loss) for partition in answer["partitions"] for loss in partition["losses"]]
    if losses:
        print_line()
        # "Lost" is a word for committed and acknowledged records; the class says which these are.
        print_line("Records removed", style="bold")
        print_table(
            ("partition", "offsets", "records", "epoch", "class", "cause", "removed from", "still on"),
            [
                (
                    _place(partition),
                    f"{loss['first_offset']}–{loss['end_offset'] - 1}",
                    loss["records"],
                    "?" if loss["epoch"] is None else loss["epoch"],
                    loss["class"],
                    loss["cause"].replace("-", " "),
                    _brokers(loss["removed_from"]),
                    _brokers(loss["survives_on"]),
                )
                for partition, loss in losses
            ],
            right=("records", "epoch"),
        )
    cuts = [(partition, cut) for partition in answer["partitions"] for cut in partition["truncations"]]
    if cuts:
        print_line()
        print_line("Truncations", style="bold")
        print_table(
            ("partition", "broker", "at", "from", "to", "rule", "below HW"),
            [
                (
                    _place(partition),
                    cut["broker"],
                    moment(cut["at"]),
                    _start(cut),
                    cut["to_offset"],
                    cut["rule"],
                    {True: "yes", False: "no", None: "?"}[cut["below_high_watermark"]],
                )
                for partition, cut in cuts
            ],
            right=("broker", "from", "to"),
        )


def _place(thing: dict[str, Any]) -> str:
    return "" if thing["topic"] is None else f"{thing['topic']}-{thing['partition']}"


def _brokers(ids: list[int]) -> str:
    return ", ".join(map(str, ids)) or "none"


def _start(cut: dict[str, Any]) -> str:
    if cut["from_offset"] is None:
        return "?"
    return f"≥ {cut['from_offset']}" if cut["basis"] == "bounded" else str(cut["from_offset"])
