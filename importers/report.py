"""What became of every line, and what evidence is missing: the import report as plain JSON values."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from core.errors import Facts
from core.trace.times import clock, rfc3339
from importers.clock import Clocks
from importers.drafts import Fate
from importers.files import Role
from importers.gathered import Gathered
from importers.order import Ordered

_MOST_EXAMPLES: Final = 50


def import_report(
    gathered: Gathered, ordered: Ordered, repeated: Mapping[int, int], clocks: Clocks
) -> dict[str, Any]:
    """files, lines, a count per fate, gaps in words, and per file what it is and whose.

    Lines of a log of another program (ZooKeeper's own beside the brokers') are counted as noise.
    """
    total: Counter[str] = Counter()
    by_file: list[dict[str, Any]] = []
    examples: list[dict[str, Any]] = []
    gaps: list[str] = []
    for number, (file, owner, zone) in enumerate(
        zip(gathered.files, gathered.owners, gathered.zones, strict=True)
    ):
        row: dict[str, Any] = {
            "file": file.path,
            "is": file.role.value,
            "broker": owner.broker,
            "found_by": owner.how,
        }
        if file.drafts is not None:
            counts = {fate.value: count for fate, count in file.drafts.counts.items()}
            if not file.drafts.kafka:
                counts = {fate.value: 0 for fate in Fate} | {Fate.NOISE.value: sum(counts.values())}
                row["is"] = "log of another program"
            else:
                row |= {"zone": zone.name, "zone_basis": zone.basis, "repeated": repeated.get(number, 0)}
                examples += [
                    {"file": file.path, "line": one.line, "fate": one.fate.value, "text": one.text}
                    for one in file.drafts.examples
                ]
            row |= counts
            total.update(counts)
        if file.fault is not None:
            row["fault"] = file.fault.why
            whole = "left out" if file.role is Role.IGNORED else "not read to its end"
            gaps.append(f"{file.path} was {whole}: {_told(file.fault)}")
        if file.checkpoint is not None and file.checkpoint.doubt:
            gaps.append(f"{file.path} {file.checkpoint.doubt}")
        if file.segment is not None and file.segment.torn is not None:
            gaps.append(f"{file.path} cannot be read from byte {file.segment.torn} on")
        if file.metadata is not None:
            if file.metadata.torn is not None:
                gaps.append(f"{file.path} cannot be read from byte {file.metadata.torn} on")
            gaps += [f"{file.path}: {doubt}" for doubt in file.metadata.doubts]
        by_file.append(row)
    gaps += _missing(gathered)
    gaps += [
        f"nothing from broker {item.broker} between {clock(item.at)} and "
        f"{clock(item.at + (item.said.aux or 0))} UTC: it was not stopped cleanly"
        for item in ordered.items
        if item.said.kind == "evidence_gap"
    ]
    gaps += [
        f"evidence contradicts the order of lines in {gathered.files[ordered.items[after].source].path}, "
        f"line {ordered.items[after].line}"
        for _, after in ordered.broken
    ]
    return {
        "files": len(gathered.files),
        "lines": total.total(),
        **{fate.value: total[fate.value] for fate in Fate},
        "gaps": gaps,
        "clocks": clock_rows(clocks),
        "by_file": by_file,
        "examples": examples[:_MOST_EXAMPLES],
    }


def _told(fault: Facts) -> str:
    what = fault.what[:1].lower() + fault.what[1:]
    return f"{what} ({fault.why})" if fault.why else what


def clock_rows(clocks: Clocks) -> list[dict[str, Any]]:
    """For each clock and span of time what must be added to its stamps; null: not bounded."""
    return [
        {
            "clock": f"{what} {number}",
            "reference": clocks.reference == (what, number),
            "from": None if skew.start == skews.pieces[0].start else rfc3339(skew.start),
            "to": None if skew.end == skews.pieces[-1].end else rfc3339(skew.end),
            "add_ns": {"lo": skew.lo, "hi": skew.hi},
            "added_ns": skew.correction,
        }
        for (what, number), skews in sorted(clocks.skews.items())
        for skew in skews.pieces
    ]


def _missing(gathered: Gathered) -> list[str]:
    """Logs that a broker of this cluster should have and that are not here."""
    names: dict[int, set[str]] = {}
    for file, owner in zip(gathered.files, gathered.owners, strict=True):
        if (
            file.role is Role.LOG
            and owner.broker is not None
            and file.drafts is not None
            and file.drafts.kafka
        ):
            names.setdefault(owner.broker, set()).add(file.path.rsplit("/", 1)[-1])
    gaps: list[str] = []
    for broker, found in sorted(names.items()):
        gaps += [
            f"no {wanted} of broker {broker}"
            for wanted in ("server.log", "state-change.log")
            if not any(name.startswith(wanted) for name in found)
        ]
    return gaps
