"""Random scenarios for the search: a few records, and faults that come at bad moments."""

from collections.abc import Callable
from typing import Final, TypeAlias

from core.sim.chance import Chance
from core.sim.script import CONTROLLER
from core.sim.script_text import Plan, StepPlan, Value

Draw: TypeAlias = Callable[[int], int]
"""A number below a limit, another one each time."""

_BROKERS: Final = ("A", "B", "C")
_SETTINGS: Final[dict[str, Value]] = {
    "replica.lag.time.max.ms": 4_000,
    "zookeeper.session.timeout.ms": 3_000,
    "unclean.leader.election.enable": False,
}
_SOON_MS: Final = (0, 1, 2, 3, 4, 5, 6, 700)
_PAUSES_MS: Final = (1, 3, 700, 3_500, 5_200, 9_000)
_SETTLE_MS: Final = 20_000


def random_plan(seed: int) -> Plan:
    """A scenario by the luck of a seed. At its end every broker runs, hears and fetches."""
    chance = Chance(seed)
    drawn = 0

    def draw(limit: int) -> int:
        nonlocal drawn
        drawn += 1
        return chance.below(limit, "search", drawn)

    brokers = _BROKERS[: 2 + draw(2)]
    settings = {**_SETTINGS, **({"min.insync.replicas": 2} if draw(3) == 0 else {})}
    jitter_us = (0, 1_500)[draw(2)]
    steps: list[StepPlan] = [_produce(draw, brokers)]
    for _ in range(3 + draw(8)):
        move = _MOVES[draw(len(_MOVES))]
        steps += move(draw, brokers)
    return Plan(brokers, settings, jitter_us, (*steps, *settle(brokers)))


def _soon(draw: Draw, step: StepPlan) -> StepPlan:
    """Perhaps the next step comes while messages are still under way."""
    return {**step, "for_ms": _SOON_MS[draw(len(_SOON_MS))]} if draw(2) else step


def _produce(draw: Draw, _: tuple[str, ...]) -> StepPlan:
    acks = ("all", "all", "1")[draw(3)]
    return _soon(draw, {"do": "produce", "count": 1 + draw(3), "every_ms": draw(2), "acks": acks})


def _one(draw: Draw, brokers: tuple[str, ...]) -> str:
    return brokers[draw(len(brokers))]


def _crash(draw: Draw, broker: str) -> StepPlan:
    controller: dict[str, Value] = {"controller_fails_over": True} if draw(3) == 0 else {}
    return {"do": "crash", "broker": broker, **controller}


def _write(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [_produce(draw, brokers)]


def _crash_one(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [_soon(draw, _crash(draw, _one(draw, brokers)))]


def _start_one(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [_soon(draw, {"do": "start", "broker": _one(draw, brokers)})]


def _stop_one(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [_soon(draw, {"do": "stop", "broker": _one(draw, brokers)})]


def _elect_one(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [_soon(draw, {"do": "elect", "broker": _one(draw, brokers)})]


def _restart_then_crash(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    """One comes back with what its disk says, and another dies before it has caught up."""
    back, other = _one(draw, brokers), _one(draw, brokers)
    return [
        _crash(draw, back),
        {"do": "start", "broker": back, "for_ms": 1 + draw(8)},
        _crash(draw, other),
        {"do": "wait", "for_ms": 3_500},
    ]


def _bounce(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    """One dies for longer than its session lives, and comes back."""
    broker = _one(draw, brokers)
    return [
        _crash(draw, broker),
        {"do": "wait", "for_ms": 3_500},
        _soon(draw, {"do": "start", "broker": broker}),
    ]


def _late_news(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    """What the controller says does not arrive, until it does."""
    broker = _one(draw, brokers)
    if draw(2):
        return [{"do": "hold-controller", "brokers": (broker,)}]
    return [_soon(draw, {"do": "release-controller", "brokers": (broker,), "newest_first": bool(draw(2))})]


def _pace(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    do = ("fetch-by-step", "fetch-freely")[draw(2)]
    return [_soon(draw, {"do": do, "brokers": (_one(draw, brokers),)})]


def _freeze(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    """One is paused, for long enough to lose its leadership or not, and goes on with what it knew."""
    broker = _one(draw, brokers)
    return [
        _soon(draw, {"do": "freeze", "brokers": (broker,)}),
        *_wait(draw, brokers),
        _soon(draw, {"do": "thaw", "brokers": (broker,)}),
    ]


def _cut(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    """A way is cut, in one direction or both, and perhaps works again after a time."""
    broker = _one(draw, brokers)
    others = [*(other for other in brokers if other != broker), CONTROLLER]
    way: dict[str, Value] = {"from": (broker,), "to": (others[draw(len(others))],)}
    if draw(2):
        way = {"from": way["to"], "to": way["from"]}
    if draw(2):
        way["both_ways"] = True
    healed: list[StepPlan] = [{"do": "heal", **way}] if draw(2) else []
    return [_soon(draw, {"do": "disconnect", **way}), *_wait(draw, brokers), *healed]


def _fail_over_twice(draw: Draw, brokers: tuple[str, ...]) -> list[StepPlan]:
    """Two elections in a short time; perhaps one broker hears of them late, or there is a write between."""
    deaf, first, second = (_one(draw, brokers) for _ in range(3))
    late: list[StepPlan] = [{"do": "hold-controller", "brokers": (deaf,)}] if draw(2) else []
    between: list[StepPlan] = [_produce(draw, brokers)] if draw(2) else []
    news: list[StepPlan] = [
        {"do": "release-controller", "brokers": (deaf,), "newest_first": bool(draw(2)), "count": 1 + draw(2)}
    ]
    return [
        _produce(draw, brokers),
        *late,
        _soon(draw, {"do": "elect", "broker": first}),
        *between,
        _soon(draw, _crash(draw, first) if draw(2) else {"do": "elect", "broker": second}),
        *(news if late else []),
        _soon(draw, {"do": "start", "broker": first}),
    ]


def _wait(draw: Draw, _: tuple[str, ...]) -> list[StepPlan]:
    return [{"do": "wait", "for_ms": _PAUSES_MS[draw(len(_PAUSES_MS))]}]


_MOVES: Final = (
    _write,
    _write,
    _crash_one,
    _start_one,
    _start_one,
    _stop_one,
    _elect_one,
    _restart_then_crash,
    _restart_then_crash,
    _bounce,
    _late_news,
    _pace,
    _freeze,
    _freeze,
    _cut,
    _cut,
    _fail_over_twice,
    _fail_over_twice,
    _fail_over_twice,
    _wait,
    _wait,
)


def settle(brokers: tuple[str, ...]) -> list[StepPlan]:
    """Steps for the end of a scenario: every broker runs, hears and fetches, and one record is written."""
    starts: list[StepPlan] = [{"do": "start", "broker": broker} for broker in brokers]
    return [
        {"do": "thaw", "brokers": brokers},
        {"do": "heal", "from": (*brokers, CONTROLLER), "to": (*brokers, CONTROLLER)},
        {"do": "release-controller", "brokers": brokers},
        *starts,
        {"do": "fetch-freely", "brokers": brokers},
        {"do": "wait", "for_ms": _SETTLE_MS},
        {"do": "produce", "count": 1, "acks": "all"},
        {"do": "wait", "for_ms": 2_000},
    ]
