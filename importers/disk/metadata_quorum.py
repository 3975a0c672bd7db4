"""The metadata log as a log: who led the quorum in which epoch, and what he appended when.

The quorum keeps a log like that of a partition, `__cluster_metadata-0`, with rules of its own (KIP-595). Its
records bear the time at which their leader wrote them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from core.trace.ids import METADATA_TOPIC
from core.trace.vocabulary import NUMBER
from importers.disk.metadata_spine import Spine, SpineEntry, batches
from importers.kafka.drafts import Said
from importers.lines.items import Item, Items

QUORUM_RULE: Final = "metadata quorum"
_ENDS: Final = (("became_leader", "leo"), ("segment_rolled", "offset"), ("appended", "from_offset"))
_TP: Final = (METADATA_TOPIC, 0)
_RANK: Final = 3
"""At equal times after the lines of server.log: a node writes its record after it has become the leader."""


def stated_ends(logs: Iterable[Items]) -> Mapping[tuple[int, int], int]:
    """When a node's own log states that its metadata log ends at an offset, in ns by its own clock.

    By node and offset: where its epoch begins, where it rolls a segment, where it appends (TRACE).
    """
    found: dict[tuple[int, int], int] = {}
    for chain in logs:
        texts = [number for number, text in enumerate(chain.said.texts) if text == METADATA_TOPIC]
        columns = chain.said.columns
        of_quorum = np.isin(columns["topic"], texts)
        for kind, value in _ENDS:
            for place in np.flatnonzero(of_quorum & (columns["kind"] == NUMBER[kind])).tolist():
                found[int(chain.broker[place]), int(columns[value][place])] = int(chain.at[place])
    return found


def quorum_items(log: Spine, ends: Mapping[tuple[int, int], int]) -> tuple[tuple[Item, ...], ...]:
    """What each leader of the quorum wrote, a chain for each node.

    A leader that no record names appends nothing here: of a log without its head nobody knows who wrote it.
    A leader stamps a batch when it begins to gather it, and appends it somewhat later (BatchAccumulator;
    controller.quorum.append.linger.ms), the first of its epoch after it has entered that on disk and printed
    it (KafkaRaftClient.onBecomeLeader): not before its log states that it ends there (`ends`: `stated_ends`).
    """
    chains: dict[int, list[Item]] = {}
    leaders: dict[int, int] = {}
    for batch in batches(log.entries):
        entry = batch[0].entry
        for said in _said(batch, leaders):
            leader = leaders[entry.epoch]
            chain = chains.setdefault(leader, [])
            ordinal = chain[-1].ordinal + 1 if chain and chain[-1].byte == entry.position else 0
            at = max(entry.stamp_ns, ends.get((leader, entry.offset), 0))
            chain.append(
                Item(at, _RANK, batch[0].source, entry.position, 0, ordinal, leader, QUORUM_RULE, said)
            )
    return tuple(tuple(chain) for _, chain in sorted(chains.items()))


def _said(batch: Sequence[SpineEntry], leaders: dict[int, int]) -> Iterator[Said]:
    """The leader that a batch names, and that its epoch's leader appended it."""
    first, last = batch[0].entry, batch[-1].entry
    for one in batch:
        record = one.entry.record
        # A spoiled record may lack it, and then names nobody.
        leader = record.data.get("leaderId")
        if one.entry.control and record.name == "LeaderChange" and isinstance(leader, int):
            leaders[one.entry.epoch] = leader
            yield Said(
                "leader_elected",
                _TP,
                leader=leader,
                epoch=one.entry.epoch,
                assigned=_voters(record.data),
            )
        elif one.entry.control and record.name == "KRaftVoters" and one.entry.epoch in leaders:
            yield Said("voters_changed", _TP, offset=one.entry.offset, isr=_voters(record.data))
    if first.epoch in leaders:
        end = last.offset + 1
        yield Said("appended", _TP, epoch=first.epoch, from_offset=first.offset, offset=end, leo=end)


def _voters(data: Mapping[str, object]) -> tuple[int, ...]:
    listed = data.get("voters")
    voters = listed if isinstance(listed, list) else []
    return tuple(voter["voterId"] for voter in voters if "voterId" in voter)
