"""What the inspector says of a range that was marked, as values."""

from core.diagnose.narrate.marked_range import MarkedRange, marked_range
from core.history.state import Band
from core.picture.lane import offset_range
from core.trace.broker_names import broker_name
from core.trace.kind_words import kind_words
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin, Trace
from gui.panels.explanation import Explanation, Section, Table
from gui.terms import term
from gui.text.spoken import tr
from gui.workspace.content import Content

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
        found = marked_range(one.history, one.verdict, begin, end)
        trace = one.history.trace
        badge = tr("explain.run", run=run + 1) if several else ""
        title = tr("stretch.events", events=found.events) if found.events != 1 else tr("stretch.1-event")
        section = Section(title, badge, one.title if several else "", facts=_facts(found, trace), run=run)
        sections.append(section)
        evidence.extend((run, seq) for seq in sorted({cut.seq for cut in found.cuts}))
        prefix = f"{badge}: " if several else ""
        tables.extend(_tables(found, trace, prefix))
    where = tr("stretch.positions-to", first=first, last=last)
    return Explanation(tr("exports.range"), where, tuple(sections), tuple(tables), tuple(evidence))


def _facts(found: MarkedRange, trace: Trace) -> tuple[tuple[str, str], ...]:
    facts: list[tuple[str, str]] = []
    if found.start is not None and found.end is not None:
        words = virtual_time if trace.origin is Origin.SIMULATED else clock
        facts.append((tr("stretch.from-to"), f"{words(found.start)} – {words(found.end)}"))
        facts.append((tr("stretch.lasts"), virtual_time(found.end - found.start)))
    lost = [
        f"{term(loss.severity.value)}: {term(loss.loss_class.value)}, "
        f"{offset_range(loss.first_offset, loss.end_offset)}"
        for loss in found.losses
    ]
    cuts = [
        f"{broker_name(trace, cut.broker)} {'?' if cut.from_offset is None else cut.from_offset}"
        f" → {cut.to_offset}"
        for cut in found.cuts
    ]
    elected = [
        tr("stretch.epoch-no-leader", epoch=epoch)
        if leader is None or leader < 0
        else tr("stretch.epoch-and-leader", epoch=epoch, leader=broker_name(trace, leader))
        for epoch, leader in found.elections
    ]
    moved = [
        ", ".join(
            part
            for part in (
                tr("stretch.left", who=broker_name(trace, broker), count=left) if left else "",
                tr("stretch.joined", who=broker_name(trace, broker), count=joined) if joined else "",
            )
            if part
        )
        for broker, (left, joined) in found.isr.items()
    ]
    for name, lines in (
        (tr("stretch.losses"), lost),
        (tr("stretch.cuts"), cuts),
        (tr("stretch.elections"), elected),
        (tr("stretch.in-sync-set"), moved),
    ):
        facts.append((name, "; ".join(lines) or tr("report-rows.none")))
    return tuple(facts)


def _tables(found: MarkedRange, trace: Trace, prefix: str) -> tuple[Table, ...]:
    leo = tuple((broker_name(trace, one.broker), grown(*one.leo)) for one in found.replicas)
    hw = tuple((broker_name(trace, one.broker), grown(*one.hw)) for one in found.replicas)
    kinds = [(kind_words(name), f"{count:,}") for name, count in found.kinds[:_KINDS]]
    rest = found.kinds[_KINDS:]
    if rest:
        kinds.append((tr("stretch.other-kinds", count=len(rest)), f"{sum(count for _, count in rest):,}"))
    return (
        Table(prefix + tr("explain.log-end-of-lane"), (tr("stretch.before-after"),), leo),
        Table(prefix + tr("explain.high-watermark"), (tr("stretch.before-after"),), hw),
        *(
            (Table(prefix + tr("stretch.events-by-kind"), (tr("stretch.count"),), tuple(kinds)),)
            if kinds
            else ()
        ),
    )


def grown(before: Band, after: Band) -> str:
    """A value at both ends: "30 → 45 (+15)", "30" where it stays."""
    if (before.lo, before.hi) == (after.lo, after.hi):
        return str(after)
    text = f"{before} → {after}"
    if before.exact is None or after.exact is None:
        return text
    return f"{text} ({after.exact - before.exact:+})"
