"""What is left out before ties and edges are looked for makes none; and orders are those of a queue."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from core.work import QUIET
from importers.containers.containers import members
from importers.kafka.drafts import Said
from importers.lines.items import Item, items_of, joined_items
from importers.merge.apart import by_partitions
from importers.merge.files import read_files
from importers.merge.gathered import gather
from importers.merge.order import Edge, _across, _merge, epoch_edges, message_pairs, order
from importers.merge.telling import telling
from importers.merge.ties import ties
from importers.merge.timed import log_items
from importers.options import ImportOptions

pytestmark = pytest.mark.broad(3)

ARCHIVES = sorted((Path(__file__).parents[1] / "recordings").glob("*.tar.xz"))


@pytest.mark.slow
@pytest.mark.thinned(3)
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name.removesuffix(".tar.xz"))
def test_nothing_that_tells_of_order_is_left_out(archive: Path) -> None:
    files = tuple(read for member in members([archive]) for read in read_files(member, QUIET))
    logs, _ = log_items(gather(files, ImportOptions()))
    items = joined_items(logs)
    chosen = telling(items)
    every, some = list(items), list(items.taken(chosen))

    assert {(tie.one, tie.before, tie.other, tie.after) for tie in ties(some)} == {
        (tie.one, tie.before, tie.other, tie.after) for tie in ties(every)
    }
    parts = [told for _, told in by_partitions(items.taken(chosen), 100)]
    assert {(tie.one, tie.before, tie.other, tie.after) for part in parts for tie in ties(part)} == {
        (tie.one, tie.before, tie.other, tie.after) for tie in ties(every)
    }
    assert sum(len(message_pairs(part)) for part in parts) == len(message_pairs(every))
    assert sum(len(epoch_edges(part)) for part in parts) == len(epoch_edges(some))

    numbers = chosen.tolist()
    assert [(numbers[one], numbers[other]) for one, other in message_pairs(some)] == list(
        message_pairs(every)
    )
    kept = {(numbers[edge.before], numbers[edge.after]) for edge in epoch_edges(some)}
    again = [edge for edge in epoch_edges(every) if every[edge.after].said.kind != "metadata_applied"]
    assert {(edge.before, edge.after) for edge in again} <= kept


def about(at: int, tp: str | None, topic_id: str | None = None) -> Item:
    """An item about a partition that is written as a topic of one letter and a number."""
    said = Said("truncated", None if tp is None else (tp[0], int(tp[1:])), offset=1, topic_id=topic_id)
    return Item(at, 0, 0, at, 1, 0, 1, "rule", said)


def test_parts_hold_whole_partitions_and_what_is_of_none_comes_alone() -> None:
    items = items_of(map(about, range(9), [None, "a0", "b0", "a0", "c1", None, "c1", "c1", "c0"]))

    def parts(most: int) -> list[list[int]]:
        found = list(by_partitions(items, most))
        assert [told for _, told in found] == [list(items.taken(numbers)) for numbers, _ in found]
        return [numbers.tolist() for numbers, _ in found]

    # Topics in the order in which they are seen first: a, b, c.
    assert parts(3) == [[0, 5], [1, 2, 3], [8], [4, 6, 7]]
    assert parts(4) == [[0, 5], [1, 2, 3, 8], [4, 6, 7]]
    assert parts(1) == [[0, 5], [1, 3], [2], [8], [4, 6, 7]]
    assert parts(100) == [[0, 5], [1, 2, 3, 4, 6, 7, 8]]
    some = items.taken(np.array([3, 6, 7]))
    assert [numbers.tolist() for numbers, _ in by_partitions(some, 2)] == [[0], [1, 2]]
    assert not list(by_partitions(items.taken(np.array([], dtype=np.int64))))


def test_a_topic_with_several_ids_is_in_one_part() -> None:
    """What is said of one partition shows that the epochs of all others may have begun anew."""
    ids = [None, "one", "other", "one", "one"]
    items = items_of(map(about, range(5), ["a0", "a1", "a1", "b0", "b1"], ids))
    assert [numbers.tolist() for numbers, _ in by_partitions(items, 1)] == [[0, 1, 2], [3], [4]]


@pytest.mark.parametrize("seed", range(20))
def test_chains_are_merged_as_a_queue_would(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    chains = [
        [
            Item(chance.randrange(12), 0, source, at, 1, 0, 1, "rule", Said("truncated", ("t", 0), offset=at))
            for at in range(chance.randrange(8))
        ]
        for source in range(4)
    ]

    expected: list[tuple[int, ...]] = []
    queues = [list(chain) for chain in chains]
    while any(queues):
        first = min((queue for queue in queues if queue), key=lambda queue: queue[0].place)
        expected.append(first.pop(0).place)

    assert [item.place for item in order(chains).items] == expected


def one_by_one(ranks: list[int], lengths: list[int], edges: list[Edge]) -> tuple[list[int], list[Edge]]:
    """As `_merge`, slowly: who is ready and earliest; of heads that wait in a circle a weakest edge goes."""
    ends = [sum(lengths[: at + 1]) for at in range(len(lengths))]
    heads = [end - length for end, length in zip(ends, lengths, strict=True) if length]
    new = list(heads)
    done: list[int] = []
    broken: list[Edge] = []
    while heads:
        for head in new:
            while found := circles(head, heads, edges, ends):
                weakest = min(found, key=lambda edge: (edge.strength, edge.after, edge.before))
                broken.append(weakest)
                edges = [edge for edge in edges if edge is not weakest]
        first = min((one for one in heads if all(edge.after != one for edge in edges)), key=ranks.__getitem__)
        done.append(first)
        edges = [edge for edge in edges if edge.before != first]
        heads.remove(first)
        new = [first + 1] if first + 1 not in ends else []
        heads += new
    return done, broken


def circles(head: int, heads: list[int], edges: list[Edge], ends: list[int]) -> list[Edge]:
    """The edges by which a head waits for itself, over other heads."""

    def waited_for(edge: Edge) -> int:
        return next(one for one in heads if chain(one) == chain(edge.before))

    def chain(number: int) -> int:
        return sum(number >= end for end in ends)

    steps = {(edge.after, waited_for(edge)) for edge in edges if edge.after in heads}
    for _ in heads:
        steps |= {(one, last) for one, other in steps for first, last in steps if other == first}
    return [
        edge
        for edge in edges
        if edge.after in heads
        and (edge.after == head or (head, edge.after) in steps)
        and (waited_for(edge) == head or (waited_for(edge), head) in steps)
    ]


@pytest.mark.parametrize("seed", range(80))
def test_edges_that_contradict_are_merged_as_one_by_one(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    lengths = [chance.randrange(12) for _ in range(chance.randrange(1, 5))]
    count = sum(lengths)
    ranks = list(range(count))
    # Chains mostly follow the time, as logs do, so that there are stretches.
    for _ in range(chance.randrange(6)):
        chance.shuffle(ranks)
    pairs = [(chance.randrange(count), chance.randrange(count)) for _ in range(8 if count else 0)]
    edges = [Edge(one, other, chance.randrange(1, 3)) for one, other in pairs if one != other]

    rows = np.array([(one.before, one.after, one.strength) for one in edges], dtype=np.int64).reshape(-1, 3)
    stretches, broken = _merge(np.array(ranks, dtype=np.int64), lengths, _across(rows, lengths))

    found = [number for start, end in stretches for number in range(start, end)]
    assert (found, broken) == one_by_one(ranks, lengths, edges)


def test_items_are_the_same_as_columns_and_as_values() -> None:
    said = Said(
        "isr_committed", ("t-1", 3), leader=-1, epoch=0, hw=2**40, isr=(2, 1), at_least=("hw",), life=7
    )
    items = [
        Item(5, 1, 2, 3, 4, 0, None, "rule", said),
        Item(6, 1, 2, 3, 4, 1, 9, "other", Said("broker_started")),
    ]

    columns = items_of(items)

    assert list(columns) == items
    assert columns[1] == items[1]
    assert list(columns.taken(np.array([1, 0]))) == items[::-1]
