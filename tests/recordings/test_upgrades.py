"""Brokers that were upgraded before or after an incident: it is told by the releases that they ran then."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.diagnose.account.find import find_incidents
from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Verdict
from core.trace.trace import Trace
from core.words import text
from importers.load import load
from tests.archives import unpack_recording
from tests.recordings.referee import Heard, false_losses, invented_cuts, of_the_last_topics, outside
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.slow

RECORDINGS = {
    "k0102-hw-loss": "0.10.2.2",
    "k0102-divergence": "0.10.2.2",
    "k011-epoch-fix": "0.11.0.3",
    "k111-kip279-divergence": "1.1.1",
    "k28-ibp0102-hw-loss": "2.8.2",
    "k28-epoch-fix": "2.8.2",
    "k28-unclean-loss": "2.8.2",
}
"""Recordings of releases that were upgraded since, and what their brokers ran."""
STAMP = "%Y-%m-%d %H:%M:%S,%f"


def start_of(broker: int, release: str, at: datetime) -> str:
    """What a broker that is started prints of itself, without a word on any partition."""
    first, second, third = (
        (at + timedelta(milliseconds=ms)).strftime(STAMP)[:-3] for ms in (0, 1_500, 1_600)
    )
    protocol = ".".join(release.split(".")[: 3 if release.startswith("0.") else 2])
    return (
        f"[{first}] INFO starting (kafka.server.KafkaServer)\n"
        f"[{first}] INFO KafkaConfig values: \n"
        f"\tbroker.id = {broker}\n"
        f"\tinter.broker.protocol.version = {protocol}\n"
        f"\tlog.message.format.version = {protocol}\n"
        " (kafka.server.KafkaConfig)\n"
        f"[{second}] INFO Kafka version: {release} (org.apache.kafka.common.utils.AppInfoParser)\n"
        f"[{third}] INFO [KafkaServer id={broker}] started (kafka.server.KafkaServer)\n"
    )


def stamps(text_of_log: str) -> Iterator[datetime]:
    for line in text_of_log.splitlines():
        if line.startswith("[20") and line[24:25] == "]":
            yield datetime.strptime(line[1:24], STAMP).replace(tzinfo=UTC)


def upgrade(folder: Path, release: str, *, after: bool) -> None:
    """Each broker is started with a release an hour after its last line, or was an hour before its first."""
    for place in folder.glob("broker-*"):
        log = place / "logs" / "server.log"
        old = log.read_text(encoding="utf-8")
        times = sorted(stamps(old))
        number = int(place.name.removeprefix("broker-"))
        at = times[-1] + timedelta(hours=1) if after else times[0] - timedelta(hours=1)
        at += timedelta(minutes=number)
        new = start_of(number, release, at)
        log.write_text(old.rstrip("\n") + "\n" + new if after else new + old, encoding="utf-8")


def told(trace: Trace, known: Verdict | None = None) -> tuple[Any, ...]:
    """Losses and cuts, and what is advised where records were lost."""
    verdict = known or diagnose(trace)
    losses = [
        (one.partition, loss.first_offset, loss.end_offset, loss.loss_class, loss.cause)
        for one in verdict.partitions
        for loss in one.losses
    ]
    cuts = [
        (one.partition, cut.broker, cut.to_offset, cut.from_offset, cut.rule)
        for one in verdict.partitions
        for cut in one.truncations
    ]
    advice = [text(action) for one in find_incidents(trace, verdict) if one.losses for action in one.actions]
    return losses, cuts, advice


# Of recordings, directories and releases a third, in which each of them is.
# After it a start of the same release is the measure: of a broker that has started again less is known.
@pytest.mark.thinned(3)
@pytest.mark.parametrize(("release", "after"), [("3.4.1", True), ("0.10.0.1", False)])
@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
@pytest.mark.parametrize("name", grouped(RECORDINGS))
def test_an_upgrade_changes_nothing_of_what_was_before_or_after_it(
    name: str, release: str, tmp_path: Path, *, data: bool, after: bool
) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    if not data:
        for path in sorted(folder.glob("*/data*/**/*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
    if data and not after:
        expected = told(whole(name).trace, whole(name).verdict)
    else:
        same = tmp_path / "same"
        shutil.copytree(folder, same)
        if after:
            upgrade(same, RECORDINGS[name], after=True)
        expected = told(load([same]))
    upgrade(folder, release, after=after)

    trace = load([folder])
    verdict = diagnose(trace)

    assert told(trace, verdict) == expected
    heard, truth = Heard(trace, verdict), of_the_last_topics(truth)
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert outside(truth, heard, step=5)[0] == []


@pytest.mark.parametrize("name", grouped(["k0102-hw-loss", "k0102-divergence"]))
def test_a_release_is_shown_by_the_default_of_its_protocol(name: str, tmp_path: Path) -> None:
    """To 0.11 only the console says which release it is, and each start writes its file anew."""
    folder, truth = unpack_recording(name, tmp_path)
    expected = told(whole(name).trace, whole(name).verdict)[:2]
    for path in folder.glob("broker-*/logs/kafkaServer.out"):
        path.unlink()

    trace = load([folder])

    assert {one.version for one in trace.brokers} == {"0.10.2"}
    verdict = diagnose(trace)
    assert told(trace, verdict)[:2] == expected
    assert false_losses(of_the_last_topics(truth), Heard(trace, verdict)) == []
