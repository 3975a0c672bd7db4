"""What brokers state of themselves, life by life: made-up logs with the starts of releases and settings."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from core.history.running import era_of, releases_of, rules_of_broker
from core.history.view import read_view
from core.trace.settings import stated_at, topic_setting, topic_setting_over_time
from core.trace.trace import Trace
from importers.load import load

PROTOCOL = "config.broker-1.inter.broker.protocol.version"
UNCLEAN = "unclean.leader.election.enable"
HOUR_NS = 3_600_000_000_000
NINE = 1_767_258_000_000_000_000
"""2026-01-01 09:00:00 UTC."""


def life(hour: int, *, release: str = "", protocol: str = "", settings: Mapping[str, str] = {}) -> str:
    """The lines of a start at this hour; a line on a partition at half past."""
    at, half = (f"[2026-01-01 {hour:02}:{minute}:00,000]" for minute in ("00", "30"))
    lines = [f"{at} INFO starting (kafka.server.KafkaServer)"]
    printed = {**settings, **({"inter.broker.protocol.version": protocol} if protocol else {})}
    if printed:
        lines += [f"{at} INFO KafkaConfig values: ", "\tbroker.id = 1"]
        lines += [
            *(f"\t{name} = {value}" for name, value in sorted(printed.items())),
            " (kafka.server.KafkaConfig)",
        ]
    if release:
        lines.append(f"{at} INFO Kafka version: {release} (org.apache.kafka.common.utils.AppInfoParser)")
    lines.append(f"{at} INFO [KafkaServer id=1] started (kafka.server.KafkaServer)")
    lines.append(f"{half} INFO [Log partition=t-0, dir=/d] Truncating to offset {hour} (kafka.log.Log)")
    return "\n".join(lines) + "\n"


def traced(tmp_path: Path, *lives: str) -> Trace:
    log = tmp_path / "broker-1" / "server.log"
    log.parent.mkdir()
    log.write_text("".join(lives), encoding="utf-8")
    return load([tmp_path])


def cuts_before(trace: Trace, *version: int) -> list[bool]:
    """Of the cut of each life, whether the broker is known to have been older then."""
    view = read_view(trace, 0)
    return [view.before(1, *version, at=row.seq) for row in view.rows.of(frozenset({"truncated"}))]


def cuts_since(trace: Trace, *version: int) -> list[bool]:
    view = read_view(trace, 0)
    return [view.since(1, *version, at=row.seq) for row in view.rows.of(frozenset({"truncated"}))]


def test_each_life_has_the_release_that_it_states(tmp_path: Path) -> None:
    trace = traced(tmp_path, life(9, release="0.10.2.2"), life(11, release="2.8.2"))

    assert cuts_before(trace, 0, 11) == [True, False]
    assert cuts_since(trace, 2, 8) == [False, True]
    # At all times neither: it was both.
    assert not read_view(trace, 0).before(1, 0, 11)
    assert not read_view(trace, 0).since(1, 2, 8)
    assert releases_of(trace) == ("0.10.2.2", "2.8.2")
    assert releases_of(trace, NINE + HOUR_NS) == ("0.10.2.2",)
    assert (era_of(trace), era_of(trace, NINE + 3 * HOUR_NS)) == ("0.10.2", "2.8")
    assert [one.id for one in rules_of_broker(trace, trace.brokers[0])] == ["0.10.2", "2.8"]


def test_a_new_release_holds_from_the_start_of_its_life_on(tmp_path: Path) -> None:
    """Its line comes at the end of a start: what is printed before belongs to the same process."""
    second = life(11, release="2.8.2").splitlines(keepends=True)
    early = second[-1].replace("11:30:00", "11:00:00").replace("offset 11", "offset 5")
    trace = traced(tmp_path, life(9, release="0.10.2.2"), second[0], early, *second[1:])

    assert cuts_before(trace, 0, 11) == [True, False, False]


def test_a_life_between_two_releases_that_states_none_is_of_an_unknown_one(tmp_path: Path) -> None:
    trace = traced(tmp_path, life(9, release="0.10.2.2"), life(11), life(13, release="2.8.2"))

    assert cuts_before(trace, 0, 11) == [True, False, False]
    assert cuts_since(trace, 0, 11) == [False, False, True]


@pytest.mark.parametrize(
    "lives", [(life(9), life(11, release="2.8.2")), (life(9, release="2.8.2"), life(11))]
)
def test_a_life_beside_the_only_release_that_is_stated_is_of_that_one(
    tmp_path: Path, lives: tuple[str, ...]
) -> None:
    trace = traced(tmp_path, *lives)

    assert cuts_since(trace, 2, 8) == [True, True]
    assert not any("over-time" in name for name in trace.facts)


def test_the_default_of_a_protocol_shows_the_release(tmp_path: Path) -> None:
    """The console says the release, and its file is written anew: the last life alone states one."""
    trace = traced(tmp_path, life(9, protocol="0.10.2-IV0"), life(11, protocol="2.8-IV1", release="2.8.2"))

    assert cuts_before(trace, 0, 11) == [True, False]
    assert releases_of(trace) == ("0.10.2", "2.8.2")


def test_a_protocol_that_an_operator_set_shows_no_release(tmp_path: Path) -> None:
    """The first step of a rolling upgrade: the new release with the old protocol."""
    trace = traced(
        tmp_path,
        life(9, protocol="0.10.2-IV0"),
        life(11, protocol="0.10.2", release="2.8.2"),
        life(13, protocol="2.8"),
    )

    assert cuts_before(trace, 0, 11) == [True, False, False]
    assert cuts_since(trace, 2, 8) == [False, True, True]
    at = [NINE + hours * HOUR_NS for hours in (1, 3, 5)]
    assert [stated_at(trace, PROTOCOL, one) for one in at] == [("0.10.2-IV0",), ("0.10.2",), ("2.8",)]
    assert [one.name for one in rules_of_broker(trace, trace.brokers[0])] == [
        "0.10.2",
        (
            "2.8+truncation=high-watermark+epoch-answer=offset+epoch-entry=none+fencing=none+log-start=own"
            "+isr-change=zookeeper"
        ),
        "2.8",
    ]


def test_the_name_that_is_stated_goes_before_the_one_that_the_protocol_shows(tmp_path: Path) -> None:
    trace = traced(tmp_path, life(9, protocol="2.8-IV1"), life(11, protocol="2.8-IV1", release="2.8.2"))

    assert releases_of(trace) == ("2.8.2",)
    assert not any("over-time" in name for name in trace.facts)


def test_a_setting_holds_from_the_start_that_prints_it_on(tmp_path: Path) -> None:
    """After an incident people set what would have prevented it: that was not set while it happened."""
    before = {"min.insync.replicas": "1", "unclean.leader.election.enable": "true"}
    after = {"min.insync.replicas": "2", "unclean.leader.election.enable": "false"}
    trace = traced(tmp_path, life(9, settings=before), life(11), life(13, settings=after))
    times = [NINE + hours * HOUR_NS for hours in (1, 3, 5)]

    # The life between the two printed nothing: either may have held.
    assert [topic_setting(trace, "t", "min.insync.replicas", at) for at in times] == ["1", None, "2"]
    assert [topic_setting(trace, "t", UNCLEAN, at) for at in times] == ["true", None, "false"]
    assert topic_setting(trace, "t", "min.insync.replicas") is None
    assert [value for _, value in topic_setting_over_time(trace, "t", UNCLEAN)] == ["true", None, "false"]


def test_a_setting_that_is_changed_without_a_start_holds_from_then_on(tmp_path: Path) -> None:
    """A broker prints all settings again when one is set while it runs (KIP-226)."""
    first = life(9, settings={"min.insync.replicas": "1"})
    again = "".join(life(10, settings={"min.insync.replicas": "2"}).splitlines(keepends=True)[1:-2])
    trace = traced(tmp_path, first, again)

    at = [NINE + minutes * HOUR_NS // 60 for minutes in (45, 75)]
    assert [topic_setting(trace, "t", "min.insync.replicas", one) for one in at] == ["1", "2"]


def test_a_setting_that_stays_is_stated_as_ever(tmp_path: Path) -> None:
    trace = traced(tmp_path, *(life(hour, settings={"min.insync.replicas": "2"}) for hour in (9, 11)))

    assert topic_setting(trace, "t", "min.insync.replicas") == "2"
    assert topic_setting_over_time(trace, "t", "min.insync.replicas") == ((0, "2"),)


def test_another_release_begins_a_life_though_no_line_tells_of_a_start(tmp_path: Path) -> None:
    """A log of warnings, or one that was searched, may have the line of the release alone."""
    lives = (life(9, release="2.7.2"), life(11, release="2.8.2"))
    bare = (
        "".join(line for line in one.splitlines(keepends=True) if "starting" not in line) for one in lives
    )
    trace = traced(tmp_path, *bare)

    assert releases_of(trace) == ("2.7.2", "2.8.2")
    assert cuts_since(trace, 2, 8) == [False, True]
