"""What would steer a terminal or turn a line around is shown as its number."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shown import shown, shown_in_json, shown_in_line

STEERING = {
    "\x1b[31mred\x1b[0m": r"\x1b[31mred\x1b[0m",
    "a\x07\x00b": r"a\x07\x00b",
    "one\rtwo": r"one\x0dtwo",
    "csi \x9b31m": r"csi \x9b31m",
    "txt.\u202egpj.exe": r"txt.\u202egpj.exe",
    "\u2066x\u2069\u200e\u200f\u061c": r"\u2066x\u2069\u200e\u200f\u061c",
    "orders\u200b-0": r"orders\u200b-0",
    "a\u2028b\u2029c\u0085d": r"a\u2028b\u2029c\x85d",
    "half \udc80": r"half \udc80",
    "tag \U000e0041": r"tag \U000e0041",
    "\ufeffname": r"\ufeffname",
}


@pytest.mark.parametrize(("text", "seen"), STEERING.items(), ids=map(ascii, STEERING))
def test_a_character_that_steers_is_written_as_its_number(text: str, seen: str) -> None:
    assert shown(text) == seen
    assert shown_in_line(text) == seen


@pytest.mark.parametrize("text", ["orders-0", "Größe 页 é", "a\tb\nc", "≥ 5 – 7 …", "🙂", "אבג", "हिन्दी"])
def test_any_other_text_stays(text: str) -> None:
    assert shown(text) == text


def test_a_name_has_one_line() -> None:
    assert shown_in_line("orders-0\n2026 ERROR forged\t!") == r"orders-0\x0a2026 ERROR forged\x09!"


def test_the_line_end_of_windows_is_a_line_end() -> None:
    assert shown("a\r\nb") == "a\nb"


@pytest.mark.slow
@given(st.text(alphabet=st.characters(codec=None)))
def test_nothing_that_has_no_shape_is_left(text: str) -> None:
    left = {unicodedata.category(letter) for letter in shown_in_line(text)}

    assert not left & {"Cc", "Cs", "Zl", "Zp"}
    assert not {letter for letter in shown(text) if unicodedata.bidirectional(letter) in _TURNING}


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(alphabet=st.characters(codec=None)))
def test_json_says_the_same(text: str) -> None:
    written = shown_in_json(json.dumps(text, ensure_ascii=False))

    assert json.loads(written) == json.loads(json.dumps(text))
    assert written == shown(written)
