"""Whose file, which zone, which life: what is found out about logs beside their lines."""

from pathlib import Path

import pytest

from core.errors import QuestionError
from core.trace.trace import Trace
from core.trace.vocabulary import Basis
from importers.load import load
from importers.merge.zones import to_utc, zone_of
from importers.options import ImportOptions
from tests.in_words import gaps_of

SECOND = 1_000_000_000
AT_3 = 1_795_230_000 * SECOND  # 2026-11-21 03:00:00 UTC


def stamp(seconds: int) -> str:
    return f"[2026-11-21 {3 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},000] INFO"


def start(seconds: int, broker: int) -> str:
    return (
        f"{stamp(seconds)} KafkaConfig values: \n\tbroker.id = {broker}\n (kafka.server.KafkaConfig)\n"
        f"{stamp(seconds)} starting (kafka.server.KafkaServer)\n"
        f"{stamp(seconds + 1)} [Kafka Server {broker}], started (kafka.server.KafkaServer)\n"
    )


def cut(seconds: int, offset: int = 7) -> str:
    return f"{stamp(seconds)} Truncating log orders-0 to offset {offset}. (kafka.log.Log)\n"


def stop(seconds: int, broker: int) -> str:
    return f"{stamp(seconds)} [Kafka Server {broker}], shut down completed (kafka.server.KafkaServer)\n"


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def told(trace: Trace, kind: str) -> list:
    return [event for seq in range(len(trace)) if (event := trace.event(seq)).kind == kind]


def owner(trace: Trace, path: str) -> int:
    return next(int(source.broker) for source in trace.sources if source.path == path)


def test_content_comes_before_the_path(tmp_path: Path) -> None:
    written(tmp_path, {"broker-7/logs/server.log": start(0, 3) + cut(5)})

    assert owner(load([tmp_path]), "broker-7/logs/server.log") == 3


def test_a_file_that_does_not_say_belongs_to_its_neighbours(tmp_path: Path) -> None:
    written(
        tmp_path, {"a/server.log": start(0, 3), "a/server.log.2026-11-21-02": cut(5), "b/x.log": start(0, 4)}
    )

    trace = load([tmp_path])

    assert owner(trace, "a/server.log.2026-11-21-02") == 3
    assert [event.get("replica") for event in told(trace, "truncated")] == [3]


def test_the_path_decides_where_nothing_else_does(tmp_path: Path) -> None:
    written(tmp_path, {"kafka-12/server.log": cut(5)})

    assert owner(load([tmp_path]), "kafka-12/server.log") == 12


def test_a_broker_can_be_stated_and_else_stays_unknown(tmp_path: Path) -> None:
    written(tmp_path, {"server.log": cut(5)})

    assert load([tmp_path], ImportOptions(broker=9)).event(0).get("replica") == 9
    assert load([tmp_path]).event(0).get("replica") is None


def test_a_file_that_several_brokers_wrote_belongs_to_none(tmp_path: Path) -> None:
    text = start(0, 1) + start(2, 2) + cut(9)
    written(tmp_path, {"shared/server.log": text})

    trace = load([tmp_path])

    assert owner(trace, "shared/server.log") == -1
    assert sorted(event.get("replica") for event in told(trace, "broker_started")) == [1, 2]
    assert told(trace, "truncated")[0].get("replica") is None


def test_data_belongs_to_the_id_in_its_meta_properties(tmp_path: Path) -> None:
    files = {
        "broker-1/data/meta.properties": "version=0\nbroker.id=5\n",
        "broker-1/data/replication-offset-checkpoint": "0\n1\norders 0 42\n",
    }

    (event,) = told(load([written(tmp_path, files)]), "hw_checkpointed")

    assert (event.get("broker"), event.get("replica"), event.get("hw"), event.line) == (5, 5, 42, 3)


def test_a_start_without_a_stop_is_a_crash_at_the_last_line(tmp_path: Path) -> None:
    written(tmp_path, {"server.log": start(0, 1) + cut(30) + start(100, 1), "controller.log": cut(40, 8)})

    trace = load([tmp_path])

    (crash,) = told(trace, "broker_crashed")
    (gap,) = told(trace, "evidence_gap")
    assert (crash.at, crash.basis) == (AT_3 + 40 * SECOND, Basis.INFERRED)
    assert trace.sources[crash.source].path == "controller.log"
    assert gap.get("aux") == 60 * SECOND


def test_a_clean_stop_is_no_crash(tmp_path: Path) -> None:
    written(tmp_path, {"server.log": start(0, 1) + stop(30, 1) + start(100, 1)})

    assert not told(load([tmp_path]), "broker_crashed")


@pytest.mark.parametrize(
    "changed",
    [
        "Processing override for entityPath: brokers/1 with config: Map(num.io.threads -> 9)",
        "[DynamicConfigPublisher broker id=1] Updating node 1 with new configuration : num.io.threads -> 9",
    ],
)
def test_settings_that_are_changed_while_a_broker_runs_begin_no_life(changed: str, tmp_path: Path) -> None:
    """From 1.1 on it then prints all of them anew, as at a start (KIP-226)."""
    dump = "KafkaConfig values: \n\tbroker.id = 1\n (kafka.server.KafkaConfig)\n"
    later = f"{stamp(60)} {changed}\n{stamp(61)} {dump}{stamp(90)} {dump}"
    written(tmp_path, {"server.log": start(0, 1) + cut(30) + later + cut(95)})

    trace = load([tmp_path])

    assert not told(trace, "broker_crashed")
    assert not told(trace, "evidence_gap")


def test_the_last_life_is_never_said_to_have_crashed(tmp_path: Path) -> None:
    written(tmp_path, {"server.log": start(0, 1) + cut(30)})

    assert not told(load([tmp_path]), "broker_crashed")


def test_a_log_that_begins_in_a_life_and_breaks_off_is_a_crash(tmp_path: Path) -> None:
    written(tmp_path, {"server.log": cut(0) + start(100, 1)})

    assert len(told(load([tmp_path]), "broker_crashed")) == 1


def test_the_same_line_in_two_files_is_one_event_and_twice_in_one_file_two(tmp_path: Path) -> None:
    text = start(0, 1) + cut(5) + cut(5)
    written(tmp_path, {"kafkaServer.out": text + cut(6), "server.log": text})

    trace = load([tmp_path])

    cuts = told(trace, "truncated")
    assert [event.at - AT_3 for event in cuts] == [5 * SECOND, 5 * SECOND, 6 * SECOND]
    assert [trace.sources[event.source].path for event in cuts] == [
        "server.log",
        "server.log",
        "kafkaServer.out",
    ]


def test_in_one_millisecond_the_controller_decides_then_the_request_arrives_then_the_log_is_cut(
    tmp_path: Path,
) -> None:
    state = '{"leader":1,"leader_epoch":1,"isr":[1]}'
    decides = f"[OfflinePartitionLeaderSelector]: Selected new leader and ISR {state}"
    arrives = "Broker 1 handling LeaderAndIsr request correlationId 1 from controller 1 epoch 1 starting"
    files = {
        "broker-1/a-server.log": cut(5),
        "broker-1/controller.log": f"{stamp(5)} {decides} for offline partition [orders,0]\n",
        "broker-1/state-change.log": f"{stamp(5)} {arrives} the become-leader transition for partition t-0\n",
    }

    trace = load([written(tmp_path, files)])

    kinds = [trace.event(seq).kind for seq in range(len(trace))]
    assert kinds == ["leader_elected", "became_leader", "truncated"]


def test_a_checkpoint_of_another_day_claims_no_time(tmp_path: Path) -> None:
    import os

    files = {
        "logs/server.log": start(0, 1) + cut(30),
        "data-at-030010/meta.properties": "broker.id=1\n",
        "data-at-030010/replication-offset-checkpoint": "0\n1\norders 0 42\n",
    }
    written(tmp_path, files)
    checkpoint = tmp_path / "data-at-030010/replication-offset-checkpoint"

    os.utime(checkpoint, ns=(AT_3 + 10 * SECOND + 5, AT_3 + 10 * SECOND + 5))
    (near,) = told(load([tmp_path]), "hw_checkpointed")
    os.utime(checkpoint, ns=(0, 0))
    far = load([tmp_path])

    assert (near.at, near.basis) == (AT_3 + 10 * SECOND + 5, Basis.OBSERVED)
    assert told(far, "hw_checkpointed") == []
    assert any("data-at-030010 is a copy from before the end" in gap for gap in gaps_of(far.report))


def test_a_torn_segment_and_a_lying_checkpoint_are_told_as_gaps(tmp_path: Path) -> None:
    files = {
        "data/meta.properties": "broker.id=1\n",
        "data/recovery-point-offset-checkpoint": "0\n5\norders 0 42\n",
        "data/orders-0/00000000000000000042.log": "not a batch at all, but some text",
    }

    trace = load([written(tmp_path, files)])

    (end,) = told(trace, "leo_sample")
    assert end.get("leo") == 42
    assert told(trace, "log_end_on_disk") == []
    assert any("says '5' entries and has 1" in gap for gap in gaps_of(trace.report))
    assert any("cannot be read from byte 0 on" in gap for gap in gaps_of(trace.report))


def test_zones_by_name_by_offset_and_over_the_change_of_clocks() -> None:
    local = AT_3
    assert to_utc("UTC")(local) == local
    assert to_utc("+05:30")(local) == local - 19_800 * SECOND
    assert to_utc("-05:00")(local) == local + 18_000 * SECOND
    assert to_utc("Europe/Berlin")(local) == local - 3600 * SECOND
    july = local - 130 * 86_400 * SECOND
    assert to_utc("Europe/Berlin")(july) == july - 7200 * SECOND
    with pytest.raises(QuestionError, match="not a time zone"):
        to_utc("Mars/Olympus")


def test_a_zone_is_stated_or_inferred_or_assumed() -> None:
    from importers.kafka.drafts import Fact

    started = Fact("start_time_ms", str(AT_3 // 1_000_000), AT_3 + 3600 * SECOND + 17_000_000, 0, 1)

    assert (zone_of(1, (started,), {}).name, zone_of(1, (started,), {}).basis) == ("+01:00", "inferred")
    assert zone_of(1, (started,), {"1": "UTC"}).basis == "stated"
    assert zone_of(1, (started,), {"2": "UTC"}).basis == "inferred"
    assert zone_of(1, (), {None: "+02:00"}).name == "+02:00"
    assert (zone_of(1, (), {}).name, zone_of(1, (), {}).basis) == ("UTC", "assumed")


def test_a_zone_that_changes_its_clocks_is_found_by_both_offsets() -> None:
    from importers.kafka.drafts import Fact

    hour, day = 3600 * SECOND, 86_400 * SECOND
    winter = Fact("start_time_ms", str(AT_3 // 1_000_000), AT_3 + hour, 0, 1)
    july = AT_3 - 130 * day
    summer = Fact("start_time_ms", str(july // 1_000_000), july + 2 * hour, 0, 1)
    nowhere = Fact("start_time_ms", str(july // 1_000_000), july + 3 * hour, 0, 1)

    zone = zone_of(1, (summer, winter), {})
    assert (zone.name, zone.basis) == ("Europe/Berlin", "inferred")
    assert to_utc(zone.name)(july + 2 * hour) == july
    assert zone_of(1, (winter, nowhere), {}).name == "+01:00"
    assert zone_of(1, (Fact("start_time_ms", "9" * 5000, AT_3, 0, 1),), {}).basis == "assumed"


def test_a_broker_that_starts_again_soon_has_begun_a_new_life(tmp_path: Path) -> None:
    # Nine seconds lie between the two starts, less than the first lines of a slow start may take.
    written(tmp_path, {"logs/server.log": start(0, 3) + cut(4) + start(9, 3)})

    crashes = told(load([tmp_path]), "broker_crashed")
    assert [crash.at for crash in crashes] == [AT_3 + 4 * SECOND]


def test_a_start_that_waits_is_one_start(tmp_path: Path) -> None:
    late = f"{stamp(40)} KafkaConfig values: \n\tbroker.id = 3\n (kafka.server.KafkaConfig)\n"
    up = f"{stamp(41)} [Kafka Server 3], started (kafka.server.KafkaServer)\n"
    begun = start(0, 3).rpartition(f"{stamp(1)}")[0]
    written(tmp_path, {"logs/server.log": begun + cut(20) + late + up})

    assert not told(load([tmp_path]), "broker_crashed")

    # It began again, so it had crashed while it started.
    written(tmp_path, {"logs/server.log": begun + cut(20) + start(40, 3)})

    assert [crash.at for crash in told(load([tmp_path]), "broker_crashed")] == [AT_3 + 20 * SECOND]


def test_the_settings_of_a_running_broker_are_no_new_life(tmp_path: Path) -> None:
    again = f"{stamp(4)} KafkaConfig values: \n\tbroker.id = 3\n (kafka.server.KafkaConfig)\n"
    written(tmp_path, {"logs/server.log": start(0, 3) + again + cut(5)})

    assert not told(load([tmp_path]), "broker_crashed")


def shows_zone(seconds: int, hours: int) -> str:
    """A line of 2.2 or later, which names a moment in UTC beside a stamp that is ahead of it."""
    at_ms = (AT_3 // SECOND + seconds - 3600 * hours) * 1000
    return f"{stamp(seconds)} Kafka startTimeMs: {at_ms} (org.apache.kafka.common.utils.AppInfoParser)\n"


def test_logs_in_one_folder_are_read_in_one_zone(tmp_path: Path) -> None:
    """Broker 1 shows a clock two hours ahead of UTC, and what stands beside its log is of that clock."""
    written(
        tmp_path,
        {
            "logs/server-1.log": start(0, 1) + shows_zone(2, 2) + cut(5),
            "logs/server-2.log": start(0, 2) + cut(5, 8),
            "logs/lines.log": cut(6, 9),
            "elsewhere/server-3.log": start(0, 3) + cut(5, 10),
        },
    )

    trace = load([tmp_path])

    zones = {source.path: (source.zone, source.zone_basis) for source in trace.sources}
    assert zones == {
        "logs/server-1.log": ("+02:00", "inferred"),
        "logs/server-2.log": ("+02:00", "inferred"),
        "logs/lines.log": ("+02:00", "inferred"),
        "elsewhere/server-3.log": ("UTC", "assumed"),
    }
    times = {event.get("offset"): event.at for event in told(trace, "truncated")}
    assert times[7] == times[8] == times[9] - SECOND == AT_3 - 7200 * SECOND + 5 * SECOND
    assert (
        sum("which logs/server-1.log in the same folder shows" in gap for gap in gaps_of(trace.report)) == 2
    )


def test_a_folder_within_a_folder_of_logs_is_read_in_its_zone(tmp_path: Path) -> None:
    """Logs of one machine, one broker's in a folder of its own; a folder without logs above it is another."""
    written(
        tmp_path,
        {
            "logs/broker-1.log": start(0, 1) + shows_zone(2, 2) + cut(5),
            "logs/2/server.log": start(0, 2) + cut(5, 8),
            "broker-3/logs/server.log": start(0, 3) + cut(5, 9),
        },
    )

    trace = load([tmp_path])

    assert {source.path: source.zone for source in trace.sources} == {
        "logs/broker-1.log": "+02:00",
        "logs/2/server.log": "+02:00",
        "broker-3/logs/server.log": "UTC",
    }
    shown = "which logs/broker-1.log in the same folder shows"
    assert sum(shown in gap for gap in gaps_of(trace.report)) == 1


def test_a_folder_with_logs_of_two_zones_shows_no_zone(tmp_path: Path) -> None:
    """Somebody collected them there: of the third nothing is known."""
    written(
        tmp_path,
        {
            "server-1.log": start(0, 1) + shows_zone(2, 2) + cut(5),
            "server-2.log": start(0, 2) + shows_zone(2, 0) + cut(5),
            "server-3.log": start(0, 3) + cut(5),
        },
    )

    zones = [(source.zone, source.zone_basis) for source in load([tmp_path]).sources]

    assert zones == [("+02:00", "inferred"), ("UTC", "inferred"), ("UTC", "assumed")]


def test_a_log_far_from_those_beside_it_does_not_take_their_zone(tmp_path: Path) -> None:
    """Copied from a machine in UTC into a folder whose other logs are two hours ahead: it shows 03, they 05.

    A log that was rotated is of the clock of the same broker's next one, which is near the others.
    """
    later = 2 * 3600
    written(
        tmp_path,
        {
            "logs/server-1.log": start(later, 1) + shows_zone(later + 2, 2) + cut(later + 5),
            "logs/server-2.log": start(0, 2) + cut(5, 8),
            "logs/server-3.log.1": start(0, 3) + cut(5, 9),
            "logs/server-3.log": cut(later + 4, 9),
        },
    )

    trace = load([tmp_path])

    assert {source.path: (source.zone, source.zone_basis) for source in trace.sources} == {
        "logs/server-1.log": ("+02:00", "inferred"),
        "logs/server-2.log": ("UTC", "assumed"),
        "logs/server-3.log.1": ("+02:00", "inferred"),
        "logs/server-3.log": ("+02:00", "inferred"),
    }
    (cut_of_2,) = [event for event in told(trace, "truncated") if event.get("replica") == 2]
    assert cut_of_2.at == AT_3 + 5 * SECOND
    (note,) = [gap for gap in gaps_of(trace.report) if "does not take that zone" in gap]
    assert note.startswith("logs/server-2.log: its times are far from those of the logs in the same folder")
    assert "(logs/server-1.log: +02:00)" in note
