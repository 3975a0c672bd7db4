"""What a lift took and what replays came to, as the JSON of `tidegauge lift` and `tidegauge prevent`."""

from collections.abc import Mapping
from typing import Any

from core.lab.choices import STANCES, Choice
from core.lab.lift import Lifted
from core.lab.prevent import Prevention, Tried
from core.lab.replay import Replay
from core.message_json import plain
from core.trace.times import rfc3339
from core.words import Words


def lifted_dict(lifted: Lifted, words: Words) -> dict[str, Any]:
    """A lifted scenario: from where, under which rules it ran, what was taken, what is left out."""
    return {
        "partition": lifted.partition,
        "cursor": lifted.cursor,
        "at": rfc3339(lifted.at),
        "era": lifted.era.id,
        "switches": dict(lifted.era.overrides),
        "stance": str(lifted.stance),
        "choices": [_choice(one, words) for one in lifted.choices],
        "left_out": [{"text": words(one), **plain(one)} for one in lifted.left_out],
    }


def _choice(one: Choice, words: Words) -> dict[str, Any]:
    """A value that was taken, with its bounds; times are RFC 3339."""
    numbers: dict[str, Any] = {"lo": one.lo, "hi": one.hi, "taken": one.taken}
    if one.is_time:
        numbers = {key: None if value is None else rfc3339(value) for key, value in numbers.items()}
    return {"text": words(one.what), **plain(one.what), **numbers}


def prevention_dict(found: Prevention, words: Words) -> dict[str, Any]:
    """What would have prevented a loss, the cheapest first."""
    return {
        "schema": 1,
        "partition": found.partition,
        "lost": [
            {
                "first_offset": one.first_offset,
                "end_offset": one.end_offset,
                "epoch": one.epoch,
                "severity": str(one.severity),
            }
            for one in found.lost
        ],
        "reproduced": found.reproduced,
        "lifted": {str(stance): lifted_dict(one, words) for stance, one in found.lifted.items()},
        "unchanged": _replays(found.unchanged),
        "changes": [_tried(one, words) for one in found.tried],
    }


def _tried(one: Tried, words: Words) -> dict[str, Any]:
    """A change with what it costs and what it comes to."""
    return {
        "change": one.change.name,
        "text": words(one.change.what),
        **plain(one.change.what),
        "cost": one.cost.name.lower(),
        "verdict": str(one.verdict),
        "by_time": one.change.is_time,
        **_replays(one.replays),
    }


def _replays(replays: Mapping[Any, Replay]) -> dict[str, Any]:
    """What replays come to, by what was taken."""
    return {str(stance): _replay(replays[stance]) for stance in STANCES}


def _replay(run: Replay) -> dict[str, Any]:
    """One replay in numbers."""
    return {
        "lost": [
            {"first_offset": one.first_offset, "end_offset": one.end_offset, "class": str(one.promise)}
            for one in run.outcome.lost
        ],
        "diverged": run.outcome.offsets_diverged,
        "without_leader_ms": run.unled_ms,
        "unconfirmed": run.unconfirmed,
        "unmet_conditions": run.unmet,
    }
