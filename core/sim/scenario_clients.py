"""Reads the consumers of a scenario, and the steps about them."""

from collections.abc import Mapping, Sequence
from typing import Final

from core.message import message
from core.sim.script import Consume, ConsumerPlan, EndTransaction, OffsetReset
from core.sim.toml_reader import Reader
from core.trace.ids import Offset

_RESETS: Final[Mapping[str, OffsetReset]] = {"earliest": "earliest", "latest": "latest", "none": "none"}
_MOST_FETCHES: Final = 1_000_000
_LEVELS: Final = ("read_uncommitted", "read_committed")


def read_consumers(top: Reader, brokers: Sequence[str], partitions: int) -> tuple[ConsumerPlan, ...]:
    """The consumers, in the order of the script."""
    plans: dict[str, ConsumerPlan] = {}
    for table in top.tables("consumer"):
        table.only("name", "partition", "position", "auto.offset.reset", "near", "isolation.level", "polling")
        name = table.text("name")
        if name in plans:
            table.fail(
                "name", message("error.scenario.consumer-twice", name=name), message("allowed.own-name")
            )
        reset = _RESETS[table.choice("auto.offset.reset", tuple(_RESETS), "latest")]
        position = table.maybe_number("position")
        if reset == "none" and position is None:
            table.fail("position", message("error.scenario.no-position"), message("allowed.offset"))
        plans[name] = ConsumerPlan(
            name,
            table.number("partition", 0, most=partitions - 1),
            None if position is None else Offset(position),
            reset,
            table.choice("near", brokers) if "near" in table.values else "",
            table.choice("isolation.level", _LEVELS, _LEVELS[0]) == "read_committed",
            table.choice("polling", ("free", "by-step"), "free") == "free",
        )
    return tuple(plans.values())


def read_client_step(table: Reader, do: str, consumers: Sequence[str]) -> Consume | EndTransaction:
    """A step that lets consumers fetch, or that commits or aborts a producer's transaction."""
    if do == "end-transaction":
        aborts = table.choice("result", ("commit", "abort")) == "abort"
        return EndTransaction(table.text("transaction"), aborts)
    if not consumers:
        table.fail("do", message("error.scenario.no-consumer"), message("allowed.consumers"))
    return Consume(table.names("consumers", consumers), table.number("times", 1, least=1, most=_MOST_FETCHES))


CLIENT_STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "consume": ("consumers", "times"),
    "end-transaction": ("transaction", "result"),
}
"""By the word of `do`: the keys that it takes."""
