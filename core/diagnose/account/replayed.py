"""From the shape of a loss to the scenario that loses so, and to what prevents it there: all of it was run.

`replayed.txt` has a line for each shape: the era, how records were lost there, the scenario, the first
release from which on it loses nothing, and the settings that prevent it in its own. A scenario of what an era
does not have, as of a remote tier in 0.10.2, has no line there. It is written from runs by
tests/core_diagnose/test_replayed.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, LiteralString

from core.diagnose.account.incident import PartitionLoss
from core.history.running import era_of
from core.message import Message, message
from core.trace.trace import Trace

_FILE: Final = Path(__file__).parent / "replayed.txt"
NOTHING: Final = "-"
"""In the place of a value: no cut, no election that is known, no release, no setting."""
_SETTINGS: Final[Mapping[str, LiteralString]] = {
    "unclean": "advice.setting.unclean",
    "min-isr": "advice.setting.min-isr",
    "acks": "advice.setting.acks",
    "acks-and-min-isr": "advice.setting.acks-and-min-isr",
    "all": "advice.setting.all",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """How records were lost: by the id of an era, the cause, the rule of the cut, the kind of election."""

    era: str
    cause: str
    rule: str
    election: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A scenario of a shape, and what its runs gave: ids of a release and of settings, or NOTHING."""

    scenario: str
    release: str
    settings: str


@lru_cache(maxsize=1)
def replays() -> Mapping[Shape, Replay]:
    """All shapes that some scenario has."""
    rows = (line.split() for line in _FILE.read_text(encoding="utf-8").splitlines() if line)
    return {Shape(*row[:4]): Replay(*row[4:]) for row in rows}


def shape_of(loss: PartitionLoss, era: str) -> Shape:
    """The shape of what a partition lost by one cause."""
    rule = NOTHING if loss.cut is None else loss.cut.rule
    election = NOTHING if loss.election is None else loss.election.election
    return Shape(era, loss.cause, rule, election)


def replayed(trace: Trace, losses: Sequence[PartitionLoss]) -> Message:
    """What runs of the scenario with the shape of these losses gave, or that no scenario has it."""
    found = _replay_of(trace, losses)
    return message("incident.do.not-replayed") if found is None else _release_and_settings(*found)


def later_releases_lose(trace: Trace, losses: Sequence[PartitionLoss]) -> bool:
    """Whether runs of the scenario with the shape of these losses lose in the latest release, too."""
    found = _replay_of(trace, losses)
    return found is not None and found[0].release == NOTHING


def _replay_of(trace: Trace, losses: Sequence[PartitionLoss]) -> tuple[Replay, str] | None:
    """The replay with the shape of the first of these losses that has one, and the era of its release."""
    for loss in losses:
        era = era_of(trace, loss.at)
        found = None if era is None else replays().get(shape_of(loss, era))
        if found is not None and era is not None:
            return found, era
    return None


def _release_and_settings(found: Replay, own: str) -> Message:
    """The release and the settings of a replay, in one sentence."""
    name, release = found.scenario, found.release
    if found.settings == NOTHING:
        if release == NOTHING:
            return message("incident.do.replayed.nothing", scenario=name, own=own)
        return message("incident.do.replayed.release", scenario=name, own=own, release=release)
    settings = message(_SETTINGS[found.settings])
    if release == NOTHING:
        return message("incident.do.replayed.settings", scenario=name, own=own, settings=settings)
    return message("incident.do.replayed", scenario=name, own=own, release=release, settings=settings)
