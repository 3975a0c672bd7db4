"""The sentences on recordings of real brokers: what their own lines, or their truth, can decide."""

import json
import re
import tarfile
from functools import cache
from pathlib import Path
from typing import Any, Final

from core.diagnose.narrate.why import why
from core.kafka.eras import ERAS, Era
from core.message import Offsets
from core.sim.ledger import Ledger
from core.sim.library import scenario
from core.sim.truth import Truth
from core.trace.vocabulary import CutReason
from tests.claims import control_by_truth, rules_by_truth
from tests.claims.by_truth import BY_TRUTH
from tests.claims.claim import BY_LINES, CLAIMS, At, Predicate
from tests.claims.held import PARTS, Tally, every_message, judged
from tests.claims.releases import Release, release_of
from tests.claims.seen import Seen
from tests.claims.stories_by_truth import hold_story_of
from tests.claims.world import Run
from tests.recordings.whole import whole as whole_recording

MODULES: Final = (control_by_truth, rules_by_truth)
"""Imported for their predicates."""

RECORDINGS: Final = Path(__file__).parent.parent / "recordings"
NAMES: Final = tuple(sorted(path.name.removesuffix(".tar.xz") for path in RECORDINGS.glob("*.tar.xz")))
_BATCH: Final = re.compile(
    r"^baseOffset: (\d+) lastOffset: (\d+) .*? partitionLeaderEpoch: (\d+) ", re.MULTILINE
)
"""A line of Kafka's own tool on the metadata log."""
NO_TRUTH: Final = Truth((), Ledger(), {}, (), (), ())


@cache
def truth_of(name: str) -> dict[str, Any]:
    """What the recorder saw of the cluster, and what the metadata log has by Kafka's own tool."""
    with tarfile.open(RECORDINGS / f"{name}.tar.xz") as archive:
        member = archive.extractfile(f"{name}/truth.json")
        assert member is not None
        truth: dict[str, Any] = json.load(member)
        batches: dict[int, tuple[int, int]] = {}
        for dump in (one for one in archive.getnames() if "/metadata-dump-" in one):
            printed = archive.extractfile(dump)
            assert printed is not None
            for part in printed.read().decode().split("Dumping ")[1:]:
                if part.split("\n", 1)[0].endswith(".log"):  # The offsets of a snapshot are its own.
                    for first, last, epoch in _BATCH.findall(part):
                        batches[int(first)] = (int(last) + 1, int(epoch))
    return truth | {"metadata_batches": batches}


def era_of(release: Release | None) -> Era:
    """The era of a release: the newest that is not newer."""
    known = [one for one in ERAS if _numbers(one.release) <= (release or (99,))]
    return known[-1] if known else ERAS[0]


def _numbers(version: str) -> Release:
    return tuple(map(int, version.split(".")))


def _lost(at: At) -> bool:
    """The recorder found these records in no log at the end, or saw them cut: it lists what was confirmed."""
    truth = truth_of(at.run.trace.name)
    name = str(at.run.trace.partitions[at.run.partition].tp)
    lost = {record["offset"] for record in truth["lost"].get(name, [])}
    for cut in truth["truncations"]:
        if cut["tp"] == name and lost:
            lost.update(range(cut["to"], cut["from"]))
    what = at.said["what"]
    return isinstance(what, Offsets) and set(range(what.first, what.end)) <= lost


def _by_old_rule(at: At) -> bool:
    """To 0.10.2, or with a protocol or a message format of that time."""
    release = release_of(at.run, at.event.get("replica"))
    names = ("inter.broker.protocol.version", "log.message.format.version")
    stated = [value for key, value in at.run.trace.facts.items() if key.endswith(names)]
    if at.event.get("aux") == CutReason.LOCAL_HIGH_WATERMARK:
        return True  # The line says so, also of a later release that knows no epoch.
    return (
        release is None or release < (0, 11) or any(_numbers(one.split("-")[0]) < (0, 11) for one in stated)
    )


RECORDED: Final[dict[str, Predicate]] = {
    "why.cut.lost.committed": _lost,
    "why.cut.lost.acknowledged": _lost,
    "why.rule.cut.high-watermark": _by_old_rule,
    "why.since.cut.high-watermark": _by_old_rule,
    **{one: CLAIMS[one] for one in BY_LINES},
    **{
        one: CLAIMS[one]
        for one in (
            "why.rule.cut.leader-epoch",
            "why.rule.cut.diverging-epoch",
            "why.rule.fetch-diverged",
            "why.rule.epoch-end.asked",
            "why.rule.epoch-end.answered",
            "why.rule.leaderless",
            "why.rule.leaderless.eligible",
            "why.rule.duplicate",
            "why.rule.duplicate.last",
            "why.rule.parked",
            "why.rule.elr",
        )
    },
}
"""By sentence: its predicate over the event's line and the releases."""


def decided(at: At, seen: Seen) -> bool | None:
    """Whether a sentence is so, by the truth and by what its line says; None where neither decides."""
    id_ = at.message.id
    by_truth = BY_TRUTH[id_](at, seen) if id_ in BY_TRUTH else None
    if by_truth is False or id_ not in RECORDED:
        return by_truth
    return RECORDED[id_](at)


def hold_recording(name: str) -> tuple[Tally, Tally]:
    """The sentences of the inspector at each event of all partitions of a recording, and of their stories."""
    trace = whole_recording(name).trace
    rules = era_of(max((release_of_text(one.version) for one in trace.brokers if one.version), default=None))
    sentences, stories = Tally(), Tally()
    for partition in range(len(trace.partitions)):
        run = Run(trace, NO_TRUTH, scenario("hw-loss"), rules, partition)
        seen = Seen(truth_of(name), str(trace.partitions[partition].tp))
        history, verdict = judged(run)
        sentences.add(_inspected(run, seen, name))
        stories.add(hold_story_of(history, verdict, seen, name))
    return sentences, stories


def _inspected(run: Run, seen: Seen, name: str) -> Tally:
    """The sentences of the inspector at each event of a partition."""
    history, verdict = judged(run)
    tally = Tally()
    for place, event in enumerate(run.events):
        for whole, one in every_message(why(history, verdict, event.seq + 1)):
            if one.id in PARTS or not one.id.startswith("why."):
                continue
            tally.said[one.id] += 1
            answer = decided(At(run, place, one, whole), seen)
            if answer is None:
                tally.undecided[one.id] += 1
            elif answer:
                tally.held[one.id] += 1
            else:
                tally.broken.append(f"{one.id}: {name}, event {event.seq} ({event.kind})")
    return tally


def release_of_text(version: str) -> Release:
    """A release as numbers."""
    return _numbers(version.split("-", maxsplit=1)[0])
