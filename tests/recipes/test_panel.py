"""The recipe for a panel: a line below the lanes that says where the cursor stands."""

from typing import Final

import pytest

from tests.recipes.follow import Copy, follow

WIDGET = '''\
"""Where the cursor stands, in words."""

from PySide6.QtWidgets import QWidget

from gui.panels.explain import place_label
from gui.panels.parts import column, label
from gui.text.spoken import tr
from gui.workspace.session import Session


class PlaceStrip(QWidget):
    """One line, which follows the cursor."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setAccessibleName(tr("actions.place-in-words"))
        self._session = session
        self.line = label()
        column(self).addWidget(self.line)
        session.content_changed.connect(self._show)
        session.position_changed.connect(self._show)

    def _show(self, *_changed: object) -> None:
        content = self._session.content
        self.line.setText("" if content is None else place_label(content, self._session.position)[0])
'''
MAKE = '            "place": PlaceStrip(session),\n'
SETTING = '    Setting("place", False, _flag, "whether the place of the cursor is said in words"),\n'
ACTION = """\
        ActionSpec(
            "place",
            "actions.place-in-words",
            "View",
            need=Need.CONTENT,
            checkable=True,
            reason="actions.the-transport-says-it-too",
        ),
"""
EFFECT = """\
    "place": Effect(
        ALONE,
        lambda at: at.window.stage.below["place"].isVisible() and at.window.settings.get("place"),
        lambda at: (at.window.stage.below["place"].hide(), at.window.settings.put("place", value=False)),
    ),
"""
TEST = '''\
"""The line that says where the cursor stands."""

from gui.panels.place import PlaceStrip
from gui.window.main_window import MainWindow


def test_it_follows_the_cursor(demo: MainWindow) -> None:
    strip = demo.stage.below["place"]
    assert isinstance(strip, PlaceStrip)
    demo.session.set_position(0)
    first = strip.line.text()
    assert demo.session.content is not None
    demo.session.set_position(demo.session.content.last)

    assert first
    assert strip.line.text() != first
'''
ENGLISH: Final = {
    "actions.place-in-words": "Place in words",
    "actions.the-transport-says-it-too": "the transport says it, too",
}
CHINESE: Final = {
    "actions.place-in-words": "以文字表示位置",
    "actions.the-transport-says-it-too": "传输栏也会显示",
}


def make_it(copy: Copy) -> None:
    stage = "gui/timeline/stage.py"
    copy.insert(stage, "from gui.panels.place import PlaceStrip\n", before="from gui.text.spoken")
    copy.insert(stage, MAKE, before='        }\n        """By the name of their action')


def say_what_one_sees(copy: Copy) -> None:
    copy.insert("tests/gui_window/effects.py", EFFECT, before='    "reset-layout": Effect(')
    copy.put("tests/gui_window/test_place.py", TEST)


def write_the_sentences(copy: Copy) -> None:
    """In English first: then the tool names what has no Chinese."""
    for language, texts in (("en", ENGLISH), ("zh", CHINESE)):
        for id_, text in texts.items():
            copy.append(f"gui/locales/{language}/window.po", f'\nmsgid "{id_}"\nmsgstr "{text}"\n')
        if language == "en":
            told = copy.run("make goldens ONLY=catalogues")
            assert told.returncode == 1
            assert [f"zh/window.po: {id_} is missing" in told.stdout for id_ in ENGLISH] == [True, True]


@pytest.mark.long
@pytest.mark.slow
def test_a_panel(copy: Copy) -> None:
    follow(
        copy,
        "Add a panel",
        {
            1: lambda copy: copy.put("gui/panels/place.py", WIDGET),
            2: lambda copy: copy.insert(
                "gui/panels/README.md",
                "| place.py | where the cursor stands, in words |\n",
                before="| transport.py, track.py, tie_boxes.py |",
            ),
            3: make_it,
            4: lambda copy: copy.insert(
                "gui/window/settings.py", SETTING, before=')\n"""The panels below the lanes'
            ),
            5: lambda copy: copy.insert("gui/actions.py", ACTION, before='        ActionSpec("reset-layout"'),
            6: say_what_one_sees,
            7: write_the_sentences,
        },
        words={"name": "place"},
        left_out=6,
        reds={"test_every_action_has_an_effect_that_is_looked_at"},
    )
