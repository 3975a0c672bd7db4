"""A language is a folder: a made-up one is there by its file alone, and is told from plain English."""

from pathlib import Path

import pytest

from gui.text.catalogues import languages
from gui.text.render import language_name
from gui.text.spoken import speak, tr
from gui.window.settings import language_choices
from tests import pseudo


@pytest.mark.slow
def test_a_language_is_offered_by_its_file_alone(tmp_path: Path) -> None:
    before = language_choices()
    with pseudo.dropped(tmp_path) as language:
        assert language in languages()
        assert {*language_choices()} == {*before, (language, pseudo.NAME)}
        assert speak(language) == language
        assert tr("actions.undo") == "Úñďó"
        assert language_name("en") == "English"
        speak("en")

    assert language_choices() == before
    assert speak(pseudo.LANGUAGE) == "en"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Úñďó", []),
        ("Úñďó that", ["that"]),
        ("m1 is at /var/log/x, 3 ms", []),
        ("Tidegauge says", ["says"]),
        ("A committed record lost by truncation to the high watermark", []),  # a title of a lesson
    ],
)
def test_what_came_past_the_catalogues_is_told_apart(text: str, words: list[str]) -> None:
    assert pseudo.plain_words(pseudo.without_lessons(text), pseudo.KNOWN) == words


def test_places_stay_as_they_are() -> None:
    assert pseudo.pseudo("{who:capital} cut to {to:,}") == "{who:capital} çúť ťó {to:,} ~~~~~ ~~~~~"
