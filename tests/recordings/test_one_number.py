"""What a partition lost is one number on every surface, in every recording."""

import pytest

from core.diagnose.verdict.facts import Severity
from core.history.open import open_history
from tests.archives import recording_names
from tests.numbers import disagreements
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(24)


@pytest.mark.parametrize("name", grouped(recording_names()))
def test_every_surface_says_the_same_number(name: str) -> None:
    trace = whole(name).trace

    bad = {
        str(trace.partitions[verdict.partition].tp): wrong
        for verdict in whole(name).verdict.partitions
        if any(one.severity is not Severity.NOTICE for one in verdict.losses)
        if (wrong := disagreements(open_history(trace, verdict.partition), verdict))
    }

    assert bad == {}
