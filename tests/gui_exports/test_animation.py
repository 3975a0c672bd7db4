"""The moving picture: read back frame by frame, it shows what the picture with a cursor shows."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.kafka.eras import era
from core.message import Message, message
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.times import rfc3339
from core.work import QUIET, Work
from db.anchors import anchor_of
from db.notes import Note
from gui.exports.animation import LAST_MS, STEP_MS, positions_of, thinned
from gui.exports.material import Material
from gui.exports.plan import Plan
from gui.exports.views import view_of
from gui.exports.write import write


@pytest.fixture(scope="module")
def material() -> Material:
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    return Material((trace,), (Note(0, trace.name, anchor_of(trace, 64), "here"),))


def frames_of(path: Path) -> tuple[list[Image.Image], list[int]]:
    with Image.open(path) as image:
        count = getattr(image, "n_frames", 1)
        frames, lasting = [], []
        for place in range(count):
            image.seek(place)
            frames.append(image.convert("RGB"))
            lasting.append(image.info["duration"])
    return frames, lasting


def apart(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ by more than an eye would see beside one another."""
    difference = np.abs(np.asarray(one, dtype=int) - np.asarray(other, dtype=int)).max(axis=2)
    return float((difference > 40).mean())


@pytest.mark.slow
def test_each_frame_is_the_picture_with_the_cursor_there(material: Material, tmp_path: Path) -> None:
    times = material.traces[0].columns["at"]
    window = (rfc3339(int(times[5])), rfc3339(int(times[30])))
    plan = Plan(window=window, width=826)
    write(material, plan, tmp_path / "a.gif")
    frames, lasting = frames_of(tmp_path / "a.gif")
    positions = positions_of(view_of(material, plan, QUIET), plan)

    # Positions of one moment that look alike are one frame, which lasts as long as they do together.
    assert 1 < len(frames) <= len(positions)
    assert sum(lasting) == STEP_MS * (len(positions) - 1) + LAST_MS
    assert all(time % STEP_MS == 0 for time in lasting[:-1])
    for place, frame in ((0, frames[0]), (-1, frames[-1])):
        still = tmp_path / f"{place}.png"
        write(material, Plan(window=window, width=826, scale=1, at=str(positions[place])), still)
        with Image.open(still) as image:
            assert apart(frame, image.convert("RGB")) < 0.002
    assert apart(frames[0], frames[-1]) > 0.001
    assert all(np.asarray(one).tobytes() != np.asarray(two).tobytes() for one, two in pairwise(frames))


@pytest.mark.slow
def test_a_comparison_moves_by_its_stops(tmp_path: Path) -> None:
    script = scenario("hw-loss")
    pair = Material(tuple(simulate(script, era(name)) for name in ("0.10.2", "2.8")))
    write(pair, Plan(stops=(3, 8), width=826, speed=2), tmp_path / "a.gif")
    frames, lasting = frames_of(tmp_path / "a.gif")
    assert 4 < len(frames) <= 6
    assert sum(lasting) == 300 * 5 + LAST_MS
    still = tmp_path / "a.png"
    write(pair, Plan(width=826, scale=1, at="3"), still)
    with Image.open(still) as image:
        assert apart(frames[0], image.convert("RGB")) < 0.002


def test_thinning_keeps_both_ends_and_every_landmark() -> None:
    places = list(range(1000))
    kept = thinned(places, {17, 18, 500}, 200)
    assert len(kept) == 200
    assert {0, 999, 17, 18, 500} <= set(kept)
    assert kept == sorted(kept)
    assert thinned(places[:200], set(), 200) == places[:200]
    assert len(thinned(places, set(places), 200)) == 200


@pytest.mark.slow
def test_what_is_thinned_says_so_and_what_is_stopped_leaves_nothing(
    material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.errors import CancelledError
    from gui.exports import animation

    monkeypatch.setattr(animation, "MOST", 5)
    seen: list[tuple[int, int, Message | None]] = []

    def stopped() -> bool:
        return len(seen) >= 6

    work = Work(lambda done, total, what: seen.append((done, total, what)), stopped)
    with pytest.raises(CancelledError):
        write(material, Plan(width=826), tmp_path / "a.gif", work)
    assert list(tmp_path.iterdir()) == []
    assert (2, 5, message("progress.drawing-frames")) in seen

    write(material, Plan(width=826), tmp_path / "a.gif")
    assert len(frames_of(tmp_path / "a.gif")[0]) == 5
