"""The one table of actions. Menus, shortcuts, the shortcut sheet and the tests are made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.trace.trace import Origin
from gui.workspace.session import Session


class Need(StrEnum):
    """What must be there for an action to make sense."""

    NOTHING = "always"
    CONTENT = "actions.something-is-open"
    COMPARISON = "actions.a-comparison-is-open"
    TIMELINE = "actions.one-timeline-is-open"
    NOTE = "actions.a-note-or-bookmark-is-selected"
    RANGE = "actions.a-range-is-marked"
    UNDO = "actions.there-is-something-to-undo"
    REDO = "actions.there-is-something-to-redo"
    HIDDEN = "actions.a-lane-is-hidden"
    ROOM = "actions.something-is-open-and-fewer-than"
    PARTITIONS = "actions.the-trace-has-several-partitions"
    TRIAGE = "actions.one-trace-is-open"
    SCRIPT = "actions.what-is-open-was-simulated"
    LOGS = "actions.one-trace-is-open-and-it"


class Scope(StrEnum):
    """Where a key acts. A text field keeps every key that it can type."""

    WINDOW = "window"
    TIMELINE = "timeline"
    """Only with the focus in the centre: lists and buttons have their own meaning for it."""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing that a person can do. An action without keys says why in `reason`."""

    id: str
    text: str
    menu: str
    keys: tuple[str, ...] = ()
    need: Need = Need.NOTHING
    scope: Scope = Scope.WINDOW
    checkable: bool = False
    reason: str = ""


MENUS: Final[Mapping[str, str]] = {
    "File": "actions.file",
    "Edit": "actions.edit",
    "View": "actions.view",
    "Go": "actions.go",
    "Help": "actions.help",
}


def _file() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("open", "actions.open-files-or-archives", "File", ("Ctrl+O",)),
        ActionSpec("new-scenario", "actions.new-scenario", "File", ("Ctrl+N",)),
        ActionSpec("open-scenario", "actions.open-a-scenario", "File", ("Ctrl+Alt+O",)),
        ActionSpec("save-scenario", "actions.save-the-scenario", "File", ("Ctrl+Alt+S",)),
        ActionSpec("open-folder", "actions.open-a-folder-of-logs", "File", ("Ctrl+Shift+O",)),
        ActionSpec("add-run", "actions.put-another-run-beside-it", "File", ("Ctrl+Shift+B",), Need.ROOM),
        ActionSpec("add-logs", "actions.add-logs", "File", ("Ctrl+Shift+A",), Need.LOGS),
        ActionSpec("add-folder", "actions.add-a-folder-of-logs", "File", ("Ctrl+Shift+F",), Need.LOGS),
        ActionSpec("process", "actions.process-logs-with-spark", "File", ("Ctrl+Shift+P",)),
        ActionSpec("save", "actions.save", "File", ("Ctrl+S",), Need.CONTENT),
        ActionSpec("save-as", "actions.save-as", "File", ("Ctrl+Shift+S",), Need.CONTENT),
        ActionSpec("export", "actions.export", "File", ("Ctrl+E",), Need.CONTENT),
        ActionSpec("copy-picture", "actions.copy-as-picture", "File", ("Ctrl+Shift+E",), Need.CONTENT),
        ActionSpec("close", "actions.close-what-is-open", "File", ("Ctrl+W",), Need.CONTENT),
        ActionSpec("reopen-tab", "actions.open-the-tab-that-was-closed-last", "File", ("Ctrl+Shift+T",)),
        ActionSpec("quit", "actions.quit", "File", ("Ctrl+Q",)),
    )


def _edit() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("undo", "actions.undo", "Edit", ("Ctrl+Z",), Need.UNDO),
        ActionSpec("redo", "actions.redo", "Edit", ("Ctrl+Shift+Z",), Need.REDO),
        ActionSpec(
            "copy",
            "actions.copy-the-marked-text-the-lines",
            "Edit",
            ("Ctrl+C",),
            Need.CONTENT,
        ),
        ActionSpec("note", "actions.note-on-what-is-selected-marked", "Edit", ("N",), Need.CONTENT),
        ActionSpec("arrow", "actions.begin-an-arrow-at-this-event", "Edit", ("Shift+A",), Need.CONTENT),
        ActionSpec("tie", "actions.tie-this-event-to-the-same", "Edit", ("=",), Need.COMPARISON),
        ActionSpec("untie", "actions.forget-all-ties-by-hand", "Edit", ("Alt+=",), Need.COMPARISON),
        ActionSpec("bookmark", "actions.bookmark-at-this-position", "Edit", ("B", "M"), Need.CONTENT),
        ActionSpec("edit-note", "actions.change-the-selected-note-or-bookmark", "Edit", ("F2",), Need.NOTE),
        ActionSpec(
            "delete-note", "actions.delete-the-selected-note-or-bookmark", "Edit", ("Del",), Need.NOTE
        ),
        ActionSpec("settings", "actions.settings", "Edit", ("Ctrl+,",)),
    )


def _places() -> tuple[ActionSpec, ...]:
    """What stands where: partitions, runs, tabs, windows."""
    return (
        ActionSpec("partition", "actions.choose-the-partition", "View", ("Ctrl+P",), Need.PARTITIONS),
        ActionSpec("beside", "actions.beside-another-partition", "View", ("Ctrl+Alt+B",), Need.CONTENT),
        ActionSpec(
            "run-partition", "actions.another-partition-of-run", "View", ("Ctrl+Alt+P",), Need.COMPARISON
        ),
        ActionSpec("swap-runs", "actions.swap-runs", "View", ("Ctrl+Alt+X",), Need.COMPARISON),
        ActionSpec("close-run", "actions.close-run", "View", ("Ctrl+Alt+K",), Need.COMPARISON),
        ActionSpec("own-tab", "actions.open-this-in-a-tab-of-its-own", "View", ("Ctrl+Alt+T",), Need.CONTENT),
        ActionSpec("split", "actions.split", "View", ("Ctrl+\\",), Need.CONTENT),
        ActionSpec("other-half", "actions.other-half", "View", ("Ctrl+F6",), Need.CONTENT),
        ActionSpec("together", "actions.halves-together", "View", ("Ctrl+Shift+F6",), Need.CONTENT),
        ActionSpec("own-window", "actions.to-a-window-of-its-own", "View", ("Ctrl+Alt+W",), Need.CONTENT),
        ActionSpec("other-window", "actions.to-the-next-window", "View", ("Ctrl+Alt+M",), Need.CONTENT),
    )


def _view() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("welcome", "actions.welcome", "View", ("Ctrl+1",)),
        ActionSpec("timeline", "actions.timeline", "View", ("Ctrl+2",), Need.CONTENT),
        ActionSpec("compare", "actions.comparison", "View", ("Ctrl+3",), Need.COMPARISON),
        ActionSpec("incident", "actions.incident", "View", ("Ctrl+9",), Need.TRIAGE),
        ActionSpec("triage", "actions.all-partitions", "View", ("Ctrl+4",), Need.TRIAGE),
        ActionSpec("query", "query.action", "View", ("Ctrl+Shift+4",), Need.TRIAGE),
        ActionSpec("conformance", "conformance.action", "View", ("Ctrl+Shift+9",), Need.CONTENT),
        ActionSpec("course", "actions.course", "View", ("Ctrl+0",)),
        ActionSpec("present", "actions.present", "View", ("F5",)),
        ActionSpec("write-lesson", "actions.write-lesson", "View", ("Ctrl+Alt+L",)),
        ActionSpec("lessons", "actions.questions-and-scenarios", "View", ("Ctrl+5",)),
        ActionSpec("articles", "actions.what-the-articles-say", "View", ("Ctrl+Shift+5",)),
        ActionSpec("counterexamples", "actions.counterexamples", "View", ("Ctrl+Alt+5",)),
        ActionSpec("scenario", "actions.scenario-and-simulator", "View", ("Ctrl+7",)),
        ActionSpec("report", "actions.import-report", "View", ("Ctrl+6",), Need.CONTENT),
        ActionSpec("reading", "reading.action", "View", ("Ctrl+Shift+6",)),
        *_places(),
        ActionSpec("left-dock", "actions.findings-notes-ledger", "View", ("Ctrl+B",), checkable=True),
        ActionSpec("inspector", "actions.inspector", "View", ("Ctrl+I",), checkable=True),
        ActionSpec("evidence", "actions.evidence", "View", ("Ctrl+J",), checkable=True),
        ActionSpec("legend", "actions.legend", "View", ("Ctrl+Shift+K",), checkable=True),
        ActionSpec("cells", "actions.logs-at-the-cursor", "View", ("Ctrl+L",), checkable=True),
        ActionSpec(
            "narration",
            "actions.narration-the-timeline-as-sentences",
            "View",
            ("Ctrl+T",),
            Need.CONTENT,
            checkable=True,
        ),
        ActionSpec("switchboard", "switchboard.action", "View", ("Ctrl+8",), Need.CONTENT, checkable=True),
        ActionSpec("reset-layout", "actions.reset-layout", "View", reason="actions.rare-and-not-to-be-hit"),
        ActionSpec("theme", "actions.light-or-dark", "View", ("Ctrl+Shift+D",)),
        ActionSpec(
            "high-contrast",
            "actions.high-contrast-or-as-the-desktop",
            "View",
            reason="actions.chosen-once-it-is-in-the",
        ),
        ActionSpec("full-screen", "actions.full-screen", "View", ("F11",), checkable=True),
        ActionSpec("zoom-in", "actions.zoom-in-at-the-cursor", "View", ("W", "+"), Need.CONTENT),
        ActionSpec("zoom-out", "actions.zoom-out-at-the-cursor", "View", ("S", "-"), Need.CONTENT),
        ActionSpec("pan-left", "actions.pan-to-earlier", "View", ("A",), Need.CONTENT),
        ActionSpec("pan-right", "actions.pan-to-later", "View", ("D",), Need.CONTENT),
        ActionSpec("range", "actions.begin-a-range-here-then-end", "View", ("R",), Need.CONTENT),
        ActionSpec("fit-range", "actions.show-the-marked-range-whole", "View", ("F",), Need.RANGE),
        ActionSpec("fold-range", "actions.fold-the-marked-range", "View", ("Shift+F",), Need.RANGE),
        ActionSpec("fit-incident", "actions.show-the-incident", "View", ("Q",), Need.CONTENT),
        ActionSpec("fit-all", "actions.show-all", "View", ("0",), Need.CONTENT),
        ActionSpec("quiet-time", "actions.fold-or-unfold-quiet-time", "View", ("Alt+U",), Need.CONTENT),
        *_lanes(),
        ActionSpec(
            "vertical-scale",
            "actions.vertical-scale-chosen-offsets-or-lag",
            "View",
            ("V",),
            Need.CONTENT,
        ),
        ActionSpec("messages", "actions.hide-or-show-messages", "View", ("H",), Need.CONTENT),
        ActionSpec("bounds", "actions.bounds-as-boxes-or-only-their", "View", ("U",), Need.CONTENT),
        ActionSpec("next-pane", "actions.next-pane", "View", ("F6",)),
        ActionSpec("previous-pane", "actions.previous-pane", "View", ("Shift+F6",)),
        ActionSpec("clear", "actions.close-the-overlay-clear-the-selection", "View", ("Esc",)),
    )


def _lanes() -> tuple[ActionSpec, ...]:
    need, centre = Need.CONTENT, Scope.TIMELINE
    return (
        ActionSpec("lane-above", "actions.select-the-lane-above", "View", ("Up",), need, centre),
        ActionSpec("lane-below", "actions.select-the-lane-below", "View", ("Down",), need, centre),
        ActionSpec("fold-lane", "actions.fold-or-unfold-the-lane", "View", ("K",), need),
        ActionSpec("fold-others", "actions.fold-all-lanes-but-this-one", "View", ("Shift+K",), need),
        ActionSpec("hide-lane", "actions.hide-the-lane", "View", ("Shift+H",), need),
        ActionSpec("show-lanes", "actions.show-the-hidden-lanes", "View", ("Alt+H",), Need.HIDDEN),
        ActionSpec("pin-lane", "actions.pin-the-lane-on-top-or", "View", ("Shift+O",), Need.TIMELINE),
        ActionSpec("lane-up", "actions.move-the-lane-up", "View", ("Alt+Up",), need),
        ActionSpec("lane-down", "actions.move-the-lane-down", "View", ("Alt+Down",), need),
        ActionSpec("order-lanes", "actions.order-lanes-broker-id-leader-first", "View", ("O",), need),
        ActionSpec("usual-lanes", "actions.all-lanes-open-in-their-usual", "View", ("Alt+O",), need),
    )


def _jump(landmark: str, ahead: str, behind: str, key: str) -> tuple[ActionSpec, ActionSpec]:
    return (
        ActionSpec(f"next-{landmark}", ahead, "Go", (key,), Need.CONTENT),
        ActionSpec(f"previous-{landmark}", behind, "Go", (f"Shift+{key}",), Need.CONTENT),
    )


def _jumps() -> tuple[ActionSpec, ...]:
    return (
        *_jump("loss", "actions.next-loss", "actions.previous-loss", "L"),
        *_jump("truncation", "actions.next-truncation", "actions.previous-truncation", "T"),
        *_jump("election", "actions.next-election", "actions.previous-election", "E"),
        *_jump("isr", "actions.next-change-of-the-in-sync", "actions.previous-change-of-the-in-sync", "I"),
        *_jump("crash", "actions.next-crash-stop-or-start", "actions.previous-crash-stop-or-start", "C"),
        *_jump("gap", "actions.next-evidence-gap", "actions.previous-evidence-gap", "G"),
        *_jump("story", "actions.next-step-of-the-story", "actions.previous-step-of-the-story", "J"),
        *_jump("difference", "actions.next-difference", "actions.previous-difference", "X"),
    )


_FINDINGS: Final = (
    "actions.finding-1",
    "actions.finding-2",
    "actions.finding-3",
    "actions.finding-4",
    "actions.finding-5",
    "actions.finding-6",
    "actions.finding-7",
    "actions.finding-8",
    "actions.finding-9",
)


def _go() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("palette", "actions.search-and-commands", "Go", ("Ctrl+K",)),
        ActionSpec("go-to", "actions.go-to-a-time-position-offset", "Go", ("Ctrl+G",), Need.CONTENT),
        ActionSpec("find", "actions.find-in-events-and-raw-lines", "Go", ("Ctrl+F",), Need.CONTENT),
        ActionSpec("next-hit", "actions.next-hit", "Go", ("F3",), Need.CONTENT),
        ActionSpec("previous-hit", "actions.previous-hit", "Go", ("Shift+F3",), Need.CONTENT),
        ActionSpec("last-change", "actions.who-last-changed-this-value", "Go", ("Y",), Need.CONTENT),
        ActionSpec("visit-back", "actions.back-to-the-place-before", "Go", ("Alt+Left",), Need.CONTENT),
        ActionSpec("visit-forward", "actions.forward-to-the-place-after", "Go", ("Alt+Right",), Need.CONTENT),
        ActionSpec("next-tab", "actions.next-tab", "Go", ("Ctrl+Tab",), Need.CONTENT),
        ActionSpec("previous-tab", "actions.previous-tab", "Go", ("Ctrl+Shift+Tab",), Need.CONTENT),
        ActionSpec("forward", "actions.one-position-forward", "Go", ("Right",), Need.CONTENT),
        ActionSpec("back", "actions.one-position-back", "Go", ("Left",), Need.CONTENT),
        ActionSpec("next-anchor", "actions.next-step-or-distinct-time", "Go", ("Ctrl+Right",), Need.CONTENT),
        ActionSpec(
            "previous-anchor", "actions.previous-step-or-distinct-time", "Go", ("Ctrl+Left",), Need.CONTENT
        ),
        ActionSpec("first", "actions.first-position", "Go", ("Home",), Need.CONTENT, Scope.TIMELINE),
        ActionSpec("last", "actions.last-position", "Go", ("End",), Need.CONTENT, Scope.TIMELINE),
        ActionSpec(
            "play", "actions.play-or-pause", "Go", ("Space",), Need.CONTENT, Scope.TIMELINE, checkable=True
        ),
        ActionSpec("slower", "actions.slower", "Go", ("[",), Need.CONTENT),
        ActionSpec("faster", "actions.faster", "Go", ("]",), Need.CONTENT),
        *_jumps(),
        ActionSpec("next-note", "actions.next-note-or-bookmark", "Go", (".",), Need.CONTENT),
        ActionSpec("previous-note", "actions.previous-note-or-bookmark", "Go", (",",), Need.CONTENT),
        ActionSpec(
            "select",
            "actions.select-what-is-at-the-cursor",
            "Go",
            ("Return", "Enter"),
            Need.CONTENT,
            Scope.TIMELINE,
        ),
        ActionSpec("run-scenario", "actions.run-the-scenario", "Go", ("Ctrl+Return", "Ctrl+Enter")),
        ActionSpec("lesson-stop", "actions.lesson-stop", "Go", ("Ctrl+Shift+L",), Need.SCRIPT),
        ActionSpec("fork", "actions.from-here-something-else-happens", "Go", ("Ctrl+Shift+N",), Need.SCRIPT),
        ActionSpec("continue-incident", "actions.continue-the-incident", "Go", ("Ctrl+Alt+N",), Need.LOGS),
        ActionSpec("cause", "actions.to-the-cause", "Go", ("P",), Need.CONTENT),
        *(
            ActionSpec(f"finding-{n}", text, "Go", (str(n),), Need.CONTENT)
            for n, text in enumerate(_FINDINGS, start=1)
        ),
    )


def _help() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("menu", "actions.open-the-menu", "Help", ("F10",)),
        ActionSpec("keys", "actions.keys-of-this-window", "Help", ("F1", "?")),
        ActionSpec("about", "actions.about-tidegauge", "Help", reason="actions.asked-for-once-in-a-lifetime"),
    )


ACTIONS: Final = (*_file(), *_edit(), *_view(), *_go(), *_help())
ACTION: Final = {spec.id: spec for spec in ACTIONS}


def is_enabled(spec: ActionSpec, session: Session) -> bool:
    """Whether an action makes sense for what is open and selected now."""
    return spec.need in needs_met(session)


def needs_met(session: Session) -> frozenset[Need]:
    """What actions may need, as far as it is there now."""
    content, selection = session.content, session.selection
    compared = content is not None and content.comparison is not None
    holds = {
        Need.NOTHING: True,
        Need.CONTENT: content is not None,
        Need.COMPARISON: compared,
        Need.TIMELINE: content is not None and not compared,
        Need.NOTE: selection is not None and selection.kind == "note",
        Need.RANGE: content is not None and session.range is not None and session.range[1] is not None,
        Need.UNDO: session.undo.can_undo,
        Need.REDO: session.undo.can_redo,
        Need.HIDDEN: content is not None and bool(session.lanes.hidden),
        Need.ROOM: 0 < len(session.traces) < 4,
        Need.SCRIPT: bool(session.traces) and all("script" in trace.facts for trace in session.traces),
        Need.TRIAGE: session.triage is not None,
        Need.LOGS: len(session.traces) == 1 and session.traces[0].origin == Origin.IMPORTED,
        Need.PARTITIONS: len(session.partitions) > 1,
    }
    return frozenset(need for need, there in holds.items() if there)


def keys_text(keys: Sequence[str]) -> str:
    """Keys as the sheet shows them: arrows as arrows."""
    names = {"Right": "→", "Left": "←", "Del": "Delete", "Return": "Enter"}
    shown: list[str] = []
    for key in keys:
        head, plus, tail = key.rpartition("+") if key != "+" else ("", "", key)
        text = f"{head}{plus}{names.get(tail, tail)}"
        if text not in shown:
            shown.append(text)
    return ", ".join(shown)
