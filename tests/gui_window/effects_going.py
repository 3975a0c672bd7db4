"""The actions that move the cursor: what is done first, and where the cursor stands once they were done."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.document.notes import NoteKind
from core.picture.marks import Ref
from core.sim.library import scenario
from gui.search.overlay import find_overlay
from gui.workspace.draft import Draft
from tests.gui_window.standing import ALONE, LOGS, LOSS, NOTHING, Effect, Stand, answer


def _asks(name: str) -> Callable[[Stand], bool]:
    """The frame over the window that has this name."""

    def holds(at: Stand) -> bool:
        frame = find_overlay(at.window)
        return frame is not None and frame.isVisible() and frame.accessibleName() == name

    return holds


def _from_the_middle_on(at: Stand) -> None:
    """Where a leader is known: before the first event nothing is."""
    at.put(at.content.last // 2)
    at.answers.choice = "From the cursor on, at the worst for the records"


def _lands(landmark: str, step: int) -> Callable[[Stand], bool]:
    """The cursor is at the nearest one that way."""

    def holds(at: Stand) -> bool:
        here = at.session.position
        between = range(at.before + step, here, step)
        return (
            (here - at.before) * step > 0
            and at.content.is_at(landmark, here)
            and not any(at.content.is_at(landmark, place) for place in between)
        )

    return holds


def _jumps(name: str, landmark: str, base: str = LOSS) -> dict[str, Effect]:
    return {
        f"next-{name}": Effect(base, _lands(landmark, 1), lambda at: at.put(0)),
        f"previous-{name}": Effect(base, _lands(landmark, -1), lambda at: at.put(at.content.last)),
    }


def _finding(place: int) -> Effect:
    def holds(at: Stand) -> bool:
        found = [
            (run, finding.seq)
            for run, shown in enumerate(at.content.runs)
            for finding in shown.verdict.findings
        ]
        run, seq = found[place]
        return at.session.position == at.content.position_of(run, seq + 1)

    return Effect(LOSS, holds, lambda at: at.put(0))


def _moved_by(step: int) -> Callable[[Stand], bool]:
    return lambda at: at.session.position == at.before + step


def _two_notes(at: Stand, here: int) -> None:
    at.note(10, "before", NoteKind.BOOKMARK)
    at.note(200, "after")
    at.put(here)


def _at_note(text: str) -> Callable[[Stand], bool]:
    def holds(at: Stand) -> bool:
        note = next(note for note in at.session.notes if note.text == text)
        return at.session.position == at.session.note_position(note)

    return holds


def _found(at: Stand, again: int) -> None:
    """Some hits are listed, and one of them was gone to."""
    window = at.window
    window.finder.open()
    panel = window.finder.panel
    panel.field.setText("truncated")
    at.bot.waitUntil(lambda: "found" in panel.count.text(), timeout=20_000)
    for _ in range(again):
        window.finder.go(1)


def _hit(place: int) -> Callable[[Stand], bool]:
    def holds(at: Stand) -> bool:
        hit = at.window.finder.panel.hits[place]
        return at.session.selection == Ref("event", hit.run, hit.seq or 0)

    return holds


def _visited(at: Stand, back: int) -> None:
    for place in (5, 50):
        at.put(place)
        at.window.visits.settle()
    for _ in range(back):
        at.window.visits.go(-1)


def _with_a_cause(at: Stand) -> Ref:
    trace = at.content.runs[0].history.trace
    seqs = at.content.runs[0].history.seqs.tolist()
    return next(Ref("event", 0, seq) for seq in reversed(seqs) if trace.event(seq).cause is not None)


def _at_an_effect(at: Stand) -> None:
    ref = _with_a_cause(at)
    at.put(at.content.position_of(0, ref.key + 1))
    at.session.select(ref)


def _at_its_cause(at: Stand) -> bool:
    cause = at.content.runs[0].history.trace.event(_with_a_cause(at).key).cause
    return cause is not None and at.session.selection == Ref("event", 0, cause)


GOES: Final = {
    "palette": Effect(NOTHING, _asks("Search and commands")),
    "go-to": Effect(LOSS, _asks("Go to")),
    "last-change": Effect(
        LOSS,
        _asks("Who last changed this value?"),
        lambda at: at.session.select(Ref("lane", 0, 1, 1, "broker A")),
    ),
    "find": Effect(LOSS, lambda at: at.window.finder.isVisible() and at.window.finder.panel.field.hasFocus()),
    "next-hit": Effect(LOSS, _hit(1), lambda at: _found(at, 1)),
    "previous-hit": Effect(LOSS, _hit(0), lambda at: _found(at, 2)),
    "visit-back": Effect(LOSS, lambda at: at.session.position == 5, lambda at: _visited(at, 0)),
    "visit-forward": Effect(LOSS, lambda at: at.session.position == 50, lambda at: _visited(at, 1)),
    "next-tab": Effect(
        LOGS,
        lambda at: at.window.tabs.open.place(at.window.tabs.open.current) == 0,
        lambda at: at.window.actions_["own-tab"].trigger(),
    ),
    "previous-tab": Effect(
        LOGS,
        lambda at: at.window.tabs.open.place(at.window.tabs.open.current) == 0,
        lambda at: at.window.actions_["own-tab"].trigger(),
    ),
    "forward": Effect(LOSS, _moved_by(1), lambda at: at.put(10)),
    "back": Effect(LOSS, _moved_by(-1), lambda at: at.put(10)),
    "first": Effect(LOSS, lambda at: at.session.position == 0, lambda at: at.put(10)),
    "last": Effect(LOSS, lambda at: at.session.position == at.content.last, lambda at: at.put(10)),
    "play": Effect(LOSS, lambda at: at.session.playing),
    "slower": Effect(LOSS, lambda at: at.session.speed == 0.5),
    "faster": Effect(LOSS, lambda at: at.session.speed == 2.0),
    **_jumps("loss", "loss"),
    **_jumps("truncation", "truncation"),
    **_jumps("election", "election"),
    **_jumps("isr", "isr"),
    **_jumps("crash", "crash"),
    **_jumps("gap", "gap", LOGS),
    **_jumps("story", "story", ALONE),
    **_jumps("difference", "difference"),
    **_jumps("anchor", "anchor"),
    "next-note": Effect(LOSS, _at_note("after"), lambda at: _two_notes(at, 100)),
    "previous-note": Effect(LOSS, _at_note("before"), lambda at: _two_notes(at, 100)),
    "select": Effect(
        LOSS,
        lambda at: at.session.selection is not None and at.session.selection.kind == "event",
        lambda at: at.put(30),
    ),
    "run-scenario": Effect(
        NOTHING,
        lambda at: (
            at.session.content is not None
            and at.session.traces[0].facts.get("scenario") == "overview"
            and len(at.session.traces) == 1
        ),
        lambda at: at.session.set_scenario(replace(Draft(scenario("overview").text), eras=("2.8",))),
    ),
    "fork": Effect(
        ALONE,
        lambda at: at.session.scenario.origin is at.session.traces[0] and at.is_on(at.window.pages.scenario),
        answer("choice", lambda _: "A is killed"),
    ),
    "continue-incident": Effect(
        LOGS,
        lambda at: at.session.scenario.origin is at.session.traces[0] and at.is_on(at.window.pages.scenario),
        _from_the_middle_on,
    ),
    "cause": Effect(ALONE, _at_its_cause, _at_an_effect),
    **{f"finding-{number}": _finding(number - 1) for number in range(1, 10)},
}
