"""A data directory of which single files are missing: what the rest says of the end of the log."""

from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.history.view import read_view
from importers.load import load
from tests.archives import unpack_recording
from tests.importers.test_segments import new

DIRECTORY = "broker-1/data/clicks-1"
LAST = f"{DIRECTORY}/00000000000000000266.log"
FIRST = f"{DIRECTORY}/00000000000000000156.log"


def at_the_end(folder: Path) -> tuple[int | None, int | None, int | None]:
    """Log end from and to, and log start, of clicks-1 on broker 1."""
    trace = load([folder])
    number = [str(one.tp) for one in trace.partitions].index("clicks-1")
    leo = open_history(trace, number).at(len(trace)).replica(1).leo
    assert not diagnose(trace).partitions[number].losses
    ends = [row for row in read_view(trace, number).rows if row.kind == "log_end_on_disk"]
    return leo.lo, leo.hi, ends[0].log_start if ends else None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ((), (290, 290, 156)),
        # recovery-point-offset-checkpoint says 290
        ((LAST,), (290, None, None)),
        # replication-offset-checkpoint says 290
        pytest.param(
            (LAST, "broker-1/data/recovery-point-offset-checkpoint"),
            (290, None, None),
            marks=pytest.mark.slow,
        ),
        # leader-epoch-checkpoint says that epoch 0 begins at 156
        pytest.param((FIRST,), (290, 290, None), marks=pytest.mark.slow),
    ],
)
def test_a_missing_segment_is_no_end_and_no_start(
    tmp_path: Path, missing: tuple[str, ...], told: tuple[int | None, int | None, int | None]
) -> None:
    folder, truth = unpack_recording("k39-isr-flap", tmp_path)
    assert truth["final"]["clicks-1"]["replicas"]["1"]["leo"] == 290
    for other in ("broker-2", "broker-3", "controller-100"):
        for path in sorted((folder / other).glob("data*/**/*"), reverse=True):
            if path.is_file():
                path.unlink()
    for path in folder.glob("broker-1/data-at*/**/*"):
        if path.is_file():
            path.unlink()
    for name in missing:
        (folder / name).unlink()

    assert at_the_end(folder) == told


@pytest.mark.parametrize(("lost", "end"), [(0, (3, 3)), (1, (2, None)), (64, (2, None))])
def test_a_segment_that_ends_within_a_batch_is_no_end(
    tmp_path: Path, lost: int, end: tuple[int, int | None]
) -> None:
    place = tmp_path / "broker-1" / "t-0"
    place.mkdir(parents=True)
    (tmp_path / "broker-1" / "meta.properties").write_text("version=0\nbroker.id=1\n")
    whole = b"".join(new(offset, 0) for offset in range(3))
    (place / f"{0:020}.log").write_bytes(whole[: len(whole) - lost])
    (place / "leader-epoch-checkpoint").write_bytes(b"0\n2\n3 0\n" if lost else b"0\n1\n3 0\n")
    trace = load([tmp_path])
    state = open_history(trace, 0).at(len(trace)).replica(1)

    assert (state.leo.lo, state.leo.hi) == end
    assert state.epochs == (None if lost else ((3, 0),))
