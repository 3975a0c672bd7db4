"""Small scenarios at random: late and lost news, elections, zombies, cuts of the network, and few records."""

from collections.abc import Callable

from core.sim.chance import Chance
from core.sim.scenario import parse_scenario
from core.sim.script import CONTROLLER, Scenario
from core.sim.script_text import Plan, StepPlan, Value, as_toml

_SOON_MS = (0, 1, 2, 3, 4, 5, 6, 700)
_PAUSES_MS = (1, 3, 700, 1_600, 3_500, 5_200)


class _Luck:
    """Another number each time, by a seed."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._drawn = 0

    def below(self, limit: int) -> int:
        self._drawn += 1
        return self._chance.below(limit, "refine", self._drawn)

    def one(self, *choices: str) -> str:
        return choices[self.below(len(choices))]

    def soon(self, step: StepPlan) -> StepPlan:
        return {**step, "for_ms": _SOON_MS[self.below(len(_SOON_MS))]} if self.below(3) else step


Move = Callable[[_Luck, tuple[str, ...]], list[StepPlan]]


def _produce(luck: _Luck, _: tuple[str, ...]) -> list[StepPlan]:
    count = 1 + luck.below(2)
    return [
        luck.soon({"do": "produce", "count": count, "every_ms": luck.below(2), "acks": luck.one("1", "all")})
    ]


def _elect(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [luck.soon({"do": "elect", "broker": luck.one(*brokers)})]


def _hold(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [{"do": "hold-controller", "brokers": (luck.one(*brokers),)}]


def _release(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    step: dict[str, Value] = {"do": "release-controller", "brokers": (luck.one(*brokers),)}
    if luck.below(2):
        step["count"] = 1
    return [luck.soon({**step, "newest_first": bool(luck.below(2))})]


def _pace(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    broker = luck.one(*brokers)
    do = luck.one("fetch-by-step", "fetch-freely", "fetch", "fetch")
    return [luck.soon({"do": do, "brokers": (broker,)})]


def _wait(luck: _Luck, _: tuple[str, ...]) -> list[StepPlan]:
    return [{"do": "wait", "for_ms": _PAUSES_MS[luck.below(len(_PAUSES_MS))]}]


def _freeze(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    broker = luck.one(*brokers)
    return [luck.soon({"do": luck.one("freeze", "thaw"), "brokers": (broker,)})]


def _cut(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    one = luck.one(*brokers)
    other = luck.one(*(broker for broker in (*brokers, CONTROLLER) if broker != one))
    way: dict[str, Value] = {"from": (one,), "to": (other,)}
    if luck.below(2):
        way = {"from": (other,), "to": (one,)}
    return [luck.soon({"do": luck.one("disconnect", "heal"), **way})]


def _restart(luck: _Luck, brokers: tuple[str, ...]) -> list[StepPlan]:
    return [luck.soon({"do": luck.one("crash", "start", "start", "stop"), "broker": luck.one(*brokers)})]


def _settle(brokers: tuple[str, ...]) -> list[StepPlan]:
    """At the end every broker runs, hears and fetches again, for as long as a session lasts."""
    everybody = (*brokers, CONTROLLER)
    return [
        {"do": "thaw", "brokers": brokers},
        {"do": "heal", "from": everybody, "to": everybody},
        {"do": "release-controller", "brokers": brokers},
        *({"do": "start", "broker": broker} for broker in brokers),
        {"do": "fetch-freely", "brokers": brokers},
        {"do": "produce", "count": 1, "acks": "all"},
        {"do": "wait", "for_ms": 4_000},
    ]


CALM: tuple[Move, ...] = (_produce, _produce, _elect, _elect, _hold, _release, _release, _pace, _pace, _wait)
"""Nobody dies, and what is sent arrives."""
ROUGH: tuple[Move, ...] = (*CALM, _wait, _freeze, _freeze, _cut, _cut, _restart, _restart)


def small(seed: int, moves: tuple[Move, ...] = ROUGH) -> Scenario:
    """A scenario of at most eight moves on two or three brokers."""
    luck = _Luck(seed)
    brokers = ("A", "B", "C")[: 2 + (luck.below(3) > 0)]
    steps: list[StepPlan] = []
    for _ in range(3 + luck.below(7)):
        steps += moves[luck.below(len(moves))](luck, brokers)
    settings: dict[str, Value] = {
        "replica.lag.time.max.ms": 3_000,
        "zookeeper.session.timeout.ms": 3_000,
        "unclean.leader.election.enable": False,
    }
    plan = Plan(brokers, settings, (0, 1_500)[luck.below(2)], (*steps, *_settle(brokers)))
    return parse_scenario(as_toml(plan, "small"))
