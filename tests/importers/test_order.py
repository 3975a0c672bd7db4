from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.trace.columns import Columns
from importers.disk.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.kafka.drafts import Said
from importers.lines.items import Item, Items, items_of
from importers.lines.statements import TYPES, Statements
from importers.merge.clock import clocks_of
from importers.merge.order import NO_CAUSE, Ordered, order
from importers.merge.ties import ties

TP = ("t", 0)


def item(
    at: int, said: Said, *, source: int = 0, broker: int = 1, rank: int = 2, byte: int | None = None
) -> Item:
    return Item(at, rank, source, at if byte is None else byte, 1, 0, broker, "rule", said)


def sent(at: int, **place: int) -> Item:
    return item(at, Said("leader_and_isr_sent", TP, epoch=1, sends="k"), **place)


def known(at: int, **place: int) -> Item:
    """A line that shows that a log reaches back to before the epoch of `sent`."""
    return item(at, Said("metadata_applied", TP, epoch=0), **place)


def received(at: int, **place: int) -> Item:
    return item(at, Said("leader_and_isr_received", TP, epoch=1, receives="k"), **place)


def other(at: int, **place: int) -> Item:
    return item(at, Said("truncated", TP, offset=at), **place)


def causes_of(ordered: Ordered) -> tuple[int | None, ...]:
    return tuple(None if cause == NO_CAUSE else cause for cause in ordered.causes.tolist())


def test_time_decides_where_nothing_else_does() -> None:
    ordered = order([[other(10), other(30)], [other(20, source=1), other(40, source=1)]])

    assert [one.at for one in ordered.items] == [10, 20, 30, 40]


def test_lines_of_a_file_stay_in_their_order_whatever_their_stamps() -> None:
    ordered = order([[other(30, byte=0), other(10, byte=1)], [other(20, source=1)]])

    assert [(one.source, one.byte) for one in ordered.items if one.source == 0] == [(0, 0), (0, 1)]


def test_a_request_is_received_after_it_was_sent_though_the_clock_says_before() -> None:
    ordered = order(
        [[known(20), sent(100)], [received(50, source=1, broker=2), other(60, source=1, broker=2)]]
    )

    assert [one.said.kind for one in ordered.items] == [
        "metadata_applied",
        "leader_and_isr_sent",
        "leader_and_isr_received",
        "truncated",
    ]
    assert causes_of(ordered) == (None, None, 1, None)
    assert ordered.broken == ()


def test_the_nth_arrival_belongs_to_the_nth_request() -> None:
    ordered = order([[known(0), sent(1), sent(5)], [received(2, source=1), received(7, source=1)]])

    assert [one.at for one in ordered.items] == [0, 1, 2, 5, 7]
    assert causes_of(ordered) == (None, None, 1, None, 3)


def test_more_arrivals_than_requests_pair_nothing() -> None:
    ordered = order([[known(0), sent(9)], [received(2, source=1), received(7, source=1)]])

    assert [one.at for one in ordered.items] == [0, 2, 7, 9]
    assert causes_of(ordered) == (None, None, None, None)


def test_a_request_is_paired_only_where_no_earlier_one_can_be_missing() -> None:
    """The sender's log begins with it: the arrival may be of one that was sent before."""
    ordered = order([[sent(100)], [received(50, source=1, broker=2)]])

    assert [one.said.kind for one in ordered.items] == ["leader_and_isr_received", "leader_and_isr_sent"]
    assert causes_of(ordered) == (None, None)


def test_a_request_just_after_the_decision_is_the_first() -> None:
    decided = item(90, Said("leader_elected", TP, leader=2, epoch=1), source=2)

    ordered = order([[decided], [sent(100)], [received(50, source=1, broker=2)]])

    assert causes_of(ordered) == (None, None, 1)


def test_an_epoch_is_applied_after_its_assignment() -> None:
    elected = item(100, Said("leader_elected", TP, leader=2, epoch=3))
    became = item(90, Said("became_leader", TP, leader=2, epoch=3), source=1, broker=2)

    assert [one.said.kind for one in order([[elected], [became]]).items] == [
        "leader_elected",
        "became_leader",
    ]


def test_a_log_is_created_before_the_role_with_its_end_in_another_file_of_that_moment() -> None:
    became = item(90, Said("became_leader", TP, leader=2, epoch=3, leo=5), rank=1, broker=2)
    created = item(90, Said("log_created", TP), source=1, broker=2)
    of_another = item(90, Said("log_created", ("t", 1)), source=2, broker=2)

    kinds = [(one.said.kind, one.said.tp) for one in order([[became], [created], [of_another]]).items]
    assert kinds == [("log_created", TP), ("became_leader", TP), ("log_created", ("t", 1))]


def test_a_fetch_out_of_range_comes_before_its_cut_in_another_copy_of_the_log() -> None:
    cut = item(90, Said("truncated", TP, offset=205), broker=2)
    of_another = item(90, Said("truncated", TP, offset=206), broker=3)
    reset = item(
        90, Said("fetch_offset_reset", TP, leader=1, from_offset=249, offset=205), source=1, broker=2
    )

    found = [(one.said.kind, one.broker) for one in order([[of_another, cut], [reset]]).items]
    assert found == [("truncated", 3), ("fetch_offset_reset", 2), ("truncated", 2)]


def test_columns_that_nobody_holds_are_made_as_often_for_many_cuts_as_for_few() -> None:
    """The pipeline has them on a disk: making them for each item took minutes for 100 MB of logs."""

    def made(count: int) -> int:
        asked: list[str] = []

        def unheld(told: list[Item]) -> Items:
            held = items_of(told)

            def make(name: str) -> NDArray[np.int64]:
                asked.append(name)
                return held.said.columns[name]

            said = Statements(Columns(TYPES, len(held), make), held.said.texts, held.said.lists)
            return replace(held, said=said)

        cuts = [item(at, Said("truncated", ("t", at), offset=5), broker=2) for at in range(count)]
        resets = [
            item(at, Said("fetch_offset_reset", ("t", at), offset=5), source=1, broker=2)
            for at in range(count)
        ]
        assert [one.source for one in order([unheld(cuts), unheld(resets)]).items] == [1, 0] * count
        return len(asked)

    assert made(2) == made(40)


def test_a_later_statement_of_an_epoch_holds_nothing_back() -> None:
    first = item(10, Said("leader_elected", TP, leader=2, epoch=3))
    again = item(100, Said("leader_elected", TP, leader=2, epoch=3))
    became = item(50, Said("became_leader", TP, leader=2, epoch=3), source=1, broker=2)

    assert [one.at for one in order([[first, again], [became]]).items] == [10, 50, 100]


def test_what_a_metadata_log_without_its_head_repeats_holds_nothing_back() -> None:
    """Broker 1 of k43-snapshots alone: a snapshot has what a line says that was printed 48 s before it."""
    applied = item(39, Said("became_leader", TP, epoch=0, leader=1), source=1)
    snapshot = replace(item(88, Said("partition_state", TP, epoch=0)), rule=SNAPSHOT_RULE)
    joined = replace(item(90, Said("isr_committed", TP, epoch=0)), rule=METADATA_RULE, broker=100)
    elected = replace(item(99, Said("leader_elected", TP, epoch=1)), rule=METADATA_RULE, broker=100)
    early = item(95, Said("became_follower", TP, epoch=1, leader=2), source=1)

    ordered = order([[snapshot, joined, elected], [applied, early]])

    assert [one.at for one in ordered.items] == [39, 88, 90, 99, 95]
    # Only the election ties the clocks.
    assert [(tie.before, tie.after) for tie in ties([snapshot, joined, elected, applied, early])] == [
        (99, 95)
    ]


def test_epochs_of_two_topics_of_one_name_tie_no_clocks() -> None:
    made = replace(
        item(60, Said("partition_created", TP, epoch=0, topic_id="new")), rule=METADATA_RULE, broker=100
    )
    old = [
        item(10, Said("became_follower", TP, epoch=0, leader=2), source=1),
        item(11, Said("fetcher_added", TP, leader=2, topic_id="old"), source=1),
    ]

    assert ties([made, *old]) == ()


def test_a_contradiction_gives_way_at_the_weakest_edge_and_is_reported() -> None:
    # The file of broker 1 applies epoch 3 and then sends; broker 2 receives and then assigns epoch 3.
    one = [known(9, byte=0), item(10, Said("became_leader", TP, leader=1, epoch=3), byte=1), sent(11, byte=2)]
    two = [
        received(12, source=1, broker=2, byte=0),
        item(13, Said("leader_elected", TP, leader=1, epoch=3), source=1, broker=2, byte=1),
    ]

    ordered = order([one, two])

    assert [item.at for item in ordered.items] == [
        9,
        10,
        11,
        12,
        13,
    ]  # the epoch gave way, the message did not
    assert ordered.broken == ((4, 1),)
    assert causes_of(ordered) == (None, None, None, 2, None)


def test_what_contradicts_itself_holds_nothing_else_back() -> None:
    # Lines of one millisecond, mixed up: a broker applies epoch 3 before the line that assigns it.
    one = [
        item(10, Said("became_leader", TP, leader=1, epoch=3), byte=0),
        item(10, Said("leader_elected", TP, leader=1, epoch=3), byte=1),
        other(12, byte=2),
    ]
    two = [other(11, source=1, broker=2), other(90, source=1, broker=2)]

    ordered = order([one, two])

    assert [item.at for item in ordered.items] == [10, 10, 11, 12, 90]
    assert ordered.broken == ((1, 0),)


def test_a_circle_of_three_gives_way_where_it_closes() -> None:
    def applies(at: int, name: str, **place: int) -> Item:
        return item(at, Said("became_leader", (name, 0), leader=1, epoch=3), **place)

    def assigns(at: int, name: str, **place: int) -> Item:
        return item(at, Said("leader_elected", (name, 0), leader=1, epoch=3), **place)

    chains = [
        [applies(10, "a", byte=0), assigns(11, "b", byte=1)],
        [applies(10, "b", source=1, broker=2, byte=0), assigns(11, "c", source=1, broker=2, byte=1)],
        [applies(10, "c", source=2, broker=3, byte=0), assigns(11, "a", source=2, broker=3, byte=1)],
        [other(20, source=3, broker=4), other(90, source=3, broker=4)],
    ]

    ordered = order(chains)

    assert [item.at for item in ordered.items][-2:] == [20, 90]
    assert len(ordered.broken) == 1


def test_equal_times_are_told_controller_first_then_request_then_action() -> None:
    ordered = order([[other(5, rank=2)], [other(5, rank=0, source=1)], [other(5, rank=1, source=2)]])

    assert [one.rank for one in ordered.items] == [0, 1, 2]


def test_a_clock_that_is_behind_is_bounded_from_both_sides() -> None:
    ms = 1_000_000
    # Broker 2 is 1000 ms behind: what 1 sends at 5000 arrives at 4010 of its clock, and what 2 begins at 6000
    # is seen at 7020.
    items = [
        known(4000 * ms),
        sent(5000 * ms),
        item(3000 * ms, Said("broker_starting"), source=1, broker=2),
        received(4010 * ms, source=1, broker=2),
        item(7020 * ms, Said("broker_registered", broker=1, replica=2)),
    ]

    skews = clocks_of(items, {2: [6000 * ms]}).of_broker(2)
    assert skews is not None
    (skew,) = skews.pieces

    assert skew.lo is not None
    assert skew.hi is not None
    assert 980 * ms <= skew.lo <= 1000 * ms <= skew.hi <= 1030 * ms
    assert skew.correction == (skew.lo + skew.hi) // 2


def test_a_broker_without_messages_is_unbounded_and_not_corrected() -> None:
    clocks = clocks_of([sent(1), other(2, broker=2, source=1)], {})

    assert str(clocks.of_broker(2)) == "unbounded..unbounded ns"
    assert clocks.correction(("broker", 2), 0) == 0


def test_a_set_that_a_leader_asked_for_begins_no_epoch() -> None:
    """The controller prints it seconds later, and only a rule that may repeat an epoch has the decision."""
    decided = Said("isr_committed", TP, epoch=3, partition_epoch=4)
    asked_for = Said("isr_committed", TP, epoch=3, partition_epoch=5)
    follows = item(11, Said("became_follower", TP, epoch=3, partition_epoch=4), source=2, broker=2)
    state_change = replace(item(10, decided, source=0), rule="replica-removed")
    controller = replace(item(90, asked_for, source=1), rule="controller-isr-updated-3.3")

    ordered = order([[state_change], [controller], [follows]])

    assert [one.at for one in ordered.items.kept()] == [10, 11, 90]
