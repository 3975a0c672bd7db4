"""What a screen reader has of a program: its accessibility tree over D-Bus (AT-SPI), from another process."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from jeepney import DBusAddress, MatchRule, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

_At: TypeAlias = tuple[str, str]
"""Name of a program on the bus, and path of an object in it."""
_ACCESSIBLE: Final = "org.a11y.atspi.Accessible"
_ACTION: Final = "org.a11y.atspi.Action"
_EDITABLE: Final = "org.a11y.atspi.EditableText"
_VALUE: Final = "org.a11y.atspi.Value"
_TEXT: Final = "org.a11y.atspi.Text"
_REGISTRY: Final = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_REGISTERED: Final = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry")
_WITHIN_S: Final = 240.0
"""After so long something hangs."""
_STATES: Final = {
    "checked": 4,
    "enabled": 8,
    "expanded": 10,
    "focusable": 11,
    "focused": 12,
    "selected": 23,
    "sensitive": 24,
    "showing": 25,
    "visible": 30,
}
"""Bits of AT-SPI's states (atspi-constants.h) that are asked for here."""


class GoneError(Exception):
    """What was asked is not there any more, or its program is not."""


class Bus:
    """A connection to the bus of screen readers."""

    def __init__(self, session_bus: str) -> None:
        """Asks the bus of a session, by its address, where the other one is. Needs at-spi2-core."""
        with open_dbus_connection(session_bus) as session:
            asked = new_method_call(
                DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus"), "GetAddress"
            )
            (address,) = session.send_and_get_reply(asked, timeout=_WITHIN_S).body
        self._bus: DBusConnection = open_dbus_connection(address)
        self._announced = self._bus.filter(
            rule := MatchRule(type="signal", interface="org.a11y.atspi.Event.Object", member="Announcement")
        )
        self.heard: Final = self._announced.__enter__()
        self._send(message_bus.AddMatch(rule))
        # A program sends only what somebody said to listen for.
        self.call(
            _REGISTERED, "org.a11y.atspi.Registry", "RegisterEvent", "object:announcement", signature="s"
        )

    def _send(self, message: Any) -> Any:
        reply = self._bus.send_and_get_reply(message, timeout=_WITHIN_S)
        if reply.header.message_type is MessageType.error:
            raise GoneError(*reply.body)
        return reply.body

    def call(self, at: _At, interface: str, method: str, *values: Any, signature: str = "") -> Any:
        """What a method gives."""
        where = DBusAddress(at[1], at[0], interface)
        return self._send(new_method_call(where, method, signature or None, values))

    def value(self, at: _At, interface: str, name: str) -> Any:
        """A property."""
        return self._send(Properties(DBusAddress(at[1], at[0], interface)).get(name))[0][1]

    def announcements(self) -> list[str]:
        """The sentences that were spoken since this was asked last."""
        self._send(message_bus.GetId())  # what was sent before the answer has come with it
        said = [message.body[3][1] for message in self.heard]
        self.heard.clear()
        return said

    def close(self) -> None:
        """Hear nothing any more."""
        self._announced.__exit__(None, None, None)
        self._bus.close()

    def program(self) -> "Node":
        """The one program that tells of itself, as soon as it does."""
        return until(lambda: next(iter(Node(self, _REGISTRY).children()), None), "a program on the bus")


def until(found: Callable[[], Any], what: str) -> Any:
    """The first answer that is something. What is gone in between is asked anew."""
    end = time.monotonic() + _WITHIN_S
    while True:
        try:
            if answer := found():
                return answer
        except GoneError:
            pass
        if time.monotonic() > end:
            raise TimeoutError(what)
        # Whoever asks on and on leaves the program no time to answer.
        time.sleep(0.5)


@dataclass(frozen=True, slots=True)
class Node:
    """An object of the tree. All of it is asked when it is wanted."""

    bus: Bus
    at: _At

    @property
    def name(self) -> str:
        return self.bus.value(self.at, _ACCESSIBLE, "Name")

    @property
    def about(self) -> str:
        """Its description."""
        return self.bus.value(self.at, _ACCESSIBLE, "Description")

    @property
    def role(self) -> str:
        return self.bus.call(self.at, _ACCESSIBLE, "GetRoleName")[0]

    @property
    def interfaces(self) -> list[str]:
        return self.bus.call(self.at, _ACCESSIBLE, "GetInterfaces")[0]

    @property
    def actions(self) -> list[str]:
        if _ACTION not in self.interfaces:
            return []
        return [action[0] for action in self.bus.call(self.at, _ACTION, "GetActions")[0]]

    @property
    def value(self) -> float:
        return self.bus.value(self.at, _VALUE, "CurrentValue")

    @property
    def text(self) -> str:
        """What is written in it."""
        return self.bus.call(self.at, _TEXT, "GetText", 0, -1, signature="ii")[0]

    def has(self, state: str) -> bool:
        low, high = self.bus.call(self.at, _ACCESSIBLE, "GetState")[0]
        return bool((low | high << 32) >> _STATES[state] & 1)

    def children(self) -> list["Node"]:
        return [
            Node(self.bus, (name, path))
            for name, path in self.bus.call(self.at, _ACCESSIBLE, "GetChildren")[0]
        ]

    def do(self, action: str) -> None:
        """Do one of its actions, by name."""
        self.bus.call(self.at, _ACTION, "DoAction", self.actions.index(action), signature="i")

    def write(self, text: str) -> None:
        """Replace what is written in it."""
        self.bus.call(self.at, _EDITABLE, "SetTextContents", text, signature="s")

    def all(self) -> Iterator["Node"]:
        """It and everything in it that is shown."""
        yield self
        for child in self.children():
            try:
                if child.has("visible"):
                    yield from child.all()
            except GoneError:
                continue

    def find(self, name: str, role: str = "") -> "Node":
        """The first in it with a name, or that begins so where `name` ends in an ellipsis; waits for it."""
        return until(lambda: next(self.named(name, role), None), f"{role} {name!r}")

    def named(self, name: str, role: str = "") -> Iterator["Node"]:
        """Those in it that have a name now."""
        for node in self.all():
            told = node.name
            fits = told.startswith(name[:-1]) if name.endswith("…") else told == name
            if fits and role in ("", node.role):
                yield node

    def outline(self, depth: int = 0) -> Iterator[str]:
        """What is heard on the way through it, a line a thing that has a name or a text."""
        try:
            name, about = self.name, self.about
            words = f"{self.role}: {name}"
            if about and about != name:
                words += f" | {about}"
            if actions := self.actions:
                words += f" [{', '.join(actions)}]"
            if self.role != "filler" or name:
                yield "  " * depth + words
                depth += 1
            for child in self.children():
                if child.has("visible"):
                    yield from child.outline(depth)
        except GoneError:
            return
