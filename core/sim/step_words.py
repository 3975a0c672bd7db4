"""What a step is called: by its label, or by what it does."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, LiteralString

from core.message import Message, in_languages, message
from core.sim import script, script_quorum, script_tiers
from core.sim.script import Step
from core.words import text

_BROKER: Final[Mapping[type[Any], LiteralString]] = {
    script.Crash: "script.step.crash",
    script.Stop: "script.step.stop",
    script.Start: "script.step.start",
}
_BROKERS: Final[Mapping[type[Any], LiteralString]] = {
    script.Fetch: "script.step.fetch",
    script.Checkpoint: "script.step.checkpoint",
    script.Hold: "script.step.hold-controller",
    script.Release: "script.step.release-controller",
    script.Freeze: "script.step.freeze",
    script.Thaw: "script.step.thaw",
    script.Reassign: "script.step.reassign",
    script.Retain: "script.step.retain",
    script.MoveLog: "script.step.move-log",
}
_SNAPSHOT: Final[Mapping[bool, LiteralString]] = {
    False: "script.step.snapshot",
    True: "script.step.clean-metadata",
}
"""By whether it deletes some."""
_WAYS: Final[Mapping[type[Any], LiteralString]] = {
    script.Disconnect: "script.step.disconnect",
    script.Heal: "script.step.heal",
    script.Slow: "script.step.slow",
}
_VOTER: Final[Mapping[bool, LiteralString]] = {
    True: "script.step.add-voter",
    False: "script.step.remove-voter",
}
"""By whether it adds one."""
_PLAIN: Final[Mapping[type[Any], LiteralString]] = {
    script.Produce: "script.step.produce",
    script.DeleteRecords: "script.step.delete-records",
    script_tiers.CopyToTier: "script.step.copy-to-tier",
    script_tiers.CleanTier: "script.step.clean-tier",
    script.Workload: "script.step.workload",
    script.Faults: "script.step.faults",
    script.Wait: "script.step.wait",
}


def label_of(step: Step) -> str:
    """The text of `label_message`."""
    return text(label_message(step))


def label_message(step: Step) -> Message:
    """The label of a step, with its round; without a label what it does."""
    if any(step.label.values()):
        return in_languages({name: f"{label} {step.round}".rstrip() for name, label in step.label.items()})
    what = named(step.action)
    return message("script.step.in-round", what=what, round=step.round) if step.round else what


def named(action: script.Action) -> Message:
    """What a step does, in a few words."""
    match action:
        case script.Crash() | script.Stop() | script.Start():
            return message(_BROKER[type(action)], who=action.broker)
        case script.Elect():
            return message("script.step.elect", who=action.broker or message("script.preferred"))
        case script.Pace():
            if action.free:
                return message("script.step.fetch-freely", who=" ".join(action.brokers))
            return message("script.step.fetch-by-step", who=" ".join(action.brokers))
        case (
            script.EndTransaction()
            | script.Consume()
            | script.Configure()
            | script_quorum.ChangeVoter()
            | script_quorum.SnapshotMetadata()
        ):
            return _of_person(action)
        case script.Disconnect() | script.Heal() | script.Slow():
            return message(_WAYS[type(action)], who=_way(action.ways))
        case (
            script.Fetch()
            | script.Checkpoint()
            | script.Hold()
            | script.Release()
            | script.Freeze()
            | script.Thaw()
            | script.Reassign()
            | script.Retain()
            | script.MoveLog()
        ):
            return message(_BROKERS[type(action)], who=" ".join(action.brokers))
        case _:
            return message(_PLAIN[type(action)])


def _of_person(
    action: script.EndTransaction
    | script.Consume
    | script.Configure
    | script_quorum.ChangeVoter
    | script_quorum.SnapshotMetadata,
) -> Message:
    if isinstance(action, script_quorum.ChangeVoter):
        return message(_VOTER[action.adds], who=action.controller)
    if isinstance(action, script_quorum.SnapshotMetadata):
        return message(_SNAPSHOT[action.deletes], who=" ".join(action.controllers))
    if isinstance(action, script.Configure):
        if action.min_isr is None:
            return message("script.step.metadata-version", value=action.metadata_version)
        return message("script.step.configure", value=action.min_isr)
    if isinstance(action, script.Consume):
        return message("script.step.fetch", who=" ".join(action.consumers))
    return message("script.step.abort" if action.aborts else "script.step.commit", who=action.transaction)


def _way(ways: Sequence[tuple[str, str]]) -> Message:
    """Both ends of ways. Those that lead back are not named again."""
    there = [way for place, way in enumerate(ways) if way[::-1] not in ways[:place]]
    source, target = (tuple(dict.fromkeys(ends)) for ends in zip(*there, strict=True))
    return message("script.way", source=_one_or_all(source), target=_one_or_all(target))


def _one_or_all(ends: Sequence[str]) -> str | Message:
    return ends[0] if len(ends) == 1 else message("script.all")
