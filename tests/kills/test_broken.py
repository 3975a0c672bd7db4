"""The harness can fail: a program without one of its precautions loses something, and is seen to."""

import pytest

from tests.kills.harness import Cases
from tests.kills.points import kills

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kills")]
NEEDED = {
    "made in its place": "replace",
    "no journal on the disk": "notes",
    "side files stay": "journal-replace",
}


@pytest.mark.parametrize("missing", NEEDED)
def test_without_a_precaution_a_kill_is_seen_to_lose_something(cases: Cases, missing: str) -> None:
    case = cases[NEEDED[missing]]

    assert any(
        case.complaints(case.perform(broken=missing, **point.how))
        for point in reversed(kills(case, broken=missing))
    )
