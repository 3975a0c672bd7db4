"""The table of switches: docs/eras.md, the switches that the simulator reads, and scenarios that show them.

`make goldens` writes docs/eras.md anew; read the difference before committing it.
"""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from core.kafka.eras import ERAS, Era, by_era, with_switches
from core.kafka.switches import SWITCH, SWITCHES, Switch
from core.sim.library import scenario
from core.sim.run import simulate
from core.words import text
from tests.goldens import updating

ROOT = Path(__file__).parent.parent.parent
HEAD = """# Eras of Kafka

Each era is one release, and a record of switches: the rules in which releases differ. `tidegauge eras` prints
them, `--set SWITCH=VALUE` sets one by itself, also to what was never released together or to what people run:
brokers of 2.8 with the protocol between them left at 0.10.2 are `--era 2.8 --set truncation=high-watermark`.
This page is made by tests/core_kafka/test_era_table.py from core/kafka/switches.py and core/kafka/eras.py.

"""


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return row(*heads) + row(*["---"] * len(heads)) + "".join(row(*cells) for cells in rows)


def page() -> str:
    eras = [(one.id, one.release, text(one.rule)) for one in ERAS]
    values: list[tuple[str, ...]] = []
    for switch in SWITCHES:
        cells = [getattr(one.switches, switch.field) for one in ERAS]
        shown = ["″" if place and cells[place - 1] == cell else cell for place, cell in enumerate(cells)]
        values.append((f"`{switch.name}`", *shown))
    sources = [
        (
            f"`{switch.name}`",
            switch.released or "a person's choice",
            switch.ticket or "none",
            text(switch.sentence),
            switch.scenario or "none",
        )
        for switch in SWITCHES
    ]
    return (
        HEAD
        + table(("era", "release", "how a follower comes to agree with its leader"), eras)
        + "\n## Switches by era\n\n″ is the value of the era before.\n\n"
        + table(("switch", *(one.id for one in ERAS)), values)
        + "\n## Where each comes from\n\n"
        + "The release is the first with the last value, or with each that is named.\n\n"
        + table(
            ("switch", "release", "ticket", "what it decides", "scenario that shows it"),
            sources,
        )
    )


def test_the_page_is_what_the_tables_say() -> None:
    path = ROOT / "docs" / "eras.md"
    if updating():
        path.write_text(page(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page()


def test_the_values_of_a_switch_in_words() -> None:
    assert by_era(SWITCH["epoch-answer"]) == "offset to 1.1; epoch-and-offset from 2.0"
    assert by_era(SWITCH["hw-sending"]) == "with-data to 2.1; when-behind 2.4; with-data from 2.8"
    assert by_era(SWITCH["unclean-setting"]) == "obeyed to 2.8; ignored 3.3 to 3.7; obeyed from 4.0"
    assert by_era(SWITCH["fetch-answer-hw"]) == "before"


CHANGES = {
    "0.11": {
        "truncation",
        "epoch-entry",
        "log-start",
        "unclean-election",
        "producer-sequence",
        "transactions",
    },
    "1.1": {"epoch-lookup-undefined", "isr-last-member", "directory-move"},
    "2.0": {"epoch-answer"},
    "2.1": {
        *("epoch-entry", "epoch-lookup-below", "epoch-conflict", "same-leader", "fencing", "out-of-range"),
        *("isr-leave", "isr-join", "epoch-old-format"),
    },
    "2.4": {"epoch-old-format", "hw-sending", "hw-after-cut", "controller-start", "consumer-fetch"},
    "2.8": {
        *("truncation", "epoch-cache-cut", "hw-sending", "isr-change", "lag-time-ms", "session-timeout-ms"),
        "producer-sequence",
    },
    "3.3": {
        *("isr-eligible", "controller", "unclean-setting", "session-timeout-ms", "leader-recovery"),
        "metadata-snapshot",
    },
    "3.5": {"diverging-answer-hw", "isr-eligible"},
    "3.6": {"hw-counts", "epoch-on-shrink", "transactions", "tiered-storage", "metadata-snapshot"},
    "3.7": {"hw-below-min-isr", "epoch-file-flush", "tiered-storage", "tier-expiry", "check-quorum"},
    "4.0": {
        "tier-expiry",
        "unclean-setting",
        "transactions",
        "eligible-on-change",
        "pre-vote",
        "voter-change",
    },
    "4.1": {"eligible-leaders"},
}
"""The switches that each era changed since the one before it, as release notes, KIPs and tickets have it."""


def test_each_era_differs_from_the_one_before_where_its_release_says_so() -> None:
    differing = {
        other.id: {
            switch.name
            for switch in SWITCHES
            if getattr(one.switches, switch.field) != getattr(other.switches, switch.field)
        }
        for one, other in pairwise(ERAS)
    }
    assert differing == CHANGES
    assert list(differing) == list(CHANGES)


def test_the_simulator_reads_every_switch() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "core" / "sim").rglob("*.py"))
    read = {switch.name for switch in SWITCHES if re.search(rf"\bswitches\.{switch.field}\b", code)}
    assert read == set(SWITCH)


def shows(switch: Switch, era: Era) -> bool:
    """Whether the scenario of a switch runs otherwise in an era with the switch set to another value."""
    script = scenario(switch.scenario)
    before = simulate(script, era)
    for value in switch.values:
        after = simulate(script, with_switches(era, {switch.name: value}))
        if len(after) != len(before) or any(
            not np.array_equal(column, before.columns[name]) for name, column in after.columns.items()
        ):
            return True
    return False


@pytest.mark.parametrize("switch", [one for one in SWITCHES if one.scenario], ids=lambda switch: switch.name)
def test_the_scenario_of_a_switch_shows_its_effect(switch: Switch) -> None:
    assert any(shows(switch, era) for era in ERAS)
