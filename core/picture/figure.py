"""The figure of an export: title, circumstances, account, lanes, notes, legend, caption, sources."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, LiteralString

from core.compare.comparison import Comparison, Difference, Run
from core.compare.script import script_title
from core.diagnose.verdict.facts import PartitionVerdict, Severity
from core.history.running import releases_of
from core.history.state import History, Role
from core.message import Listing, Message, Names, Sentences, message
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison, verdict_parts, verdict_words
from core.picture.drawing import Vertical
from core.picture.joining import joined, semicolons
from core.picture.lane import Lane
from core.picture.legend import legend
from core.picture.marks import Align, Box, Layer, Line, Mark, Picture, Text
from core.picture.memo import Same, remembered
from core.picture.metrics import elide, wrap
from core.picture.moved import moved
from core.picture.notes import PlacedNote, note_list
from core.picture.product import product_words
from core.picture.ruler import labels_fit, step_list
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.trace.broker_names import broker_name
from core.trace.redact import FACT
from core.trace.times import clock, day, zone_words
from core.trace.trace import Origin, Source, Trace
from core.words import Language, said, speaking, text

CURSOR: Final = "cursor"
"""The layer of what changes with the cursor; nothing else in a figure does."""
_MARGIN = 40.0
_GAP = 16.0
_FIELD = 160.0
"""The column of the names of an account's fields."""
_SOURCES = 6
_LED = 3
"""Epochs that a replica led and that the gutter names."""
_ENDS: Final[Mapping[Role, LiteralString]] = {
    Role.LEADER: "picture.figure.ends-leader",
    Role.FOLLOWER: "picture.figure.ends-follower",
    Role.OFFLINE: "picture.figure.ends-offline",
    Role.SEEKING: "picture.figure.ends-seeking",
    Role.STARTING: "picture.figure.ends-starting",
    Role.ABSENT: "picture.figure.ends-absent",
    Role.UNKNOWN: "picture.figure.ends-unknown",
}


class Part(StrEnum):
    """What stands around the lanes of a figure, and may be left out."""

    TITLE = "title"
    ACCOUNT = "account"
    NOTES = "notes"
    LEGEND = "legend"
    CAPTION = "caption"
    SOURCES = "sources"


@dataclass(frozen=True, slots=True)
class FigureText:
    """The words of a figure. `sources` are whole lines; `product` is the last line.

    `account` is that of an incident: the name of each field, and its sentences.

    `redacted` says what was replaced and what was kept; it stays, whatever is left out.
    """

    title: str
    circumstances: str = ""
    caption: str = ""
    sources: tuple[str, ...] = ()
    redacted: str = ""
    product: str = "Tidegauge"
    account: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def without(self, left_out: Collection[Part]) -> "FigureText":
        """The same words but for the parts that are left out."""
        title = Part.TITLE in left_out
        return replace(
            self,
            title="" if title else self.title,
            circumstances="" if title else self.circumstances,
            caption="" if Part.CAPTION in left_out else self.caption,
            sources=() if Part.SOURCES in left_out else self.sources,
            account=() if Part.ACCOUNT in left_out else self.account,
        )


def comparison_figure(
    view: ComparisonView, words: FigureText | None = None, left_out: Collection[Part] = ()
) -> Picture:
    """A comparison as a figure of `view.width`; its height is what it needs.

    The cursor is left out if `stop` is None. `words` are proposed where none are given.
    """
    words = words or comparison_words(view.comparison, view.lang)
    words = replace(words, caption=_joined(words.caption, drawn_otherwise(view)))
    view = replace(view, notes=() if Part.NOTES in left_out else view.notes)
    body_view = replace(view, width=view.width - 2 * _MARGIN, height=view.height, selected=None)
    body = lay_out_comparison(body_view)
    parts = geometry(body_view)
    if not labels_fit(view.comparison, parts.columns):
        with speaking(view.lang):
            words = replace(words, caption=f"{words.caption} {step_list(view.comparison, parts.columns)}")
    lanes = [lane for run in parts.lanes for lane in run]
    whole = _Figure(view.width, body, lanes, view.notes, words, left_out)
    with speaking(view.lang):
        return _figure(whole, with_roles=view.stop is None)


def timeline_figure(
    view: TimelineView, words: FigureText | None = None, left_out: Collection[Part] = ()
) -> Picture:
    """A timeline as a figure; see comparison_figure."""
    words = words or timeline_words(view)
    words = replace(words, caption=_joined(words.caption, drawn_otherwise(view)))
    view = replace(view, notes=() if Part.NOTES in left_out else view.notes)
    body_view = replace(view, width=view.width - 2 * _MARGIN, with_overview=False, selected=None)
    body = lay_out(body_view)
    whole = _Figure(view.width, body, timeline_lanes(body_view), view.notes, words, left_out)
    with speaking(view.lang):
        return _figure(whole, with_roles=view.cursor is None)


def drawn_otherwise(view: ComparisonView | TimelineView) -> str:
    """What is drawn otherwise than usual, so that nobody takes it for something else; "" is nothing."""
    runs = (view,) if isinstance(view, TimelineView) else view.comparison.runs
    trace = runs[0].history.trace
    usual = tuple(dict.fromkeys(broker for run in runs for broker in run.history.replicas))
    shown = view.lanes.brokers(usual)
    gone = [broker_name(trace, broker) for broker in usual if broker not in shown]
    with speaking(view.lang):
        told = (
            said("picture.figure.not-shown", brokers=Listing(tuple(gone))) if gone else "",
            said("picture.figure.lag") if view.drawing.vertical is Vertical.LAG else "",
            "" if view.drawing.boxes else said("picture.figure.edges"),
        )
    return _joined(*told)


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


@dataclass(frozen=True, slots=True)
class _Figure:
    """What a figure is put together from. The name and the text of its picture keep all words."""

    width: float
    body: Picture
    lanes: Sequence[Lane]
    notes: Sequence[PlacedNote]
    words: FigureText
    left_out: Collection[Part]


def _figure(parts: _Figure, *, with_roles: bool) -> Picture:
    width, body, words = parts.width, parts.body, parts.words.without(parts.left_out)
    inner = width - 2 * _MARGIN
    marks: list[Mark] = []
    y = _MARGIN
    for line in wrap(words.title, inner, 24, 700):
        marks.append(Text(_MARGIN, y + 20, line, "text", 24, 700))
        y += 32
    for line in wrap(words.circumstances, inner, 13):
        marks.append(Text(_MARGIN, y + 12, line, "text.2", 13))
        y += 20
    told, y = _account(words, y, width)
    marks.extend(told)
    y += _GAP if words.title or told else 0
    content = body.marks()
    still = tuple(layer for layer in body.layers if layer.name != CURSOR)
    pointing = [mark for layer in body.layers if layer.name == CURSOR for mark in layer.marks]
    marks.extend(_moved_layers(Same(still, still), _MARGIN, y))
    above = Layer(CURSOR, moved(pointing, _MARGIN, y))
    if with_roles:
        marks.extend(moved(gutter_roles(parts.lanes), _MARGIN, y))
    bottom = max((lane.box.end for lane in parts.lanes), default=body.height)
    y += bottom + _GAP
    written = [note for note in parts.notes if note.number]
    if written:
        listed, height = note_list(written, _MARGIN, y, inner)
        marks.extend(listed)
        y += height + _GAP
    if Part.LEGEND not in parts.left_out:
        marks.append(Line(((_MARGIN, y + 0.5), (width - _MARGIN, y + 0.5)), "line.hair"))
        keyed, height = legend(content, _MARGIN, y + 10, inner)
        marks.extend(keyed)
        y += height + 10 + _GAP
    for line in wrap(words.caption, inner, 13):
        marks.append(Text(_MARGIN, y + 12, line, "text", 13))
        y += 20
    foot, y = _foot(words, y + 6, width)
    marks.extend(foot)
    height = y + _MARGIN / 2
    paper = Box(0, 0, width, height, fill="bg.lane")
    alt = f"{parts.words.caption} {body.alt}".strip()
    layers = (Layer("static", (paper, *marks)), *((above,) if pointing else ()))
    return Picture(width, height, layers, parts.words.title, alt)


@remembered
def _moved_layers(same: Same[tuple[Layer, ...]], dx: float, dy: float) -> tuple[Mark, ...]:
    """The marks of layers, shifted; the frames of a moving picture have them alike."""
    return moved((mark for layer in same.value for mark in layer.marks), dx, dy)


def _account(words: FigureText, y: float, width: float) -> tuple[list[Mark], float]:
    """The fields of the account, one below the other: names on the left, sentences beside them."""
    marks: list[Mark] = []
    y += _GAP if words.account else 0
    for name, sentences in words.account:
        for first, line in enumerate(wrap(name, _FIELD - _GAP, 13, 600)):
            marks.append(Text(_MARGIN, y + 12 + first * 20, line, "text", 13, 600))
        for line in (line for one in sentences for line in wrap(one, width - 2 * _MARGIN - _FIELD, 13)):
            marks.append(Text(_MARGIN + _FIELD, y + 12, line, "text", 13))
            y += 20
        y += 4
    return marks, y


def _foot(words: FigureText, y: float, width: float) -> tuple[list[Mark], float]:
    """Sources line by line and what was redacted on the left; below them the product on the right."""
    marks: list[Mark] = [Line(((_MARGIN, y + 0.5), (width - _MARGIN, y + 0.5)), "line.hair")]
    room = width - 2 * _MARGIN - 74
    row = 0
    if words.sources:
        marks.append(Text(_MARGIN, y + 20, said("picture.figure.sources"), "text", 11, 600))
    for line in words.sources:
        text = elide(line, room, 11, mono=True)
        marks.append(Text(_MARGIN + 74, y + 20 + row * 16, text, "text.2", 11, mono=True))
        row += 1
    for first, line in enumerate(wrap(words.redacted, room, 11)):
        if not first:
            marks.append(Text(_MARGIN, y + 20 + row * 16, said("picture.figure.redacted"), "text", 11, 600))
        marks.append(Text(_MARGIN + 74, y + 20 + row * 16, line, "text.2", 11))
        row += 1
    for line in wrap(words.product, width - 2 * _MARGIN, 11):
        marks.append(Text(width - _MARGIN, y + 20 + row * 16, line, "text.3", 11, align=Align.RIGHT))
        row += 1
    return marks, y + 20 + 16 * row


def gutter_roles(lanes: Sequence[Lane], width: float = 104.0) -> list[Mark]:
    """Which epochs each replica led in the window and what it is at its end, in the gutter.

    An export has no cursor to show values at. `width` is that of the lines, in pixels.
    """
    marks: list[Mark] = []
    for lane in lanes:
        lines = [line for words in role_lines(lane) for line in wrap(words, width, 11)]
        marks.extend(
            Text(16, lane.box.band + 28 + row * 15, line, "text.2", 11) for row, line in enumerate(lines[:4])
        )
    return marks


def role_lines(lane: Lane) -> tuple[str, str]:
    """Such as "led e0, e2" and "ends as follower"; epochs in the middle of many are left out."""
    first, last = lane.axis.first, lane.axis.last
    led: list[str] = []
    for start, end, role in lane.replica.role.spans(first, last):
        if role is not Role.LEADER:
            continue
        for _, _, epoch in lane.replica.epoch.spans(start, max(end - 1, start)):
            name = "e?" if epoch is None else f"e{epoch}"
            if name not in led:
                led.append(name)
    shown = led if len(led) <= _LED else [*led[: _LED - 1], "…", led[-1]]
    return (
        said("picture.figure.led", epochs=Listing(tuple(shown))) if led else said("picture.figure.never-led"),
        said(_ENDS[lane.replica.role.at(last)]),
    )


def comparison_words(comparison: Comparison, lang: Language = "en") -> FigureText:
    """Title, circumstances and caption proposed from what the runs and their verdicts say."""
    with speaking(lang):
        return _comparison_words(comparison)


def _comparison_words(comparison: Comparison) -> FigureText:
    runs = comparison.runs
    alike: dict[tuple[str, ...], list[str]] = {}
    for run in runs:
        alike.setdefault(verdict_parts(run)[0], []).append(run.title)
    verdicts = [
        said(
            "picture.figure.verdict-in",
            verdict=joined("picture.figure.verdicts", parts),
            runs=Names(tuple(titles)),
        )
        for parts, titles in alike.items()
    ]
    trace = runs[0].history.trace
    story = script_title(trace)
    told = semicolons(verdicts)
    title = said("picture.figure.title", story=story, verdict=told) if story else told
    partition = str(trace.partitions[runs[0].history.partition].tp)
    rules = [
        message("picture.figure.rule", number=place, title=run.title, rule=text(run.rule).rstrip(".。"))
        for place, run in enumerate(runs, start=1)
        if run.rule is not None
    ]
    by_script = comparison.axis == "script"
    axis: LiteralString = "picture.figure.of-script" if by_script else "picture.figure.of-landmarks"
    sentences = [message(axis, partition=partition, runs=len(runs)), message("picture.figure.coloured")]
    if comparison.first:
        sentences.append(_decided(comparison.first))
    sentences += _honesty([run.history.trace for run in runs])
    caption = _one_by_one(sentences)
    used = _used([(run.history, run.verdict) for run in runs])
    product = product_words([run.history for run in runs])
    redacted = trace.facts.get(FACT, "")
    return FigureText(title, _one_by_one(rules), caption, used[:_SOURCES], redacted, product)


def _decided(first: Difference) -> Message:
    one, other = (message("picture.run.number", number=run + 1) for run in first.runs)
    return message(
        "picture.figure.decided",
        subject=first.subject,
        one=one,
        left=first.left,
        other=other,
        right=first.right,
    )


def _one_by_one(sentences: Sequence[Message]) -> str:
    return said("picture.figure.sentences", sentences=Sentences(tuple(sentences)))


def timeline_words(view: TimelineView) -> FigureText:
    """Title, circumstances and caption proposed from the worst finding."""
    with speaking(view.lang):
        return _timeline_words(view)


def _timeline_words(view: TimelineView) -> FigureText:
    history, trace = view.history, view.history.trace
    partition = trace.partitions[history.partition]
    name = str(partition.tp)
    verdict = verdict_words(Run("", None, history, view.verdict))[0]
    title = said("picture.figure.title", story=name, verdict=verdict)
    findings = view.verdict.findings
    worst = min(findings, key=lambda f: list(Severity).index(f.severity), default=None)
    versions = releases_of(trace)
    date = day(view.window[0])
    story_name = script_title(trace) or trace.name
    parts = [
        said("picture.figure.simulated", title=story_name) if trace.origin is Origin.SIMULATED else date,
        f"{clock(view.window[0])}–{clock(view.window[1])} {zone_words(view.window[0])}",
        said("picture.figure.replicas", brokers=Listing(tuple(int(broker) for broker in history.replicas))),
        *([f"Kafka {', '.join(versions)}"] if versions else []),
    ]
    caption = _one_by_one(
        [
            message("picture.figure.one", partition=name),
            message("picture.figure.coloured"),
            *dict.fromkeys(one.message for one in findings if worst and one.check == worst.check),
            *_honesty([trace]),
        ]
    )
    sources = source_lines(history, view.verdict)[:_SOURCES]
    circumstances = said("picture.figure.circumstances", parts=semicolons(parts))
    product = product_words([history])
    return FigureText(title, circumstances, caption, sources, trace.facts.get(FACT, ""), product)


def _honesty(traces: Sequence[Trace]) -> tuple[Message, ...]:
    if all(trace.origin is Origin.SIMULATED for trace in traces):
        return ()
    return (message("picture.figure.honesty"),)


def source_lines(history: History, verdict: PartitionVerdict) -> tuple[str, ...]:
    """The places that what is said of a partition rests on, with the first and last digits of their SHA-256.

    A place is a file with the lines used; a partition of which nothing is said names its first sources.
    """
    return _used([(history, verdict)])


def _used(parts: Sequence[tuple[History, PartitionVerdict]]) -> tuple[str, ...]:
    """The places of several partitions; a file that several rest on is named once."""
    lines: dict[Source, list[int]] = {}
    for history, verdict in parts:
        trace = history.trace
        said = (*verdict.losses, *verdict.truncations, *verdict.findings)
        seqs = {seq for item in said for seq in (*item.evidence, item.seq) if 0 <= seq < len(trace)}
        for seq in sorted(seqs):
            event = trace.event(seq)
            if 0 <= event.source < len(trace.sources):
                lines.setdefault(trace.sources[event.source], []).append(event.line)
        for source in () if seqs else trace.sources[:_SOURCES]:
            lines.setdefault(source, [])
    return tuple(_source_line(source, found) for source, found in lines.items())


def _source_line(source: Source, lines: Sequence[int]) -> str:
    numbers = [line for line in lines if line]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    span = "" if not numbers else f":{low}" if low == high else f":{low}–{high}"
    return f"{source.path}{span}  {source.sha256[:6]}…{source.sha256[-4:]}"
