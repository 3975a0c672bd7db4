"""How the model would see each replica at each moment of a run: what it holds, and what it believes.

Between a request and its answer the model has no time. So what an answer brings counts from the moment in
which the leader gave it, if it is taken when it arrives: whatever a follower does in between makes it drop
the answer. A replica that was told of a new leader counts as its follower from the exchange on in which both
found that their logs agree; until then it is, as the model sees it, what it was before.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.refine.moments import NOTHING, Held, Moment, Run
from core.sim.messages.replication import Fetch, FetchAnswer, OffsetsForLeaderEpochAnswer
from core.trace.vocabulary import NUMBER

_ACCEPTED: Final = frozenset((NUMBER["fetch_answered"], NUMBER["fetch_parked"]))
_NO_EPOCH: Final = -1


class Belief(NamedTuple):
    """In which leader epoch of Kafka a replica is, and whom it takes for the leader."""

    epoch: int
    leader: int


UNTOLD: Final = Belief(_NO_EPOCH, NOTHING)
"""What a broker knows right after its start."""


class View(NamedTuple):
    """A replica as the model sees it, with the numbers and epochs of the run."""

    log: tuple[tuple[int, int], ...]
    high_watermark: int
    belief: Belief
    life: int
    """How often its broker has started."""
    interrupted: int | None = None
    """Where its log ended when a cut in several rounds was broken off, until it leads or follows again."""


class _Exchanges:
    """What answers brought, and when followers and leaders found that they agree."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._ends = [one.end for one in run.moments]
        self._kinds: list[int] = run.trace.columns["kind"].tolist()
        self._about: list[int] = run.trace.columns["replica"].tolist()
        self.agreed: dict[tuple[int, int], tuple[Belief, int] | None] = {}
        """By (replica, moment): the belief and log end that a follower asked with, if it may have gone on."""
        self.brought: dict[tuple[int, int], Held] = {}
        """What a replica will have when the answer is there, by (replica, moment)."""
        for at, moment in enumerate(run.moments):
            message = moment.message
            if isinstance(message, Fetch):
                self._on_fetch(at, moment, message)
            elif isinstance(message, FetchAnswer | OffsetsForLeaderEpochAnswer):
                self._on_answer(at, moment, message)

    def _on_fetch(self, at: int, moment: Moment, message: Fetch) -> None:
        follower = message.request.follower.id
        rows = range(self._run.moments[at - 1].end, moment.end)
        taken = any(self._kinds[one] in _ACCEPTED and self._about[one] == follower for one in rows)
        if taken:
            request, place = message.request, self._run.place
            belief = Belief(request.epoch, place[request.leader])
            self.agreed[place[follower], at] = (belief, request.offset)

    def _on_answer(self, at: int, moment: Moment, message: FetchAnswer | OffsetsForLeaderEpochAnswer) -> None:
        replica = self._run.place[message.request.follower.id]
        before, after = self._run.moments[at - 1].held[replica - 1], moment.held[replica - 1]
        if before.token != message.request.token:
            return  # It has asked for something else since.
        if isinstance(message, OffsetsForLeaderEpochAnswer) and after.truncating:
            return  # It asks again.
        given = bisect_right(self._ends, message.cause)
        if isinstance(message, OffsetsForLeaderEpochAnswer):
            self.agreed[replica, given] = None
        for between in range(given, at):
            self.brought[replica, between] = after


def views(run: Run) -> list[tuple[View, ...]]:
    """Every replica at every moment."""
    exchanges = _Exchanges(run)
    columns = [_views_of(run, exchanges, replica) for replica in range(1, len(run.place) + 1)]
    return list(zip(*columns, strict=True))


def _views_of(run: Run, exchanges: _Exchanges, replica: int) -> list[View]:
    first = run.moments[0].held[replica - 1]
    eyes = _Eyes(run, replica, Belief(first.epoch, first.leader) if first.role != "none" else UNTOLD)
    seen: list[View] = []
    before = first
    for at, moment in enumerate(run.moments):
        now = moment.held[replica - 1]
        last = seen[-1] if seen else None
        eyes.see(before, now, last)
        if (replica, at) in exchanges.agreed:
            eyes.agree(exchanges.agreed[replica, at], now)
        if eyes.told is not None and last is not None:
            seen.append(last)
        else:
            held = exchanges.brought.get((replica, at), now)
            high_watermark = min(held.high_watermark, len(held.log))
            seen.append(View(held.log, high_watermark, eyes.belief, now.life, eyes.interrupted))
            eyes.interrupted = None
        before = now
    return seen


@dataclass(slots=True)
class _Eyes:
    """What one replica believes, as the model sees it, moment by moment."""

    run: Run
    replica: int
    belief: Belief
    told: Belief | None = None
    """What it was told, until it has found where its log parts from that leader's."""
    interrupted: int | None = None

    def see(self, before: Held, now: Held, last: View | None) -> None:
        """Go on by one moment."""
        started = now.life != before.life
        if not started and (now.role == "none" or _roles(now) == _roles(before)):
            return
        if self.told is not None and last is not None and len(before.log) < len(last.log):
            self.interrupted = len(before.log)
        new = Belief(now.epoch, now.leader)
        kept = now.fetcher is before.fetcher and now.fetcher is not None
        # To 0.10 a replica that begins to follow needs nobody for it: it cuts to its own high watermark.
        cuts = self.run.era.switches.truncation == "high-watermark" and now.leader != NOTHING and not kept
        if started:
            self.belief, self.told = UNTOLD, None
        elif now.role == "leader" or (self.told is None and kept) or cuts:
            self.belief, self.told = new, None
        else:
            self.told = new

    def agree(self, asked: tuple[Belief, int] | None, now: Held) -> None:
        """Follower and leader have found that their logs agree, if the follower still is as it was then.

        Whether its broker still runs does not matter.
        """
        if self.told is None or self.told.leader == NOTHING:
            return
        fenced = self.run.era.switches.fencing != "none"
        if asked is not None:
            belief, end = asked
            same = belief == self.told if fenced else belief.leader == self.told.leader
            if not same or end != len(now.log):
                return
        self.belief, self.told = self.told, None


def _roles(held: Held) -> tuple[str, int, int]:
    return held.role, held.leader, held.epoch
