"""A broker whose clock is off, or whose logs are in another zone: found, shown, and the order is right."""

import datetime as dt
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from core.trace.trace import Trace
from core.trace.vocabulary import Basis
from importers.disk.metadata_replay import METADATA_RULE
from importers.kafka.drafts import Said
from importers.lines.items import Item
from importers.load import load
from importers.merge.clock import clocks_of
from importers.options import ImportOptions
from tests.archives import unpack_sample

MS = 1_000_000
HEAD = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3})\]", re.MULTILINE)
TP = ("t", 0)


@pytest.fixture(
    scope="module", params=["k0102-hw-loss", pytest.param("k28-epoch-fix", marks=pytest.mark.slow)]
)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_sample(request.param, tmp_path_factory.mktemp("case"))


@pytest.fixture(scope="module")
def right(case: Path) -> Trace:
    """What the case says with clocks that are right."""
    return load([case])


def with_clock(case: Path, folder: Path, broker: int, add_ms: int) -> Path:
    """A copy of a case in which every line of a broker's logs shows another time."""

    def later(match: re.Match[str]) -> str:
        stamp = dt.datetime.strptime(f"{match[1]},{match[2]}+0000", "%Y-%m-%d %H:%M:%S,%f%z")
        moved = stamp + dt.timedelta(milliseconds=add_ms)
        return f"[{moved:%Y-%m-%d %H:%M:%S},{moved.microsecond // 1000:03d}]"

    copy = folder / case.name
    shutil.copytree(case, copy)
    logs = [path for path in (copy / f"broker-{broker}" / "logs").iterdir() if path.is_file()]
    assert logs
    for path in logs:
        stat = path.stat()
        path.write_text(HEAD.sub(later, path.read_text()))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return copy


def intervals(trace: Trace) -> dict[int, tuple[int, int]]:
    """What must be added to each broker's stamps, as the report shows it, in ms."""
    rows = [row for row in trace.report["clocks"] if row["clock"].startswith("broker ")]
    return {int(row["clock"][7:]): (row["add_ns"]["lo"] // MS, row["add_ns"]["hi"] // MS) for row in rows}


def told(trace: Trace) -> list[tuple]:
    """What each broker says, with the corrected time."""
    events = (trace.event(seq) for seq in range(len(trace)))
    # A crash is told at the last sign of life, and files of the data directory have their own times.
    events = (one for one in events if one.line and "logs/" in trace.sources[one.source].path)
    events = (one for one in events if one.kind not in ("broker_crashed", "evidence_gap"))
    return sorted(
        (str(event.get("broker")), event.line, event.source, event.kind, event.at) for event in events
    )


def assert_dependent_events_are_in_order(trace: Trace) -> None:
    assigned: set[tuple] = set()
    seen: set[tuple] = set()
    for seq in range(len(trace)):
        event = trace.event(seq)
        key = (event.get("partition"), event.get("epoch"))
        if event.get("epoch") is None:
            continue
        if event.kind in ("leader_elected", "leaderless"):
            assert key in assigned or key not in seen, (seq, event)
            assigned.add(key)
        elif event.kind in ("became_leader", "became_follower", "leader_and_isr_received"):
            seen.add(key)
        if event.cause is not None:
            assert event.cause < seq
    assert len(assigned) > 3


@pytest.mark.slow
@pytest.mark.parametrize("broker", [1, 2, 3])
@pytest.mark.parametrize("add_ms", [-2000, 37])
def test_a_clock_that_is_off_is_found_and_corrected(
    case: Path, right: Trace, broker: int, add_ms: int, tmp_path: Path
) -> None:
    assert all(lo <= 0 <= hi for lo, hi in intervals(right).values())

    trace = load([with_clock(case, tmp_path, broker, add_ms)])

    lo, hi = intervals(trace)[broker]
    others = [pair for name, pair in intervals(trace).items() if name != broker]
    if (lo, hi) == (0, 0):
        # What was taken as right is the one that is off: then all others are, the other way.
        assert all(lo <= add_ms <= hi for lo, hi in others)
    else:
        assert lo <= -add_ms <= hi
        assert all(lo <= 0 <= hi for lo, hi in others)
        assert hi - lo < 300
    assert_dependent_events_are_in_order(trace)
    if abs(add_ms) > 1000:
        apart = [abs(one[-1] - other[-1]) for one, other in zip(told(trace), told(right), strict=True)]
        assert max(apart) < 300 * MS


@pytest.mark.slow
@pytest.mark.parametrize("broker", [1, 3])
@pytest.mark.parametrize(("add_ms", "zone"), [(3_600_000, "+01:00"), (-18_900_000, "-05:15")])
def test_a_log_in_another_zone_is_found(
    case: Path, right: Trace, broker: int, add_ms: int, zone: str, tmp_path: Path
) -> None:
    trace = load([with_clock(case, tmp_path, broker, add_ms)])

    zones = {(int(source.broker), source.zone, source.zone_basis) for source in trace.sources}
    assert (broker, zone, "inferred") in zones
    assert {name for owner, name, basis in zones if basis and owner != broker} == {"UTC"}
    assert all(lo <= 0 <= hi for lo, hi in intervals(trace).values())
    assert told(trace) == told(right)
    assert_dependent_events_are_in_order(trace)


@pytest.mark.slow
def test_a_stated_zone_is_kept_and_the_rest_is_a_skew(case: Path, tmp_path: Path) -> None:
    moved = with_clock(case, tmp_path, 2, 3_600_000)

    trace = load([moved], ImportOptions(zones={None: "UTC"}))

    assert {source.zone_basis for source in trace.sources} <= {"stated", ""}
    lo, hi = intervals(trace)[2]
    assert lo <= -3_600_000 <= hi
    assert_dependent_events_are_in_order(trace)


def item(at_ms: int, said: Said, broker: int, rule: str = "rule") -> Item:
    return Item(at_ms * MS, 2, broker, at_ms, 1, 0, broker, rule, said)


def there_and_back(at_ms: int, key: str, off_ms: int) -> list[Item]:
    """Broker 1 sends and 2 answers, 5 ms each way; the clock of 2 is ahead."""
    return [
        item(at_ms - 100, Said("metadata_applied", TP, epoch=0), 1),
        item(at_ms - 100 + off_ms, Said("metadata_applied", TP, epoch=0), 2),
        item(at_ms, Said("leader_and_isr_sent", TP, epoch=1, sends=f"a{key}"), 1),
        item(at_ms + 5 + off_ms, Said("leader_and_isr_received", TP, epoch=1, receives=f"a{key}"), 2),
        item(at_ms + 6 + off_ms, Said("leader_and_isr_sent", TP, epoch=1, sends=f"b{key}"), 2),
        item(at_ms + 11, Said("leader_and_isr_received", TP, epoch=1, receives=f"b{key}"), 1),
    ]


def test_a_clock_that_is_set_has_one_interval_before_and_one_after() -> None:
    items = [one for n in range(20) for one in there_and_back(10_000 * (n + 1), str(n), 0 if n < 12 else 800)]

    skews = clocks_of(items, {}).of_broker(2)

    assert skews is not None
    before, after = skews.at(30_000 * MS), skews.at(190_000 * MS)
    assert before.lo is not None
    assert before.hi is not None
    assert after.lo is not None
    assert after.hi is not None
    assert before.lo <= 0 <= before.hi < 10 * MS
    assert -810 * MS < after.lo <= -800 * MS <= after.hi < -790 * MS
    assert before.correction == 0
    assert -810 * MS < after.correction < -790 * MS
    assert len(skews.pieces) <= 4


def test_a_state_of_a_partition_is_applied_after_its_record_was_written() -> None:
    """Epoch 0 stands all along: the partition epoch says of which of the sets broker 2 has heard."""
    created = Said("partition_created", TP, epoch=0, isr=(1, 2), partition_epoch=0)
    alone = Said("isr_committed", TP, epoch=0, isr=(1,), partition_epoch=1)
    records = [
        replace(item(at, said, 100), rule=METADATA_RULE) for at, said in ((1000, created), (9000, alone))
    ]
    heard = [
        item(2000, Said("metadata_applied", TP, epoch=0, partition_epoch=0), 2),
        item(4020, Said("metadata_applied", TP, epoch=0, partition_epoch=1), 2),
    ]

    skews = clocks_of([*records, *heard], {}).of_broker(2)

    assert skews is not None
    assert skews.at(4020 * MS).lo == pytest.approx(4980 * MS, abs=2 * MS)


def test_ties_that_contradict_each_other_correct_nothing() -> None:
    items = [*there_and_back(1000, "x", 0), *there_and_back(1000, "y", 5000)]

    clocks = clocks_of(items, {})

    skews = clocks.of_broker(2)
    assert str(skews) == "unbounded..unbounded ns"
    assert clocks.correction(("broker", 2), 1000 * MS) == 0


def test_the_clock_of_the_many_is_taken_as_right() -> None:
    items = [*there_and_back(1000, "x", -700)]
    for other in (3, 4):
        items += [
            item(1200, Said("metadata_applied", TP, epoch=0), other),
            item(2000, Said("leader_and_isr_sent", TP, epoch=1, sends=f"{other}"), 2),
            item(2705, Said("leader_and_isr_received", TP, epoch=1, receives=f"{other}"), other),
            item(1300, Said("leader_and_isr_sent", TP, epoch=1, sends=f"r{other}"), other),
            item(608, Said("leader_and_isr_received", TP, epoch=1, receives=f"r{other}"), 2),
        ]

    clocks = clocks_of(items, {})

    assert clocks.reference == ("broker", 1)
    assert 690 * MS < clocks.correction(("broker", 2), 0) < 710 * MS
    assert clocks.correction(("broker", 3), 0) == 0


def test_the_start_of_a_broker_ties_it_to_the_metadata_log() -> None:
    off = 3000
    items = [
        item(1000 + off, Said("broker_starting"), 1, "kraft-starting"),
        item(1500, Said("broker_registered", replica=1, life=5), 100, "metadata log"),
        item(1520 + off, Said("broker_registered", life=5), 1, "kraft-registered"),
        item(1600, Said("broker_unfenced", replica=1, life=5), 100, "metadata log"),
        item(1640 + off, Said("broker_unfenced"), 1, "kraft-running"),
        # Fenced while it was frozen: it says nothing of that.
        item(9000, Said("broker_unfenced", replica=1, life=5), 100, "metadata log"),
    ]

    clocks = clocks_of(items, {})

    skews = clocks.of_broker(1)
    assert clocks.reference == ("records", 100)
    assert skews is not None
    assert skews.pieces[0].lo is not None
    assert skews.pieces[0].hi is not None
    assert -3021 * MS <= skews.pieces[0].lo <= -3000 * MS <= skews.pieces[0].hi <= -2915 * MS


def test_starts_are_paired_by_the_broker_epoch_and_not_counted() -> None:
    """The log of the broker begins with its second start, the metadata log ends after its first."""
    items = [
        item(21_000, Said("broker_starting"), 1, "kraft-starting"),
        item(1500, Said("broker_registered", replica=1, life=5), 100, "metadata log"),
        item(21_520, Said("broker_registered", life=17), 1, "kraft-registered"),
        item(1600, Said("broker_unfenced", replica=1, life=5), 100, "metadata log"),
        item(21_640, Said("broker_unfenced"), 1, "kraft-running"),
    ]

    clocks = clocks_of(items, {})

    assert str(clocks.of_broker(1)) == "unbounded..unbounded ns"


def test_a_set_that_grew_before_a_broker_is_seen_to_begin_the_epoch_bounds_nothing() -> None:
    """The log of the follower begins with its second life; it joined in both."""

    def grown(at_ms: int, isr: tuple[int, ...], number: int) -> Item:
        said = Said("isr_committed", TP, leader=100, epoch=1, partition_epoch=number, isr=isr)
        return item(at_ms, said, 100, "metadata log")

    follows = Said("became_follower", TP, leader=100, epoch=1, partition_epoch=3)
    items = [
        grown(1000, (100,), 1),
        grown(2000, (100, 1), 2),
        grown(3000, (100,), 3),
        item(8000, follows, 1),
        grown(8100, (100, 1), 4),
    ]

    skews = clocks_of(items, {}).of_broker(1)

    assert skews is not None
    # It follows in the state of 3 s: the record of that was written before.
    assert [(piece.lo, piece.hi) for piece in skews.pieces] == [(-5001 * MS, 101 * MS)]


@pytest.mark.parametrize("known", [True, False], ids=["the set before is known", "it is not"])
def test_the_leaders_own_line_on_a_follower_that_joined_ties_their_clocks(*, known: bool) -> None:
    """Broker 1 follows with state 5; by the clock of the leader it joins, with state 6, 4 s earlier."""
    follows = Said("became_follower", TP, leader=2, epoch=3, partition_epoch=5)
    joined = Said("isr_committed", TP, leader=2, partition_epoch=6, isr=(2, 1))
    alone = Said("became_leader", TP, leader=2, epoch=3, partition_epoch=5 if known else 4, isr=(2,))
    items = [item(1000, alone, 2), item(9000, follows, 1), item(5000, joined, 2)]

    skews = clocks_of(items, {}).of_broker(2)

    assert skews is not None
    assert [(piece.lo, piece.hi) for piece in skews.pieces] == [(3999 * MS if known else None, None)]


def test_registrations_that_the_other_ties_deny_are_not_paired() -> None:
    """To 2.1 they are counted. The log of broker 2 lacks its first life, that of the other the second."""
    items = [
        *there_and_back(1000, "x", 0),
        item(800, Said("broker_starting"), 2),
        item(500, Said("broker_registered", replica=2), 1),
    ]

    skews = clocks_of(items, {2: [900 * MS]}).of_broker(2)

    assert skews is not None
    assert [(piece.lo, piece.hi) for piece in skews.pieces] == [(-6 * MS, 6 * MS)]


def test_what_the_controller_on_the_same_node_says_of_its_broker_is_not_the_brokers_word() -> None:
    """It grants the unfencing before it writes the record of it."""
    granted = Said("broker_unfenced", replica=1, life=5, basis=Basis.REPORTED)
    items = [
        item(1500, Said("broker_registered", replica=1, life=5), 1, "metadata log"),
        item(1520, Said("broker_registered", life=5), 1, "kraft-registered"),
        item(1598, granted, 1, "kraft-broker-unfenced"),
        item(1600, Said("broker_unfenced", replica=1, life=5), 1, "metadata log"),
        item(1640, Said("broker_unfenced"), 1, "kraft-running"),
    ]

    skews = clocks_of(items, {}).of_broker(1)

    assert skews is not None
    assert [(piece.lo, piece.hi) for piece in skews.pieces] == [(-21 * MS, 81 * MS)]


@pytest.mark.parametrize("committed", [True, False], ids=["its number is told", "it is not"])
def test_a_set_is_applied_after_its_leader_proposed_it(*, committed: bool) -> None:
    """Broker 2 applies state 7 by its clock at 1 s; by its own the leader proposed state 6 at 5 s."""
    items = [
        item(4000, Said("isr_shrink_proposed", TP, leader=1, isr=(1, 2)), 1),
        item(5000, Said("isr_shrink_proposed", TP, leader=1, isr=(1, 3)), 1),
        item(900, Said("metadata_applied", TP, epoch=3, partition_epoch=5, isr=(1, 2, 3)), 2),
        item(1000, Said("metadata_applied", TP, epoch=3, partition_epoch=7, isr=(1,)), 2),
    ]
    if committed:
        items.append(item(5010, Said("isr_committed", TP, leader=1, partition_epoch=6, isr=(3, 1)), 1))

    clocks = clocks_of(items, {})

    skews = clocks.of_broker(2)
    assert skews is not None
    assert [(piece.lo, piece.hi) for piece in skews.pieces] == [(3999 * MS if committed else None, None)]


@pytest.mark.parametrize("seen", [True, False], ids=["its registration is seen", "it is not"])
def test_a_broker_registers_before_it_is_let_in(*, seen: bool) -> None:
    """Without a line on the registration a controller may let a frozen broker in again: no bound above."""
    items = [
        item(9000, Said("broker_starting"), 1, "kraft-starting"),
        item(9010, Said("broker_registered", life=11), 1, "kraft-registered"),
        item(9020, Said("broker_unfenced"), 1, "kraft-running"),
        item(2015, Said("broker_unfenced", replica=1, life=11, basis=Basis.REPORTED), 4, "kraft-let-in"),
    ]
    if seen:
        items.append(item(2005, Said("broker_registered", replica=1, life=11), 4, "kraft-broker-registers"))

    clocks = clocks_of(items, {})

    skews = clocks.of_broker(4)
    assert clocks.reference == ("broker", 1)
    assert skews is not None
    (piece,) = skews.pieces
    assert piece.lo == 6994 * MS
    assert piece.hi == (7006 * MS if seen else None)


@pytest.mark.parametrize(
    ("told", "bounded"),
    [
        (((2000, "controller_elected", 11),), True),
        (((2000, "controller_elected", 12),), False),
        (((2000, "controller_elected", None),), False),
        (((1900, "controller_elected", 3), (2000, "controller_resigned", None)), False),
        (((2000, "controller_elected", 3), (2050, "controller_elected", 60)), True),
    ],
    ids=["before it registered", "after", "nobody knows", "it resigned", "and once more later"],
)
def test_a_controller_that_led_before_a_broker_registered_was_the_first_to_let_it_in(
    told: tuple[tuple[int, str, int | None], ...], *, bounded: bool
) -> None:
    """A broker epoch is the offset of a registration; controllers state that of their first record."""
    items = [
        item(9000, Said("broker_starting"), 1, "kraft-starting"),
        item(9010, Said("broker_registered", life=11), 1, "kraft-registered"),
        item(9020, Said("broker_unfenced"), 1, "kraft-running"),
        item(2015, Said("broker_unfenced", replica=1, life=11, basis=Basis.REPORTED), 4, "kraft-let-in"),
        *(item(at, Said(kind, life=first), 4, "kraft-controller") for at, kind, first in told),
    ]

    skews = clocks_of(items, {}).of_broker(4)

    assert skews is not None
    assert skews.pieces[0].hi == (7006 * MS if bounded else None)
