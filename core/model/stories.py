"""The known counterexamples, as questions: variant, bounds, and the invariant that each breaks.

Their steps are found by the explorer whenever they are asked for.
"""

from dataclasses import dataclass
from typing import Final

from core.message import Message, message
from core.model.invariants import LOG_MATCHING, STRONG_ISR, Invariant
from core.model.state import Bounds, State
from core.model.variants import (
    KIP_101,
    KIP_279,
    KIP_320_FIRST_TRY,
    TRUNCATE_TO_HW,
    Variant,
)


@dataclass(frozen=True, slots=True)
class Story:
    """One of them: what happens in it, and what closed it."""

    id: str
    title: Message
    text: Message
    closed: Message
    variant: Variant
    bounds: Bounds
    invariant: Invariant[State]


STORIES: Final = (
    Story(
        "s1",
        message("model.story.s1.title"),
        message("model.story.s1"),
        message("model.closed.kip-101"),
        TRUNCATE_TO_HW,
        Bounds(2, 2, 2, 1),
        STRONG_ISR,
    ),
    Story(
        "s2",
        message("model.story.s2.title"),
        message("model.story.s2"),
        message("model.closed.kip-101"),
        TRUNCATE_TO_HW,
        Bounds(2, 2, 2, 2),
        LOG_MATCHING,
    ),
    Story(
        "s3",
        message("model.story.s3.title"),
        message("model.story.s3"),
        message("model.closed.kafka-7415"),
        KIP_101,
        Bounds(2, 2, 2, 2),
        STRONG_ISR,
    ),
    Story(
        "s4",
        message("model.story.s4.title"),
        message("model.story.s4"),
        message("model.closed.kip-279"),
        KIP_101,
        Bounds(2, 3, 3, 3),
        LOG_MATCHING,
    ),
    Story(
        "s5",
        message("model.story.s5.title"),
        message("model.story.s5"),
        message("model.closed.kafka-7128"),
        KIP_279,
        Bounds(3, 2, 2, 1),
        STRONG_ISR,
    ),
    Story(
        "s6",
        message("model.story.s6.title"),
        message("model.story.s6"),
        message("model.closed.kip-320"),
        KIP_279,
        Bounds(3, 2, 2, 2),
        STRONG_ISR,
    ),
    Story(
        "s7",
        message("model.story.s7.title"),
        message("model.story.s7"),
        message("model.closed.kip-320"),
        KIP_320_FIRST_TRY,
        Bounds(3, 2, 2, 2),
        STRONG_ISR,
    ),
)
