"""A lesson as one HTML file: steps, figures, questions that the page judges by the runs' answers, a grade."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, LiteralString

from core.message import Message
from core.picture.marks import Picture
from core.picture.product import product_words
from core.shown import shown_in_line
from core.teaching.grades import ACTIVITY, COLUMNS, VERBS
from core.teaching.lesson import Ask, AskKind, Lesson
from core.words import Language, said, speaking, text
from gui.handouts.handout import Asked, Sheet, sheets_of
from gui.handouts.prose import blocks_html, control_of, head_words, labels_of, letters_html, run_words, told
from gui.scrub.frame import framed
from gui.scrub.page import inline
from gui.workspace.lesson_player import AFTER_HINT
from gui.workspace.lesson_results import row_heads
from gui.workspace.lesson_words import MARK_WORDS, answer_words, rule_words

_HERE: Final = Path(__file__).parent


def lesson_page(lesson: Lesson, lang: Language, *, notes: bool = False) -> str:
    """The page of a lesson; `notes` are the speaker's. Needs `offscreen_app`. Raises QuestionError."""
    sheets = sheets_of(lesson, lang)
    with speaking(lang):
        asked = [(sheet, sheet.asked) for sheet in sheets if sheet.asked is not None]
        parts = {
            "title": told(lesson.title),
            "line": told(lesson.line),
            "head": told(head_words(lesson)),
            "steps": "\n".join(_step(sheet, notes=notes) for sheet in sheets),
            "word_more": escape(said("lesson.hidden")),
            "grade": _grade() if asked else "",
            "product": escape(product_words([])),
        }
        return framed(_HERE, "handout", shown_in_line(lesson.title), parts, _data(lesson, asked))


def _step(sheet: Sheet, *, notes: bool) -> str:
    step, number = sheet.step, sheet.number
    run = run_words(step)
    parts = [
        f'<section class="step" id="step-{number}" data-step="{number}">',
        f"<h2>{number}. {told(step.title)}</h2>",
        blocks_html(step.blocks),
        letters_html(sheet.letters),
        _figure(sheet.picture, f"s{number}", run),
    ]
    if step.ask is not None and sheet.asked is not None:
        parts += [_question(number, step.ask, sheet.asked), _reveal(sheet, step.ask, sheet.asked, run)]
    elif step.rule is not None:
        parts.append(f'<p class="rule">{told(rule_words(step))}</p>')
    if notes and step.notes:
        head = f"<h3>{escape(said('lesson.handout.notes'))}</h3>"
        parts.append(f'<div class="note">{head}{blocks_html(step.notes)}</div>')
    return "\n".join((*filter(None, parts), "</section>"))


def _figure(picture: Picture, name: str, run: str) -> str:
    drawn = inline(picture, "light", name)
    label = escape(picture.alt or run, quote=True)
    return f'<figure role="img" aria-label="{label}">{drawn}</figure><p class="second">{told(run)}</p>'


def _question(number: int, ask: Ask, asked: Asked) -> str:
    hints = "".join(f'<p class="hint-text" hidden>{told(one)}</p>' for one in ask.hints)
    hint = _button("hint", "lesson.hint") if ask.hints else ""
    context = f"<p>{told(ask.context)}</p>" if ask.context else ""
    return (
        f'<fieldset><legend>{told(ask.question)}</legend>{context}<p class="again" role="status" hidden></p>'
        f"{_controls(f'answer-{number}', ask, asked)}{hints}<div>{_button('place', 'lesson.place')}{hint}"
        f"{_button('skip', 'lesson.skip')}</div></fieldset>"
    )


def _button(name: str, id_: LiteralString) -> str:
    return f'<button type="button" class="{name}">{escape(said(id_))}</button>'


def _controls(name: str, ask: Ask, asked: Asked) -> str:
    labels, control = labels_of(ask, asked.run, asked.most), control_of(ask, asked.most)
    if control == "number":
        return _number(name, "lesson.answer.offset", asked.most)
    if control == "range":
        first = _number(f"{name}-first", "lesson.answer.first", asked.most - 1)
        return first + _number(f"{name}-last", "lesson.answer.last", asked.most - 1)
    if control == "order":
        places = "".join(f"<option>{place}</option>" for place in range(1, len(labels) + 1))
        blank = '<option value="0">–</option>'
        rows = (f"<label><select>{blank}{places}</select> {escape(one)}</label>" for one in labels.values())
        return f'<div class="stacked">{"".join(rows)}</div>'
    kind = "radio" if control == "one" else "checkbox"
    boxes = "".join(
        f'<label><input type="{kind}" name="{name}" value="{value}"> {escape(one)}</label>'
        for value, one in labels.items()
    )
    return f'<div class="stacked">{boxes}</div>' if ask.kind is AskKind.CHOICE else f"<div>{boxes}</div>"


def _number(name: str, id_: LiteralString, most: int) -> str:
    field = f'<input type="number" name="{name}" min="0" max="{most}" step="1">'
    return f"<label>{escape(said(id_))} {field}</label>"


def _reveal(sheet: Sheet, ask: Ask, asked: Asked, run: str) -> str:
    rule = f'<p class="rule">{told(rule_words(sheet.step))}</p>' if sheet.step.rule is not None else ""
    yours, happened = escape(said("lesson.yours")), escape(said("lesson.happened"))
    truth = told(answer_words(ask, asked.answer, asked.run))
    return (
        '<div class="reveal" hidden><h3 class="verdict" tabindex="-1" aria-live="polite"></h3>'
        f'<dl class="plates"><div><dt>{yours}</dt><dd class="yours"></dd></div>'
        f'<div><dt>{happened}</dt><dd class="happened">{truth}</dd></div></dl>'
        f"{blocks_html(sheet.step.revealed)}{letters_html(asked.letters)}{rule}"
        f"{_figure(asked.revealed, f'r{sheet.number}', run)}</div>"
    )


def _grade() -> str:
    saves = "".join(
        f'<button type="button" data-save="{kind}">{escape(words)}</button>'
        for kind, words in (
            ("csv", said("lesson.save.csv")),
            ("md", said("lesson.save.md")),
            ("json", said("lesson.save.json")),
            ("xapi", said("lesson.save.xapi")),
        )
    )
    return (
        f'<section id="grade" hidden><h2>{escape(said("lesson.result"))}</h2><p id="score"></p>'
        f'<table><tbody id="marks"></tbody></table>'
        f'<button type="button" id="practise">{escape(said("lesson.handout.practise"))}</button>'
        f'<p id="learner-line"><label>'
        f'{escape(said("lesson.learner"))} <input id="learner" autocomplete="off"></label></p>'
        f"{saves}</section>"
    )


def _data(lesson: Lesson, asked: Sequence[tuple[Sheet, Asked]]) -> dict[str, Any]:
    return {
        "lesson": {
            "id": lesson.id,
            "title": lesson.title,
            "language": lesson.language,
            "digest": lesson.digest,
        },
        "columns": COLUMNS,
        "verbs": VERBS,
        "activity": ACTIVITY,
        "after_hint": AFTER_HINT,
        "practice": lesson.practice,
        "words": {
            "marks": {str(mark): text(words) for mark, words in MARK_WORDS.items()},
            "heads": row_heads(),
            "none": said("lesson.none"),
            "nothing": said("lesson.nothing"),
            # Without values: each place stays as it is written.
            "listing": text(Message("value.listing")),
            "score": text(Message("lesson.score")),
            "again": text(Message("lesson.once-more")),
        },
        "questions": [_asked(sheet, one) for sheet, one in asked],
    }


def _asked(sheet: Sheet, asked: Asked) -> dict[str, Any]:
    ask, answer = sheet.step.ask, asked.answer
    if ask is None:
        raise TypeError(sheet.step.title)
    return {
        "step": sheet.number,
        "kind": str(ask.kind),
        "question": ask.question,
        "control": control_of(ask, asked.most),
        "labels": labels_of(ask, asked.run, asked.most),
        "lo": answer.lo,
        "hi": answer.hi,
        "members": None if answer.members is None else sorted(answer.members),
        "order": answer.order,
        "before": sorted(answer.before),
    }
