"""What the recorder of a real cluster saw of a partition: the bounds that its samples give at any time.

It asked replicas, watched their files and noted what was done; nothing here comes from a log. A log end only
grows between two samples unless a cut was seen, and a high watermark unless its replica was restarted, cut,
or got another leader. So two samples bound every value between them.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

BEFORE, AFTER = 50_000_000, 100_000_000
"""A sample is a poll: so many ns before and after a time it may still be of that time."""
TOLD: Final = 500_000_000
"""Brokers are told later than the controller decides, and answer as they were told: at most so many ns."""
DOWN: Final = ("kill", "term")
_UNTIL: Final = 30_000_000_000
_NEVER: Final = 1 << 63
Bounds = tuple[int, int]
State = tuple[int | None, int | None, tuple[int, ...] | None]
"""(leader, leader epoch, in-sync set) as one answer gave them."""


@dataclass(frozen=True)
class Seen:
    """The truth of a recording, of the partition `tp`."""

    truth: dict[str, Any]
    tp: str

    @cached_property
    def made(self) -> list[int]:
        """When the topic was made."""
        topic = self.tp.rsplit("-", 1)[0]
        steps = self.truth["steps"]
        return [one["at_ns"] for one in steps if one["do"] == "create_topic" and one["topic"] == topic]

    @cached_property
    def known(self) -> bool:
        """Whether the recorder watched the partition, and the topic was made once."""
        return self.tp in self.truth["final"] and len(self.made) == 1

    @cached_property
    def _samples(self) -> list[dict[str, Any]]:
        return sorted(
            (one for one in self.truth["samples"] if one.get("tp") == self.tp), key=lambda one: one["at_ns"]
        )

    @cached_property
    def final(self) -> dict[int, dict[str, Any]]:
        """What each replica held at the end."""
        return {int(broker): one for broker, one in self.truth["final"][self.tp]["replicas"].items()}

    @cached_property
    def marks(self) -> list[tuple[int, int, dict[str, Any]]]:
        """(time, replica, what its disk held) whenever the recorder looked at disks."""
        found = [(one["at_ns"], one["replica"], one) for one in self._samples if one["src"] == "disk"]
        for mark in self.truth.get("disk_marks") or ():
            found += [
                (mark["at_ns"], int(key), one) for key, one in mark["replicas"].get(self.tp, {}).items()
            ]
        return sorted(found, key=lambda one: one[:2])

    def _points(self, replica: int, name: str) -> list[tuple[int, int]]:
        found = [
            (one["at_ns"], one[name])
            for one in self._samples
            if one.get("replica") == replica and one.get(name) is not None
        ]
        if name == "leo":
            found += [(at, one["leo"]) for at, who, one in self.marks if who == replica]
        found += [(at, 0) for at in self.made]  # A log begins empty, and so does its high watermark.
        return sorted(found)

    @cached_property
    def _every_point(self) -> dict[tuple[int, str], list[tuple[int, int]]]:
        return {
            (replica, name): self._points(replica, name) for replica in self.final for name in ("leo", "hw")
        }

    def ends(self, replica: int) -> list[tuple[int, int]]:
        """(time, log end offset) of the samples of a replica."""
        return self._every_point.get((replica, "leo"), [])

    def watermarks(self, replica: int) -> list[tuple[int, int]]:
        """(time, high watermark) of the samples of a replica."""
        return self._every_point.get((replica, "hw"), [])

    def cuts(self, replica: int) -> list[dict[str, Any]]:
        """The cuts of a replica's log that were seen."""
        return [one for one in self.truth["truncations"] if (one["tp"], one["replica"]) == (self.tp, replica)]

    def _window(self, replica: int, name: str, at: int) -> list[tuple[int, int]] | None:
        """The samples from the last before a time to the first after it; None without one before."""
        points = self._every_point.get((replica, name), [])
        first = bisect_right(points, (at - BEFORE, _NEVER)) - 1
        if first < 0:
            return None
        end = bisect_right(points, (at + AFTER, -1))
        return points[first : end + 1]

    def log_end(self, replica: int, at: int) -> Bounds | None:
        """The least and the greatest log end offset that a replica can have had at a time."""
        window = self._window(replica, "leo", at) if self.known else None
        if window is None:
            return None
        values = [value for _, value in window]
        till = window[-1][0]
        if till < at + AFTER:
            values.append(self.final[replica]["leo"])
            till = _NEVER
        for cut in self.cuts(replica):
            if window[0][0] <= cut["at_ns"] and (cut["at_ns"] <= till or not cut.get("exact", True)):
                values += [cut["from"], cut["to"] if cut.get("exact", True) else 0]
        return min(values), max(values)

    def high_watermark(self, replica: int, at: int) -> Bounds | None:
        """The least and the greatest high watermark that a replica can have had at a time."""
        window = self._window(replica, "hw", at) if self.known else None
        if window is None:
            return None
        begin, till = window[0][0], max(window[-1][0], at + AFTER)
        ends = [one for one in (self.log_end(replica, time) for time in (begin, at, till)) if one is not None]
        top = max((one[1] for one in ends), default=0)
        values = [value for _, value in window]
        if window[-1][0] >= at + AFTER and not self._disturbed(replica, begin, till):
            return min(values), max(values)
        return (0, max(top, *values)) if ends else None

    def _disturbed(self, replica: int, begin: int, till: int) -> bool:
        """Whether a high watermark may have gone back in a time: a restart, a cut, another leader."""
        steps = any(
            begin - _UNTIL <= at <= till and do in ("start", *DOWN) for at, do in self.steps(replica)
        ) or any(begin <= cut["at_ns"] for cut in self.cuts(replica) if cut["at_ns"] <= till)
        states = {(leader, epoch) for leader, epoch, _ in self.states(begin, till)}
        return steps or len(states) != 1

    def steps(self, broker: int) -> list[tuple[int, str]]:
        """(time, what was done) to the process of a broker."""
        return self._steps.get(broker, [])

    @cached_property
    def _steps(self) -> dict[int, list[tuple[int, str]]]:
        found: dict[int, list[tuple[int, str]]] = {}
        for step in self.truth["steps"]:
            broker = step.get("broker", step.get("node"))
            if broker is not None:
                found.setdefault(broker, []).append((step["at_ns"], step["do"]))
        return found

    @cached_property
    def control(self) -> list[tuple[int, State]]:
        """(time, answer) on leader, epoch and in-sync set."""
        found: list[tuple[int, State]] = []
        for one in self._samples:
            if one.get("leader") is not None:
                isr = one.get("isr")
                told = None if isr is None else tuple(sorted(isr))
                found.append((one["at_ns"], (one["leader"], one.get("leader_epoch"), told)))
        return found

    @cached_property
    def answers(self) -> list[dict[str, Any]]:
        """The answers of the cluster on leader and in-sync set, as they were noted."""
        return [one for one in self._samples if one.get("leader") is not None]

    @cached_property
    def complete(self) -> bool:
        """Whether every change of leader and in-sync set was seen: ZooKeeper numbers them."""
        numbers = [one["zk_version"] for one in self._samples if "zk_version" in one]
        return bool(numbers) and sorted(set(numbers)) == list(range(max(numbers) + 1))

    def states(self, begin: int, till: int) -> list[State]:
        """The answers from the last before `begin` to the first after `till`."""
        times = [at for at, _ in self.control]
        first, end = bisect_right(times, begin) - 1, bisect_right(times, till)
        return [state for _, state in self.control[max(first, 0) : end + 1]]

    def around(self, at: int) -> list[State]:
        """The answers around a time."""
        return self.states(at - TOLD, at + TOLD)

    @cached_property
    def led(self) -> dict[int, int]:
        """By leader epoch: who led it, as the cluster answered, or who confirmed a record of it."""
        found: dict[int, int] = {}
        held = [one for replica in self.final.values() for one in replica["records"]] if self.known else []
        epochs = {(offset, value): epoch for offset, epoch, value in held if epoch is not None}
        for one in self.truth["acked"].get(self.tp, ()):
            epoch = epochs.get((one["offset"], one["value"]))
            if epoch is not None and one.get("by_leader") is not None:
                found[epoch] = one["by_leader"]
        for _, (leader, epoch, _) in self.control:
            if epoch is not None and leader is not None and leader >= 0:
                found[epoch] = leader
        return found

    @cached_property
    def leaderless(self) -> set[int]:
        """The epochs in which the cluster answered that nobody leads."""
        return {epoch for _, (leader, epoch, _) in self.control if leader == -1 and epoch is not None}

    def last_step(self, broker: int, at: int) -> tuple[int, str] | None:
        """The last thing that was done to the process of a broker by a time."""
        done = [one for one in self.steps(broker) if one[0] <= at + BEFORE]
        return done[-1] if done else None

    @cached_property
    def batches(self) -> dict[int, tuple[int, int]]:
        """Of the metadata log: (end, epoch) of each batch by its first offset, by Kafka's own tool."""
        return self.truth.get("metadata_batches", {}) if self.tp == "__cluster_metadata-0" else {}

    @cached_property
    def metadata_epochs(self) -> dict[int, int]:
        """Of the metadata log: the epoch of each offset that the dump has."""
        return {one: epoch for first, (end, epoch) in self.batches.items() for one in range(first, end)}

    @cached_property
    def offsets(self) -> dict[int, dict[int, int | None]]:
        """By replica: the offsets that it held at the end, with the leader epoch of each record."""
        return {
            replica: {offset: epoch for offset, epoch, _ in one["records"]}
            for replica, one in self.final.items()
        }

    @cached_property
    def epoch_ranges(self) -> dict[int, list[tuple[int, int]]]:
        """By replica: (epoch, offset) of records that its disk was seen to hold, at the end or before."""
        found: dict[int, list[tuple[int, int]]] = {}
        for replica, held in self.offsets.items():
            found[replica] = [(epoch, offset) for offset, epoch in held.items() if epoch is not None]
        for _, replica, one in self.marks:
            spans = [span for span in one.get("epochs") or () if len(span) == 3]
            found.setdefault(replica, []).extend((epoch, start) for epoch, start, _ in spans)
        return found
