"""What the page and the printed handout share: texts of a lesson as HTML, how a question is answered."""

from collections.abc import Mapping, Sequence
from html import escape

from core.compare.comparison import Run
from core.message import Count, message
from core.shown import shown_in_line
from core.teaching.answers import NOBODY
from core.teaching.lesson import Ask, AskKind, Block, Lesson, Paragraph, Plain, Pointer, Span, Spans, Step
from core.trace.broker_names import broker_text
from core.words import said, text
from gui.handouts.handout import Letter
from gui.workspace.lesson_player import CELLS_MOST, as_scene_shown


def told(words: str) -> str:
    """Words as HTML: what may come from a stranger is shown, not obeyed."""
    return escape(shown_in_line(words))


def blocks_html(blocks: Sequence[Block]) -> str:
    """The text of a step."""
    if not blocks:
        return ""
    return f'<div class="text">{"".join(map(_block, blocks))}</div>'


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{_spans(block.spans)}</p>"
    tag = "ol" if block.ordered else "ul"
    return f"<{tag}>{''.join(f'<li>{_spans(item)}</li>' for item in block.items)}</{tag}>"


def _spans(spans: Spans) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    if isinstance(span, Pointer):
        return f'<span class="letter">{escape(span.letter)}</span>'
    words = told(span.text) if span.text.strip() else span.text
    if isinstance(span, Plain):
        words = f"<code>{words}</code>" if span.code else words
        words = f"<b>{words}</b>" if span.strong else words
    return words


def letters_html(letters: Sequence[Letter]) -> str:
    """What each letter of a text points at."""
    if not letters:
        return ""
    rows = (f'<li><span class="letter">{one.letter}</span> {told(one.words)}</li>' for one in letters)
    return f'<ul class="letters">{"".join(rows)}</ul>'


def control_of(ask: Ask, most: int) -> str:
    """What a question is answered with: a number, one or several of some, a range, an order."""
    match ask.kind:
        case AskKind.CUT | AskKind.WATERMARK:
            return "number"
        case AskKind.LEADER | AskKind.CHOICE:
            return "one"
        case AskKind.LOST if most > CELLS_MOST:
            return "range"
        case AskKind.LOST | AskKind.IN_SYNC:
            return "several"
        case AskKind.ORDER:
            return "order"


def labels_of(ask: Ask, run: Run, most: int) -> Mapping[int, str]:
    """What the values of an answer are called; {} where they are plain numbers."""
    brokers = {one: broker_text(run.history.trace, one) for one in run.history.replicas}
    match ask.kind:
        case AskKind.LEADER:
            return {**brokers, NOBODY: said("lesson.answer.nobody")}
        case AskKind.IN_SYNC:
            return brokers
        case AskKind.CHOICE:
            return {place: shown_in_line(one.text) for place, one in enumerate(ask.options)}
        case AskKind.ORDER:
            return {place: shown_in_line(one.text) for place, one in enumerate(ask.events)}
        case AskKind.LOST if most <= CELLS_MOST:
            return {offset: str(offset) for offset in range(most)}
        case _:
            return {}


def head_words(lesson: Lesson) -> str:
    """Of what a handout is made: the lesson, how long it takes, the digest of its text."""
    minutes = text(message("lesson.minutes", count=Count(lesson.minutes)))
    return said("lesson.handout.head", lesson=lesson.id, minutes=minutes, digest=lesson.digest)


def run_words(step: Step) -> str:
    """Which runs the figure of a step shows."""
    runs = as_scene_shown(step.scene)
    return said("lesson.run", scenario=step.scene.scenario, runs=runs) if step.scene.scenario else runs
