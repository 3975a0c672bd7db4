"""Contrast and colour distance of the theme files, computed anew from them (visual design, section 13)."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QColor

from core.errors import QuestionError
from gui.theme import THEMES, Theme, load_theme
from tests.gui_paint.vision import VISIONS, Rgb, ciede2000, contrast, lab, over, seen

pytestmark = pytest.mark.broad(3)

BACKGROUNDS = ("bg.window", "bg.panel", "bg.lane", "bg.lane.alt", "bg.hover", "bg.selected")
TEXTS = ("text", "text.2", "text.3", "hw", "loss", "warn", "ok", "note")
SIGNS = ("offline", "unknown", "line.edge", "focus")
EPOCHS = tuple(f"e{number}" for number in range(6))


def rgb(colour: QColor) -> Rgb:
    return (colour.redF(), colour.greenF(), colour.blueF())


def of(theme: Theme, role: str) -> Rgb:
    return rgb(theme.colour(role))


def area(theme: Theme, epoch: str) -> Rgb:
    colour = theme.colour(f"{epoch}.committed")
    return over(rgb(colour), colour.alphaF(), of(theme, "bg.lane"))


@pytest.fixture(name="theme", params=THEMES)
def _theme(request: pytest.FixtureRequest) -> Theme:
    return load_theme(request.param)


@pytest.mark.parametrize("role", TEXTS)
def test_text_can_be_read_on_every_background(theme: Theme, role: str) -> None:
    worst = min(contrast(of(theme, role), of(theme, back)) for back in BACKGROUNDS)

    assert worst >= 4.5


@pytest.mark.parametrize("role", ["loss", "warn", "ok", "note"])
def test_text_can_be_read_on_its_own_soft_colour(theme: Theme, role: str) -> None:
    assert contrast(of(theme, role), of(theme, f"{role}.soft")) >= 4.5


@pytest.mark.parametrize("role", SIGNS)
def test_signs_stand_out_from_the_lane(theme: Theme, role: str) -> None:
    assert contrast(of(theme, role), of(theme, "bg.lane")) >= 3.0


def test_inverse_text_can_be_read(theme: Theme) -> None:
    assert contrast(of(theme, "text.inverse"), of(theme, "bg.inverse")) >= 4.5
    assert contrast(of(theme, "text.inverse"), of(theme, "loss")) >= 4.5


@pytest.mark.parametrize("epoch", EPOCHS)
def test_an_epoch_has_an_ink_and_an_edge(theme: Theme, epoch: str) -> None:
    assert contrast(of(theme, f"{epoch}.ink"), of(theme, epoch)) >= 4.5
    assert contrast(of(theme, f"{epoch}.edge"), of(theme, "bg.lane")) >= 3.0
    assert contrast(of(theme, "text"), area(theme, epoch)) >= 4.5


@pytest.mark.parametrize("vision", VISIONS)
def test_epochs_that_meet_can_be_told_apart(theme: Theme, vision: str) -> None:
    ring = [*EPOCHS, EPOCHS[0]]
    for one, two in pairwise(ring):
        solid = ciede2000(lab(seen(of(theme, one), vision)), lab(seen(of(theme, two), vision)))
        tinted = ciede2000(lab(seen(area(theme, one), vision)), lab(seen(area(theme, two), vision)))

        assert solid >= 20, (one, two)
        assert tinted >= 10, (one, two)


def test_epochs_that_meet_differ_in_lightness(theme: Theme) -> None:
    for one, two in pairwise([*EPOCHS, EPOCHS[0]]):
        assert abs(lab(of(theme, one))[0] - lab(of(theme, two))[0]) >= 20


@pytest.mark.parametrize("role", TEXTS)
def test_high_contrast_is_seven_to_one(role: str) -> None:
    theme = load_theme("contrast")
    backs = (*BACKGROUNDS, *([f"{role}.soft"] if f"{role}.soft" in theme.colours else []))

    assert min(contrast(of(theme, role), of(theme, back)) for back in backs) >= 7.0


@pytest.mark.parametrize("epoch", EPOCHS)
def test_high_contrast_has_strong_epochs(epoch: str) -> None:
    theme = load_theme("contrast")

    assert contrast(of(theme, f"{epoch}.ink"), of(theme, epoch)) >= 7.0
    assert of(theme, f"{epoch}.edge") == of(theme, "text")
    assert theme.colour(f"{epoch}.committed").alphaF() == pytest.approx(0.7, abs=0.01)


def test_high_contrast_has_no_faint_lines() -> None:
    light, theme = load_theme("light"), load_theme("contrast")

    assert of(theme, "line.hair") == of(light, "line.edge")
    assert {of(theme, role) for role in ("line.strong", "line.edge", "leo", "cursor")} == {of(theme, "text")}


def test_all_themes_know_the_same_roles() -> None:
    light, *others = (set(load_theme(name).colours) for name in THEMES)

    assert all(other == light for other in others)


def test_there_is_no_other_theme() -> None:
    with pytest.raises(QuestionError, match="light, dark, contrast"):
        load_theme("sepia")


def test_the_colour_distance_is_that_of_its_authors() -> None:
    # Two pairs of the published test data of CIEDE2000 (Sharma, Wu, Dalal 2005).
    assert ciede2000((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447)) == pytest.approx(
        1.4441, abs=1e-4
    )
