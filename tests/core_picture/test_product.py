"""The foot of a figure: version, and the skew of clocks with its error."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import era
from core.picture.product import product_words, skew_words
from core.words import speaking
from tests.runs import simulated

MS = 1_000_000


def row(clock: str, lo: int | None, hi: int | None, *, reference: bool = False) -> Mapping[str, Any]:
    return {"clock": clock, "reference": reference, "add_ns": {"lo": lo, "hi": hi}, "added_ns": 0}


def measured(*rows: Mapping[str, Any]) -> History:
    """A partition on brokers 1 and 2 whose import found these clocks."""
    trace = simulated("hw-loss", era("2.8"))
    return open_history(replace(trace, report={"clocks": list(rows)}), 0)


def test_a_clock_that_is_ahead_needs_less_added() -> None:
    """Between −6 and −2 ms are to be added: it is ahead by 4 ms, and that is known to 2 ms."""
    history = measured(row("broker 1", 0, 0, reference=True), row("broker 2", -6 * MS, -2 * MS))

    assert skew_words(history) == "b2 +4 ±2 ms"


def test_a_clock_that_was_set_is_told_from_the_least_to_the_most() -> None:
    history = measured(row("broker 2", 0, MS), row("broker 2", 2_000 * MS, 2_001 * MS))

    assert skew_words(history) == "b2 −1,000.5 ±1,000.5 ms"


def test_a_clock_that_nothing_ties_to_the_others_is_unknown() -> None:
    history = measured(row("broker 1", None, 5 * MS), row("broker 2", -MS, MS))

    assert skew_words(history) == "b1 unknown, b2 0 ±1 ms"
    with speaking("zh"):
        assert skew_words(history) == "b1 未知，b2 0 ±1 ms"


def test_clocks_of_others_are_not_told() -> None:
    """Neither of the metadata log nor of a broker without a replica of the partition."""
    assert skew_words(measured(row("records 1", 0, MS), row("broker 7", 0, MS))) == ""


def test_runs_are_numbered_and_what_was_simulated_has_no_skew() -> None:
    replayed = open_history(simulated("hw-loss", era("2.8")), 0)
    logged = measured(row("broker 2", -2 * MS, 0))
    program = product_words([replayed])

    assert program.startswith("Tidegauge")
    assert "skew" not in program
    assert product_words([replayed, logged]) == f"{program}, skew run 2 b2 +1 ±1 ms"
    with speaking("zh"):
        assert product_words([logged]) == f"{program}，时钟偏差 b2 +1 ±1 ms"
