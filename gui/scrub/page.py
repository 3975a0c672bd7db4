"""A timeline as one HTML file: lanes as SVG, the states and sentences of each position, and a scrubber."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from core.diagnose.why import why
from core.errors import QuestionError
from core.history.as_json import partition_dict
from core.picture.axis import OrderAxis
from core.picture.figure import FigureText, Part
from core.picture.legend import legend
from core.picture.marks import Box, Layer, Picture
from core.picture.timeline import TimelineView, lay_out, moment, timeline_lanes
from core.trace.evidence import evidence_of
from gui.export import svg_text
from gui.theme import Theme, load_theme

_HERE: Final = Path(__file__).parent
_COLOURS: Final = {
    "window": "bg.window",
    "panel": "bg.panel",
    "lane": "bg.lane",
    "text": "text",
    "text-2": "text.2",
    "line": "line.hair",
    "cursor": "cursor",
    "focus": "focus",
}
_EVIDENCE: Final = 3
"""Lines of evidence that a position shows."""
_MOST: Final = 20_000
"""Positions of one page."""


def page(view: TimelineView, words: FigureText, left_out: Collection[Part] = ()) -> str:
    """The page of a view, without overview and cursor. Raises QuestionError where it would be too long."""
    notes = () if Part.NOTES in left_out else view.notes
    flat = replace(view, cursor=None, with_overview=False, selected=None, notes=notes)
    name, words = words.title, words.without(left_out)
    picture = lay_out(flat)
    picture = picture if Part.LEGEND in left_out else _with_legend(picture)
    shown = _positions(flat, picture)
    filled = {
        "name": escape(name),
        "title": _element("h1", words.title),
        "circumstances": _element('p class="second"', words.circumstances),
        "caption": _element("p", words.caption),
        "redacted": _element("p", f"Redacted. {words.redacted}" if words.redacted else ""),
        "alt": escape(picture.alt, quote=True),
        "product": escape(words.product),
        "sources": "".join(f"<li>{escape(line)}</li>" for line in words.sources),
        "notes": _notes(flat),
        "colours": "\n".join(_variables(load_theme(name)) for name in ("light", "dark")),
        "light": _inline(picture, "light"),
        "dark": _inline(picture, "dark"),
        # A script ends at "</script", wherever that stands.
        "data": json.dumps(shown, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "style": _read("page.css"),
        "script": _read("page.js"),
    }
    return Template(_read("page.html")).substitute(filled)


def _element(tag: str, text: str) -> str:
    """An element with a text; nothing where there is none."""
    return f"<{tag}>{escape(text)}</{tag.partition(' ')[0]}>" if text else ""


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8").rstrip()


def _with_legend(body: Picture) -> Picture:
    keyed, height = legend(body.marks(), 16.0, body.height + 10, body.width - 32)
    tall = body.height + height + 20
    paper = Box(0, 0, body.width, tall, fill="bg.lane")
    return replace(
        body, height=tall, layers=(Layer("paper", (paper,)), *body.layers, Layer("legend", tuple(keyed)))
    )


def _variables(theme: Theme) -> str:
    said = " ".join(f"--{name}: {theme.colour(role).name()};" for name, role in _COLOURS.items())
    # Without a script no theme is chosen.
    root = ":root, " if theme.name == "light" else ""
    return f'{root}:root[data-theme="{theme.name}"] {{ {said} color-scheme: {theme.name}; }}'


_EMPTY: Final = re.compile(r"<g\b[^>]*>\s*</g>\s*")
_SAME: Final = re.compile(r'\s+(?:transform="matrix\(1,0,0,1,0,0\)"|font-style="normal")')
_NAMED: Final = re.compile(r'(\bid="|url\(#)')
"""Two pictures of one page may not share names."""


def _inline(picture: Picture, theme: str) -> str:
    """The picture as an element of a page, without what Qt writes for nothing."""
    text = svg_text(picture, load_theme(theme), picture.title)
    text = text[text.index("<svg") :]
    text = re.sub(r'\s(?:width|height)="[\d.]+mm"', "", text, count=2)
    text = _NAMED.sub(rf"\g<1>{theme}-", text)
    return re.sub(r"\n\s*", "\n", _SAME.sub("", _EMPTY.sub("", text))).strip()


def _notes(view: TimelineView) -> str:
    if not view.notes:
        return ""
    rows = "".join(
        f'<li value="{note.number}">{escape(f"{note.where}: " if note.where else "")}{escape(note.text)}</li>'
        for note in view.notes
    )
    return f"<section><h2>Notes</h2><ol>{rows}</ol></section>"


class _Table:
    """Values that are written once and named by their number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def put(self, value: Any) -> int:  # noqa: ANN401 - plain JSON values
        """The number of a value."""
        key = json.dumps(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


def _positions(view: TimelineView, picture: Picture) -> dict[str, Any]:
    """What the script of the page reads: see page.js. A replica and a head are as `state --json` has them."""
    history = view.history
    trace = history.trace
    lanes = timeline_lanes(view)
    if not lanes:
        raise QuestionError("The partition has no replicas to draw")
    axis = lanes[0].axis
    ranks = range(history.rank(axis.first), history.rank(axis.last) + 1)
    if len(ranks) > _MOST:
        raise QuestionError(
            f"A page of {len(ranks)} positions would be too long to load",
            why=f"At most {_MOST} fit",
            advice="Choose a stretch with --from and --to",
        )
    texts, replicas, heads = _Table(), _Table(), _Table()
    shift = axis.scale.slot * 0.7 if isinstance(axis, OrderAxis) else 0.0
    positions: list[dict[str, Any]] = []
    for rank in ranks:
        cursor = history.cursor_of_rank(rank)
        state = history.at(cursor)
        partition = partition_dict(history, state)
        told = why(history, view.verdict, cursor)
        held: Sequence[dict[str, Any]] = partition.pop("replicas")
        seqs = dict.fromkeys((*(() if told.seq is None else (told.seq,)), *told.evidence))
        lines = [found for seq in seqs if (found := evidence_of(trace, seq)) is not None]
        once = dict.fromkeys((found.file, found.line, found.text) for found in lines)
        positions.append(
            {
                "cursor": cursor,
                "rank": rank,
                "at": "" if state.at is None else moment(trace, state.at),
                "x": round(axis.x(cursor) + (shift if rank else 0.0), 1),
                "head": heads.put(partition),
                "replicas": [replicas.put(one) for one in held],
                "what": texts.put(told.title),
                "why": [texts.put(one) for one in told.sentences],
                "evidence": [[texts.put(file), line, texts.put(text)] for file, line, text in once][
                    :_EVIDENCE
                ],
            }
        )
    return {
        "width": picture.width,
        "height": picture.height,
        "top": lanes[0].box.band,
        "bottom": lanes[-1].box.end,
        "ranks": len(history.seqs),
        "texts": texts.values,
        "heads": heads.values,
        "replicas": replicas.values,
        "positions": positions,
    }
