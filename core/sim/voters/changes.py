"""Someone asks the quorum for other voters, and what its leader makes of it (3.9, KIP-853)."""

from core.kafka.raft import refusal
from core.sim.engine import Engine
from core.sim.voters.commits import write_voters
from core.sim.voters.state import Voter
from core.trace.ids import BrokerId, Seq


def ask(engine: Engine, who: BrokerId, *, adds: bool, cause: Seq) -> None:
    """AddRaftVoter or RemoveRaftVoter, which the leader answers. Without a leader nothing comes of it."""
    voters = engine.voters
    if voters is None:
        return
    leading = [one for one in voters.members.values() if one.up and one.leads is not None]
    leader = max(leading, key=_epoch, default=None)
    if leader is None or leader.leads is None:
        return
    known, last = voters.known_to(leader), voters.last_record(leader)
    ways = {(leader.id, who), (who, leader.id)}
    why = refusal(
        engine.rules.switches.voter_change,
        known,
        who,
        adds=adds,
        committed=leader.leads.hw,
        changed_at=-1 if last is None else last.offset,
        answers=voters.members[who].up and not ways & set(engine.world.cut),
        caught_up=who in leader.leads.caught_up,
    )
    if why is None:
        after = (*known, who) if adds else tuple(one for one in known if one != who)
        write_voters(engine, leader, leader.leads, tuple(sorted(after)))
        return
    engine.journal.tell(
        "voter_change_refused",
        leader.id,
        who,
        partition=leader.replica.partition.index,
        cause=cause,
        aux=why,
    )


def _epoch(voter: Voter) -> int:
    return voter.epoch
