"""`tidegauge prevent`: which single changes would have prevented a loss, each replayed."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, LiteralString

from core.message import Listing
from gui.commands import options, texts
from gui.commands.lifting import TAKEN, moment_meant, partition_meant
from gui.commands.terminal import moment, print_json, print_line, print_table, working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.kafka.eras import Era
    from core.lab.choices import Stance
    from core.lab.prevent import Prevention, Tried
    from core.lab.replay import Replay

_COSTS: Final[Mapping[str, LiteralString]] = {
    "TOPIC": "command.prevent.cost.topic",
    "RESTART": "command.prevent.cost.restart",
    "UPGRADE": "command.prevent.cost.upgrade",
    "AVAILABILITY": "command.prevent.cost.availability",
    "OPERATOR": "command.prevent.cost.operator",
}
_NONE: Final = 1
"""No single change prevents the loss."""
_NOT_DECIDED: Final = 3
"""The replay does not lose what was lost, or a change helps only where bounds are kind, or by its time."""


@texts.command("prevent", "command.prevent.help")
@options.sources
@texts.option("--at", "at", metavar="CURSOR|TIME", help="command.option.lift-at")
@options.trace_name
@texts.option("--partition", metavar="T-P", help="command.option.lost-partition")
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    at: str | None,
    trace_name: str | None,
    partition: str | None,
    *,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Replay the incident with each change, print the changes, and say by the exit code whether one helps."""
    from core.lab.as_json import prevention_dict
    from core.lab.material import material_of
    from core.lab.prevent import incident_of, prevent
    from core.words import text
    from gui.commands.questions import opened

    with working("command.working.reading") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
        index = partition_meant(trace, partition, work)
        material = None if index is None else material_of(trace, index)
        incident = None if material is None else incident_of(material)
        if material is None or incident is None:
            if as_json:
                print_json({"schema": 1, "partition": partition, "lost": [], "changes": []})
            else:
                print_line(tr("command.prevent.nothing-lost"))
            return 0
        found = prevent(material, incident, moment_meant(trace, at), work)
    if as_json:
        print_json(prevention_dict(found, text))
    else:
        _print(found)
    return _exit_code(found)


def _exit_code(found: "Prevention") -> int:
    from core.lab.prevent import Verdict

    if not found.reproduced:
        return _NOT_DECIDED
    if found.preventing:
        return 0
    partly = (Verdict.BEST_ONLY, Verdict.WORST_ONLY)
    open_yet = found.by_times or any(one.verdict in partly for one in found.tried)
    return _NOT_DECIDED if open_yet else _NONE


def _print(found: "Prevention") -> None:
    """The continuation, then the changes that prevent, then those that do not."""
    from core.lab.choices import Stance
    from core.lab.lift import choice_message
    from core.trace.times import rfc3339
    from core.words import text

    worst = found.lifted[Stance.WORST]
    when = moment(rfc3339(worst.at))
    print_line(
        tr("command.prevent.head", partition=found.partition, at=when, era=_rules(worst.era)), style="bold"
    )
    in_order = sorted(found.lost, key=lambda one: (one.first_offset, one.end_offset))
    lost = Listing(tuple(f"{one.first_offset}–{one.end_offset - 1}" for one in in_order))
    print_line(tr("command.prevent.lost", ranges=lost))
    print_line(tr("command.prevent.unchanged", **_both(found.unchanged)))
    if not found.reproduced:
        print_line(tr("command.prevent.not-reproduced"))
    print_line()
    helping = found.preventing
    if helping:
        print_line(tr("command.prevent.prevents"), style="bold")
        _table(helping)
    else:
        print_line(tr("command.prevent.none"))
    if found.by_times:
        print_line()
        print_line(tr("command.prevent.by-times"), style="bold")
        _table(found.by_times)
    others = [one for one in found.tried if not one.keeps_committed]
    if others:
        print_line()
        print_line(tr("command.prevent.others"), style="bold")
        _table(others)
    print_line()
    print_line(tr("command.prevent.open"), style="bold")
    for stance, lifted in found.lifted.items():
        print_line(tr(TAKEN[stance]))
        for one in lifted.choices:
            print_line(f"  {text(choice_message(one))}")
    for one in worst.left_out:
        print_line(text(one))


def _rules(era: "Era") -> str:
    """The rules of a cluster in words: those of a release, or of newer brokers that talk as older ones."""
    return tr("command.prevent.older-protocol", release=era.id) if era.overrides else era.name


def _table(rows: "Sequence[Tried]") -> None:
    """Changes with what they cost and come to; releases of one result are one row."""
    heads = (
        "command.head.change",
        "command.head.cost",
        "command.head.lost-worst",
        "command.head.lost-best",
        "command.head.leaderless",
        "command.head.unconfirmed",
    )
    print_table(heads, [_row(list(same)) for _, same in groupby(rows, key=_result)])


def _result(one: "Tried") -> object:
    """What makes rows of a table one: releases with the same result; all else stands alone."""
    is_release = one.change.name.startswith("release=")
    return (one.cost, one.verdict, tuple(_cells(one))) if is_release else one.change.name


def _row(same: "Sequence[Tried]") -> tuple[str, ...]:
    from core.words import text

    what = text(same[0].change.what)
    if len(same) > 1:
        what = tr("command.prevent.releases", releases=Listing(tuple(_release(one) for one in same)))
    return (what, tr(_COSTS[same[0].cost.name]), *_cells(same[0]))


def _release(one: "Tried") -> str:
    return one.change.name.removeprefix("release=")


def _cells(one: "Tried") -> list[str]:
    """Lost at worst and at best, time without a leader, writes that nobody confirmed."""
    both = _both(one.replays)
    return [str(both[name]) for name in ("worst", "best", "seconds", "unconfirmed")]


def _both(replays: "Mapping[Stance, Replay]") -> dict[str, str]:
    """What replays come to in words: one value where both stances agree, else both."""
    from core.lab.choices import Stance

    worst, best = replays[Stance.WORST], replays[Stance.BEST]
    return {
        "worst": _lost(worst),
        "best": _lost(best),
        "seconds": _one_or_two(worst.unled_s, best.unled_s),
        "unconfirmed": _one_or_two(worst.unconfirmed, best.unconfirmed),
    }


def _lost(run: "Replay") -> str:
    """Records lost: the committed ones, those that a leader alone had confirmed, and offsets that differ."""
    committed = sum(one.end_offset - one.first_offset for one in run.committed_lost)
    alone = run.outcome.records_lost - committed
    parts = [str(committed)]
    if alone:
        parts.append(tr("command.prevent.alone", number=alone))
    if run.outcome.offsets_diverged:
        parts.append(tr("command.prevent.diverged", number=run.outcome.offsets_diverged))
    return ", ".join(parts)


def _one_or_two(worst: int, best: int) -> str:
    return str(worst) if worst == best else f"{worst} / {best}"
