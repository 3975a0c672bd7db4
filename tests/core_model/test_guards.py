"""docs/model-guards.md: each guard of the model is missed where it is taken away."""

import pytest

from tests.core_model.guards import GUARDS, PAGE, Guard, page, told_by

KEPT = dict(
    line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if " | " in line
)


def test_the_page_has_each_guard_and_each_is_missed() -> None:
    rows = {guard.asks: KEPT[guard.asks] for guard in GUARDS}

    assert PAGE.read_text(encoding="utf-8") == page(rows)
    assert "**nothing**" not in rows.values()


@pytest.mark.thinned(7)
@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.asks)
def test_a_guard_that_is_taken_away_is_missed(guard: Guard) -> None:
    assert told_by(guard) == KEPT[guard.asks]
