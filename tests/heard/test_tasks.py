"""Tasks (a) to (c) of docs/tasks.md by ear alone: found by name, done by action, read from the tree.

What is heard is kept as a text that a person has read line by line (`make goldens ONLY=heard`).
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.archives import unpack_recording
from tests.goldens import updating
from tests.screen_reader import Bus, Node, until

GOLDEN = Path(__file__).parent.parent / "golden" / "heard"
pytestmark = [pytest.mark.slow]
Started = Callable[..., tuple[Bus, Node]]


class Account:
    """What a person did and heard."""

    def __init__(self, bus: Bus) -> None:
        self.lines: list[str] = []
        self._bus = bus

    def press(self, node: Node) -> None:
        self._bus.announcements()
        self.lines.append(f"> {node.name}")
        node.do("Press")

    def write(self, node: Node, text: str) -> None:
        self.lines.append(f"> {node.name}: {text}")
        node.write(text)

    def hear(self, *nodes: Node) -> None:
        for node in nodes:
            name, about = node.name, node.about
            self.lines.append(f"{name} | {about}" if about and about != name else name)

    def announced(self) -> str:
        """The next sentence that is spoken by itself."""
        told = until(self._bus.announcements, "a sentence")[-1]
        self.lines.append(told)
        return told

    def lanes(self, timeline: Node) -> list[Node]:
        """Each lane with its state, and in it what was cut and lost."""
        found = [one for one in timeline.children() if one.role == "list"]
        for lane in found:
            self.hear(lane)
            for mark in lane.children():
                if " cut " in mark.name:
                    self.lines.append("  " + " | ".join(filter(None, (mark.name, mark.about))))
        return found

    def is_as_read(self, name: str) -> None:
        text = "\n".join(self.lines) + "\n"
        path = GOLDEN / name
        if updating():
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")


def test_the_loss_beside_the_fix(start: Started) -> None:
    """(c)."""
    bus, program = start()
    heard = Account(bus)
    card = program.find("The real loss beside the real fix", "push button")
    heard.hear(card)
    heard.press(card)
    told = heard.announced()
    timeline = program.find("Timeline", "panel")
    heard.hear(timeline)
    lanes = heard.lanes(timeline)
    # The older release loses, the newer one does not.
    assert {lane.name.split(",")[0] for lane in lanes} == {"Run 1", "Run 2"}
    losing = {lane.name.split(",")[0] for lane in lanes for mark in lane.children() if "lost" in mark.about}
    assert losing == {"Run 1"}
    assert told
    heard.is_as_read("loss-beside-fix.txt")


def test_from_logs_to_the_line_a_note_and_a_pdf(start: Started, tmp_path: Path) -> None:
    """(a), and (b) on what was found."""
    logs, _ = unpack_recording("k0102-hw-loss", tmp_path / "logs")
    bus, program = start(str(logs))
    heard = Account(bus)
    dialog = program.find("Import k0102-hw-loss…", "dialog")
    heard.hear(*[one for one in dialog.children() if one.role == "label"][:3])
    heard.press(dialog.find("Import", "push button"))
    heard.hear(program.find("325 committed records lost…", "label"))
    heard.hear(program.find("High watermark truncation", "push button"))
    heard.hear(*program.named("Step …", "push button"))
    heard.press(program.find("audit-0, 49 records lost", "push button"))
    timeline = program.find("Timeline", "panel")
    until(lambda: timeline.about, "the timeline in words")
    heard.hear(timeline)
    lanes = heard.lanes(timeline)
    (gone,) = [mark for lane in lanes for mark in lane.children() if mark.about == "49 records lost"]
    heard.press(gone)
    table = program.find("Evidence lines", "table")
    # What truth.json says of the cut: broker 3, to offset 206.
    heard.hear(*until(lambda: _row_with("Truncating log audit-0 to offset 206.", table), "the line"))

    heard.press(program.find("Add note", "push button"))
    heard.write(program.find("Text of the note", "text"), "The last copy goes here.")
    heard.press(program.find("Keep", "push button"))
    heard.hear(program.find("The last copy goes here.…", "list item"))

    heard.press(program.find("Export", "push button"))
    dialog = program.find("Export — Tidegauge", "dialog")
    kind = dialog.find("Picture (PNG)", "combo box")
    heard.press(kind)
    program.find("PDF", "list item").do("Toggle")
    until(lambda: kind.name == "PDF", "the kind that was chosen")
    heard.hear(kind)
    heard.press(dialog.find("Export…", "push button"))
    figure = tmp_path / "figure.pdf"
    program.find("File name:", "text").write(str(figure))
    program.find("Save", "push button").do("Press")
    until(figure.is_file, "the figure")
    assert figure.read_bytes().startswith(b"%PDF")
    heard.is_as_read("logs-to-line-note-and-figure.txt")


def _row_with(words: str, table: Node) -> list[Node]:
    """File and line, time and text of the row of a table that has these words; [] where there is none."""
    cells = [one for one in table.children() if one.role.endswith("cell")]
    found = next((place for place, one in enumerate(cells) if words in one.name), None)
    return [] if found is None else cells[found - 2 : found + 1]
