"""Displays that stay on while a lesson is presented, where the desktop takes such a request over D-Bus.

GNOME, KDE and others do (org.freedesktop.ScreenSaver, the draft of the idle inhibition service). A request
ends with the connection that made it, so this one has a connection of its own: what is killed holds nothing.
"""

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

_SERVICE: Final = "org.freedesktop.ScreenSaver"
_PATH: Final = "/org/freedesktop/ScreenSaver"
_CONNECTION: Final = "tidegauge-presenting"
_PROGRAM: Final = "Tidegauge"


class Awake(QObject):
    """Asks for displays that stay on, from `hold` to `release`."""

    answered = Signal(bool)
    """whether the desktop took the request; where it did not, a display may go dark"""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is asked yet."""
        super().__init__(parent)
        self._asked: QDBusPendingCallWatcher | None = None

    def hold(self, reason: str) -> None:
        """Ask, with a reason that the desktop may show; `answered` follows. Does not wait for the desktop."""
        bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, _CONNECTION)
        if not bus.isConnected():
            self.release()
            self.answered.emit(False)
            return
        asked = QDBusMessage.createMethodCall(_SERVICE, _PATH, _SERVICE, "Inhibit")
        asked.setArguments([_PROGRAM, reason])
        self._asked = QDBusPendingCallWatcher(bus.asyncCall(asked), self)
        self._asked.finished.connect(self._tell)

    def release(self) -> None:
        """Let displays go dark again."""
        self._asked = None
        QDBusConnection.disconnectFromBus(_CONNECTION)

    def _tell(self, asked: QDBusPendingCallWatcher) -> None:
        if asked is self._asked:
            self.answered.emit(not asked.isError())
        asked.deleteLater()
