"""What an export is made of: traces with what a person added, and the same with its names hidden. No Qt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.document.lane_order import USUAL, LaneOrder
from core.errors import QuestionError
from core.message import Listing, message
from core.trace.redact import Redaction, redaction_of
from core.trace.redact_review import review_of, review_text
from core.trace.trace import Origin, Trace
from core.words import speaking
from core.work import Work
from db.anchors import Anchor
from db.notes import Note
from db.ties import Tie, cursors_of
from gui.exports.plan import Plan
from gui.workspace.sources import Opened


@dataclass(frozen=True, slots=True)
class Material:
    """Whole traces, one is a timeline and several are a comparison; the notes on them; ties by hand.

    `lanes` is how the lanes stand that a document was kept with.
    """

    traces: tuple[Trace, ...]
    notes: tuple[Note, ...] = ()
    ties: tuple[Tie, ...] = ()
    lanes: LaneOrder = USUAL

    @property
    def tied(self) -> tuple[tuple[int, ...], ...]:
        """The ties between all of these traces, as cursors."""
        return cursors_of(self.ties, self.traces)


def of_opened(things: Sequence[Opened], trace_names: Sequence[str] = ()) -> Material:
    """What was opened, or only some of its traces. Raises QuestionError where one is not there."""
    known = [name for thing in things for name in thing.names]
    missing = [name for name in trace_names if name not in known]
    if missing:
        raise QuestionError(
            message("error.trace.none", name=missing[0]),
            advice=message("error.choose-from", names=Listing(tuple(known))),
        )
    traces = [
        thing.trace(name)
        for thing in things
        for name in thing.names
        if not trace_names or name in trace_names
    ]
    documents = [thing.document for thing in things if thing.document is not None]
    return Material(
        tuple(traces),
        tuple(note for document in documents for note in document.notes()),
        tuple(tie for document in documents for tie in document.ties()),
        next((lanes for document in documents if (lanes := document.lanes()) != USUAL), USUAL),
    )


def hidden(material: Material, plan: Plan, work: Work) -> tuple[Material, Plan]:
    """The same with the names that the plan hides replaced everywhere, in the plan's own words too."""
    return redacted(material, plan, work)[:2]


def redacted(material: Material, plan: Plan, work: Work) -> tuple[Material, Plan, Redaction | None]:
    """The same, and the map of what became what; None where nothing is hidden."""
    if not plan.redact:
        return material, plan, None
    work.step(0, 0, message("progress.hiding"))
    told = [text for note in material.notes for text in (note.text, note.author)]
    redaction = redaction_of(material.traces, plan.redact, told, (plan.title, plan.caption))
    with speaking(plan.lang):
        traces = tuple(redaction.trace(trace) for trace in material.traces)
    names = {old.name: new.name for old, new in zip(material.traces, traces, strict=True)}
    ties = tuple(
        Tie(tuple((names.get(name, name), _anchor(redaction, anchor)) for name, anchor in tie.ends))
        for tie in material.ties
    )
    simulated = {trace.name for trace in material.traces if trace.origin is Origin.SIMULATED}
    notes = tuple(
        _note(redaction, note, names, redaction.words if note.trace_name in simulated else redaction.text)
        for note in material.notes
        if note.trace_name in names
    )
    made = Material(traces, notes, ties, material.lanes)
    changed = replace(
        plan,
        partition=_partition(material.traces, traces, plan.partition),
        title=redaction.words(plan.title),
        caption=redaction.words(plan.caption),
    )
    return made, changed, redaction


def review_of_plan(material: Material, plan: Plan, work: Work) -> str:
    """What an export of this plan shows in clear, and what it replaces, as lines in the plan's language.

    Material and plan are as they were opened, nothing in them is hidden yet.
    """
    made, told, redaction = redacted(material, plan, work)
    return "" if redaction is None else review_lines(made, told, redaction)


def review_lines(made: Material, told: Plan, redaction: Redaction) -> str:
    """The same of what `redacted` gave."""
    texts = [text for note in made.notes for text in (note.text, note.author)]
    with speaking(told.lang):
        return review_text(review_of(redaction, made.traces, (*texts, told.title, told.caption)))


def _note(redaction: Redaction, note: Note, names: Mapping[str, str], told: Callable[[str], str]) -> Note:
    return replace(
        note,
        trace_name=names[note.trace_name],
        text=told(note.text),
        author=told(note.author),
        anchor=_anchor(redaction, note.anchor),
        end=None if note.end is None else _anchor(redaction, note.end),
    )


def _anchor(redaction: Redaction, anchor: Anchor) -> Anchor:
    return replace(anchor, partition=redaction.partition(anchor.partition))


def _partition(before: Sequence[Trace], after: Sequence[Trace], name: str | None) -> str | None:
    """The partition of that name by its new name."""
    if name is None:
        return None
    for old, new in zip(before, after, strict=True):
        place = old.partition_index(name)
        if place is not None:
            return str(new.partitions[place].tp)
    return name
