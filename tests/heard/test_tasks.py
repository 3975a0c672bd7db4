"""Task (c) of docs/tasks.md by ear alone: found by name, done by action, read from the tree.

What is heard is kept as a text that a person has read line by line (`make goldens ONLY=heard`).
"""

from collections.abc import Callable
from pathlib import Path

import pytest

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
