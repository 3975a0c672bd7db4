"""Histories and comparisons as text: for files, terminals and screen readers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, LiteralString, TypeAlias
from unicodedata import east_asian_width

from core.compare.comparison import Comparison, Stop
from core.compare.landmarks import is_time, line_up
from core.compare.script import step_texts
from core.diagnose.verdict.counted import LostPart, each_once
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Severity
from core.history.state import EpochRun as Held
from core.history.state import History, ReplicaState, Role
from core.message import Message, Offsets
from core.picture.comparison import verdict_words
from core.picture.gutter import band_words
from core.picture.joining import commas
from core.picture.lane import record_names, role_word
from core.picture.ruler import stop_words
from core.picture.timeline import moment
from core.trace.broker_names import broker_name, short_name
from core.trace.kind_words import kind_words
from core.trace.trace import VALUES, Event, Trace
from core.words import Language, said, speaking, text

Steps: TypeAlias = Mapping[int, tuple[Message | None, Message | None]]
"""Label and effect of the steps of a script, by number."""
_WIDEST: Final = 72
_STATE: Final = 28
_FEW: Final = 6
"""Records of one epoch that are named one by one."""
_LABELS: Final[Mapping[str, LiteralString]] = {
    "leo": "picture.text.leo",
    "hw": "picture.text.hw",
    "log_start": "picture.text.log-start",
    "partition_epoch": "picture.text.partition-epoch",
}
_CLASSES: Final[Mapping[LossClass, LiteralString]] = {
    LossClass.COMMITTED: "picture.class.committed",
    LossClass.ACKNOWLEDGED: "picture.class.acknowledged",
    LossClass.POSSIBLY_ACKNOWLEDGED: "picture.class.possibly-acknowledged",
    LossClass.UNCOMMITTED: "picture.class.uncommitted",
}
_CAUSES: Final[Mapping[str, LiteralString]] = {
    "high-watermark-truncation": "picture.cause.high-watermark-truncation",
    "unknown-epoch": "picture.cause.unknown-epoch",
    "stale-isr": "picture.cause.stale-isr",
    "stale-leader": "picture.cause.stale-leader",
    "late-write": "picture.cause.late-write",
    "not-replicated": "picture.cause.not-replicated",
    "unclean-election": "picture.cause.unclean-election",
    "disk-loss": "picture.cause.disk-loss",
    "last-copy-gone": "picture.cause.last-copy-gone",
    "divergence": "picture.cause.divergence",
    "unknown": "picture.cause.unknown",
}
_OF_RECORDS: Final = frozenset(
    {"produced", "appended", "acknowledged", "fetch_answered", "fetch_delivered", "truncated", "consumed"}
)


def timeline_text(history: History, verdict: PartitionVerdict, lang: Language = "en") -> str:
    """One line an event: position, time, what was said, and after it every replica's state where it changed.

    A state is role and epoch, LEO, HW, and "isr" while the replica is in the in-sync set. Losses have lines
    of their own.
    """
    with speaking(lang):
        return _timeline(history, verdict)


def _timeline(history: History, verdict: PartitionVerdict) -> str:
    lost: dict[int, list[LostPart]] = {}
    for part in each_once(verdict.losses):
        if part.loss.severity is not Severity.NOTICE:
            lost.setdefault(part.loss.seq, []).append(part)
    trace, brokers = history.trace, list(history.replicas)
    steps: Steps = step_texts(trace) if "script" in trace.facts else {}
    events = [trace.event(seq) for seq in history.seqs.tolist()]
    told = [_event_text(history, event, steps) for event in events]
    wide = min(max(map(cells, told), default=0), _WIDEST)
    names = (_padded(broker_name(trace, broker), _STATE) for broker in brokers)
    lines = [" ".join([f"{'':>5}  {'':<12}  {'':<{wide}}", *names]).rstrip()]
    before: tuple[str, ...] = ("",) * len(brokers)
    for rank, (event, words) in enumerate(zip(events, told, strict=True), start=1):
        now = tuple(state_text(history.replicas[broker].at(event.seq + 1)) for broker in brokers)
        shown = " ".join(
            _padded(new if new != old else "·", _STATE) for new, old in zip(now, before, strict=True)
        )
        at = moment(trace, event.at)
        lines.append(f"{rank:>5}  {at:<12}  {_padded(words, wide)} {shown}".rstrip())
        for part in lost.get(event.seq, ()):
            head = _padded(said("picture.text.lost"), 12)
            lines.append(f"{'':>5}  {head}  {_lost_words(part)}")
        before = now
    return "\n".join(lines) + "\n"


def _lost_words(part: LostPart) -> str:
    loss = part.loss
    sure = loss.severity is Severity.LOSS
    span = f"[{part.first_offset}, {part.end_offset})"
    id_: LiteralString = "picture.text.lost-offsets" if sure else "picture.text.possibly-lost-offsets"
    cause = said(_CAUSES[loss.cause]) if loss.cause in _CAUSES else loss.cause
    return said(id_, span=span, kind=said(_CLASSES[loss.loss_class]), cause=cause)


def cells(text: str) -> int:
    """The width of a text where every sign has one cell, and a Chinese one two."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def state_text(state: ReplicaState) -> str:
    """A replica's state in a few words: "leader e0 LEO 2 HW 1 isr"."""
    member = " isr" if state.in_isr else ""
    return f"{_role(state)} LEO {band_words(state.leo)} HW {band_words(state.hw)}{member}"


def _role(state: ReplicaState) -> str:
    known = state.epoch is not None and state.role in (Role.LEADER, Role.FOLLOWER)
    return f"{role_word(state.role)} e{state.epoch}" if known else role_word(state.role)


def _event_text(history: History, event: Event, steps: Steps) -> str:
    """An event as it was said: its kind, who, the values it states, and its records by name."""
    trace = history.trace
    if event.kind == "step":
        number = event.get("aux") or 0
        head = _step(number)
        label = steps[number][0] if number in steps else None
        return head if label is None else said("picture.text.step", step=head, label=label)
    replica, broker = event.get("replica"), event.get("broker")
    who = [short_name(trace, replica)] if replica is not None else []
    if broker is not None and broker != replica:
        teller = short_name(trace, broker)
        who.append(said("picture.text.says", who=teller))
    words = [kind_words(event.kind), *who, *_values(trace, event)]
    first, end = event.get("from_offset"), event.get("offset")
    if event.kind in _OF_RECORDS and first is not None and end is not None:
        # Cut records are on the log just before, all others just after.
        low, high = sorted((first, end))
        names = record_names(history, event.seq + (event.kind != "truncated") + 1, low, high)
        words.append(f"({', '.join(names[:_FEW])}{', …' if len(names) > _FEW else ''})" if names else "")
    return " ".join(word for word in words if word)


def _step(number: int) -> str:
    return said("picture.step.number", number=number)


def _values(trace: Trace, event: Event) -> Iterator[str]:
    first, offset = event.get("from_offset"), event.get("offset")
    for name in VALUES:
        value = event.get(name)
        if value is None or name in ("aux", "stamp", "from_offset", "offset"):
            continue
        if name == "leader":
            if value < 0:
                yield said("picture.leaderless")
            elif value != event.get("replica"):
                yield f"{role_word(Role.LEADER)} {short_name(trace, value)}"
        else:
            label = said(_LABELS[name]) if name in _LABELS else name
            yield f"e{value}" if name == "epoch" else f"{label} {value}"
    if offset is not None and first == offset:
        yield said("picture.text.nothing-at", offset=offset)
    elif offset is not None:
        yield said("picture.text.at", offset=offset) if first is None else f"{first} → {offset}"
    isr = event.get("isr")
    if isr is not None:
        yield f"isr {','.join(short_name(trace, member) for member in trace.isrs[isr])}"


def comparison_text(comparison: Comparison, lang: Language = "en") -> str:
    """A comparison as text, in the language in which it was made.

    The runs, the differences, one block for each step of the script or landmark with every replica's state
    when it is over, and what was lost.
    """
    with speaking(lang):
        parts = [_runs(comparison), _differences(comparison), *_blocks(comparison), _losses(comparison)]
    return "\n\n".join(parts) + "\n"


def _run(number: int) -> str:
    return said("picture.run.number", number=number)


def _runs(comparison: Comparison) -> str:
    wide = max(len(run.title) for run in comparison.runs)
    lines: list[str] = []
    for number, run in enumerate(comparison.runs, start=1):
        partition = run.history.trace.partitions[run.history.partition].tp
        lines.append(f"{_run(number)}  {run.title:<{wide}}  {partition}  {verdict_words(run)[0]}")
        if run.rule is not None:
            lines.append(f"       {said('picture.text.rule', rule=text(run.rule).rstrip('.。'))}")
    return "\n".join(lines)


def _differences(comparison: Comparison) -> str:
    if not comparison.differences:
        return said("picture.runs.alike")
    wide = max(len(run.title) for run in comparison.runs)
    lines: list[str] = []
    for place, difference in enumerate(comparison.differences):
        id_: LiteralString = "picture.text.then" if place else "picture.text.first-difference"
        where = place_words(comparison, difference.stop)
        lines.append(said(id_, where=where, decision=difference.decision))
        for run, answer in zip(difference.runs, (difference.left, difference.right), strict=True):
            lines.append(f"  {_run(run + 1)}  {comparison.runs[run].title:<{wide}}  {text(answer)}")
    return "\n".join(lines)


def place_words(comparison: Comparison, stop: int) -> str:
    """Where a stop lies, by the anchor at or before it: "step 8 (B starts)"."""
    for one in reversed(comparison.stops[: stop + 1]):
        if one.anchor.startswith("step"):
            head = _step(_number(one))
            return said("picture.text.step-in-brackets", step=head, label=one.label) if one.label else head
        if one.anchor:
            return said("picture.text.after", landmark=_landmark(one))
    return said("picture.text.stop", stop=stop)


def _number(stop: Stop) -> int:
    return int(stop.anchor.removeprefix("step "))


def _landmark(stop: Stop) -> str:
    """Such as "broker 1 starts for the 2nd time", "start"."""
    what = stop_words(stop.label) or stop.anchor
    if stop.detail is None or not is_time(stop.detail):
        return what
    return said("picture.text.landmark-again", landmark=what, time=stop.detail)


def _blocks(comparison: Comparison) -> Iterator[str]:
    """One block an anchor: its state is that of the last stop before the next anchor."""
    heads = [place for place, stop in enumerate(comparison.stops) if stop.anchor]
    ends = [*(head - 1 for head in heads[1:]), len(comparison.stops) - 1]
    lines = line_up(comparison.runs, by_id=comparison.axis == "script")
    tables = [_rows(comparison, lines, end) for end in ends]
    rows = [row for table in tables for row in table]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for head, end, table in zip(heads, ends, tables, strict=True):
        stop = comparison.stops[head]
        if stop.anchor.startswith("step"):
            label = commas(text(part) for part in (stop.label, stop.detail) if part is not None)
            title = said("picture.text.step", step=_step(_number(stop)), label=label)
        else:
            title = _landmark(stop)
        if comparison.differing[end]:
            title = said("picture.text.differs", title=title)
        lined = (
            "  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        )
        yield "\n".join((title, *lined))


def _rows(comparison: Comparison, lines: Sequence[Sequence[int]], end: int) -> list[tuple[str, ...]]:
    """One row a replica and run, equal parts of all runs together; "≠" where it differs from a neighbour."""
    found: list[tuple[str, ...]] = []
    for place in range(max(map(len, lines))):
        for index, run in enumerate(comparison.runs):
            if place >= len(lines[index]):
                continue
            broker = lines[index][place]
            state = run.history.replicas[broker].at(comparison.stops[end].cursors[index])
            inside = said("picture.text.in-isr") if state.in_isr else said("picture.text.out-of-isr")
            member = "ISR ?" if state.in_isr is None else inside
            found.append(
                (
                    "≠" if _differs(comparison, lines, end, index, place) else " ",
                    short_name(run.history.trace, broker),
                    run.title,
                    _role(state),
                    f"LEO {band_words(state.leo)}",
                    f"HW {band_words(state.hw)}",
                    member,
                    "" if state.leo.exact is None else "; ".join(_held(part) for part in state.runs),
                )
            )
    return found


def _differs(
    comparison: Comparison, lines: Sequence[Sequence[int]], end: int, index: int, place: int
) -> bool:
    """Whether a replica differs from its counterpart in the run above or below."""
    if not comparison.between:
        return place < len(lines[0]) and lines[0][place] in comparison.differing[end]
    return any(
        place < len(lines[upper]) and lines[upper][place] in comparison.between[upper][end]
        for upper in (index - 1, index)
        if 0 <= upper < len(comparison.between)
    )


def _held(run: Held) -> str:
    """Records of one epoch in a log: "e0 m0 m1", or by offsets "e0 0–205"."""
    epoch = "e?" if run.epoch is None else f"e{run.epoch}"
    if run.records and len(run.records) <= _FEW:
        return f"{epoch} {' '.join(run.records)}"
    return f"{epoch} {run.start}" if run.end - run.start == 1 else f"{epoch} {run.start}–{run.end - 1}"


def _losses(comparison: Comparison) -> str:
    """What each run lost, at its end."""
    lines = [said("picture.text.lost-head")]
    for number, run in enumerate(comparison.runs, start=1):
        parts = each_once(run.verdict.losses)
        lost = [part for part in parts if part.loss.severity is not Severity.NOTICE]
        id_: LiteralString = "picture.text.lost-some" if lost else "picture.text.lost-nothing"
        lines.append(f"  {said(id_, run=_run(number), title=run.title)}")
        lines.extend(
            "    "
            + said(
                "picture.text.loss",
                kind=said(_CLASSES[part.loss.loss_class]),
                offsets=Offsets(part.first_offset, part.end_offset),
                explanation=part.loss.message,
            )
            for part in lost
        )
    return "\n".join(lines)
