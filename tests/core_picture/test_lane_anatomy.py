"""Every state of the lane anatomy: what must be seen of it, and its whole picture as text."""

from pathlib import Path

import pytest

from core.picture.text import to_text
from tests.core_picture.anatomy import STATES, picture_of
from tests.goldens import updating

pytestmark = pytest.mark.broad(3)

GOLDEN = Path(__file__).parent.parent / "golden" / "picture"


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_told_by_its_marks(name: str) -> None:
    state = STATES[name]

    text = to_text(picture_of(state))

    assert [words for words in state.expected if words not in text] == []
    assert [words for words in state.absent if words in text] == []


@pytest.mark.parametrize("name", STATES)
def test_a_state_looks_as_it_did(name: str) -> None:
    file = GOLDEN / f"{name.replace(' ', '-')}.txt"
    text = to_text(picture_of(STATES[name]))
    if updating():
        file.write_text(text, encoding="utf-8")

    assert text == file.read_text(encoding="utf-8")


def test_no_two_states_look_alike() -> None:
    texts = [to_text(picture_of(state)) for state in STATES.values()]

    assert len(set(texts)) == len(texts)


def test_there_is_no_golden_without_a_state() -> None:
    known = {name.replace(" ", "-") for name in STATES} | {"loss-beside-fix", "loss-beside-fix-cells"}
    if updating():
        for file in GOLDEN.glob("*.txt"):
            if file.stem not in known:
                file.unlink()

    assert {file.stem for file in GOLDEN.glob("*.txt")} == known
