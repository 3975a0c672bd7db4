"""docs/tickets.md: each defect is there in the release that had it, and not in the one that mended it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.history.open import open_history
from core.kafka.eras import Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import Played, play
from core.sim.truth import Promise

pytestmark = pytest.mark.broad(3)

PAGE = Path(__file__).parents[2] / "docs" / "tickets.md"
V2_8_0 = with_switches(era("2.8"), {"diverging-below-start": "answered"})


def loses(played: Played) -> bool:
    """A committed record is lost."""
    fates = [played.truth.fate(number) for number in played.truth.lost]
    return any(fate is not None and fate.promise is Promise.COMMITTED for fate in fates)


def loses_what_was_acknowledged(played: Played) -> bool:
    """A record is lost of which its producer was told that it is written."""
    fates = [played.truth.fate(number) for number in played.truth.lost]
    return any(fate is not None and fate.promise is Promise.ACKNOWLEDGED for fate in fates)


def differs(played: Played) -> bool:
    return bool(played.truth.diverged)


def hides(played: Played) -> bool:
    """Readers of committed transactions do not see all that is committed, although nobody writes any more."""
    history = open_history(played.trace, 0)
    leader = history.at(len(played.trace)).replica(1)
    return leader.lso.exact is not None and leader.lso.exact < (leader.hw.exact or 0)


def stays_out(played: Played) -> bool:
    """In the end a replica that runs is not in the in-sync set."""
    state = open_history(played.trace, 0).at(len(played.trace))
    return any(one.alive and not one.in_isr for one in state.replicas)


def cuts_twice(played: Played) -> bool:
    """A follower cuts records that are those of its leader, besides x5."""
    cut = [one for one in map(played.trace.event, range(len(played.trace))) if one.kind == "truncated"]
    return len(cut) > 1


def refuses_what_it_has(played: Played) -> bool:
    """A broker tells a consumer that an offset is out of range, which its log holds."""
    told = map(played.trace.event, range(len(played.trace)))
    return any(
        one.values["log_start"] <= one.values["offset"] <= one.values["leo"]
        for one in told
        if one.kind == "consumer_out_of_range"
    )


def shrinks(played: Played) -> bool:
    """A replica that holds every record, and whose broker runs, leaves the in-sync set."""
    told = map(played.trace.event, range(len(played.trace)))
    sets = [played.trace.isrs[one.values["isr"]] for one in told if one.kind == "isr_committed"]
    return any(len(one) == 1 for one in sets)


ROWS: dict[str, tuple[str, Era, Era, Callable[[Played], bool]]] = {
    "KAFKA-1211": ("hw-loss", era("0.10.2"), era("0.11"), loses),
    "KAFKA-3919": ("kafka-3919", era("0.10.2"), era("0.11"), differs),
    "KAFKA-6361": ("silent-divergence", era("1.1"), era("2.0"), differs),
    "KAFKA-7415": ("unknown-epoch-loss", era("2.0"), era("2.1"), loses),
    "KAFKA-7128": ("stale-hw-isr", era("2.0"), era("2.1"), loses),
    "KAFKA-7395": ("stale-leader-truncation", era("2.0"), era("2.1"), loses),
    "KAFKA-7897": ("format-raised", era("2.0"), era("2.1"), differs),
    "KAFKA-7601": ("old-records-kept", era("2.1"), era("2.4"), differs),
    "KAFKA-12996": ("diverged-below-start", V2_8_0, era("2.8"), stays_out),
    "KAFKA-14139": ("disk-replaced", era("3.3"), era("3.5"), loses),
    "KAFKA-14402": ("hanging-transaction", era("3.5"), era("3.6"), hides),
    "KAFKA-15332": ("s9", era("4.0"), era("4.1"), loses),
    "KAFKA-15489": ("two-controllers", era("3.6"), era("3.7"), loses_what_was_acknowledged),
    "KAFKA-15046": ("stale-epoch-file", era("3.7"), era("3.6"), cuts_twice),
    "KAFKA-15608": ("moved-directory", era("2.8"), era("2.4"), shrinks),
    "KAFKA-15695": ("tiered-stale-start", era("3.6"), era("3.7"), refuses_what_it_has),
    "KAFKA-16890": ("tiered-overlap", era("3.7"), era("4.0"), stays_out),
}


@pytest.mark.parametrize("ticket", ROWS)
def test_the_release_that_had_it_shows_it_and_the_one_that_mended_it_does_not(ticket: str) -> None:
    name, had, mended, shows = ROWS[ticket]
    assert shows(play(scenario(name), had))
    assert not shows(play(scenario(name), mended))


def test_the_page_names_these_and_no_other() -> None:
    found = re.findall(
        r"^\| (KAFKA-\d+)[^|]*\| `([\w-]+)` \| ([\d.]+)[^|]*\| ([\d.]+) \|", PAGE.read_text(), re.MULTILINE
    )
    assert found == [(ticket, name, had.id, mended.id) for ticket, (name, had, mended, _) in ROWS.items()]
