"""Settings of topics and brokers as the metadata log has them, each from the time on at which it was set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.trace.settings import NOT_SET, UNKNOWN_THEN
from importers.kafka.topic_settings import TOPIC_SETTINGS

TOPIC: Final = "topic"
BROKER: Final = "broker"
ALL_BROKERS: Final = "default"
"""The name of a setting that holds for each broker that has none of its own."""
KEPT: Final = frozenset({*TOPIC_SETTINGS, "replica.lag.time.max.ms"})


@dataclass(frozen=True, slots=True)
class Recorded:
    """A setting of a topic or a broker from a time on: as it was printed, by the clock of `node`.

    `value` is `NOT_SET` where it has none, `UNKNOWN_THEN` where records are missing.
    """

    of: str
    name: str
    setting: str
    at: int
    node: int | None
    value: str


@dataclass(slots=True)
class RecordedSettings:
    """What has been set, in the order of the log, while it is read once."""

    whole: bool = True
    """False where the log begins in the middle: what was set before is not known."""
    _told: dict[tuple[str, str, str], list[Recorded]] = field(
        default_factory=dict[tuple[str, str, str], list[Recorded]], init=False
    )
    _topics_since: int | None = field(default=None, init=False)

    def topic_made(self, name: str, at: int, node: int | None) -> None:
        """A topic begins without settings but those that it is made with, in the same batch."""
        if self._topics_since is None:
            self._topics_since = at
        for setting in TOPIC_SETTINGS:
            mine = self._told.get((TOPIC, name, setting))
            if not mine or mine[-1].at != at:
                self._tell(Recorded(TOPIC, name, setting, at, node, NOT_SET))

    def set(self, of: str, name: str, setting: str, at: int, node: int | None, value: str | None) -> None:
        """A setting is set, or removed (None)."""
        if setting not in KEPT:
            return
        if (of, name, setting) not in self._told:
            if not self.whole:
                self._tell(Recorded(of, name, setting, 0, None, UNKNOWN_THEN))
            elif of == BROKER and self._topics_since is not None:
                # A new cluster may be given settings before it has topics: then nothing was otherwise.
                self._tell(Recorded(of, name, setting, self._topics_since, None, NOT_SET))
        self._tell(
            Recorded(of, name, setting, at, node, NOT_SET if value is None else value.replace(" ", ""))
        )

    def snapshot(self, at: int) -> None:
        """The whole state anew: what it does not name is not set."""
        self.whole = True
        for one in [mine[-1] for mine in self._told.values() if mine[-1].of == BROKER]:
            self._tell(Recorded(one.of, one.name, one.setting, at, None, NOT_SET))

    def hole(self, after: int) -> None:
        """Records are missing after a time in ns."""
        self.whole = False
        for one in [mine[-1] for mine in self._told.values()]:
            self._tell(replace(one, at=after + 1, value=UNKNOWN_THEN))

    def told(self) -> tuple[Recorded, ...]:
        """All that was told, by what it is of, each in the order of the log."""
        return tuple(one for mine in self._told.values() for one in mine)

    def _tell(self, one: Recorded) -> None:
        mine = self._told.setdefault((one.of, one.name, one.setting), [])
        if mine and mine[-1].at == one.at:
            # Records of one batch are one change.
            mine.pop()
        mine.append(one)


def of_kind(recorded: Iterable[Recorded], of: str) -> dict[tuple[str, str], Sequence[Recorded]]:
    """What is recorded of topics, or of brokers, by name and setting, in the order of the log."""
    found: dict[tuple[str, str], list[Recorded]] = {}
    for one in recorded:
        if one.of == of:
            found.setdefault((one.name, one.setting), []).append(one)
    return {key: tuple(mine) for key, mine in found.items()}
