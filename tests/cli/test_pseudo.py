"""The command line in a made-up language (tests/pseudo.py): no plain word comes past the catalogues.

Not asked for are names and values of switches, tables of events, states, switches and cuts, in which kinds
and values stand as names, and how click says that an option is wrong.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.kafka.switches import SWITCHES
from core.sim.library import MEANT, scenario_ids
from gui.cli import COMMANDS
from gui.commands.lesson import command as lessons
from tests import pseudo
from tests.cli.conftest import Tell

pytestmark = pytest.mark.broad(36)

NAMES = pseudo.KNOWN | {
    *COMMANDS,
    *lessons.commands,
    *scenario_ids(),
    *MEANT,
    "tidegauge",
    "'tidegauge",
    pseudo.LANGUAGE,
}
TYPED = frozenset(
    """
    ACTION COMMAND CURSOR DATASET DIR DOC FILE FIRST-LAST FOLDER FLOAT GLOB GUARD INTEGER KIND NAME PATTERN
    RANGE RULE SCENARIO SECONDS SOURCE SQL STOP T-P TIME TEXT URL YYYY-MM-DD ZONE
    """.split()  # noqa: SIM905 - a text of words
)
"""What stands for a value in the line of an option, as click writes it."""
IN_BRACKETS = re.compile(r"\[[^\]]*\]")
"""Values that are typed, and the default, as click writes them."""
PACKAGES = frozenset(
    """
    numpy SQLAlchemy alembic zstandard cramjam click rich pyqtgraph pyarrow pyspark
    """.split()  # noqa: SIM905 - a text of words
)
SWITCH_WORDS = {
    part for switch in SWITCHES for name in (switch.name, *switch.values) for part in (name, *name.split("-"))
}
"""Switches and their values, which stand for themselves in every language."""
ASKED = (
    "scenarios",
    "doctor",
    "compare {}/hw.tide",
    "check {}/hw.tide",
    "info {}/nothing.tide",
    "state {}/loss.tide",
    "explain {}/loss.tide {}/nothing",
    "check {}/loss.tide --from 3",
    "export {}/loss.tide -o {}/a.nonsense",
    "simulate nothing.toml",
)


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pseudo.dropped(tmp_path_factory.mktemp("pseudo")) as name:
        yield name


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_has_no_plain_word(tell: Tell, language: str, name: str) -> None:
    told = tell("--lang", language, *([name] if name else []), "--help")

    assert told.code == 0
    assert len(told.out) > 200
    assert pseudo.plain_words(IN_BRACKETS.sub(" ", told.out), NAMES | TYPED) == []


@pytest.mark.parametrize("asked", ASKED)
def test_what_a_command_says_has_no_plain_word(tell: Tell, kept: Path, language: str, asked: str) -> None:
    told = tell("--lang", language, *asked.format(kept, kept).split())
    said = told.out + told.err

    assert len(said) > 60
    assert pseudo.plain_words(pseudo.without_lessons(said), NAMES | PACKAGES | SWITCH_WORDS) == []


@pytest.mark.parametrize("ending", [".svg", ".html"])
def test_an_export_has_no_plain_word(
    tell: Tell, kept: Path, language: str, tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"a{ending}"
    told = tell("--lang", language, "export", kept / "loss.tide", "--partition", "orders-0", "-o", target)
    assert (told.code, told.err) == (0, "")
    text = target.read_text(encoding="utf-8")
    shown = re.sub(r"<(style|script)\b.*?</\1>", " ", text, flags=re.DOTALL)
    titles = re.findall(r"(?:title|aria-label|alt)=\"([^\"]*)\"", shown)
    said = "\n".join([*titles, re.sub(r"<[^>]*>", "\n", shown)])

    assert len(said.split()) > 100
    assert "~~~~~" in said
    assert pseudo.plain_words(said, NAMES) == []
