"""The one table of actions. Menus, shortcuts, the shortcut sheet and the tests are made from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.trace.trace import Origin
from gui.i18n import mark
from gui.workspace.session import Session


class Need(StrEnum):
    """What must be there for an action to make sense."""

    NOTHING = "always"
    CONTENT = mark("something is open")
    COMPARISON = mark("a comparison is open")
    TIMELINE = mark("one timeline is open")
    NOTE = mark("a note or bookmark is selected")
    RANGE = mark("a range is marked on one timeline")
    UNDO = mark("there is something to undo")
    REDO = mark("there is something to redo")
    HIDDEN = mark("a lane is hidden")
    ROOM = mark("something is open, and fewer than four runs")
    PARTITIONS = mark("the trace has several partitions")
    TRIAGE = mark("one trace is open")
    SCRIPT = mark("what is open was simulated")
    LOGS = mark("one trace is open, and it was made from logs")


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


MENUS: Final = (mark("File"), mark("Edit"), mark("View"), mark("Go"), mark("Help"))


def _file() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("open", mark("Open files or archives…"), "File", ("Ctrl+O",)),
        ActionSpec("new-scenario", mark("New scenario"), "File", ("Ctrl+N",)),
        ActionSpec("open-scenario", mark("Open a scenario…"), "File", ("Ctrl+Alt+O",)),
        ActionSpec("save-scenario", mark("Save the scenario…"), "File", ("Ctrl+Alt+S",)),
        ActionSpec("open-folder", mark("Open a folder of logs…"), "File", ("Ctrl+Shift+O",)),
        ActionSpec("add-run", mark("Put another run beside it…"), "File", ("Ctrl+Shift+B",), Need.ROOM),
        ActionSpec("add-logs", mark("Add logs…"), "File", ("Ctrl+Shift+A",), Need.LOGS),
        ActionSpec("add-folder", mark("Add a folder of logs…"), "File", ("Ctrl+Shift+F",), Need.LOGS),
        ActionSpec("process", mark("Process logs with Spark…"), "File", ("Ctrl+Shift+P",)),
        ActionSpec("save", mark("Save"), "File", ("Ctrl+S",), Need.CONTENT),
        ActionSpec("save-as", mark("Save as…"), "File", ("Ctrl+Shift+S",), Need.CONTENT),
        ActionSpec("export", mark("Export…"), "File", ("Ctrl+E",), Need.CONTENT),
        ActionSpec("copy-picture", mark("Copy as picture"), "File", ("Ctrl+Shift+E",), Need.CONTENT),
        ActionSpec("close", mark("Close what is open"), "File", ("Ctrl+W",), Need.CONTENT),
        ActionSpec("quit", mark("Quit"), "File", ("Ctrl+Q",)),
    )


def _edit() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("undo", mark("Undo"), "Edit", ("Ctrl+Z",), Need.UNDO),
        ActionSpec("redo", mark("Redo"), "Edit", ("Ctrl+Shift+Z",), Need.REDO),
        ActionSpec(
            "copy",
            mark("Copy the marked text, the lines, or what the inspector says"),
            "Edit",
            ("Ctrl+C",),
            Need.CONTENT,
        ),
        ActionSpec("note", mark("Note on what is selected, marked or here"), "Edit", ("N",), Need.CONTENT),
        ActionSpec(
            "arrow", mark("Begin an arrow at this event, then end it"), "Edit", ("Shift+A",), Need.CONTENT
        ),
        ActionSpec(
            "tie", mark("Tie this event to the same moment of another run"), "Edit", ("=",), Need.COMPARISON
        ),
        ActionSpec("untie", mark("Forget all ties by hand"), "Edit", ("Alt+=",), Need.COMPARISON),
        ActionSpec("bookmark", mark("Bookmark at this position"), "Edit", ("B", "M"), Need.CONTENT),
        ActionSpec("edit-note", mark("Change the selected note or bookmark"), "Edit", ("F2",), Need.NOTE),
        ActionSpec("delete-note", mark("Delete the selected note or bookmark"), "Edit", ("Del",), Need.NOTE),
        ActionSpec("settings", mark("Settings…"), "Edit", ("Ctrl+,",)),
    )


def _view() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("welcome", mark("Welcome"), "View", ("Ctrl+1",)),
        ActionSpec("timeline", mark("Timeline"), "View", ("Ctrl+2",), Need.CONTENT),
        ActionSpec("compare", mark("Comparison"), "View", ("Ctrl+3",), Need.COMPARISON),
        ActionSpec("triage", mark("All partitions"), "View", ("Ctrl+4",), Need.TRIAGE),
        ActionSpec("lessons", mark("Questions and scenarios"), "View", ("Ctrl+5",)),
        ActionSpec("scenario", mark("Scenario and simulator"), "View", ("Ctrl+7",)),
        ActionSpec("report", mark("Import report"), "View", ("Ctrl+6",), Need.CONTENT),
        ActionSpec("partition", mark("Choose the partition…"), "View", ("Ctrl+P",), Need.PARTITIONS),
        ActionSpec("left-dock", mark("Findings, notes, ledger"), "View", ("Ctrl+B",), checkable=True),
        ActionSpec("inspector", mark("Inspector"), "View", ("Ctrl+I",), checkable=True),
        ActionSpec("evidence", mark("Evidence"), "View", ("Ctrl+J",), checkable=True),
        ActionSpec("cells", mark("Logs at the cursor"), "View", ("Ctrl+L",), checkable=True),
        ActionSpec(
            "narration",
            mark("Narration: the timeline as sentences"),
            "View",
            ("Ctrl+T",),
            Need.CONTENT,
            checkable=True,
        ),
        ActionSpec(
            "reset-layout", mark("Reset layout"), "View", reason=mark("rare, and not to be hit by accident")
        ),
        ActionSpec("theme", mark("Light or dark"), "View", ("Ctrl+Shift+D",)),
        ActionSpec(
            "high-contrast",
            mark("High contrast, or as the desktop"),
            "View",
            reason=mark("chosen once; it is in the settings, too"),
        ),
        ActionSpec("full-screen", mark("Full screen"), "View", ("F11",), checkable=True),
        ActionSpec("zoom-in", mark("Zoom in at the cursor"), "View", ("W", "+"), Need.TIMELINE),
        ActionSpec("zoom-out", mark("Zoom out at the cursor"), "View", ("S", "-"), Need.TIMELINE),
        ActionSpec("pan-left", mark("Pan to earlier"), "View", ("A",), Need.TIMELINE),
        ActionSpec("pan-right", mark("Pan to later"), "View", ("D",), Need.TIMELINE),
        ActionSpec("range", mark("Begin a range here, then end it"), "View", ("R",), Need.CONTENT),
        ActionSpec("fit-range", mark("Show the marked range whole"), "View", ("F",), Need.RANGE),
        ActionSpec("fit-all", mark("Show all"), "View", ("0",), Need.TIMELINE),
        *_lanes(),
        ActionSpec(
            "vertical-scale",
            mark("Vertical scale: chosen, offsets, or lag"),
            "View",
            ("V",),
            Need.CONTENT,
        ),
        ActionSpec("messages", mark("Hide or show messages"), "View", ("H",), Need.CONTENT),
        ActionSpec("bounds", mark("Bounds as boxes, or only their edges"), "View", ("U",), Need.CONTENT),
        ActionSpec("next-pane", mark("Next pane"), "View", ("F6",)),
        ActionSpec("previous-pane", mark("Previous pane"), "View", ("Shift+F6",)),
        ActionSpec("clear", mark("Close the overlay, clear the selection"), "View", ("Esc",)),
    )


def _lanes() -> tuple[ActionSpec, ...]:
    need, centre = Need.CONTENT, Scope.TIMELINE
    return (
        ActionSpec("lane-above", mark("Select the lane above"), "View", ("Up",), need, centre),
        ActionSpec("lane-below", mark("Select the lane below"), "View", ("Down",), need, centre),
        ActionSpec("fold-lane", mark("Fold or unfold the lane"), "View", ("K",), need),
        ActionSpec("fold-others", mark("Fold all lanes but this one"), "View", ("Shift+K",), need),
        ActionSpec("hide-lane", mark("Hide the lane"), "View", ("Shift+H",), need),
        ActionSpec("show-lanes", mark("Show the hidden lanes"), "View", ("Alt+H",), Need.HIDDEN),
        ActionSpec(
            "pin-lane", mark("Pin the lane on top, or let go of it"), "View", ("Shift+O",), Need.TIMELINE
        ),
        ActionSpec("lane-up", mark("Move the lane up"), "View", ("Alt+Up",), need),
        ActionSpec("lane-down", mark("Move the lane down"), "View", ("Alt+Down",), need),
        ActionSpec(
            "order-lanes", mark("Order lanes: broker id, leader first, by divergence"), "View", ("O",), need
        ),
        ActionSpec("usual-lanes", mark("All lanes open, in their usual order"), "View", ("Alt+O",), need),
    )


def _jump(landmark: str, ahead: str, behind: str, key: str) -> tuple[ActionSpec, ActionSpec]:
    return (
        ActionSpec(f"next-{landmark}", ahead, "Go", (key,), Need.CONTENT),
        ActionSpec(f"previous-{landmark}", behind, "Go", (f"Shift+{key}",), Need.CONTENT),
    )


def _jumps() -> tuple[ActionSpec, ...]:
    return (
        *_jump("loss", mark("Next loss"), mark("Previous loss"), "L"),
        *_jump("truncation", mark("Next truncation"), mark("Previous truncation"), "T"),
        *_jump("election", mark("Next election"), mark("Previous election"), "E"),
        *_jump(
            "isr", mark("Next change of the in-sync set"), mark("Previous change of the in-sync set"), "I"
        ),
        *_jump("crash", mark("Next crash, stop or start"), mark("Previous crash, stop or start"), "C"),
        *_jump("gap", mark("Next evidence gap"), mark("Previous evidence gap"), "G"),
        *_jump("difference", mark("Next difference"), mark("Previous difference"), "X"),
    )


_FINDINGS: Final = (
    mark("Finding 1"),
    mark("Finding 2"),
    mark("Finding 3"),
    mark("Finding 4"),
    mark("Finding 5"),
    mark("Finding 6"),
    mark("Finding 7"),
    mark("Finding 8"),
    mark("Finding 9"),
)


def _go() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("palette", mark("Search and commands…"), "Go", ("Ctrl+K",)),
        ActionSpec(
            "go-to", mark("Go to a time, position, offset or epoch…"), "Go", ("Ctrl+G",), Need.CONTENT
        ),
        ActionSpec("find", mark("Find in events and raw lines…"), "Go", ("Ctrl+F",), Need.CONTENT),
        ActionSpec("next-hit", mark("Next hit"), "Go", ("F3",), Need.CONTENT),
        ActionSpec("previous-hit", mark("Previous hit"), "Go", ("Shift+F3",), Need.CONTENT),
        ActionSpec("last-change", mark("Who last changed this value?…"), "Go", ("Y",), Need.CONTENT),
        ActionSpec("visit-back", mark("Back to the place before"), "Go", ("Alt+Left",), Need.CONTENT),
        ActionSpec("visit-forward", mark("Forward to the place after"), "Go", ("Alt+Right",), Need.CONTENT),
        ActionSpec("forward", mark("One position forward"), "Go", ("Right",), Need.CONTENT),
        ActionSpec("back", mark("One position back"), "Go", ("Left",), Need.CONTENT),
        ActionSpec("next-anchor", mark("Next step or distinct time"), "Go", ("Ctrl+Right",), Need.CONTENT),
        ActionSpec(
            "previous-anchor", mark("Previous step or distinct time"), "Go", ("Ctrl+Left",), Need.CONTENT
        ),
        ActionSpec("first", mark("First position"), "Go", ("Home",), Need.CONTENT, Scope.TIMELINE),
        ActionSpec("last", mark("Last position"), "Go", ("End",), Need.CONTENT, Scope.TIMELINE),
        ActionSpec(
            "play", mark("Play or pause"), "Go", ("Space",), Need.CONTENT, Scope.TIMELINE, checkable=True
        ),
        ActionSpec("slower", mark("Slower"), "Go", ("[",), Need.CONTENT),
        ActionSpec("faster", mark("Faster"), "Go", ("]",), Need.CONTENT),
        *_jumps(),
        ActionSpec("next-note", mark("Next note or bookmark"), "Go", (".",), Need.CONTENT),
        ActionSpec("previous-note", mark("Previous note or bookmark"), "Go", (",",), Need.CONTENT),
        ActionSpec(
            "select",
            mark("Select what is at the cursor; again: its evidence"),
            "Go",
            ("Return", "Enter"),
            Need.CONTENT,
            Scope.TIMELINE,
        ),
        ActionSpec("run-scenario", mark("Run the scenario"), "Go", ("Ctrl+Return", "Ctrl+Enter")),
        ActionSpec("fork", mark("From here, something else happens…"), "Go", ("Ctrl+Shift+N",), Need.SCRIPT),
        ActionSpec("cause", mark("To the cause"), "Go", ("P",), Need.CONTENT),
        *(
            ActionSpec(f"finding-{n}", text, "Go", (str(n),), Need.CONTENT)
            for n, text in enumerate(_FINDINGS, start=1)
        ),
    )


def _help() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("menu", mark("Open the menu"), "Help", ("F10",)),
        ActionSpec("keys", mark("Keys of this window"), "Help", ("F1", "?")),
        ActionSpec("about", mark("About Tidegauge"), "Help", reason=mark("asked for once in a lifetime")),
    )


ACTIONS: Final = (*_file(), *_edit(), *_view(), *_go(), *_help())
ACTION: Final = {spec.id: spec for spec in ACTIONS}


def is_enabled(spec: ActionSpec, session: Session) -> bool:
    """Whether an action makes sense for what is open and selected now."""
    content, selection = session.content, session.selection
    compared = content is not None and content.comparison is not None
    holds = {
        Need.NOTHING: True,
        Need.CONTENT: content is not None,
        Need.COMPARISON: compared,
        Need.TIMELINE: content is not None and not compared,
        Need.NOTE: selection is not None and selection.kind == "note",
        Need.RANGE: content is not None
        and not compared
        and session.range is not None
        and session.range[1] is not None,
        Need.UNDO: session.undo.can_undo,
        Need.REDO: session.undo.can_redo,
        Need.HIDDEN: content is not None and bool(session.lanes.hidden),
        Need.ROOM: 0 < len(session.traces) < 4,
        Need.SCRIPT: bool(session.traces) and all("script" in trace.facts for trace in session.traces),
        Need.TRIAGE: session.triage is not None,
        Need.LOGS: len(session.traces) == 1 and session.traces[0].origin == Origin.IMPORTED,
        Need.PARTITIONS: len(session.traces) == 1 and len(session.traces[0].partitions) > 1,
    }
    return holds[spec.need]


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
