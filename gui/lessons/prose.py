"""The text of a step as rich text: words as they stand, letters as plates, no tags of a stranger."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from core.shown import shown_in_line
from core.teaching.lesson import Block, Claim, Paragraph, Plain, Pointer, Span, Spans

LETTER: Final = "letter:"
"""What the link of a letter begins with."""


def lines_of(blocks: Sequence[Block], plate: str = "") -> Iterator[str]:
    """A line of rich text for each paragraph and each item of a list; `plate` is the look of a letter."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield _line(block.spans, plate)
        else:
            for number, item in enumerate(block.items, start=1):
                sign = f"{number}." if block.ordered else "•"
                yield f"{sign}&nbsp;&nbsp;{_line(item, plate)}"


def _line(spans: Spans, plate: str) -> str:
    return "".join(_rich(span, plate) for span in spans)


def _rich(span: Span, plate: str) -> str:
    match span:
        case Pointer(letter=letter):
            return f'<a href="{LETTER}{letter}" style="{plate}"><b>&nbsp;{letter}&nbsp;</b></a>'
        case Claim(text=text):
            return escape(shown_in_line(text))
        case Plain(text=text, strong=strong, code=code):
            told = escape(shown_in_line(text)) if text.strip() else text
            told = f"<code>{told}</code>" if code else told
            return f"<b>{told}</b>" if strong else told
