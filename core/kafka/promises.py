"""What replication promises, by name: asked of a run by the simulator, and of any trace by the diagnosis.

A promise is the same in every era; which eras break it is the question.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Invariant: TypeAlias = Literal[
    "committed-record-kept",
    "logs-agree-below-high-watermark",
    "one-leader-per-epoch",
    "same-entry-same-log",
    "high-watermark-of-leader-rises",
]
INVARIANTS: Final[Mapping[Invariant, str]] = {
    "committed-record-kept": "A leader holds every record that was committed in an earlier epoch",
    "logs-agree-below-high-watermark": "Below both high watermarks two replicas hold the same records",
    "one-leader-per-epoch": "In one leader epoch no two brokers lead",
    "same-entry-same-log": "The same offset of the same epoch is the same record, after the same record",
    "high-watermark-of-leader-rises": "The high watermark of a live leader never moves back",
}
"""Each with its sentence, the worst first."""
