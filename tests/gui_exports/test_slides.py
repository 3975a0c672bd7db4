"""Slides of lessons: every step of the course is read at eight metres; what has no room follows on a page."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core.picture.marks import Align, Box, Picture, Text
from core.picture.metrics import text_width
from core.picture.projector import Projected, paged, projected, smallest_letters
from core.picture.viewing import WIDE, Room
from core.teaching.library import lesson, lesson_ids
from gui.handouts.slides import Slide, pages_of, slides_of, too_full
from gui.workspace.lesson_player import Player, answered

READ_AT_EIGHT_METRES = 40
"""Pixels of a screen of 1920: a capital is then 16 minutes of arc on a picture of 2.4 m."""
EVERY = [(name, language) for name in lesson_ids() for language in ("en", "zh")]


def _texts(picture: Picture) -> list[Text]:
    return [mark for mark in picture.marks() if isinstance(mark, Text)]


def _slides(name: str, language: str, number: int, *, revealed: bool = False) -> list[Slide]:
    told = slides_of(lesson(name, language), language)
    return [one for one in told if (one.number, one.revealed) == (number, revealed)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), EVERY)
def test_every_step_of_the_course_is_read_at_eight_metres(name: str, language: str) -> None:
    for slide in slides_of(lesson(name, language), language):
        where = (slide.number, slide.revealed, slide.page)
        picture = projected(slide.shown)
        assert smallest_letters(picture) >= READ_AT_EIGHT_METRES, where
        # Enlarged to the screen, so that it is the letters that count, not the name of a profile.
        zoom = WIDE / picture.width
        assert min(one.size for one in _texts(picture)) * zoom >= READ_AT_EIGHT_METRES, where
        beyond = [one.text for one in _texts(picture) if _right_end(one) > picture.width]
        assert beyond == [], where


def _right_end(mark: Text) -> float:
    wide = text_width(mark.text, mark.size, mark.weight, mono=mark.mono)
    wide = min(wide, mark.max_width or wide)
    return mark.x + wide * {Align.LEFT: 1, Align.CENTRE: 0.5, Align.RIGHT: 0}[mark.align]


def test_each_of_several_runs_has_a_page_that_names_it_and_what_became_of_it() -> None:
    # In 2.8 and 4.0 the setting is obeyed and 8 records go; in 3.3 the partition waits (KAFKA-12670).
    slides = _slides("unclean-elections", "en", 6)

    assert [one.page for one in slides] == [1, 2, 3]
    assert [one.shown.runs for one in slides] == [
        "Kafka 2.8 (1 of 3)",
        "Kafka 3.3 (2 of 3)",
        "Kafka 4.0 (3 of 3)",
    ]
    assert [one.shown.verdict for one in slides] == [
        "8 committed records lost, offsets 2–9",
        "nothing lost",
        "8 committed records lost, offsets 2–9",
    ]


def test_a_verdict_is_told_after_the_reveal_alone() -> None:
    told = lesson("one-fetch-too-late")
    step = next(place for place, one in enumerate(told.steps) if one.ask is not None)
    two = replace(told.steps[step], scene=replace(told.steps[step].scene, runs=("4.0", "3.7")))
    player = Player(replace(told, steps=(*told.steps[:step], two, *told.steps[step + 1 :])), step)

    asks, reveals = pages_of(player, "en"), pages_of(answered(player, None), "en")
    assert {one.verdict for one in asks} == {""}
    assert {one.verdict for one in reveals if one.view is not None} == {"nothing lost"}


def _page(**others: object) -> Projected:
    (slide,) = _slides("loss-by-truncation", "en", 5)
    return replace(slide.shown, **others)  # type: ignore[arg-type]


def test_words_without_room_beside_the_lanes_follow_on_a_page_of_their_own() -> None:
    options = tuple(
        f"B cuts its log at offset {offset}, which its own checkpoint names" for offset in range(4)
    )
    lanes, words = paged(_page(options=options))

    assert lanes.view is not None
    assert (lanes.options, lanes.question) == ((), words.question)
    assert lanes.veil
    assert (words.view, words.options) == (None, options)
    for one in (lanes, words):
        assert smallest_letters(projected(one)) >= READ_AT_EIGHT_METRES
    assert len(paged(_page())) == 1


def test_a_row_further_back_gets_larger_letters_and_fewer_words_a_picture() -> None:
    # A quarter further back: letters a quarter larger, 50 pixels of 1920.
    far = Room(distance_cm=1000)
    lanes, words = paged(_page(), far)

    assert smallest_letters(projected(words, room=far)) >= 50
    assert smallest_letters(projected(_page(), room=Room(distance_cm=600))) == 30
    assert len(paged(_page(), Room(distance_cm=600))) == 1
    assert lanes.view is not None


def test_the_check_names_what_the_last_row_does_not_read() -> None:
    told = lesson("loss-by-truncation")

    assert list(too_full(told, "en")) == []
    # As far again, on the same picture: three lanes or two do not fit with letters of 80 pixels.
    far = Room(distance_cm=1600)
    assert {size for _, size in too_full(told, "en", far) if size >= 80} == set()
    assert any(True for _ in too_full(told, "en", far))


def test_what_has_no_room_on_a_page_of_its_own_either_is_smaller() -> None:
    _, words = paged(_page(question="So many words for one question. " * 40))

    assert smallest_letters(projected(words)) < READ_AT_EIGHT_METRES


def test_a_name_that_is_longer_than_its_column_breaks_at_a_dot_and_is_whole() -> None:
    name = "unclean.leader.election.enable"
    picture = projected(_page(question="", options=(), sentence=f"In every release: {name} is false."))
    told = [one.text for one in _texts(picture)]

    first = next(one for one in told if one.endswith("."))
    assert name not in " ".join(told)
    assert name in "".join(told[told.index(first) :]) or name in "".join(told)


def test_three_replicas_stand_close_and_none_lies_over_another() -> None:
    (slide,) = _slides("unclean-elections", "en", 1)
    picture = projected(slide.shown)

    lanes = [
        mark
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane"
    ]
    assert len(lanes) == 3
    assert all(one.y + one.h <= other.y for one, other in pairwise(lanes))
    assert lanes[-1].y + lanes[-1].h <= picture.height


def test_lanes_that_the_text_does_not_speak_of_are_hidden_where_they_have_no_room() -> None:
    (slide,) = _slides("high-watermark", "en", 7)
    texts = [one.text for one in _texts(projected(slide.shown))]

    assert [one for one in texts if one.startswith("broker ")] == ["broker A", "broker D", "broker E"]
    assert "2 hidden" in texts
