"""What the inspector says of a range that was marked, as values."""

from core.diagnose.stretch import Stretch, stretch
from core.history.state import Band
from core.picture.lane import broker_name, offset_range
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin, Trace
from gui.content import Content
from gui.panels.explain import Explanation, Section, Table

_KINDS = 12


def explain_range(content: Content, first: int, last: int) -> Explanation:
    """What happened between two positions, run by run."""
    several = len(content.runs) > 1
    sections: list[Section] = []
    tables: list[Table] = []
    evidence: list[tuple[int, int]] = []
    ends = zip(content.cursors(first), content.cursors(last), strict=True)
    for run, (begin, end) in enumerate(ends):
        one = content.runs[run]
        found = stretch(one.history, one.verdict, begin, end)
        trace = one.history.trace
        badge = f"Run {run + 1}" if several else ""
        title = f"{found.events:,} events" if found.events != 1 else "1 event"
        section = Section(title, badge, one.title if several else "", facts=_facts(found, trace), run=run)
        sections.append(section)
        evidence.extend((run, seq) for seq in sorted({cut.seq for cut in found.cuts}))
        prefix = f"{badge}: " if several else ""
        tables.extend(_tables(found, trace, prefix))
    where = f"positions {first:,} to {last:,}"
    return Explanation("Range", where, tuple(sections), tuple(tables), tuple(evidence))


def _facts(found: Stretch, trace: Trace) -> tuple[tuple[str, str], ...]:
    facts: list[tuple[str, str]] = []
    if found.start is not None and found.end is not None:
        words = virtual_time if trace.origin is Origin.SIMULATED else clock
        facts.append(("from, to", f"{words(found.start)} – {words(found.end)}"))
        facts.append(("lasts", virtual_time(found.end - found.start)))
    lost = [
        f"{loss.severity.value}: {loss.loss_class.value.replace('_', ' ')}, "
        f"{offset_range(loss.first_offset, loss.end_offset)}"
        for loss in found.losses
    ]
    cuts = [
        f"{broker_name(trace, cut.broker)} {'?' if cut.from_offset is None else cut.from_offset}"
        f" → {cut.to_offset}"
        for cut in found.cuts
    ]
    elected = [
        f"epoch {epoch}: {'no leader' if leader is None or leader < 0 else broker_name(trace, leader)}"
        for epoch, leader in found.elections
    ]
    moved = [
        ", ".join(
            part
            for part in (
                f"{broker_name(trace, broker)} left {left}×" if left else "",
                f"{'' if left else broker_name(trace, broker) + ' '}joined {joined}×" if joined else "",
            )
            if part
        )
        for broker, (left, joined) in found.isr.items()
    ]
    for name, lines in (("losses", lost), ("cuts", cuts), ("elections", elected), ("in-sync set", moved)):
        facts.append((name, "; ".join(lines) or "none"))
    return tuple(facts)


def _tables(found: Stretch, trace: Trace, prefix: str) -> tuple[Table, ...]:
    leo = tuple((broker_name(trace, one.broker), grown(*one.leo)) for one in found.replicas)
    hw = tuple((broker_name(trace, one.broker), grown(*one.hw)) for one in found.replicas)
    kinds = [(name.replace("_", " "), f"{count:,}") for name, count in found.kinds[:_KINDS]]
    rest = found.kinds[_KINDS:]
    if rest:
        kinds.append((f"{len(rest)} other kinds", f"{sum(count for _, count in rest):,}"))
    return (
        Table(f"{prefix}Log end", ("before → after",), leo),
        Table(f"{prefix}High watermark", ("before → after",), hw),
        *((Table(f"{prefix}Events by kind", ("count",), tuple(kinds)),) if kinds else ()),
    )


def grown(before: Band, after: Band) -> str:
    """A value at both ends: "30 → 45 (+15)", "30" where it stays."""
    if (before.lo, before.hi) == (after.lo, after.hi):
        return str(after)
    text = f"{before} → {after}"
    if before.exact is None or after.exact is None:
        return text
    return f"{text} ({after.exact - before.exact:+})"
