"""What brokers print of a topic's settings holds for the topic, before what brokers have."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.trace.settings import CHANGED, topic_setting
from importers.kafka.topic_settings import MADE, settings_of, topic_facts
from importers.load import load
from tests.archives import unpack_recording

UNCLEAN = "unclean.leader.election.enable"
EFFECTIVE = (
    "{compression.type -> producer, min.insync.replicas -> 1, cleanup.policy -> [compact, delete], "
    "segment.ms -> 604800000, unclean.leader.election.enable -> true, retention.ms -> 604800000}."
)


@pytest.mark.parametrize(
    ("listed", "policy", "least", "unclean"),
    [
        (EFFECTIVE, "compact,delete", "1", "true"),
        ("{unclean.leader.election.enable=true}", "", "", "true"),
        ("{min.insync.replicas=2, unclean.leader.election.enable=false}", "", "2", "false"),
        ("Map(cleanup.policy -> compact, my.min.insync.replicas -> 7)", "compact", "", ""),
        ("min.insync.replicas -> 1,unclean.leader.election.enable -> true", "", "1", "true"),
        ("{}", "", "", ""),
        ("", "", "", ""),
    ],
)
def test_settings_stand_in_each_wording(listed: str, policy: str, least: str, unclean: str) -> None:
    ((name, value),) = topic_facts(MADE, "orders", listed)

    assert name == "topic-made:orders"
    assert settings_of(value) == {
        "cleanup.policy": policy,
        "min.insync.replicas": least,
        UNCLEAN: unclean,
    }


@pytest.mark.slow
def test_a_topic_that_allows_unclean_elections_has_its_own_value(tmp_path: Path) -> None:
    """k28-unclean-loss: topic events is made with unclean.leader.election.enable=true, ledger is not."""
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    trace = load([folder])

    assert topic_setting(trace, "events", UNCLEAN) == "true"
    assert topic_setting(trace, "ledger", "min.insync.replicas") == "2"
    assert f"config.topic-ledger.{UNCLEAN}" not in trace.facts


def test_a_setting_that_changed_is_not_known_for_all_times(tmp_path: Path) -> None:
    made = "Created log for partition t-0 in /data/t-0 with properties {} (kafka.log.LogManager)"
    changed = "Processing override for entityPath: topics/t with config: Map(min.insync.replicas -> 2)"
    start = "[2026-11-21 10:00:00,000] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)\n"
    lines = f"[2026-11-21 10:00:01,000] INFO {made}\n"
    later = f"[2026-11-21 10:00:02,000] INFO {changed} (kafka.server.DynamicConfigManager)\n"
    (tmp_path / "broker-1").mkdir()
    log = tmp_path / "broker-1" / "server.log"

    log.write_text(start + lines, encoding="utf-8")
    before = load([tmp_path])
    log.write_text(start + lines + later, encoding="utf-8")
    after = load([tmp_path])

    assert "config.topic-t.min.insync.replicas" not in before.facts
    assert after.facts["config.topic-t.min.insync.replicas"] == CHANGED
    with_brokers = replace(after, facts={**after.facts, "config.broker-1.min.insync.replicas": "1"})
    assert topic_setting(with_brokers, "t", "min.insync.replicas") is None
    assert topic_setting(with_brokers, "u", "min.insync.replicas") == "1"
