"""The one table of actions. Menus, shortcuts, the shortcut sheet and the tests are made from it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.trace.trace import Origin
from gui.session import Session


class Need(StrEnum):
    """What must be there for an action to make sense."""

    NOTHING = "always"
    CONTENT = "something is open"
    COMPARISON = "a comparison is open"
    TIMELINE = "one timeline is open"
    NOTE = "a note or bookmark is selected"
    RANGE = "a range is marked on one timeline"
    UNDO = "there is something to undo"
    REDO = "there is something to redo"
    ROOM = "something is open, and fewer than four runs"
    PARTITIONS = "the trace has several partitions"
    TRIAGE = "one trace is open"
    LOGS = "one trace is open, and it was made from logs"


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


MENUS: Final = ("File", "Edit", "View", "Go", "Help")


def _file() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("open", "Open files or archives…", "File", ("Ctrl+O",)),
        ActionSpec("open-folder", "Open a folder of logs…", "File", ("Ctrl+Shift+O",)),
        ActionSpec("add-run", "Put another run beside it…", "File", ("Ctrl+Shift+B",), Need.ROOM),
        ActionSpec("add-logs", "Add logs…", "File", ("Ctrl+Shift+A",), Need.LOGS),
        ActionSpec("add-folder", "Add a folder of logs…", "File", ("Ctrl+Shift+F",), Need.LOGS),
        ActionSpec("save", "Save", "File", ("Ctrl+S",), Need.CONTENT),
        ActionSpec("save-as", "Save as…", "File", ("Ctrl+Shift+S",), Need.CONTENT),
        ActionSpec("export", "Export picture or text…", "File", ("Ctrl+E",), Need.CONTENT),
        ActionSpec("close", "Close what is open", "File", ("Ctrl+W",), Need.CONTENT),
        ActionSpec("quit", "Quit", "File", ("Ctrl+Q",)),
    )


def _edit() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("undo", "Undo", "Edit", ("Ctrl+Z",), Need.UNDO),
        ActionSpec("redo", "Redo", "Edit", ("Ctrl+Shift+Z",), Need.REDO),
        ActionSpec(
            "copy",
            "Copy the marked text, the lines, or what the inspector says",
            "Edit",
            ("Ctrl+C",),
            Need.CONTENT,
        ),
        ActionSpec("note", "Note at this position", "Edit", ("N",), Need.CONTENT),
        ActionSpec("bookmark", "Bookmark at this position", "Edit", ("B", "M"), Need.CONTENT),
        ActionSpec("edit-note", "Change the selected note or bookmark", "Edit", ("F2",), Need.NOTE),
        ActionSpec("delete-note", "Delete the selected note or bookmark", "Edit", ("Del",), Need.NOTE),
    )


def _view() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("welcome", "Welcome", "View", ("Ctrl+1",)),
        ActionSpec("timeline", "Timeline", "View", ("Ctrl+2",), Need.CONTENT),
        ActionSpec("compare", "Comparison", "View", ("Ctrl+3",), Need.COMPARISON),
        ActionSpec("triage", "All partitions", "View", ("Ctrl+4",), Need.TRIAGE),
        ActionSpec("report", "Import report", "View", ("Ctrl+6",), Need.CONTENT),
        ActionSpec("partition", "Choose the partition…", "View", ("Ctrl+P",), Need.PARTITIONS),
        ActionSpec("left-dock", "Findings, notes, ledger", "View", ("Ctrl+B",), checkable=True),
        ActionSpec("inspector", "Inspector", "View", ("Ctrl+I",), checkable=True),
        ActionSpec("evidence", "Evidence", "View", ("Ctrl+J",), checkable=True),
        ActionSpec("cells", "Logs at the cursor", "View", ("Ctrl+L",), checkable=True),
        ActionSpec("reset-layout", "Reset layout", "View", reason="rare, and not to be hit by accident"),
        ActionSpec("theme", "Light or dark", "View", ("Ctrl+Shift+D",)),
        ActionSpec("full-screen", "Full screen", "View", ("F11",), checkable=True),
        ActionSpec("zoom-in", "Zoom in at the cursor", "View", ("W", "+"), Need.TIMELINE),
        ActionSpec("zoom-out", "Zoom out at the cursor", "View", ("S", "-"), Need.TIMELINE),
        ActionSpec("pan-left", "Pan to earlier", "View", ("A",), Need.TIMELINE),
        ActionSpec("pan-right", "Pan to later", "View", ("D",), Need.TIMELINE),
        ActionSpec("range", "Begin a range here, then end it", "View", ("R",), Need.CONTENT),
        ActionSpec("fit-range", "Show the marked range whole", "View", ("F",), Need.RANGE),
        ActionSpec("fit-all", "Show all", "View", ("0",), Need.TIMELINE),
        ActionSpec("next-pane", "Next pane", "View", ("F6",)),
        ActionSpec("previous-pane", "Previous pane", "View", ("Shift+F6",)),
        ActionSpec("clear", "Close the overlay, clear the selection", "View", ("Esc",)),
    )


def _jump(landmark: str, noun: str, key: str, need: Need = Need.CONTENT) -> tuple[ActionSpec, ActionSpec]:
    return (
        ActionSpec(f"next-{landmark}", f"Next {noun}", "Go", (key,), need),
        ActionSpec(f"previous-{landmark}", f"Previous {noun}", "Go", (f"Shift+{key}",), need),
    )


def _go() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("palette", "Search and commands…", "Go", ("Ctrl+K",)),
        ActionSpec("go-to", "Go to a time, position, offset or epoch…", "Go", ("Ctrl+G",), Need.CONTENT),
        ActionSpec("find", "Find in events and raw lines…", "Go", ("Ctrl+F",), Need.CONTENT),
        ActionSpec("next-hit", "Next hit", "Go", ("F3",), Need.CONTENT),
        ActionSpec("previous-hit", "Previous hit", "Go", ("Shift+F3",), Need.CONTENT),
        ActionSpec("last-change", "Who last changed this value?…", "Go", ("Y",), Need.CONTENT),
        ActionSpec("visit-back", "Back to the place before", "Go", ("Alt+Left",), Need.CONTENT),
        ActionSpec("visit-forward", "Forward to the place after", "Go", ("Alt+Right",), Need.CONTENT),
        ActionSpec("forward", "One position forward", "Go", ("Right",), Need.CONTENT),
        ActionSpec("back", "One position back", "Go", ("Left",), Need.CONTENT),
        ActionSpec("next-anchor", "Next step or distinct time", "Go", ("Ctrl+Right",), Need.CONTENT),
        ActionSpec("previous-anchor", "Previous step or distinct time", "Go", ("Ctrl+Left",), Need.CONTENT),
        ActionSpec("first", "First position", "Go", ("Home",), Need.CONTENT, Scope.TIMELINE),
        ActionSpec("last", "Last position", "Go", ("End",), Need.CONTENT, Scope.TIMELINE),
        ActionSpec("play", "Play or pause", "Go", ("Space",), Need.CONTENT, Scope.TIMELINE, checkable=True),
        ActionSpec("slower", "Slower", "Go", ("[",), Need.CONTENT),
        ActionSpec("faster", "Faster", "Go", ("]",), Need.CONTENT),
        *_jump("loss", "loss", "L"),
        *_jump("truncation", "truncation", "T"),
        *_jump("election", "election", "E"),
        *_jump("isr", "change of the in-sync set", "I"),
        *_jump("crash", "crash, stop or start", "C"),
        *_jump("difference", "difference", "X"),
        ActionSpec("next-note", "Next note or bookmark", "Go", (".",), Need.CONTENT),
        ActionSpec("previous-note", "Previous note or bookmark", "Go", (",",), Need.CONTENT),
        ActionSpec(
            "select",
            "Select what is at the cursor; again: its evidence",
            "Go",
            ("Return", "Enter"),
            Need.CONTENT,
            Scope.TIMELINE,
        ),
        ActionSpec("cause", "To the cause", "Go", ("P",), Need.CONTENT),
        *(ActionSpec(f"finding-{n}", f"Finding {n}", "Go", (str(n),), Need.CONTENT) for n in range(1, 10)),
    )


def _help() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec("menu", "Open the menu", "Help", ("F10",)),
        ActionSpec("keys", "Keys of this window", "Help", ("F1", "?")),
        ActionSpec("about", "About Tidegauge", "Help", reason="asked for once in a lifetime"),
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
        Need.UNDO: session.undo.canUndo(),
        Need.REDO: session.undo.canRedo(),
        Need.ROOM: 0 < len(session.traces) < 4,
        Need.TRIAGE: session.triage is not None,
        Need.LOGS: len(session.traces) == 1 and session.traces[0].origin == Origin.IMPORTED,
        Need.PARTITIONS: len(session.traces) == 1 and len(session.traces[0].partitions) > 1,
    }
    return holds[spec.need]
