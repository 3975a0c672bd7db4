"""The lanes of an incident's story: what is said of a broker that is not shown to have held a lost record."""

from dataclasses import replace

import pytest

from core.diagnose.account.story import Held, Story
from core.kafka.eras import era
from core.picture.incident import lay_out_story
from core.trace.trace import Origin
from tests.runs import simulated

STORY = Story(
    first=0,
    last=10,
    records=9,
    epoch=0,
    held=(Held(1, ((0, 9),)), Held(2, ((0, 4),)), Held(3, ())),
    led=(),
    silent=(),
    steps=(),
    left_out=0,
)


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (Origin.SIMULATED, ["held 9 of 9", "held 4 of 9", "held none of them"]),
        (Origin.IMPORTED, ["held 9 of 9", "held ≥ 4 of 9", "not shown to hold one"]),
    ],
)
def test_of_a_real_log_less_is_shown_than_there_may_have_been(origin: Origin, told: list[str]) -> None:
    trace = replace(simulated("hw-loss", era("2.8")), origin=origin)

    said = lay_out_story(trace, STORY, 900).alt

    assert [words for words in told if words not in said] == []


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (Origin.SIMULATED, "3 brokers that never held one of them"),
        (Origin.IMPORTED, "3 brokers that are not shown to have held one of them"),
    ],
)
def test_brokers_in_one_line(origin: Origin, told: str) -> None:
    trace = replace(simulated("hw-loss", era("2.8")), origin=origin)
    story = replace(STORY, held=(*STORY.held, Held(4, ()), Held(5, ()), Held(6, ((3, 1),))))

    marks = lay_out_story(trace, story, 900).layers[0].marks

    assert told in [getattr(mark, "text", "") for mark in marks]
