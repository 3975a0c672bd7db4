"""What replication promises, by name: asked of a run by the simulator, and of any trace by the diagnosis.

A promise is the same in every era; which eras break it is the question.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from core.message import Message, message

Invariant: TypeAlias = Literal[
    "committed-record-kept",
    "logs-agree-below-high-watermark",
    "one-leader-per-epoch",
    "same-entry-same-log",
    "high-watermark-of-leader-rises",
]
INVARIANTS: Final[Mapping[Invariant, Message]] = {
    "committed-record-kept": message("promise.committed-record-kept"),
    "logs-agree-below-high-watermark": message("promise.logs-agree-below-high-watermark"),
    "one-leader-per-epoch": message("promise.one-leader-per-epoch"),
    "same-entry-same-log": message("promise.same-entry-same-log"),
    "high-watermark-of-leader-rises": message("promise.high-watermark-of-leader-rises"),
}
"""Each with its sentence, the worst first."""
