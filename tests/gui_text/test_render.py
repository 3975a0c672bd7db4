"""Messages become text: places, values, plurals, capitals, other languages, and what is not known."""

import pytest

from core.diagnose.verdict.facts import LossClass
from core.message import (
    LEGACY,
    Between,
    Count,
    Duration,
    Listing,
    Message,
    Moment,
    Names,
    Offsets,
    Sentences,
    SimulatedMoment,
    Size,
    Value,
    message,
)
from core.message_json import from_plain, plain
from core.trace.units import MILLISECOND_NS, MINUTE_NS, SECOND_NS
from gui.text.catalogues import languages
from gui.text.render import finished, language_name, renderer

pytestmark = pytest.mark.broad(3)

VALUES: list[tuple[Value, str, str]] = [
    (1_234, "1234", "1234"),
    (0.5, "0.5", "0.5"),
    (LossClass.COMMITTED, "committed", "committed"),
    ("broker 1", "broker 1", "broker 1"),
    (Count(1_234), "1,234", "1,234"),
    (Offsets(30, 31), "offset 30", "位移 30"),
    (Offsets(30, 32), "offsets 30 and 31", "位移 30 至 31"),
    (Offsets(30, 35), "offsets 30 to 34", "位移 30 至 34"),
    (Between(3, 3), "3", "3"),
    (Between(3, 5), "3–5", "3–5"),
    (Between(3, None), "≥ 3", "≥ 3"),
    (Between(None, 5), "≤ 5", "≤ 5"),
    (Between(None, None), "not known", "未知"),
    (Moment(3 * SECOND_NS), "00:00:03.000", "00:00:03.000"),
    (SimulatedMoment(12_005 * MILLISECOND_NS), "12.005 s", "12.005 s"),
    (Duration(85 * MILLISECOND_NS), "85 ms", "85 ms"),
    (Duration(8_500 * MILLISECOND_NS), "8.5 s", "8.5 s"),
    (Duration(200 * SECOND_NS), "3 min 20 s", "3 min 20 s"),
    (Duration(2 * MINUTE_NS), "2 min", "2 min"),
    (Size(1), "1 byte", "1 字节"),
    (Size(1_023), "1,023 bytes", "1,023 字节"),
    (Size(1_536), "1.5 KiB", "1.5 KiB"),
    (Size(5 << 30), "5.0 GiB", "5.0 GiB"),
    (Names(()), "nobody", "无"),
    (Names(("A",)), "A", "A"),
    (Names(("A", "B", "C")), "A, B and C", "A、B、C"),
    (Listing(()), "", ""),
    (Listing(("a", 2, "c")), "a, 2, c", "a、2、c"),
    (Sentences(("A.", "B.", "C.")), "A. B. C.", "A.B.C."),
    (message("value.names.none"), "nobody", "无"),
]


@pytest.mark.parametrize(("value", "english", "chinese"), VALUES, ids=str)
def test_a_value_is_written_as_its_type_says(value: Value, english: str, chinese: str) -> None:
    listed = Message("value.listing", (("head", "x"), ("last", value)))

    assert renderer("en")(listed) == f"x, {english}"
    assert renderer("zh")(listed) == f"x、{chinese}"


@pytest.mark.parametrize("value", [value for value, _, _ in VALUES], ids=str)
def test_a_message_comes_back_from_json(value: Value) -> None:
    one = Message("some.id", (("value", value),), evidence=(3, 1))

    assert from_plain(plain(one)) == one


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "text",
        {},
        {"id": 3},
        {"id": "a.b", "values": []},
        {"id": "a.b", "values": {"x": None}},
        {"id": "a.b", "values": {"x": True}},
        {"id": "a.b", "values": {"x": {"count": "3"}}},
        {"id": "a.b", "values": {"x": {"offsets": [1]}}},
        {"id": "a.b", "values": {"x": {"offsets": [1, None]}}},
        {"id": "a.b", "values": {"x": {"unheard-of": 3}}},
        {"id": "a.b", "values": {"x": {"count": 3, "size": 3}}},
        {"id": "a.b", "evidence": ["3"]},
        {"id": "a.b", "more": 1},
    ],
    ids=str,
)
def test_what_is_no_message_is_refused(raw: object) -> None:
    with pytest.raises(ValueError, match=r"no |too many"):
        from_plain(raw)


def test_messages_within_messages_have_a_depth() -> None:
    raw: dict[str, object] = {"id": "a.b"}
    for _ in range(100):
        raw = {"id": "a.b", "values": {"x": raw}}

    with pytest.raises(ValueError, match="too many"):
        from_plain(raw)


def test_a_text_from_a_file_is_shown_and_not_obeyed() -> None:
    listed = Message("value.listing", (("head", "a\u202eb"), ("last", "\x1b[31m")))

    assert renderer("en")(listed) == "a\\u202eb, \\x1b[31m"


def test_an_unknown_message_is_shown_with_its_values() -> None:
    assert renderer("en")(Message("not.there", (("to", 5), ("who", "A")))) == "not.there (to=5, who=A)"
    assert renderer("zh")(Message("not.there")) == "not.there"


def test_an_old_sentence_stays_as_it_was_written() -> None:
    assert renderer("zh")(Message(LEGACY, (("text", "2 records are gone."),))) == "2 records are gone."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("m1", "m1"),
        (Listing(("m1", "m2")), "m1, m2"),
        (Offsets(3, 4), "Offset 3"),
        (message("broker.number", number=1), "Broker 1"),
        (finished("its own"), "Its own"),
    ],
    ids=str,
)
def test_a_sentence_begins_with_a_capital_but_a_name_stays_as_it_is(value: Value, text: str) -> None:
    said = renderer("en")(message("why.appended.title", who=value, what="m3"))

    assert said == f"{text} appends m3"


def test_a_value_that_is_missing_shows_its_place() -> None:
    assert renderer("en")(Message("value.offsets.one")) == "offset {first}"


def test_every_language_has_a_name_of_its_own() -> None:
    assert languages()[0] == "en"
    names = [language_name(language) for language in languages()]
    assert {"English", "简体中文"} <= set(names)
    assert len(set(names)) == len(names)


def test_the_same_number_of_another_type_is_another_text() -> None:
    spoken = [
        renderer("en")(Message("value.listing", (("head", ""), ("last", one)))) for one in (3, Count(3000))
    ]

    assert spoken == [", 3", ", 3,000"]


def test_a_text_that_is_finished_is_not_taken_for_one_of_a_file_nor_the_other_way_round() -> None:
    """Both are equal as values, and texts are kept by their values."""
    said = [
        renderer("en")(Message("value.listing", (("head", one), ("last", "b"))))
        for one in ("a\u202e", finished("a\u202e"), "a\u202e")
    ]

    assert said == ["a\\u202e, b", "a\u202e, b", "a\\u202e, b"]
