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
from importers.merge.clock_steps import Silence, Step, silences
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered
from importers.merge.tied import most_trusted
from importers.merge.zones import ASSUMED

S = 1_000_000_000
TP = ("t", 0)
PAUSE = Silence(20 * S, 2, 60 * S)
"""Broker 2 printed nothing for 20 s up to 60 s, as its own clock shows."""


BEGUN = [Item(0, 2, broker, 0, 1, 0, broker, "", Said("metadata_applied", TP, epoch=0)) for broker in (1, 2)]
"""From here on messages of epoch 1 are new to both."""


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
    clocks = clocks_of([*BEGUN, *items], {}, silent=silent)
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


def test_a_step_that_lines_show_parts_what_was_printed_before_from_what_was_after() -> None:
    """No pause. Answers take up to 8 s before it, so that one correction would do for all."""
    items = [one for second in range(1, 40) for one in (*sent(second, 0), *answered(second, 0, 8))]
    items += [one for second in range(66, 90) for one in (*sent(second, -5), *answered(second, -5, 1))]

    (early, late) = clocks_of([*BEGUN, *items], {}, seen=[Step(("broker", 2), 60 * S)]).of(("broker", 2))

    assert (early.correction, late.start) == (0, 60 * S)
    assert late.correction / S == pytest.approx(5, abs=1)


@pytest.mark.parametrize(("pause", "is_the_step"), [(20.5, True), (40, False)])
def test_a_pause_as_long_as_the_clock_was_set_ahead_by_is_that_step(
    pause: float, *, is_the_step: bool
) -> None:
    """Four messages before it are too few to show that the clock was right then, and broker 1 paused, too."""
    items = [one for second in (38, 39) for one in (*sent(second, 0), *answered(second, 0, 1))]
    items += [one for second in range(41, 60) for one in (*sent(second, 20), *answered(second, 20, 1))]
    silence, other = Silence(round(pause * S), 2, 60 * S), Silence(3 * S, 1, 41 * S)

    pieces = clocks_of([*BEGUN, *items], {}, silent=[silence, other]).of(("broker", 2))

    assert (pieces[-1].start == silence.stamp) is is_the_step
    assert pieces[-1].correction / S == pytest.approx(-19.5, abs=0.6)


def test_where_one_clock_alone_paused_few_messages_show_that_it_was_set() -> None:
    """Four before the pause, two after it: too few to show that either part is right."""
    before = [one for second in (38, 39) for one in (*sent(second, 0), *answered(second, 0, 1))]
    after = [*sent(70, -5), *answered(70, -5, 1)]

    (early, late) = clocks_of([*BEGUN, *before, *after], {}, silent=[PAUSE]).of(("broker", 2))

    assert (early.correction, late.start) == (0, PAUSE.stamp)
    assert late.correction / S == pytest.approx(5, abs=1)


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


def noticed(second: int, behind: int, broker: int) -> Item:
    """The controller on broker 2 sees that a broker registered, as its clock shows it."""
    return Item(
        (second - behind) * S + S // 100, 2, 2, second, 3, 0, 2, "", Said("broker_registered", replica=broker)
    )


def corrected_by_registrations(
    behind: int, registering: dict[int, list[int]], *, heard: bool = True
) -> float:
    """What is added, s, to the clock of broker 2 after a pause of its own, from which on it is behind.

    Broker 2 hears from broker 1 before the pause only; what it sends arrives, after the pause where it is
    `heard`. Brokers 1 and 3 register at 2 s and at 70 s.
    """
    items = [one for second in range(3, 40) for one in (*sent(second, 0), *answered(second, 0, 1))]
    items += [one for second in range(66, 90) for one in answered(second, -behind, 0) if heard]
    items += [noticed(second, behind * (second > 40), broker) for second in (2, 70) for broker in (1, 3)]
    items += [Item(-S, 2, broker, 0, 1, 0, broker, "", Said("broker_starting")) for broker in (1, 2, 3)]
    begun = {broker: [second * S for second in seconds] for broker, seconds in registering.items()}
    return clocks_of([*BEGUN, *items], begun, silent=[PAUSE]).correction(("broker", 2), 80 * S) / S


def test_registrations_show_that_a_clock_was_set_where_nothing_answers() -> None:
    """A controller that is 5 s behind notices brokers before they register, and is heard 5 s later."""
    both = {1: [2, 70], 3: [2, 70]}

    assert 4.5 <= corrected_by_registrations(5, both) <= 5.5
    assert corrected_by_registrations(0, both) == 0


def test_a_registration_of_another_life_shows_no_step() -> None:
    """The log of broker 1 lacks a registration, so that a later one is paired with its notice."""
    assert corrected_by_registrations(0, {1: [35, 70]}) == 0
    assert corrected_by_registrations(0, {1: [2, 88]}) == 0
    assert corrected_by_registrations(0, {1: [2, 88]}, heard=False) == 0


def test_the_longest_silence_of_any_broker_comes_first() -> None:
    """The one in which a clock was set ahead by far is the longest."""
    logs = log(0, 10, 15), log(0, 30, 31)

    found = silences(Gathered(logs, (Owner(1, ""), Owner(2, "")), (ASSUMED, ASSUMED)))

    assert [(one.broker, one.pause // S) for one in found] == [(2, 30), (1, 10), (1, 5)]
