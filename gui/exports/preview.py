"""What an export will look like, for the dialog: a picture of its first page, or its first lines."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from PySide6.QtGui import QImage

from core.errors import TidegaugeError
from core.work import Work
from gui.exports.animation import at, positions_of
from gui.exports.devices import image_of
from gui.exports.material import Material
from gui.exports.plan import ANIMATION, TABLES, TEXT, Plan, refuse_senseless
from gui.exports.views import figure_of, view_of, words_of, zoom_of
from gui.exports.write import text_of
from gui.text.errors import one_line
from gui.text.spoken import words
from gui.theme import load_theme
from gui.workspace.event_tables import event_table, rows_text

_ROWS: Final = 40


@dataclass(frozen=True, slots=True)
class Sketch:
    """An image, or a text, or why there is neither. `title` and `caption` are those that are proposed."""

    image: QImage | None = None
    text: str = ""
    refusal: str = ""
    title: str = ""
    caption: str = ""
    review: str = ""
    """What stays in clear and what is replaced, where names are hidden."""


def sketch(material: Material, plan: Plan, ending: str, work: Work) -> Sketch:
    """The first page of an export of material whose names are hidden already. Never raises bad input."""
    try:
        refuse_senseless(ending, plan)
        if ending in TABLES:
            rows = event_table(material.traces, plan.partition, plan.window)
            return Sketch(text=rows_text(islice(rows, _ROWS)))
        if ending == TEXT:
            lines = text_of(material, plan, work).splitlines()
            return Sketch(text="\n".join(lines[:_ROWS]))
        view = view_of(material, plan, work)
        proposed = words_of(view, replace(plan, title="", caption=""))
        if ending == ANIMATION:
            view = at(view, positions_of(view, plan)[0])
        figure = figure_of(view, plan, ending)
        image = image_of(figure, load_theme(plan.theme), zoom_of(figure, plan), enlarged=plan.slide)
        return Sketch(image, title=proposed.title, caption=proposed.caption)
    except TidegaugeError as error:
        return Sketch(refusal=one_line(replace(error.facts, where=None, background=None), words()))
