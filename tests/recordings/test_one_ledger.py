"""What is told of committed records is the same on every page, whatever pieces of a recording are missing."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from core.diagnose.narrate.story import tell
from core.diagnose.narrate.story_text import story_markdown
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Severity, Shown
from core.history.open import open_history
from core.history.state import History
from gui.text.render import renderer
from importers.load import load
from tests.archives import unpack_recording

pytestmark = pytest.mark.broad(3)


def without_broker(name: str, broker: int, partition: str, folder: Path) -> tuple[Any, ...]:
    """The truth of a recording, and a partition of it as it is read without a broker's folder."""
    found, truth = unpack_recording(name, folder)
    shutil.rmtree(found / f"broker-{broker}")
    trace = load([found])
    index = trace.partition_index(partition)
    assert index is not None
    history = open_history(trace, index)
    return truth, history, diagnose_partition(history)


def story_of(history: History, verdict: PartitionVerdict) -> str:
    return story_markdown(history.trace, tell(history, verdict), renderer())


def test_committed_records_that_a_later_leader_may_hold_are_told_as_committed(tmp_path: Path) -> None:
    """Broker 1 led again at the end, and its folder is missing; broker 3 had a high watermark of 208."""
    truth, history, verdict = without_broker("k0102-hw-loss", 1, "audit-0", tmp_path)

    (loss,) = [one for one in verdict.losses if one.first_offset == 206]

    assert {206, 207} <= {record["offset"] for record in truth["lost"]["audit-0"]}
    assert (loss.end_offset, loss.commit, loss.may_hold) == (208, Shown.SHOWN, (1,))
    assert loss.severity is Severity.DANGER
    assert loss.told is not None
    assert loss.told.acks_all == "yes"
    text = story_of(history, verdict)
    (entry,) = [line for line in text.splitlines() if "offsets 206 and 207." in line and "Entry" in line]
    assert "They had been committed" in entry
    for line in text.splitlines():
        if "206" in line and "207" in line:
            assert "nothing shows" not in line
            assert "No later leader holds them" not in line


def test_where_no_watermark_covers_them_nothing_shows_that_they_were_committed(tmp_path: Path) -> None:
    _, history, verdict = without_broker("k0102-hw-loss", 1, "audit-0", tmp_path)

    (loss,) = [one for one in verdict.losses if one.first_offset == 208]

    assert loss.commit is Shown.NOT_SHOWN
    assert loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED
    text = story_of(history, verdict)
    assert "nothing shows that they were committed" in text


FETCHES = (
    "[2026-11-21 03:10:14,488] INFO [ReplicaFetcherManager on broker 1] Added fetcher for partitions List("
    "[trades-0, initOffset 20 to broker BrokerEndPoint(2,127.0.0.1,19093)] )"
    " (kafka.server.ReplicaFetcherManager)"
)
"""What broker 1 would have printed if it had copied from broker 2 before it led."""


@pytest.mark.parametrize(("more", "first"), [("", 20), (FETCHES, 30)], ids=["as it was", "with a leader"])
def test_lost_records_at_whose_offsets_logs_differ_are_found_without_data(
    more: str, first: int, tmp_path: Path
) -> None:
    """Broker 2 wrote 20 to 35 in epoch 1 and keeps 20 to 29; broker 1, which led after, holds others there.

    It came back with 30 records, was told that nobody leads, and led. A follower of broker 2 might have cut
    its log to 20 and copied.
    """
    source, truth = unpack_recording("k111-kip279-divergence", tmp_path)
    for data in source.glob("*/data*"):
        shutil.rmtree(data)
    log = source / "broker-1" / "logs" / "server.log"
    lines = log.read_text().splitlines(keepends=True)
    at = max(number for number, line in enumerate(lines) if line[:24] < FETCHES[:24] and line[0] == "[")
    log.write_text("".join([*lines[: at + 1], *([f"{more}\n"] if more else []), *lines[at + 1 :]]))
    trace = load([source])
    index = trace.partition_index("trades-0")
    assert index is not None

    verdict = diagnose_partition(open_history(trace, index))

    lost = {record["offset"] for record in truth["lost"]["trades-0"]}
    assert lost == set(range(20, 36))
    claimed = {
        (loss.epoch, offset)
        for loss in verdict.losses
        for offset in range(loss.first_offset, loss.end_offset)
    }
    assert claimed == {(1, offset) for offset in range(first, 36)}
    kept = {loss.first_offset: loss.end_offset for loss in verdict.losses if loss.survives_on}
    assert kept == ({20: 30} if first == 20 else {})


def test_what_a_leader_alone_in_its_in_sync_set_appended_was_committed(tmp_path: Path) -> None:
    """Broker 1 led events alone, with 567 records, until it was killed with 628: its last high watermark.

    `ledger`, which wants two in-sync replicas, took no records meanwhile and lost none.
    """
    source, truth = unpack_recording("k28-unclean-loss", tmp_path)
    for broker in (1, 2, 3):
        for data in (source / f"broker-{broker}").glob("data*"):
            shutil.rmtree(data)
    trace = load([source])

    for name in ("events-0", "events-1"):
        index = trace.partition_index(name)
        assert index is not None
        history = open_history(trace, index)
        verdict = diagnose_partition(history)

        late = {record["offset"] for record in truth["lost"][name] if record["offset"] >= 567}
        assert max(late) == 627
        committed = {
            offset
            for loss in verdict.losses
            if loss.loss_class is LossClass.COMMITTED and loss.commit is Shown.SHOWN
            for offset in range(loss.first_offset, loss.end_offset)
        }
        assert late <= committed
        assert "Possibly lost" not in story_of(history, verdict)


def test_a_last_leader_that_lacks_the_records_shows_the_loss(tmp_path: Path) -> None:
    """Broker 1 led in between and its folder is missing; broker 2, which leads at the end, cut them."""
    for partition in ("carts-1", "carts-2"):
        truth, history, verdict = without_broker("k43-chaos", 1, partition, tmp_path / partition)
        lost = {record["offset"] for record in truth["lost"][partition]}

        claimed = {
            offset
            for loss in verdict.losses
            if loss.loss_class is LossClass.COMMITTED
            for offset in range(loss.first_offset, loss.end_offset)
        }

        assert claimed
        assert claimed <= lost
        assert "Possibly lost" not in story_of(history, verdict)
