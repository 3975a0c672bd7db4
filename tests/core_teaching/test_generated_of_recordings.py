"""Questions made from real recordings: the run's answer is right, others are wrong, and the truth agrees."""

from pathlib import Path
from typing import Any

import pytest

from core.compare.align import make_run
from core.compare.comparison import Run
from core.teaching.generated import Generated, questions_of
from core.teaching.lesson import AskKind
from importers.load import load
from tests.archives import unpack_recording
from tests.core_teaching.test_generated import holds
from tests.recordings.referee import lost

FOLDER = Path(__file__).parents[1] / "recordings"
NAMES = sorted(
    (path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz")),
    # The loss first: of those that are thinned it stays.
    key=lambda name: (name != "k0102-hw-loss", name),
)
PARTITIONS = 4
"""So many of each recording, the ones with most to cut first."""


@pytest.mark.slow
@pytest.mark.thinned(6)
@pytest.mark.parametrize("name", NAMES)
def test_the_answer_of_a_recording_is_right_and_agrees_with_its_truth(name: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    trace = load([folder])
    cuts = [one["tp"] for one in truth.get("truncations", [])]
    names = sorted((str(one.tp) for one in trace.partitions), key=lambda tp: (-cuts.count(tp), tp))

    asked = 0
    for tp in names[:PARTITIONS]:
        run = make_run(trace, tp)
        for one in questions_of(run):
            holds(one)
            _agrees(one, run, tp, truth)
            asked += 1
    assert asked > 0


def _agrees(one: Generated, run: Run, tp: str, truth: dict[str, Any]) -> None:
    """Hold what the run answers against what disks, ZooKeeper and the driver knew.

    Where the truth only polls (KRaft) it may have missed a cut, or its end: tests/recordings/referee.py. A
    record that nobody was told of may be committed and lost: the truth has it as cut.
    """
    answer = one.answer
    match one.ask.kind:
        case AskKind.CUT if not truth.get("controllers"):
            ends = {(cut["replica"], cut["to"]) for cut in truth["truncations"] if cut["tp"] == tp}
            broker = next(
                int(known.broker_id)
                for known in run.history.trace.brokers
                if one.ask.broker in (known.name, str(known.broker_id))
            )
            assert (broker, answer.exact) in ends
        case AskKind.LOST:
            gone = lost(truth, tp)
            cuts = [one for one in truth["truncations"] if one["tp"] == tp]
            cut = {offset for one in cuts for offset in range(one["to"], one["from"])}
            assert answer.members is not None
            assert answer.members <= gone | cut
        case AskKind.LEADER:
            epoch = run.history.leader_epoch.at(one.ask.judged.cursor or 0)
            known = {
                sample["leader"]
                for sample in truth.get("samples", [])
                if (sample.get("tp"), sample.get("leader_epoch")) == (tp, epoch)
                and sample.get("leader") is not None
            }
            assert not known or answer.exact in known
        case _:
            pass
