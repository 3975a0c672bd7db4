"""Each time that is taken for granted, halved and doubled: what moves in recordings, and what becomes false.

`make goldens ONLY=perturbed` writes docs/assumptions-perturbed.md.
"""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from core.assumptions import Assumption, assumptions
from core.diagnose.verdict.facts import PartitionVerdict
from importers.load import load
from tests.archives import unpack_recording
from tests.goldens import updating
from tests.recordings.referee import (
    Heard,
    band_of,
    false_losses,
    invented_cuts,
    of_the_last_topics,
    outside,
    values,
    wrong_leaders,
)
from tests.recordings.test_distorted_recordings import without_data
from tests.test_assumptions import in_words

PAGE: Final = Path(__file__).parents[2] / "docs" / "assumptions-perturbed.md"
NAMES: Final = (
    "k0102-hw-loss", "k0102-divergence", "k111-kip279-divergence", "k28-unclean-loss", "k28-rolling-restart",
    "k28-isr-flap", "k39-unclean-loss", "k43-chaos",
)  # fmt: skip
"""Of logs alone, where most rests on times: with losses, divergences, restarts and flapping in-sync sets."""
FACTORS: Final = (0.5, 2.0)
STEP: Final = 3
"""Every so many samples of the truth is held against its band."""

HEAD: Final = f"""\
# What moves with the times that are taken for granted

Made by tests/recordings/test_perturbed.py; `make goldens ONLY=perturbed`. Each time of
[assumptions.md](assumptions.md) is halved and doubled, alone, and the logs of {len(NAMES)} recordings
are read anew, without data directories.

- **bands**: of the samples of the truth, how many have another band at their time.
- **verdicts**: in how many recordings losses, cuts, leaders or findings are others.
- **false**: claims and bands that the truth denies then. As the times stand it is none.

| time | value | a wrong value | halved | doubled |
| --- | --- | --- | --- | --- |
"""


class Said(NamedTuple):
    """What is said of the logs of one recording."""

    bands: tuple[tuple[int | None, int | None], ...]
    verdicts: tuple[object, ...]
    false: int


class Moved(NamedTuple):
    """What another value of one time changes over all recordings."""

    bands: int
    samples: int
    verdicts: int
    false: int

    def told(self) -> str:
        """A cell of the page."""
        if not any((self.bands, self.verdicts, self.false)):
            return "nothing"
        share = 100 * self.bands / self.samples
        return f"{share:.1f} % of bands, {self.verdicts} of {len(NAMES)} verdicts, {self.false} false"


@contextmanager
def lasting(assumption: Assumption, ns: int) -> Generator[None]:
    """Within it the assumption has another value: those who read it ask for it each time."""
    before = assumption.ns
    object.__setattr__(assumption, "ns", ns)
    try:
        yield
    finally:
        object.__setattr__(assumption, "ns", before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("perturbed")


@cache
def as_it_stands(name: str, folder: Path) -> Said:
    return said_of(name, folder)


def said_of(name: str, folder: Path) -> Said:
    case, truth = logs_alone(name, folder)
    heard = Heard(load([case]))
    bands = tuple(
        (band.lo, band.hi)
        for tp, broker, value, at, _ in values(truth, STEP)
        if tp in heard.histories and broker in heard.histories[tp].replicas
        for band in [band_of(heard.histories[tp], broker, value, at)]
    )
    false = [*false_losses(truth, heard), *invented_cuts(truth, heard), *wrong_leaders(truth, heard)]
    return Said(
        bands,
        tuple((tp, gist(verdict)) for tp, verdict in sorted(heard.verdicts.items())),
        len(false) + len(outside(truth, heard, STEP)[0]),
    )


@cache
def logs_alone(name: str, folder: Path) -> tuple[Path, dict[str, object]]:
    case, truth = unpack_recording(name, folder / name)
    without_data(case)
    return case, of_the_last_topics(truth)


def gist(verdict: PartitionVerdict) -> object:
    """A verdict without places in the trace, which another order of events moves."""
    return (
        sorted((one.first_offset, one.end_offset, one.loss_class, one.cause) for one in verdict.losses),
        sorted((one.broker, one.from_offset or -1, one.to_offset, one.rule) for one in verdict.truncations),
        sorted({(one.epoch, one.leader) for one in verdict.leadership}),
        sorted((one.check, one.brokers) for one in verdict.findings),
    )


def moved(name: str, factor: float, folder: Path) -> Moved:
    assumption = assumptions()[name]
    bands = samples = verdicts = false = 0
    for recording in NAMES:
        before = as_it_stands(recording, folder)
        with lasting(assumption, int(assumption.ns * factor)):
            after = said_of(recording, folder)
        samples += len(before.bands)
        bands += sum(one != other for one, other in zip(before.bands, after.bands, strict=True))
        verdicts += before.verdicts != after.verdicts
        false += after.false
    return Moved(bands, samples, verdicts, false)


@pytest.mark.xdist_group("perturbed")
def test_as_the_times_stand_nothing_is_false(folder: Path) -> None:
    assert {name: as_it_stands(name, folder).false for name in NAMES[:2]} == dict.fromkeys(NAMES[:2], 0)


@pytest.mark.slow
def test_the_page_is_made_anew(folder: Path) -> None:
    """Every time on every recording takes minutes: with `make goldens` alone; else its rows are sampled."""
    if updating():
        rows = [
            row_of(name) + " | ".join(moved(name, factor, folder).told() for factor in FACTORS) + " |\n"
            for name in assumptions()
        ]
        PAGE.write_text(HEAD + "".join(rows), encoding="utf-8")
    assert PAGE.read_text("utf-8").startswith(HEAD)


@pytest.mark.slow
@pytest.mark.thinned(67)
@pytest.mark.xdist_group("perturbed")
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("name", assumptions())
def test_the_page_has_what_moves_with_each_time(name: str, factor: float, folder: Path) -> None:
    """A soft time defines what is counted or worded: another value of it makes nothing false."""
    found = moved(name, factor, folder)

    (row,) = (line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| `{name}` |"))
    assert row.split(" | ")[3 + FACTORS.index(factor)].removesuffix(" |") == found.told()
    assert assumptions()[name].hard or found.false == 0


def test_the_page_has_each_time_as_it_is_now() -> None:
    page = PAGE.read_text("utf-8")
    assert [name for name in assumptions() if row_of(name) not in page] == []


def row_of(name: str) -> str:
    one = assumptions()[name]
    return f"| `{name}` | {in_words(one.ns)} | {'hard' if one.hard else 'soft'} | "
