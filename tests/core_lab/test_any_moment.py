"""Any moment of a real trace: it is lifted into a scenario that runs, or refused in one sentence."""

from pathlib import Path

import pytest

from core.errors import QuestionError
from core.lab.choices import STANCES
from core.lab.lift import Lifted, lift
from core.lab.material import Material, material_of
from core.sim.run import play
from core.trace.ids import METADATA_TOPIC
from importers.load import load
from tests.archives import unpack_recording

MOMENTS = 8


def materials(name: str, folder: Path) -> list[Material]:
    path, _ = unpack_recording(name, folder)
    trace = load([path])
    quorum = trace.partition_index(f"{METADATA_TOPIC}-0")
    return [material_of(trace, index) for index in range(len(trace.partitions)) if index != quorum]


@pytest.mark.slow
def test_the_metadata_quorum_is_refused(tmp_path: Path) -> None:
    path, _ = unpack_recording("k43-failover", tmp_path)
    trace = load([path])
    quorum = trace.partition_index(f"{METADATA_TOPIC}-0")
    assert quorum is not None
    with pytest.raises(QuestionError, match="quorum"):
        material_of(trace, quorum)


# A partition that moves to other brokers; faults of every kind.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["k39-isr-flap", "k43-chaos"])
def test_a_moment_is_a_scenario_or_refused(name: str, tmp_path: Path) -> None:
    runs: list[Lifted] = []
    refused = 0
    for material in materials(name, tmp_path):
        for moment in range(1, MOMENTS):
            for stance in STANCES:
                try:
                    found = lift(material, len(material.trace) * moment // MOMENTS, stance)
                except QuestionError:
                    refused += 1
                    continue
                runs.append(found)
    assert refused
    assert runs
    for one in runs[:: max(len(runs) // 8, 1)]:
        trace = play(one.scenario, one.era).trace
        assert any(trace.event(seq).kind == "became_leader" for seq in range(len(trace)))
