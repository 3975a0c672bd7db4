"""What a broker states while it starts after a power loss is no event of a running broker."""

from pathlib import Path

import pytest

from core.diagnose.verdict.facts import Finding
from tests.core_diagnose.test_taken import (
    Logs,
    at,
    leads,
    led_by_one,
    loaded,
    notified,
    start,
    verdict_on,
    with_follower,
)


def loads_watermark(minute: int, second: int, hw: int) -> str:
    text = f"Log loaded for partition orders-0 with initial high watermark {hw}"
    return at(minute, second, f"[Partition orders-0 broker=1] {text} (kafka.cluster.Partition)")


ELECTED = (1_795_230_000 + 6 * 60 + 6) * 1_000_000_000
"""03:06:06 on that day."""
DAMAGED = "[Log partition=orders-0, dir=/data] Corruption found in segment 0, truncating to offset 41 (x.Log)"
OLD_DAMAGED = "Corruption found in segment 0 of log orders-0, truncating to offset 41. (kafka.log.Log)"


def after_power_loss(*second: str) -> Logs:
    """Broker 1 leads with a high watermark of 50, and is started again without a stop."""
    first = start(0, 1) + loaded(0, 0, 50) + loads_watermark(0, 3, 50) + leads(0, 3, 50)
    return {
        "broker-1/server.log": first + start(5, 1) + "".join(second),
        "broker-1/state-change.log": notified(0, 1, 3, "1, 2"),
    }


def found(folder: Path, logs: Logs, *checks: str) -> list[Finding]:
    return [one for one in verdict_on(folder, logs).findings if one.check in checks]


@pytest.mark.parametrize("damaged", [DAMAGED, OLD_DAMAGED])
def test_a_cut_that_recovery_tells_is_named(damaged: str, tmp_path: Path) -> None:
    logs = after_power_loss(at(5, 1, damaged), loaded(5, 0, 41), leads(5, 4, 41))

    (one,) = found(tmp_path, logs, "leo-jumped-back")

    assert one.message.id == "finding.leo-jumped-back.damage"
    assert dict(one.message.values)["to"] == 41
    assert len(one.evidence) > 1


def test_a_log_that_is_shorter_without_a_line_says_so(tmp_path: Path) -> None:
    (one,) = found(tmp_path, after_power_loss(loaded(5, 0, 41), leads(5, 4, 41)), "leo-jumped-back")

    assert one.message.id == "finding.leo-jumped-back"


@pytest.mark.parametrize("hw", [50, 41])
def test_a_watermark_that_is_only_loaded_has_not_fallen_while_the_broker_ran(hw: int, tmp_path: Path) -> None:
    """The checkpoint may name an offset that the log has no more: Kafka lowers it before it leads."""
    logs = after_power_loss(loaded(5, 0, 41), loads_watermark(5, 6, hw), leads(5, 4, 41))
    logs["broker-1/state-change.log"] += notified(5, 1, 4, "1").replace("03:05:06", "03:05:05")

    assert found(tmp_path, logs, "hw-went-back", "broken-promise", "hw-above-leo") == []


def test_a_leader_without_committed_records_is_told_at_its_election(tmp_path: Path) -> None:
    """Its follower cuts four seconds later."""
    verdict = verdict_on(tmp_path, with_follower(led_by_one("", 0, 42)))

    (one,) = [one for one in verdict.findings if one.check == "broken-promise"]
    assert one.start == ELECTED
    assert max(loss.seq for loss in verdict.losses) > one.seq
