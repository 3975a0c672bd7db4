"""Every sentence of the inspector and of the story is so in random incidents, of which no scenario tells.

`--incidents N` says how many, `--incidents-from` the seed of the first. What one of them once denied is in
test_states_of_incidents.py.
"""

import pytest

from core.sim.script_text import as_toml
from tests.claims.held import Tally
from tests.claims.stories_held import hold_script
from tests.incident_plans import cluster, incident_of


@pytest.mark.slow
def test_sentences_hold_in_random_incidents(request: pytest.FixtureRequest) -> None:
    wanted = int(request.config.getoption("--incidents") or 0)
    first = int(request.config.getoption("--incidents-from") or 0)
    total = Tally()
    for seed in range(first, first + wanted):
        plan, rules = incident_of(seed, cluster)
        total.add(hold_script(as_toml(plan, f"incident-{seed}"), rules))
    said = f"{total.said.total():,} sentences of {len(total.said)} kinds"
    left = f"{total.undecided.total():,} without a predicate"
    print(f"{wanted} incidents: {said}, {total.held.total():,} held, {left}")  # noqa: T201 - figures of a long run

    assert not total.broken
