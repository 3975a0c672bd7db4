"""From the text of a lesson to a `Lesson`; docs/lessons.md describes it. Errors name file, line and key."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Final

from core.errors import QuestionError
from core.kafka.eras import ERAS, era_named
from core.kafka.switches import SWITCH
from core.message import message
from core.sim.toml_reader import Reader, names_allowed, one_line, read_toml, words_allowed
from core.sim.translations import scenario_ids
from core.teaching.facts import FORMS, parse_fact
from core.teaching.lesson import (
    Ask,
    AskKind,
    Block,
    Happening,
    Lesson,
    Option,
    Rule,
    Scene,
    Spot,
    Step,
)
from core.teaching.markdown import Fence, Heading, Place, blocks_of, parts_of
from core.trace.times import parse_time
from core.trace.vocabulary import NUMBER

DIRECTIVES: Final = ("show", "ask", "reveal", "rule", "note")
_HEAD: Final = re.compile(r"\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
HEAD_KEYS: Final = (
    "title",
    "line",
    "minutes",
    "needs",
    "practice",
    *("scenario", "recording", "partition", "runs"),
)
_SPOT_KEYS: Final = ("step", "event", "broker", "nth", "at")
SHOW_KEYS: Final = (*_SPOT_KEYS, "scenario", "recording", "partition", "runs", "flip", "from", "to", "lanes")
ASK_KEYS: Final = ("kind", "question", "context", "broker", "judged", "options", "events", "hints")
RULE_KEYS: Final = ("text", "switch", "era")
_STEPS_MOST: Final = 60
_LANGUAGE_OF_NAME: Final = re.compile(r"lesson\.([a-zA-Z-]+)\.md")


@dataclass(slots=True)
class _Draft:
    """A step while its parts are read."""

    title: str
    line: int
    blocks: list[Block] = field(default_factory=list[Block])
    show: Reader | None = None
    ask: Reader | None = None
    rule: Reader | None = None
    revealed: tuple[Block, ...] = ()
    notes: tuple[Block, ...] = ()


def language_of_name(name: str) -> str:
    """The language of a file of a lesson: `lesson.md` is English, `lesson.zh.md` Chinese."""
    found = _LANGUAGE_OF_NAME.fullmatch(PurePath(name).name)
    return found[1] if found else "en"


def parse_lesson(text: str, lesson_id: str, file: str) -> Lesson:
    """The lesson of a text. Raises ScenarioError with file, line, what is wrong and what is allowed."""
    text = text.replace("\r\n", "\n")
    found = _HEAD.match(text)
    if found is None:
        Place(file, 0).fail(0, message("error.lesson.no-head"), words_allowed("+++"))
    head = read_toml_at(found[1], file, 1)
    head.only(*HEAD_KEYS)
    before = text[: found.end()].count("\n")
    drafts = _drafts(text[found.end() :], Place(file, before))
    scene = _scene_of_head(head)
    steps: list[Step] = []
    for draft in drafts:
        step = _step(draft, scene, file)
        scene = replace(step.scene, first_step=None, last_step=None, brokers=())
        steps.append(step)
    return Lesson(
        id=lesson_id,
        title=head.text("title"),
        line=one_line(head.text("line")),
        minutes=head.number("minutes", least=1, most=120),
        language=language_of_name(file),
        steps=tuple(steps),
        needs=head.names("needs") if "needs" in head.values else (),
        digest=hashlib.sha256(text.encode()).hexdigest(),
        practice=bool(head.flag("practice", default=False)),
    )


def read_toml_at(text: str, file: str, lines_before: int) -> Reader:
    """The table of a piece of TOML that stands in a file below `lines_before` lines."""
    # Blank lines in front of it make the parser itself count as the file does.
    return read_toml("\n" * lines_before + text, file)


def _drafts(text: str, place: Place) -> list[_Draft]:
    drafts: list[_Draft] = []
    for part in parts_of(text, place):
        if isinstance(part, Heading):
            if part.level != 2:
                line = part.line - place.lines_before - 1
                place.fail(line, message("error.lesson.heading"), words_allowed("## …"))
            drafts.append(_Draft(part.text, part.line))
            continue
        if not drafts:
            place.fail(0, message("error.lesson.before-steps"), words_allowed("## …"))
        if isinstance(part, Fence):
            _put(drafts[-1], part, place)
        else:
            drafts[-1].blocks.append(part)
    if not 1 <= len(drafts) <= _STEPS_MOST:
        allowed = message("allowed.number", first=1, last=_STEPS_MOST)
        place.fail(0, message("error.lesson.steps", count=len(drafts)), allowed)
    return drafts


def _put(draft: _Draft, fence: Fence, place: Place) -> None:
    line = fence.line - 2 - place.lines_before
    if fence.word not in DIRECTIVES:
        what = message("error.lesson.directive", word=fence.word)
        place.fail(line, what, names_allowed(DIRECTIVES))
    if fence.word in {"reveal", "note"}:
        blocks = blocks_of(fence.text, Place(place.file, fence.line - 1))
        if fence.word == "reveal":
            draft.revealed += blocks
        else:
            draft.notes += blocks
        return
    reader = read_toml_at(fence.text, place.file, fence.line - 1)
    if getattr(draft, fence.word) is not None:
        place.fail(line, message("error.lesson.twice", word=fence.word), names_allowed(DIRECTIVES))
    setattr(draft, fence.word, reader)


def _scene_of_head(head: Reader) -> Scene:
    """What the first step shows unless it says otherwise."""
    scenario = head.choice("scenario", scenario_ids()) if "scenario" in head.values else ""
    recording = head.text("recording") if "recording" in head.values else ""
    if bool(scenario) == bool(recording):
        head.fail("", message("error.lesson.one-source"), names_allowed(("scenario", "recording")))
    partition = head.text("partition") if "partition" in head.values else ""
    return Scene(scenario, recording, partition, _runs(head) if scenario else (), Spot(step=0))


def _runs(reader: Reader, default: Sequence[str] = ()) -> tuple[str, ...]:
    names = reader.names("runs", default=default or None)
    for name in names:
        try:
            era_named(name)
        except QuestionError as error:
            allowed = error.facts.advice or words_allowed("0.10.2")
            reader.fail("runs", error.facts.what, allowed)
    return names


def _step(draft: _Draft, scene: Scene, file: str) -> Step:
    shown = scene if draft.show is None else _scene(draft.show, scene)
    ask = None if draft.ask is None else _ask(draft.ask, shown)
    if ask is None and draft.revealed:
        allowed = names_allowed(("ask",))
        Place(file, draft.line - 1).fail(0, message("error.lesson.reveal-alone"), allowed)
    return Step(
        title=draft.title,
        blocks=tuple(draft.blocks),
        scene=shown,
        line=draft.line,
        ask=ask,
        revealed=draft.revealed,
        rule=None if draft.rule is None else _rule(draft.rule, shown),
        notes=draft.notes,
    )


def _scene(show: Reader, before: Scene) -> Scene:
    show.only(*SHOW_KEYS)
    scenario, recording = before.scenario, before.recording
    if "scenario" in show.values:
        scenario, recording = show.choice("scenario", scenario_ids()), ""
    elif "recording" in show.values:
        scenario, recording = "", show.text("recording")
    runs = _runs(show, before.runs) if scenario else ()
    if "flip" in show.values:
        if not runs:
            show.fail("flip", message("error.lesson.flip-recording"), names_allowed(("scenario",)))
        runs = (runs[0], _flipped(show, runs[0]))
    return Scene(
        scenario=scenario,
        recording=recording,
        partition=show.text("partition") if "partition" in show.values else before.partition,
        runs=runs,
        spot=_spot(show),
        first_step=show.maybe_number("from", most=9_999),
        last_step=show.maybe_number("to", most=9_999),
        brokers=show.names("lanes") if "lanes" in show.values else (),
    )


def _flipped(show: Reader, run: str) -> str:
    """The name of a run with one switch flipped: "truncation=epoch-request"."""
    name = f"{run}+{show.text('flip')}"
    try:
        return era_named(name).name
    except QuestionError as error:
        show.fail("flip", error.facts.what, error.facts.advice or words_allowed("truncation=epoch-request"))


def _spot(reader: Reader) -> Spot:
    event = reader.choice("event", tuple(NUMBER)) if "event" in reader.values else ""
    return Spot(
        step=reader.maybe_number("step", most=9_999),
        event=event,
        broker=reader.text("broker") if "broker" in reader.values else "",
        nth=reader.number("nth", 1, least=1, most=9_999),
        at_ns=_time(reader) if "at" in reader.values else None,
    )


def _time(reader: Reader) -> int:
    """A time of a recording, in UTC: RFC 3339."""
    said = reader.text("at")
    try:
        return parse_time(said)
    except QuestionError:
        reader.fail("at", message("error.lesson.time", said=said), words_allowed("2026-11-21T03:29:10.161Z"))


def _ask(reader: Reader, scene: Scene) -> Ask:
    reader.only(*ASK_KEYS)
    kind = AskKind(reader.choice("kind", tuple(AskKind)))
    broker = reader.text("broker") if kind in {AskKind.CUT, AskKind.WATERMARK} else ""
    judged = _judged(reader, scene)
    return Ask(
        kind=kind,
        question=one_line(reader.text("question")),
        judged=judged,
        context=one_line(reader.text("context")) if "context" in reader.values else "",
        broker=broker,
        options=_options(reader) if kind is AskKind.CHOICE else (),
        events=_events(reader, scene) if kind is AskKind.ORDER else (),
        hints=reader.names("hints") if "hints" in reader.values else (),
    )


def _judged(reader: Reader, scene: Scene) -> Spot:
    """Where the run answers: a table as in `show`, or the end of the next step."""
    if "judged" in reader.values:
        place = reader.table("judged")
        place.only(*_SPOT_KEYS)
        return _spot(place)
    if scene.spot.step is None:
        reader.fail("", message("error.lesson.no-judged"), words_allowed("judged = { step = 8 }"))
    return Spot(step=scene.spot.step + 1)


def _options(reader: Reader) -> tuple[Option, ...]:
    options: list[Option] = []
    for one in reader.tables("options"):
        one.only("text", "holds")
        fact = parse_fact(one.text("holds"))
        if fact is None:
            examples = "; ".join(example for _, example, _ in FORMS)
            one.fail("holds", message("error.lesson.fact", words=one.text("holds")), words_allowed(examples))
        options.append(Option(one.text("text"), fact))
    if not 2 <= len(options) <= 9:
        reader.fail("options", message("error.lesson.options"), message("allowed.number", first=2, last=9))
    return tuple(options)


def _events(reader: Reader, scene: Scene) -> tuple[Happening, ...]:
    happenings: list[Happening] = []
    for one in reader.tables("events"):
        one.only("text", *_SPOT_KEYS)
        spot = _spot(one)
        happenings.append(
            Happening(
                one.text("text"), spot if spot.step is not None else replace(spot, at_ns=scene.spot.at_ns)
            )
        )
    if not 2 <= len(happenings) <= 9:
        reader.fail("events", message("error.lesson.options"), message("allowed.number", first=2, last=9))
    return tuple(happenings)


def _rule(reader: Reader, scene: Scene) -> Rule:
    reader.only(*RULE_KEYS)
    switch = reader.choice("switch", tuple(SWITCH)) if "switch" in reader.values else ""
    era = reader.choice("era", tuple(one.id for one in ERAS)) if "era" in reader.values else ""
    if switch and not (scene.runs or era):
        reader.fail("switch", message("error.lesson.rule-era"), names_allowed(("era",)))
    return Rule(one_line(reader.text("text")), switch, era)
