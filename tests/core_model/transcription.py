"""A second transcription of the specification, of dictionaries and loops. It shares no code with core.model.

States are frozen at the end (`frozen`), and compared with those of the engines through the same form. Brokers
are numbered from 1.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Row = dict[str, Any]


def first(replicas: int) -> Row:
    return {
        "log": {r: [] for r in range(1, replicas + 1)},
        "me": {r: {"hw": 0, "epoch": -1, "leader": None, "isr": set()} for r in range(1, replicas + 1)},
        "record": 0,
        "epoch": 0,
        "requests": [],
        "quorum": {"epoch": -1, "leader": None, "isr": set(range(1, replicas + 1))},
    }


def frozen(s: Row) -> tuple[Any, ...]:
    def three(q: Row) -> tuple[Any, ...]:
        return (q["epoch"], q["leader"] or 0, tuple(sorted(q["isr"])))

    return (
        tuple((tuple(s["log"][r]), s["me"][r]["hw"], *three(s["me"][r])) for r in sorted(s["log"])),
        s["record"],
        s["epoch"],
        tuple(sorted(three(q) for q in s["requests"])),
        three(s["quorum"]),
    )


def same_form(state: Any) -> tuple[Any, ...]:
    """A state of core.model in the form of `frozen`."""
    return (
        tuple(
            (tuple(tuple(x) for x in r.log), r.high_watermark, r.epoch, r.leader, tuple(sorted(r.isr)))
            for r in state.replicas
        ),
        state.next_record,
        state.next_epoch,
        tuple(sorted((q.epoch, q.leader, tuple(sorted(q.isr))) for q in state.requests)),
        (state.quorum.epoch, state.quorum.leader, tuple(sorted(state.quorum.isr))),
    )


class Spec:
    """The actions, with TLA+'s reading: a guard that is false gives nothing."""

    def __init__(self, name: str, replicas: int, log_size: int, records: int, max_epoch: int) -> None:
        self.name, self.log_size, self.records, self.max_epoch = name, log_size, records, max_epoch
        self.replicas = range(1, replicas + 1)

    def graph(self) -> dict[tuple[Any, ...], set[tuple[Any, ...]]]:
        start = first(len(self.replicas))
        edges: dict[tuple[Any, ...], set[tuple[Any, ...]]] = {}
        waiting = [start]
        seen = {frozen(start)}
        while waiting:
            s = waiting.pop()
            after = list(self.next(s))
            edges[frozen(s)] = {frozen(t) for t in after}
            for t in after:
                if frozen(t) not in seen:
                    seen.add(frozen(t))
                    waiting.append(t)
        return edges

    def next(self, s: Row) -> Iterator[Row]:
        yield from self.controller(s)
        for q in s["requests"]:
            yield from self.become(s, q)
        for x in self.replicas:
            if s["me"][x]["leader"] == x:
                yield from self.as_leader(s, x)
                for f in self.replicas:
                    if s["me"][f]["leader"] == x:
                        yield from self.as_follower(s, x, f)

    def controller(self, s: Row) -> Iterator[Row]:
        q = s["quorum"]
        choices: list[tuple[Any, set[int]]] = []
        for r in self.replicas:
            if q["leader"] == r:
                choices.append((None, q["isr"] if q["isr"] == {r} else q["isr"] - {r}))
            elif r in q["isr"]:
                choices += [(q["leader"], q["isr"] - {r}), (r, q["isr"])]
        if s["epoch"] <= self.max_epoch:
            for leader, isr in choices:
                t = deepcopy(s)
                t["quorum"] = {"epoch": s["epoch"], "leader": leader, "isr": set(isr)}
                t["requests"].append(deepcopy(t["quorum"]))
                t["epoch"] += 1
                yield t

    def become(self, s: Row, q: Row) -> Iterator[Row]:
        x = q["leader"]
        if x is None:
            return
        for r in self.replicas:
            if s["me"][r]["epoch"] >= q["epoch"]:
                continue
            t = deepcopy(s)
            t["me"][r].update(epoch=q["epoch"], leader=x, isr=set(q["isr"]))
            if r == x or self.name == "kip-320-first-try":
                yield t
            elif self.name != "kip-320" or (s["me"][x]["leader"] == x and s["me"][x]["epoch"] == q["epoch"]):
                to = self.cut(s, x, r)
                if to <= len(s["log"][r]):
                    del t["log"][r][to:]
                    t["me"][r]["hw"] = min(to, s["me"][r]["hw"])
                    yield t

    def cut(self, s: Row, x: int, f: int) -> int:
        mine, theirs = s["log"][f], s["log"][x]
        if self.name == "truncate-to-hw":
            return s["me"][f]["hw"]
        if self.name not in ("kip-101", "kip-101-clamped"):
            return max((o + 1 for o in range(min(len(mine), len(theirs))) if mine[o] == theirs[o]), default=0)
        if not mine:
            return 0
        e = mine[-1][1]
        above = [o for o, (_, epoch) in enumerate(theirs) if epoch > e]
        if theirs and theirs[-1][1] == e:
            to = len(theirs)
        elif theirs and above:
            to = min(above)
        else:
            to = s["me"][f]["hw"]
        return min(to, len(mine)) if self.name == "kip-101-clamped" else to

    def caught_up(self, s: Row, x: int, f: int, end: int) -> bool:
        """The published guards by variant: of whoever follows x, whether it has the records below `end`."""
        mine, theirs = s["log"][f], s["log"][x]
        if s["me"][f]["leader"] != x:
            return False
        if self.name == "kip-320" and s["me"][f]["epoch"] != s["me"][x]["epoch"]:
            return False
        if end == 0:
            return True
        if self.name == "kip-320-first-try":
            both = len(mine) >= end and len(theirs) >= end
            return both and mine[end - 1][1] == theirs[end - 1][1]
        return len(mine) >= end

    def as_leader(self, s: Row, x: int) -> Iterator[Row]:
        me, log = s["me"][x], s["log"][x]
        if s["record"] < self.records and len(log) < self.log_size:
            t = deepcopy(s)
            t["log"][x].append((s["record"], me["epoch"]))
            t["record"] += 1
            yield t
        if all(self.caught_up(s, x, f, me["hw"] + 1) for f in me["isr"]):
            t = deepcopy(s)
            t["me"][x]["hw"] += 1
            yield t
        if s["quorum"]["leader"] != x or s["quorum"]["epoch"] != me["epoch"]:
            return
        hw = me["hw"]
        begun = not self.name.startswith("kip-320") or hw == len(log) or log[hw][1] == me["epoch"]
        for f in self.replicas:
            isr = None
            if f in me["isr"] and f != x and not self.caught_up(s, x, f, len(log)):
                isr = me["isr"] - {f}
            elif f not in me["isr"] and begun and self.caught_up(s, x, f, hw):
                isr = me["isr"] | {f}
            if isr is not None:
                t = deepcopy(s)
                t["me"][x]["isr"], t["quorum"]["isr"] = set(isr), set(isr)
                yield t

    def as_follower(self, s: Row, x: int, f: int) -> Iterator[Row]:
        mine, theirs = s["log"][f], s["log"][x]
        n = len(mine)
        if (
            n < len(theirs)
            and n < self.log_size
            and self.caught_up(s, x, f, n if "first" in self.name else 0)
        ):
            t = deepcopy(s)
            t["log"][f].append(theirs[n])
            t["me"][f]["hw"] = min(s["me"][x]["hw"], n + 1)
            yield t
        differs = n > 0 and (n > len(theirs) or theirs[n - 1][1] != mine[n - 1][1])
        if self.name == "kip-320-first-try" and differs:
            t = deepcopy(s)
            to = self.cut(s, x, f)
            del t["log"][f][to:]
            t["me"][f]["hw"] = min(to, s["me"][f]["hw"])
            yield t
