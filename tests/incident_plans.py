"""Random incidents.

A cluster of any shape, any setting, and whatever can happen to it, by the luck of a seed.
"""

from collections.abc import Callable
from typing import TypeAlias

from core.kafka.eras import ERAS, Era
from core.sim.chance import Chance
from core.sim.script import CONTROLLER
from core.sim.script_text import Plan, StepPlan, Value
from core.sim.search_moves import settle

Draw: TypeAlias = Callable[[int], int]
"""A number below a limit, another one each time."""
Move: TypeAlias = Callable[[Draw, Plan], list[StepPlan]]

BROKERS = ("A", "B", "C", "D", "E")
SOON_MS = (0, 1, 2, 3, 5, 8, 700)
PAUSES_MS = (1, 3, 700, 3_500, 5_200, 9_000, 21_000)


def incident_of(seed: int, shape_of: Callable[[Draw], Plan]) -> tuple[Plan, Era]:
    """What happens in the incident of a seed, and the era of Kafka in which it does.

    `shape_of` draws the cluster: `cluster`, or another one.
    """
    chance = Chance(seed)
    drawn = 0

    def draw(limit: int) -> int:
        nonlocal drawn
        drawn += 1
        return chance.below(limit, "incident", drawn)

    rules = ERAS[draw(len(ERAS))]
    shape = shape_of(draw)
    steps: list[StepPlan] = [produce(draw, shape)]
    for _ in range(3 + draw(9)):
        steps += MOVES[draw(len(MOVES))](draw, shape)
    if draw(3):
        steps += settle(shape.brokers)
    return Plan(shape.brokers, shape.settings, shape.jitter_us, tuple(steps), shape.cluster), rules


def cluster(draw: Draw) -> Plan:
    """A cluster without a script. What a setting is not said to be is the era's default."""
    brokers = BROKERS[: (1, 2, 2, 3, 3, 3, 3, 4, 5)[draw(9)]]
    shape: dict[str, Value] = {}
    if draw(3) == 0:
        shape["partitions"] = 1 + draw(3)
    if draw(3) == 0:
        shape["replication_factor"] = 1 + draw(len(brokers))
    settings: dict[str, Value] = {}
    if draw(3):
        settings["min.insync.replicas"] = 1 + draw(2)
    if draw(3):
        settings["unclean.leader.election.enable"] = bool(draw(2))
    if draw(2):
        settings["replica.lag.time.max.ms"] = (2_000, 4_000, 10_000)[draw(3)]
    if draw(2):
        settings["zookeeper.session.timeout.ms"] = (3_000, 6_000, 18_000)[draw(3)]
    if draw(2):
        settings["replica.high.watermark.checkpoint.interval.ms"] = (500, 1_000, 30_000)[draw(3)]
    return Plan(brokers, settings, (0, 0, 1_500)[draw(3)], (), shape)


def wide(draw: Draw) -> Plan:
    """Five brokers, up to four partitions on three to five of them, min.insync.replicas up to three."""
    shape: dict[str, Value] = {"partitions": 1 + draw(4), "replication_factor": 3 + draw(3)}
    settings: dict[str, Value] = {}
    if draw(3):
        settings["min.insync.replicas"] = 1 + draw(3)
    if draw(3):
        settings["unclean.leader.election.enable"] = bool(draw(2))
    if draw(2):
        settings["replica.lag.time.max.ms"] = (2_000, 4_000, 10_000, 30_000)[draw(4)]
    if draw(2):
        settings["zookeeper.session.timeout.ms"] = (3_000, 6_000, 18_000)[draw(3)]
    if draw(2):
        settings["replica.high.watermark.checkpoint.interval.ms"] = (500, 1_000, 30_000)[draw(3)]
    return Plan(BROKERS, settings, (0, 1_500, 200)[draw(3)], (), shape)


def soon(draw: Draw, step: StepPlan) -> StepPlan:
    """Perhaps the next step comes while messages are still under way."""
    return {**step, "for_ms": SOON_MS[draw(len(SOON_MS))]} if draw(2) else step


def one(draw: Draw, shape: Plan) -> str:
    return shape.brokers[draw(len(shape.brokers))]


def produce(draw: Draw, shape: Plan) -> StepPlan:
    acks = ("all", "all", "1", "0")[draw(4)]
    step: StepPlan = {"do": "produce", "count": 1 + draw(5), "every_ms": draw(3), "acks": acks}
    partitions = shape.cluster.get("partitions", 1)
    if isinstance(partitions, int) and partitions > 1:
        step = {**step, "partitions": tuple(range(partitions))}
    return soon(draw, step)


def crash(draw: Draw, broker: str) -> StepPlan:
    """A kill, perhaps of the controller's broker too, perhaps of the machine with what was not flushed."""
    step: dict[str, Value] = {"do": "crash", "broker": broker}
    if draw(4) == 0:
        step["controller_fails_over"] = True
    if draw(4) == 0:
        step["tail_lost"] = 1 + draw(3)
    return step


def start(draw: Draw, broker: str) -> StepPlan:
    """A start, rarely with an empty disk."""
    return {"do": "start", "broker": broker, **({"disk_replaced": True} if draw(12) == 0 else {})}


def write(draw: Draw, shape: Plan) -> list[StepPlan]:
    return [produce(draw, shape)]


def crash_one(draw: Draw, shape: Plan) -> list[StepPlan]:
    return [soon(draw, crash(draw, one(draw, shape)))]


def start_one(draw: Draw, shape: Plan) -> list[StepPlan]:
    return [soon(draw, start(draw, one(draw, shape)))]


def stop_one(draw: Draw, shape: Plan) -> list[StepPlan]:
    return [soon(draw, {"do": "stop", "broker": one(draw, shape)})]


def elect_one(draw: Draw, shape: Plan) -> list[StepPlan]:
    return [soon(draw, {"do": "elect", "broker": one(draw, shape)})]


def bounce(draw: Draw, shape: Plan) -> list[StepPlan]:
    """One dies or is stopped for a time, and comes back."""
    broker = one(draw, shape)
    end = crash(draw, broker) if draw(3) else {"do": "stop", "broker": broker}
    return [end, *wait(draw, shape), soon(draw, start(draw, broker))]


def restart_then_crash(draw: Draw, shape: Plan) -> list[StepPlan]:
    """One comes back with what its disk says, and another dies before it has caught up."""
    back, other = one(draw, shape), one(draw, shape)
    return [
        crash(draw, back),
        {**start(draw, back), "for_ms": 1 + draw(8)},
        crash(draw, other),
        *wait(draw, shape),
    ]


def all_at_once(draw: Draw, shape: Plan) -> list[StepPlan]:
    """The power goes; the machines come back one after the other."""
    return [
        *({**crash(draw, broker), "for_ms": 0} for broker in shape.brokers),
        *wait(draw, shape),
        *(soon(draw, start(draw, broker)) for broker in shape.brokers),
    ]


def late_news(draw: Draw, shape: Plan) -> list[StepPlan]:
    """What the controller says does not arrive, until it does, the newest first or not."""
    broker = one(draw, shape)
    if draw(2):
        return [{"do": "hold-controller", "brokers": (broker,)}]
    return [soon(draw, {"do": "release-controller", "brokers": (broker,), "newest_first": bool(draw(2))})]


def pace(draw: Draw, shape: Plan) -> list[StepPlan]:
    do = ("fetch-by-step", "fetch-freely")[draw(2)]
    return [soon(draw, {"do": do, "brokers": (one(draw, shape),)})]


def freeze(draw: Draw, shape: Plan) -> list[StepPlan]:
    """A long pause of one process, which goes on with what it knew."""
    broker = one(draw, shape)
    return [
        soon(draw, {"do": "freeze", "brokers": (broker,)}),
        *([produce(draw, shape)] if draw(2) else []),
        *wait(draw, shape),
        soon(draw, {"do": "thaw", "brokers": (broker,)}),
    ]


def cut(draw: Draw, shape: Plan) -> list[StepPlan]:
    """A way of the network is cut or slow, in one direction or both, and perhaps works again after a time."""
    broker = one(draw, shape)
    others = [*(other for other in shape.brokers if other != broker), CONTROLLER]
    way: dict[str, Value] = {"from": (broker,), "to": (others[draw(len(others))],)}
    if draw(2):
        way = {"from": way["to"], "to": way["from"]}
    if draw(2):
        way["both_ways"] = True
    broken: StepPlan = {"do": "disconnect", **way}
    if draw(3) == 0:
        broken = {"do": "slow", **way, "latency_us": (20_000, 700_000, 5_000_000)[draw(3)]}
    healed: list[StepPlan] = [{"do": "heal", **way}] if draw(2) else []
    return [soon(draw, broken), *wait(draw, shape), *healed]


def checkpoint(draw: Draw, shape: Plan) -> list[StepPlan]:
    return [soon(draw, {"do": "checkpoint", "brokers": (one(draw, shape),)})]


def fail_over_twice(draw: Draw, shape: Plan) -> list[StepPlan]:
    """Two elections in a short time; perhaps one broker hears of them late, or there is a write between."""
    deaf, first, second = (one(draw, shape) for _ in range(3))
    late: list[StepPlan] = [{"do": "hold-controller", "brokers": (deaf,)}] if draw(2) else []
    news: list[StepPlan] = [{"do": "release-controller", "brokers": (deaf,), "newest_first": bool(draw(2))}]
    return [
        produce(draw, shape),
        *late,
        soon(draw, {"do": "elect", "broker": first}),
        *([produce(draw, shape)] if draw(2) else []),
        soon(draw, crash(draw, first) if draw(2) else {"do": "elect", "broker": second}),
        *(news if late else []),
        soon(draw, start(draw, first)),
    ]


def wait(draw: Draw, _: Plan) -> list[StepPlan]:
    return [{"do": "wait", "for_ms": PAUSES_MS[draw(len(PAUSES_MS))]}]


MOVES: tuple[Move, ...] = (
    write, write, write, crash_one, crash_one, start_one, start_one, stop_one, elect_one, bounce, bounce,
    bounce, restart_then_crash, restart_then_crash, all_at_once, late_news, pace, freeze, freeze, cut, cut,
    checkpoint, fail_over_twice, fail_over_twice, wait, wait,
)  # fmt: skip
