"""The Markdown of a lesson as values: paragraphs, lists, fences, headings; anything else is an error.

CommonMark, by markdown-it-py. A link is not an address but a relation to the run:
`[A](<mark: hw_moved A>)` is a letter beside a mark, `[B's high watermark is still 1](<holds: B has high
watermark 1>)` are words with the fact that must hold.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.errors import ScenarioError
from core.message import Message, message
from core.sim.toml_reader import words_allowed
from core.teaching.facts import FORMS, parse_fact
from core.teaching.lesson import Block, Claim, Items, Paragraph, Plain, Pointer, Span, Spans, Spot
from core.trace.vocabulary import NUMBER

_PARSER: Final = MarkdownIt("commonmark", {"html": False})
_MARK: Final = re.compile(
    r"(?P<event>[a-z_]+)(?: (?P<broker>(?!in\b)[\w-]+))?(?: #(?P<nth>\d{1,4}))?"
    r"(?: in step (?P<step>\d{1,4}))?"
)
_LETTER: Final = re.compile(r"[A-F]")
_CHINESE: Final = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_BREAK: Final = Plain(" ")
_MARK_WORDS: Final = "[A](<mark: truncated B #1 in step 8>)"


@dataclass(frozen=True, slots=True)
class Fence:
    """A block between fences: its first word, its text, and the line of the text's first line, from 1."""

    word: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    level: int
    text: str
    line: int


Part = Block | Fence | Heading


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of Markdown stands: a file, and how many lines of it come before."""

    file: str
    lines_before: int

    def fail(self, line: int, what: Message, allowed: Message) -> NoReturn:
        """Raise the error for a line of the piece, from 0."""
        number = self.lines_before + line + 1
        error = ScenarioError(
            what,
            where=message("error.place.line", file=self.file, line=number),
            advice=message("error.scenario.allowed", allowed=allowed),
        )
        error.line = number
        raise error


def parts_of(text: str, place: Place) -> tuple[Part, ...]:
    """The parts of a piece of Markdown, in order. Raises ScenarioError for what lessons do not have."""
    return tuple(_parts(_PARSER.parse(text), place))


def blocks_of(text: str, place: Place) -> tuple[Block, ...]:
    """The same where only paragraphs and lists may stand."""
    parts = parts_of(text, place)
    for part in parts:
        if isinstance(part, (Fence, Heading)):
            line = part.line - place.lines_before - 1
            place.fail(line, message("error.lesson.only-text"), message("allowed.markdown"))
    return tuple(part for part in parts if not isinstance(part, (Fence, Heading)))


def plain_text(blocks: Sequence[Block]) -> str:
    """The words alone, a line a paragraph or item."""
    lines = [
        one for block in blocks for one in ((block.spans,) if isinstance(block, Paragraph) else block.items)
    ]
    return "\n".join("".join(_words(span) for span in line).strip() for line in lines)


def _words(span: Span) -> str:
    return f"({span.letter})" if isinstance(span, Pointer) else span.text


def _parts(tokens: Sequence[Token], place: Place) -> Iterator[Part]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        line = token.map[0] if token.map else 0
        if token.type == "fence":
            words = token.info.split()
            yield Fence(words[0] if words else "", token.content, place.lines_before + line + 2)
            at += 1
        elif token.type == "heading_open":
            spans = _spans(tokens[at + 1], place, line)
            yield Heading(
                int(token.tag[1:]), "".join(_words(one) for one in spans), place.lines_before + line + 1
            )
            at += 3
        elif token.type == "paragraph_open":
            yield Paragraph(_spans(tokens[at + 1], place, line))
            at += 3
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            end = next(n for n in range(at, len(tokens)) if tokens[n].level == token.level and n > at)
            yield _items(tokens[at + 1 : end], place, ordered=token.type.startswith("ordered"))
            at = end + 1
        else:
            place.fail(line, message("error.lesson.markdown", kind=token.type), message("allowed.markdown"))


def _items(tokens: Sequence[Token], place: Place, *, ordered: bool) -> Items:
    items: list[Spans] = []
    for token in tokens:
        line = token.map[0] if token.map else 0
        if token.type == "inline":
            items.append(_spans(token, place, line))
        elif token.type not in {"list_item_open", "list_item_close", "paragraph_open", "paragraph_close"}:
            place.fail(line, message("error.lesson.markdown", kind=token.type), message("allowed.markdown"))
    return Items(tuple(items), ordered)


def _spans(inline: Token, place: Place, line: int) -> Spans:
    """What stands in one line of text. A soft break of a line is a blank."""
    spans: list[Span] = []
    strong, link = False, ""
    for token in inline.children or ():
        if token.type in {"strong_open", "strong_close", "em_open", "em_close"}:
            # Emphasis is weight alone: Chinese has no italics.
            strong = token.type.endswith("open")
        elif token.type == "link_open":
            link = unquote(str(token.attrGet("href") or ""))
        elif token.type == "link_close":
            link = ""
        elif token.type in {"text", "code_inline", "softbreak"}:
            if token.type == "softbreak":
                spans.append(_linked(" ", link, place, line) if link else _BREAK)
                continue
            plain = Plain(token.content, strong, token.type == "code_inline")
            spans.append(_linked(token.content, link, place, line) if link else plain)
        else:
            place.fail(line, message("error.lesson.markdown", kind=token.type), message("allowed.markdown"))
    return tuple(_joined(_without_chinese_breaks(spans)))


def _without_chinese_breaks(spans: Sequence[Span]) -> Iterator[Span]:
    """The same without the blanks of those breaks of lines that stand beside a Chinese sign."""
    for at, span in enumerate(spans):
        around = (
            _words(one)[edge:][:1] for one, edge in ((spans[at - 1], -1), (spans[(at + 1) % len(spans)], 0))
        )
        if span == _BREAK and any(_CHINESE.match(sign) for sign in around):
            continue
        yield span


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """The same with claims whose words were cut by a break of a line made one again."""
    held: Span | None = None
    for span in spans:
        if isinstance(held, Claim) and isinstance(span, Claim) and held.fact == span.fact:
            held = replace(held, text=held.text + span.text)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _linked(text: str, link: str, place: Place, line: int) -> Span:
    kind, _, words = link.partition(":")
    words = " ".join(words.split())
    if kind == "mark":
        found = _MARK.fullmatch(words)
        if found is None or found["event"] not in NUMBER or not _LETTER.fullmatch(text):
            place.fail(line, message("error.lesson.mark", words=words), words_allowed(_MARK_WORDS))
        step = None if found["step"] is None else int(found["step"])
        return Pointer(text, Spot(step, found["event"], found["broker"] or "", int(found["nth"] or 1)))
    fact = parse_fact(words) if kind == "holds" else None
    if fact is None:
        examples = "; ".join(example for _, example, _ in FORMS)
        place.fail(line, message("error.lesson.fact", words=words or link), words_allowed(examples))
    return Claim(text, fact)
