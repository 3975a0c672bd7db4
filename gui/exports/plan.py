"""What an export is asked to be: one value, the same from the command line and from the dialog. No Qt."""

from dataclasses import dataclass, replace
from typing import Final

from core.document.lane_order import USUAL, LaneOrder
from core.errors import QuestionError
from core.message import Listing, message
from core.picture.drawing import PLAIN, Drawing
from core.picture.figure import Part
from core.trace.redact import What
from core.words import Language

PICTURES: Final = (".png", ".svg", ".pdf")
VECTORS: Final = (".svg", ".pdf")
TABLES: Final = (".csv", ".json", ".parquet")
PAGE: Final = ".html"
DOCUMENTS: Final = (".pdf", PAGE)
"""What is read as a document: it begins with the account of the incident."""
ANIMATION: Final = ".gif"
TEXT: Final = ".txt"
ENDINGS: Final = (*PICTURES, PAGE, ANIMATION, TEXT, *TABLES)
"""Every kind that can be written, by the ending of its file."""
WIDTH: Final = 1600
KEPT: Final = "kept"
FOLDED: Final = "folded"
HIDDEN: Final = "hidden"
"""How lanes may stand, as the command line names it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How something is exported. What is left as it is here is what a command without options writes.

    `partition` is "orders-0", None is the one with most to tell. `window` is the first and the last time as
    RFC 3339 texts, None is open; `stops` the first and the last stop of a comparison. `width` is in logical
    pixels, `scale` pixels of a PNG per logical pixel. `title` and `caption` "" are proposed ones. `at` is
    where a picture has a cursor: a position of the trace or a time, a stop of a comparison; None is none.
    `speed` 1 is 600 ms a position. `lang` is that of pictures, pages and texts. `lanes` None is how the
    document has them. A `slide` has 16:9 and no width of its own; `patterns` tell epochs apart in grey; with
    `outlines` letters are shapes, not text.
    """

    partition: str | None = None
    window: tuple[str | None, str | None] = (None, None)
    stops: tuple[int, int] | None = None
    theme: str = "light"
    width: int = WIDTH
    scale: int = 2
    redact: tuple[What, ...] = ()
    left_out: frozenset[Part] = frozenset()
    title: str = ""
    caption: str = ""
    at: str | None = None
    speed: float = 1.0
    lang: Language = "en"
    lanes: LaneOrder | None = USUAL
    drawing: Drawing = PLAIN
    slide: bool = False
    patterns: bool = False
    outlines: bool = False


def parse_parts(text: str) -> frozenset[Part]:
    """Parts as "legend,sources" names them. Raises QuestionError for one that there is not."""
    asked = {part.strip().lower() for part in text.split(",") if part.strip()}
    wrong = sorted(asked - {part.value for part in Part})
    if wrong or not asked:
        raise QuestionError(
            message("error.export.no-part", name=wrong[0] if wrong else text),
            advice=message("error.export.no-part.way-out", names=Listing(tuple(Part))),
        )
    return frozenset(Part(part) for part in asked)


def parse_stops(text: str) -> tuple[int, int]:
    """Stops as "3-12" names them, the first before the last. Raises QuestionError."""
    first, dash, last = text.partition("-")
    if not (dash and first.strip().isdecimal() and last.strip().isdecimal() and int(first) < int(last)):
        raise QuestionError(
            message("error.export.no-stops", text=text), advice=message("error.export.no-stops.form")
        )
    return int(first), int(last)


def parse_lanes(text: str) -> LaneOrder | None:
    """Lanes as "3,1:folded,2:hidden,4:80" names them, from top to bottom; None for "kept".

    A number after a broker is the height of its log area. Brokers that are not named follow as usual, open.
    Raises QuestionError.
    """
    if text.strip().lower() == KEPT:
        return None
    order: list[int] = []
    made = USUAL
    for part in text.split(","):
        name, _, how = (word.strip().lower() for word in part.partition(":"))
        if not name.isdecimal() or int(name) in order or not (how in ("", FOLDED, HIDDEN) or how.isdecimal()):
            raise QuestionError(
                message("error.export.no-lane", name=part.strip()),
                advice=message("error.export.no-lane.form", folded=FOLDED, hidden=HIDDEN),
            )
        broker = int(name)
        order.append(broker)
        if how == FOLDED:
            made = made.fold(broker)
        elif how == HIDDEN:
            made = replace(made, hidden=made.hidden | {broker})
        elif how:
            made = made.resize(broker, int(how))
    return replace(made, order=tuple(order))


def refuse_senseless(ending: str, plan: Plan) -> None:
    """Raise QuestionError where the kind has no place for what the plan asks."""
    if ending not in ENDINGS:
        raise QuestionError(
            message("error.export.no-format", ending=ending) if ending else message("error.export.no-ending"),
            advice=message("error.export.formats", names=Listing(tuple(ENDINGS))),
        )
    if ending in (TEXT, *TABLES) and (plan.left_out or plan.title or plan.caption):
        raise QuestionError(
            message("error.export.no-words", ending=ending),
            advice=message("error.export.no-words.way-out"),
        )
    if ending not in (*PICTURES, PAGE, ANIMATION) and (plan.lanes != USUAL or plan.drawing != PLAIN):
        raise QuestionError(
            message("error.export.no-lanes", ending=ending),
            advice=message("error.export.no-lanes.way-out"),
        )
    if ending not in (ANIMATION, PAGE) and plan.stops is not None:
        raise QuestionError(
            message("error.export.all-stops", ending=ending),
            advice=message("error.export.all-stops.way-out", one=ANIMATION, other=PAGE),
        )
    if plan.at is not None and ending not in PICTURES:
        raise QuestionError(
            message("error.export.no-cursor", ending=ending),
            advice=message("error.export.no-cursor.way-out", names=Listing(tuple(PICTURES))),
        )
    if ending not in PICTURES and (plan.slide or plan.patterns):
        raise QuestionError(
            message("error.export.no-paper", ending=ending),
            advice=message("error.export.no-paper.way-out", names=Listing(tuple(PICTURES))),
        )
    if ending not in VECTORS and plan.outlines:
        raise QuestionError(
            message("error.export.no-outlines", ending=ending),
            advice=message("error.export.no-outlines.way-out", names=Listing(tuple(VECTORS))),
        )
    if ending in TABLES and plan.lang != "en":
        raise QuestionError(
            message("error.export.english", ending=ending),
            advice=message("error.export.english.way-out", names=Listing((*PICTURES, PAGE, TEXT))),
        )
    if ending == TEXT and plan.window != (None, None):
        raise QuestionError(
            message("error.export.text-whole"), advice=message("error.export.text-whole.way-out")
        )
