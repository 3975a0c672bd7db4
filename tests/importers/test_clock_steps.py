"""A clock that was set while its broker was silent has two corrections, one that was always wrong has one."""

from typing import Any

import pytest

from importers.kafka.drafts import Said
from importers.lines.items import Item
from importers.lines.layout import STOCK
from importers.lines.parser import parse
from importers.merge import clock_steps
from importers.merge.attribution import Owner
from importers.merge.clock import clocks_of
from importers.merge.clock_steps import Silence, silences
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered
from importers.merge.tied import most_trusted
from importers.merge.zones import ASSUMED

S = 1_000_000_000
TP = ("t", 0)
PAUSE = Silence(20 * S, 2, 60 * S)
"""Broker 2 printed nothing for 20 s up to 60 s, as its own clock shows."""


def sent(second: int, ahead: int) -> list[Item]:
    """Broker 1 sends to broker 2, whose clock is ahead: it arrives at once."""
    key = f"{second}"
    return [
        Item(second * S, 2, 1, second, 1, 0, 1, "", Said("leader_and_isr_sent", TP, epoch=1, sends=key)),
        Item(
            (second + ahead) * S + S // 100, 2, 2, second, 1, 0, 2, "",
            Said("leader_and_isr_received", TP, epoch=1, receives=key),
        ),
    ]  # fmt: skip


def answered(second: int, ahead: int, late: int) -> list[Item]:
    """Broker 2 sends to broker 1, where it arrives late."""
    key = f"back {second}"
    return [
        Item(
            (second + ahead) * S, 2, 2, second, 2, 0, 2, "",
            Said("leader_and_isr_sent", TP, epoch=1, sends=key),
        ),
        Item(
            (second + late) * S, 2, 1, second, 2, 0, 1, "",
            Said("leader_and_isr_received", TP, epoch=1, receives=key),
        ),
    ]  # fmt: skip


def corrections(before: int, after: int, late: int, *silent: Silence) -> tuple[float, float]:
    """What is added, s, to the clock of broker 2 at 10 s and at 80 s; how far it is ahead before, after."""
    items = [
        one for second in range(1, 40) for one in (*sent(second, before), *answered(second, before, late))
    ]
    items += [one for second in range(66, 90) for one in (*sent(second, after), *answered(second, after, 1))]
    begun = [
        Item(0, 2, broker, 0, 1, 0, broker, "", Said("metadata_applied", TP, epoch=0)) for broker in (1, 2)
    ]
    clocks = clocks_of([*begun, *items], {}, silent=silent)
    early, late_one = (clocks.correction(("broker", 2), at * S) / S for at in (10, 80))
    return early, late_one


def test_a_clock_that_is_set_back_in_a_pause_is_right_before_it() -> None:
    """Answers take up to 8 s before the pause: one correction of 5 to 6 s would do for all."""
    early, late = corrections(0, -5, 8, PAUSE)

    assert early == 0
    assert late == pytest.approx(5, abs=1)


def test_without_a_pause_one_correction_is_all_that_is_known() -> None:
    early, late = corrections(0, -5, 8)

    assert early == late
    assert 5 <= early <= 6


def test_a_clock_that_was_wrong_all_along_was_not_set() -> None:
    early, late = corrections(-5, -5, 8, PAUSE)

    assert early == late == pytest.approx(5, abs=1)


def test_clocks_are_held_against_each_other_as_often_for_many_silences_as_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Logs of a hundred brokers have a thousand silences: it was a third of the work of their order."""
    found: list[int] = []

    def counting(*told: Any) -> Any:
        found.append(1)
        return most_trusted(*told)

    monkeypatch.setattr(clock_steps, "most_trusted", counting)
    made: list[int] = []
    for silent in ([PAUSE], [PAUSE] * 300):
        corrections(0, 0, 1, *silent)
        made.append(len(found))
        found.clear()
    assert made[0] == made[1]


def log(*seconds: int) -> ReadFile:
    text = "".join(
        f"[2026-11-21 03:00:{second:02},000] INFO Truncating log t-0 to offset 1. (kafka.log.Log)\n"
        for second in seconds
    )
    return ReadFile("server.log", "", len(text), None, Role.LOG, drafts=parse(text.encode(), STOCK))


def test_the_longest_silence_of_any_broker_comes_first() -> None:
    """The one in which a clock was set ahead by far is the longest."""
    logs = log(0, 10, 15), log(0, 30, 31)

    found = silences(Gathered(logs, (Owner(1, ""), Owner(2, "")), (ASSUMED, ASSUMED)))

    assert [(one.broker, one.pause // S) for one in found] == [(2, 30), (1, 10), (1, 5)]
