"""A lesson as values: what `core.teaching.reading` makes of its text. docs/lessons.md describes the text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a run: the end of a step of its script, or an event; in a recording, a time.

    With `event`, the nth event of that kind about that broker, counted from the begin of the step, or, in a
    recording, from `at`. Without either it is the end of the run.
    """

    step: int | None = None
    event: str = ""
    """A kind of core/trace/vocabulary.py."""
    broker: str = ""
    nth: int = 1
    at_ns: int | None = None
    """A time of a recording, ns since 1970 in UTC."""
    cursor: int | None = None
    """The cursor itself, of a question that was made from a run."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about a run at a place, in the words of `core.teaching.facts.FORMS`."""

    kind: str
    text: str
    broker: str = ""
    other: str = ""
    number: int | None = None
    second: int | None = None
    run: int | None = None
    """Of which run of the scene it is said, from 1; None is all of them."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Words of a paragraph."""

    text: str
    strong: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """A letter in the text that stands beside a mark in the lanes, too."""

    letter: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that say something of the run, with the fact that must hold where the step stands."""

    text: str
    fact: Fact


Span: TypeAlias = Plain | Pointer | Claim
Spans: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `ordered` has numbers."""

    items: tuple[Spans, ...]
    ordered: bool = False


Block: TypeAlias = Paragraph | Items


def lines_of(blocks: Sequence[Block]) -> Iterator[Spans]:
    """The spans of each paragraph and of each item of a list."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block.spans
        else:
            yield from block.items


def pointers_of(blocks: Sequence[Block]) -> tuple[Pointer, ...]:
    """The letters of a text, in their order."""
    return tuple(span for spans in lines_of(blocks) for span in spans if isinstance(span, Pointer))


@dataclass(frozen=True, slots=True)
class Scene:
    """What a step shows: runs, a place in them, and the part of the picture that the text speaks of."""

    scenario: str
    """An id of the library; "" for a recording."""
    recording: str
    partition: str
    """Of a recording: "orders-0"; "" is the one with the worst finding."""
    runs: tuple[str, ...]
    """Names of eras as `core.kafka.eras.era_named` reads them; () for a recording."""
    spot: Spot
    first_step: int | None = None
    last_step: int | None = None
    brokers: tuple[str, ...] = ()
    """Whose lanes the text speaks of; () is all."""


class AskKind(StrEnum):
    """What a question asks for."""

    CUT = "cut"
    """The log end offset of a replica after its next decision to cut."""
    LEADER = "leader"
    """Who leads next, or nobody."""
    LOST = "lost"
    """Which records are lost."""
    WATERMARK = "watermark"
    """The high watermark of a replica."""
    IN_SYNC = "in-sync"
    """The in-sync set that the controller holds."""
    ORDER = "order"
    """In which order things happened."""
    CHOICE = "choice"
    """Which of some statements holds."""


@dataclass(frozen=True, slots=True)
class Option:
    """An answer to choose: its words, and what holds in the run if it is the right one."""

    text: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Happening:
    """Something to put in order: its words, and the event that they tell of."""

    text: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that stops the run at the place of its step. The run answers it at `judged`."""

    kind: AskKind
    question: str
    judged: Spot
    context: str = ""
    broker: str = ""
    options: tuple[Option, ...] = ()
    events: tuple[Happening, ...] = ()
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence of how Kafka decides. Which releases do so is read from the switch."""

    text: str
    switch: str = ""
    """The name of a switch; "" where every release does so."""
    era: str = ""
    """The era whose value of the switch is meant; "" is that of the last run. A recording has no era."""
    since: str = ""
    """Which releases have it, in words, beside a question made from a run; "" is read from the switch."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a lesson. `revealed` is hidden until its question is answered."""

    title: str
    blocks: tuple[Block, ...]
    scene: Scene
    line: int
    """At which line of the text it begins, from 1."""
    ask: Ask | None = None
    revealed: tuple[Block, ...] = ()
    rule: Rule | None = None
    notes: tuple[Block, ...] = ()
    """For the speaker alone."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson in one language."""

    id: str
    title: str
    line: str
    """What it is about, in one line."""
    minutes: int
    language: str
    steps: tuple[Step, ...]
    needs: tuple[str, ...] = ()
    """Ids of lessons that it builds on."""
    digest: str = ""
    """SHA-256 of its text."""
    practice: bool = False
    """Whether an answer that is not right may be given once more before the reveal."""

    @property
    def questions(self) -> tuple[Ask, ...]:
        """Its questions, in order."""
        return tuple(step.ask for step in self.steps if step.ask is not None)
