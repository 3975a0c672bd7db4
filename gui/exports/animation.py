"""A stretch of a timeline or a comparison as a moving picture: a frame a position, the cursor in it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtGui import QImage, QPainter

from core.diagnose.verdict.facts import Severity
from core.errors import QuestionError
from core.message import message
from core.picture.comparison import ComparisonView
from core.picture.figure import CURSOR
from core.picture.marks import Picture
from core.picture.timeline import TimelineView
from core.work import Work
from gui.exports.devices import image_of
from gui.exports.plan import Plan
from gui.exports.views import View, figure_of, words_of
from gui.paint import paint
from gui.theme import Theme, load_theme

MOST: Final = 200
"""Frames of one file. Of more positions, losses, truncations and elections stay and the rest is thinned."""
STEP_MS: Final = 600
"""A position at speed 1, as the window plays."""
LAST_MS: Final = 2000
_SHORTEST_MS: Final = 20
"""Browsers slow down what is shorter."""
_EXACT: Final = 160
_COLOURS: Final = 256
_RGB: Final = 0xFFFFFF
_AT_ONCE: Final = 1024
Pixels: TypeAlias = NDArray[np.uint32]
_SAMPLES: Final = 12
"""Frames that the palette is made from."""


def write_animation(view: View, plan: Plan, part: Path, work: Work) -> None:
    """Write the frames of a view's window, or of the plan's stops, as a GIF that repeats. Raises OSError."""
    positions = positions_of(view, plan)
    shown = thinned(positions, _landmarks(view), MOST)
    if len(shown) < len(positions):
        words = words_of(view, plan)
        plan = replace(
            plan, caption=f"{words.caption} {len(shown)} of {len(positions)} positions are shown.".strip()
        )
    theme = load_theme(plan.theme)
    base = _Base(view, plan, theme, shown[0])
    places = np.linspace(0, len(shown) - 1, min(_SAMPLES, len(shown))).astype(int)
    samples = [base.frame(shown[place]) for place in dict.fromkeys(places.tolist())]
    palette = Palette(samples, [colour.rgb() & _RGB for colour in theme.colours.values()])
    step = max(round(STEP_MS / plan.speed / 10) * 10, _SHORTEST_MS)
    frames = _frames(base, shown, palette, work)
    next(frames).save(
        part,
        format="GIF",
        save_all=True,
        append_images=frames,
        duration=[*[step] * (len(shown) - 1), max(step, LAST_MS)],
        loop=0,
        disposal=1,
        optimize=False,
        comment=base.picture.title.encode("utf-8")[:255],
    )


def _frames(base: "_Base", shown: Sequence[int], palette: "Palette", work: Work) -> Iterator[Image.Image]:
    for place, position in enumerate(shown):
        work.step(place, len(shown), message("progress.drawing-frames"))
        yield palette.apply(base.frame(position))


class _Base:
    """What stands still in all frames, painted once."""

    def __init__(self, view: View, plan: Plan, theme: Theme, first: int) -> None:
        self._view, self._plan, self._theme = view, plan, theme
        self.picture = self._picture(first)
        still = tuple(layer for layer in self.picture.layers if layer.name != CURSOR)
        self._image = image_of(replace(self.picture, layers=still), theme, 1)

    def _picture(self, position: int) -> Picture:
        return figure_of(at(self._view, position), self._plan)

    def frame(self, position: int) -> Pixels:
        """The frame of a cursor, or of a stop, a row a line of it, each pixel as 0xRRGGBB."""
        image = QImage(self._image)
        painter = QPainter(image)
        paint(painter, self._picture(position), self._theme, layers=(CURSOR,))
        painter.end()
        plain = image.convertToFormat(QImage.Format.Format_RGB32)
        raw = np.frombuffer(plain.constBits(), dtype=np.uint32)
        return raw.reshape(plain.height(), plain.width()) & np.uint32(_RGB)


def at(view: View, position: int) -> View:
    """The same with the cursor, or the stop, at a position."""
    if isinstance(view, TimelineView):
        return replace(view, cursor=position)
    return replace(view, stop=position)


def positions_of(view: View, plan: Plan) -> list[int]:
    """The cursors of the partition's events in the window, or the stops that the plan names.

    Raises QuestionError where there is none.
    """
    if isinstance(view, TimelineView):
        history = view.history
        seqs = history.seqs
        times = history.trace.columns["at"][seqs]
        first = int(times.searchsorted(view.window[0], side="left"))
        end = int(times.searchsorted(view.window[1], side="right"))
        if first == end:
            raise QuestionError(
                message("error.export.nothing-happens"),
                advice=message("error.export.nothing-happens.way-out"),
            )
        return [int(seq) + 1 for seq in seqs[first:end]]
    last = len(view.comparison.stops) - 1
    asked = plan.stops or (0, last)
    if asked[1] > last:
        raise QuestionError(
            message("error.export.no-stop", number=asked[1]), advice=message("error.export.stops", last=last)
        )
    return list(range(asked[0], asked[1] + 1))


def _landmarks(view: View) -> set[int]:
    """Positions that no thinning may drop: losses, truncations, elections, and the differences of runs."""
    if isinstance(view, ComparisonView):
        return {difference.stop for difference in view.comparison.differences}
    verdict = view.verdict
    lost = {loss.seq + 1 for loss in verdict.losses if loss.severity is not Severity.NOTICE}
    cut = {truncation.seq + 1 for truncation in verdict.truncations}
    return lost | cut | {int(cursor) for cursor in view.history.leader_epoch.cursors}


def thinned(positions: Sequence[int], landmarks: set[int], most: int) -> list[int]:
    """At most so many of the positions: first and last, the landmarks, and the others evenly.

    More landmarks than that are thinned evenly too.
    """
    if len(positions) <= most:
        return list(positions)
    kept = [place for place in positions if place in landmarks or place in (positions[0], positions[-1])]
    if len(kept) >= most:
        return [kept[place] for place in np.linspace(0, len(kept) - 1, most).astype(int).tolist()]
    rest = [place for place in positions if place not in set(kept)]
    chosen = np.linspace(0, len(rest) - 1, most - len(kept)).astype(int).tolist()
    return sorted({*kept, *(rest[place] for place in chosen)})


class Palette:
    """256 colours for all frames: the commonest and those of the theme as they are, others by median cut.

    Areas and signs keep their exact colours that way; what smooths edges comes near.
    """

    def __init__(self, samples: Sequence[Pixels], named: Sequence[int]) -> None:
        """`samples` are frames, `named` colours that stay where they occur, as 0xRRGGBB."""
        colours, counts = _counted(samples)
        common = colours[np.argsort(-counts, kind="stable")[:_EXACT]]
        exact = np.union1d(common, np.intersect1d(colours, np.array(named, dtype=np.uint32)))
        exact = exact[:_COLOURS]
        rest = np.setdiff1d(colours, exact)
        if len(rest) and len(exact) < _COLOURS:
            room = _COLOURS - len(exact)
            left = Image.fromarray(_channels(rest).astype(np.uint8).reshape(1, -1, 3))
            reduced = left.quantize(room, method=Image.Quantize.MEDIANCUT).getpalette() or []
            made = np.array(reduced, dtype=np.uint32).reshape(-1, 3)[:room] @ np.array([65536, 256, 1])
            exact = np.concatenate([exact, made.astype(np.uint32)])
        self._colours = exact
        self._known = np.full(_RGB + 1, -1, dtype=np.int16)

    def apply(self, frame: Pixels) -> Image.Image:
        """The frame in these colours, each pixel in the nearest one."""
        # Nearly all pixels have colours of earlier frames: only the others are sorted.
        places = self._known[frame]
        new = np.unique(frame[places < 0])
        own = _channels(self._colours)
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            apart = _channels(some)[:, None, :] - own[None, :, :]
            self._known[some] = (apart * apart).sum(axis=2).argmin(axis=1)
        if len(new):
            places = self._known[frame]
        made = Image.fromarray(places.astype(np.uint8), mode="P")
        made.putpalette(own.astype(np.uint8).ravel().tolist())
        return made


def _counted(samples: Sequence[Pixels]) -> tuple[Pixels, NDArray[np.int64]]:
    """The colours of all samples, in their order, and how many pixels have each. Pixels are not sorted."""
    seen = np.zeros(_RGB + 1, dtype=np.bool_)
    for one in samples:
        seen[one] = True
    colours = np.flatnonzero(seen).astype(np.uint32)
    place = np.zeros(_RGB + 1, dtype=np.int32)
    place[colours] = np.arange(len(colours), dtype=np.int32)
    counts = np.zeros(len(colours), dtype=np.int64)
    for one in samples:
        counts += np.bincount(place[one].ravel(), minlength=len(colours))
    return colours, counts


def _channels(colours: Pixels) -> NDArray[np.int64]:
    """Red, green and blue of each colour."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int64)
