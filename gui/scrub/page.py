"""A timeline or a comparison as one HTML file: lanes as SVG, and a scrubber with states and sentences."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.figure import FigureText, Part
from core.picture.legend import legend
from core.picture.marks import Box, Layer, Picture
from core.picture.notes import PlacedNote
from core.picture.timeline import TimelineView, lay_out
from core.words import said, speaking
from gui.exports.devices import svg_text
from gui.scrub.frame import framed, read
from gui.scrub.states import page_data, run_heads
from gui.scrub.words import frame_words
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


def page(
    view: TimelineView | ComparisonView,
    words: FigureText,
    left_out: Collection[Part] = (),
    stops: tuple[int, int] | None = None,
) -> str:
    """The page of a view, without overview and cursor. Raises QuestionError where it would be too long.

    Of a comparison `stops` are the first and the last one that can be scrubbed to; its picture shows all.
    """
    with speaking(view.lang):
        return _page(view, words, left_out, stops)


def _page(
    view: TimelineView | ComparisonView,
    words: FigureText,
    left_out: Collection[Part],
    stops: tuple[int, int] | None,
) -> str:
    notes = () if Part.NOTES in left_out else tuple(note for note in view.notes if note.number)
    name, words = words.title, words.without(left_out)
    if isinstance(view, TimelineView):
        flat = replace(view, cursor=None, with_overview=False, selected=None, notes=notes)
        picture = lay_out(flat)
    else:
        flat = replace(view, stop=None, selected=None, notes=notes)
        picture = lay_out_comparison(flat)
    picture = picture if Part.LEGEND in left_out else _with_legend(picture)
    shown = page_data(flat, picture, stops)
    parts = {
        "title": _element("h1", words.title),
        "circumstances": _element('p class="second"', words.circumstances),
        "account": _account(words),
        "caption": _element("p", words.caption),
        "redacted": _element("p", said("page.redacted", what=words.redacted) if words.redacted else ""),
        "alt": escape(picture.alt, quote=True),
        "product": escape(words.product),
        "sources": "".join(f"<li>{escape(line)}</li>" for line in words.sources),
        "notes": _notes(notes),
        "runs": "".join(_run(place, *head) for place, head in enumerate(run_heads(flat))),
        "light": inline(picture, "light", "light"),
        "dark": inline(picture, "dark", "dark"),
        **frame_words(),
    }
    colours = "\n".join(_variables(load_theme(theme)) for theme in ("light", "dark"))
    return framed(_HERE, "page", name, parts, shown, colours)


def _element(tag: str, text: str) -> str:
    """An element with a text; nothing where there is none."""
    return f"<{tag}>{escape(text)}</{tag.partition(' ')[0]}>" if text else ""


def _account(words: FigureText) -> str:
    """The account of an incident as a list of named fields; nothing where there is none."""
    fields = "".join(
        f"<dt>{escape(name)}</dt><dd>{''.join(_element('p', one) for one in sentences)}</dd>"
        for name, sentences in words.account
    )
    return f"<dl>{fields}</dl>" if fields else ""


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


def inline(picture: Picture, theme: str, prefix: str) -> str:
    """The picture as an element of a page, without what Qt writes for nothing. Its names begin with `prefix`.

    Needs `offscreen_app`.
    """
    text = svg_text(picture, load_theme(theme), picture.title)
    text = text[text.index("<svg") :]
    text = re.sub(r'\s(?:width|height)="[\d.]+mm"', "", text, count=2)
    text = _NAMED.sub(rf"\g<1>{prefix}-", text)
    return re.sub(r"\n\s*", "\n", _SAME.sub("", _EMPTY.sub("", text))).strip()


def _run(place: int, name: str, verdict: str) -> str:
    """Where the script puts what one run holds at the cursor."""
    head = _element("h2", said("page.run-and-verdict", name=name, verdict=verdict)) if name else ""
    parts = {"run": str(place), "name": head, **frame_words()}
    return Template(read(_HERE / "run.html")).substitute(parts)


def _notes(notes: Sequence[PlacedNote]) -> str:
    if not notes:
        return ""
    texts = [
        said("page.note", where=note.where, text=note.text) if note.where else note.text for note in notes
    ]
    rows = "".join(
        f'<li value="{note.number}">{escape(text)}</li>' for note, text in zip(notes, texts, strict=True)
    )
    return f"<section><h2>{said('page.notes')}</h2><ol>{rows}</ol></section>"
