"""What a partition lost is one number on every surface, in every recording."""

from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Severity
from core.history.open import open_history
from importers.load import load
from tests.archives import RECORDINGS, unpack_recording
from tests.numbers import disagreements

pytestmark = pytest.mark.broad(24)

NAMES = sorted(path.name.removesuffix(".tar.xz") for path in RECORDINGS.glob("*.tar.xz"))


@pytest.mark.parametrize("name", NAMES)
def test_every_surface_says_the_same_number(name: str, tmp_path: Path) -> None:
    folder, _ = unpack_recording(name, tmp_path)
    trace = load([folder])

    bad = {
        str(trace.partitions[verdict.partition].tp): wrong
        for verdict in diagnose(trace).partitions
        if any(one.severity is not Severity.NOTICE for one in verdict.losses)
        if (wrong := disagreements(open_history(trace, verdict.partition), verdict))
    }

    assert bad == {}
