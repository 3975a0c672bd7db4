"""The steps that leave something to chance, from TOML."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from core.sim.random_steps import FAULTS
from core.sim.script import ACKS, Faults, Workload
from core.sim.toml_reader import Reader
from core.trace.units import MILLISECOND_NS

_DAY_MS: Final = 86_400_000
_MAX_RATE: Final = 1_000_000
_MAX_RECORDS: Final = 1_000_000
_MAX_FAULTS: Final = 100_000
Read: TypeAlias = Callable[[Reader, Sequence[str], int], Workload | Faults]
"""From the table of a step, with the names of the brokers and the number of partitions."""


def _workload(table: Reader, _: Sequence[str], partitions: int) -> Workload:
    lasts_ms = table.number("lasts_ms", least=1, most=_DAY_MS)
    most = min(_MAX_RATE, _MAX_RECORDS * 1_000 // lasts_ms)
    return Workload(
        records_per_s=table.number("records_per_s", least=1, most=max(most, 1)),
        lasts_ns=lasts_ms * MILLISECOND_NS,
        acks=ACKS[table.choice("acks", tuple(ACKS))],
        partitions=table.numbers("partitions", tuple(range(partitions)), most=partitions - 1),
    )


def _faults(table: Reader, brokers: Sequence[str], _: int) -> Faults:
    lasts_ms = table.number("lasts_ms", least=1, most=_DAY_MS)
    named = table.names("kinds", tuple(FAULTS))
    return Faults(
        kinds=tuple(kind for kind in FAULTS if kind in named),
        brokers=table.names("brokers", brokers, brokers),
        every_ns=table.number("every_ms", least=max(1, lasts_ms // _MAX_FAULTS), most=_DAY_MS)
        * MILLISECOND_NS,
        down_ns=table.number("down_ms", least=1, most=_DAY_MS) * MILLISECOND_NS,
        lasts_ns=lasts_ms * MILLISECOND_NS,
        most_down=table.number("most_down", 1, least=1, most=len(brokers)),
    )


RANDOM_STEPS: Final[Mapping[str, tuple[tuple[str, ...], Read]]] = {
    "workload": (("records_per_s", "lasts_ms", "acks", "partitions"), _workload),
    "faults": (("kinds", "brokers", "every_ms", "down_ms", "lasts_ms", "most_down"), _faults),
}
"""By the word of `do`: the keys that it takes, and how it is read."""
