"""Pictures and histories as text: for tests, terminals and screen readers."""

from collections.abc import Iterator

from core.compare.comparison import Comparison
from core.diagnose.verdict import Loss, PartitionVerdict, Severity
from core.history.state import History, ReplicaState, Role
from core.picture.comparison import verdict_words
from core.picture.gutter import band_words
from core.picture.hit import bounds
from core.picture.lane import broker_name, short_name
from core.picture.marks import Box, Line, Mark, Picture, Segments, Sign, Text
from core.picture.timeline import moment
from core.trace.trace import VALUES, Event, Trace

_WIDEST = 72
_LABELS = {"leo": "LEO", "hw": "HW", "log_start": "log start", "partition_epoch": "partition epoch"}


def to_text(picture: Picture) -> str:
    """One line a mark, from back to front.

    What it is, where (whole pixels), in which role, what it stands for.
    """
    lines = [f"{picture.title}: {picture.width:.0f} x {picture.height:.0f}"]
    for layer in picture.layers:
        lines.append(f"layer {layer.name}")
        lines.extend(f"  {_mark(mark)}" for mark in layer.marks)
    return "\n".join(lines) + "\n"


def _mark(mark: Mark) -> str:
    x, y, w, h = (round(value) for value in bounds(mark))
    ref = "" if isinstance(mark, Segments) or mark.ref is None else f"  = {mark.ref.kind}: {mark.ref.text}"
    match mark:
        case Box():
            fill = f" {mark.fill}{_percent(mark.opacity)}" if mark.fill else ""
            edge = f" edge {mark.edge}{' dashed' if mark.dash else ''}" if mark.edge else ""
            return f"box      {x},{y} {w}x{h}{fill}{edge}{ref}"
        case Line():
            path = " ".join(f"{px:.0f},{py:.0f}" for px, py in mark.points)
            how = f"{' dashed' if mark.dash else ''}{' arrow' if mark.arrow else ''}"
            return f"line     {path} {mark.role} {mark.width:g}px{how}{ref}"
        case Segments():
            return f"hatch    {x},{y} {w}x{h} {mark.role}{_percent(mark.opacity)} {len(mark.lines)} lines"
        case Text():
            plate = " on a plate" if mark.plate else ""
            return f'text     {x},{round(mark.y)} "{mark.text}" {mark.role}{plate}{ref}'
        case Sign():
            label = f' "{mark.label}"' if mark.label else ""
            return f"sign     {mark.x:.0f},{mark.y:.0f} {mark.glyph.value}{label} {mark.role}{ref}"


def _percent(opacity: float) -> str:
    return "" if opacity >= 1.0 else f" {opacity * 100:.0f}%"


def timeline_text(history: History, verdict: PartitionVerdict) -> str:
    """One line an event: position, time, what was said, and after it every replica's state where it changed.

    A state is role and epoch, LEO, HW, and "isr" while the replica is in the in-sync set. Losses have lines
    of their own.
    """
    lost = {loss.seq: loss for loss in verdict.losses if loss.severity is not Severity.NOTICE}
    trace, brokers = history.trace, list(history.replicas)
    events = [trace.event(seq) for seq in history.seqs.tolist()]
    said = [event_text(trace, event) for event in events]
    wide = min(max((len(words) for words in said), default=0), _WIDEST)
    head = [f"{'':>5}  {'':<12}  {'':<{wide}}", *(f"{broker_name(trace, broker):<28}" for broker in brokers)]
    lines = [" ".join(head).rstrip()]
    before: tuple[str, ...] = ("",) * len(brokers)
    for rank, (event, words) in enumerate(zip(events, said, strict=True), start=1):
        now = tuple(state_text(history.replicas[broker].at(event.seq + 1)) for broker in brokers)
        shown = " ".join(f"{new if new != old else '·':<28}" for new, old in zip(now, before, strict=True))
        lines.append(f"{rank:>5}  {moment(trace, event.at):<12}  {words:<{wide}} {shown}".rstrip())
        if event.seq in lost:
            lines.append(f"{'':>5}  {'LOST':<12}  {_lost_words(lost[event.seq])}")
        before = now
    return "\n".join(lines) + "\n"


def _lost_words(loss: Loss) -> str:
    certain = "" if loss.severity is Severity.LOSS else "possibly "
    return f"{certain}offsets [{loss.first_offset}, {loss.end_offset}) {loss.loss_class.value}, {loss.cause}"


def state_text(state: ReplicaState) -> str:
    """A replica's state in a few words: "leader e0 LEO 2 HW 1 isr"."""
    epoch = (
        f" e{state.epoch}" if state.epoch is not None and state.role in (Role.LEADER, Role.FOLLOWER) else ""
    )
    member = " isr" if state.in_isr else ""
    return f"{state.role.value}{epoch} LEO {band_words(state.leo)} HW {band_words(state.hw)}{member}"


def event_text(trace: Trace, event: Event) -> str:
    """An event as it was said: its kind, who, and the values it states."""
    replica, broker = event.get("replica"), event.get("broker")
    who = [short_name(trace, replica)] if replica is not None else []
    if broker is not None and broker != replica:
        who.append(f"(says {short_name(trace, broker)})")
    return " ".join([event.kind.replace("_", " "), *who, *_values(trace, event)])


def _values(trace: Trace, event: Event) -> Iterator[str]:
    first, offset = event.get("from_offset"), event.get("offset")
    for name in VALUES:
        value = event.get(name)
        if value is None or name in ("aux", "stamp", "from_offset", "offset"):
            continue
        if name == "leader":
            yield "no leader" if value < 0 else f"leader {short_name(trace, value)}"
        else:
            yield f"e{value}" if name == "epoch" else f"{_LABELS.get(name, name)} {value}"
    if offset is not None:
        yield f"at {offset}" if first is None else f"{first} → {offset}"
    isr = event.get("isr")
    if isr is not None:
        yield f"isr {','.join(short_name(trace, member) for member in trace.isrs[isr])}"


def comparison_text(comparison: Comparison) -> str:
    """A comparison as text.

    The runs, the first difference, then one block a stop with every replica's state.
    """
    lines = [
        f"Run {place + 1}: {run.title}. {run.rule}{'.' if run.rule else ''} {verdict_words(run)[0]}"
        for place, run in enumerate(comparison.runs)
    ]
    for number, difference in enumerate(comparison.differences, start=1):
        where = comparison.stops[difference.stop]
        place = where.anchor or where.label or f"stop {difference.stop}"
        lines.append(f"Difference {number}, {place}: {difference.decision}")
        lines.append(f"    {comparison.runs[difference.runs[0]].title}: {difference.left}")
        lines.append(f"    {comparison.runs[difference.runs[1]].title}: {difference.right}")
    for place, stop in enumerate(comparison.stops):
        mark = "≠" if comparison.differing[place] else "="
        words = " ".join(part for part in (stop.anchor, stop.label, stop.detail) if part)
        lines.append(f"{mark} {place:>3}  {words}".rstrip())
        for run, cursor in zip(comparison.runs, stop.cursors, strict=True):
            states = (
                f"{short_name(run.history.trace, broker)}: {state_text(replica.at(cursor))}"
                for broker, replica in run.history.replicas.items()
            )
            lines.append(f"       {run.title:<14} {' | '.join(states)}")
    return "\n".join(lines) + "\n"
