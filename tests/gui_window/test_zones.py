"""Times in the zone that a person chose: in lists, evidence, report and search; exports stay in UTC."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytestqt.qtbot import QtBot

from core.trace.times import clock, in_zone, parse_time
from core.trace.trace import Trace
from core.work import QUIET
from gui.panels.explain import place_label
from gui.panels.rows import rows_of
from gui.search.changes import values_at
from gui.search.places import parse_place, position_of
from gui.window.frame import origin_words
from gui.window.main_window import MainWindow
from gui.window.settings import SETTINGS, zone_of
from gui.workspace.loading import content_of
from tests.recordings.whole import sampled

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
CUT = parse_time("2026-11-21T03:29:10.161Z")
"""When broker 2 cut its log, as its own line says."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    return sampled("k0102-hw-loss")


@pytest.mark.slow
def test_a_place_is_typed_as_it_is_shown(trace: Trace) -> None:
    content = content_of((trace,), "loss", "orders-0", QUIET)
    wanted = position_of(content, 0, parse_place("03:29:10.161"))
    assert place_label(content, wanted)[1].split(", ")[0] == "03:29:10.161"
    for zone, typed in ((BERLIN, ("04:29:10.161", "2026-11-21 04:29:10.161")), (NEW_YORK, ("22:29:10.161",))):
        with in_zone(zone):
            for text in (*typed, "2026-11-21T03:29:10.161Z", "2026-11-20T22:29:10.161-05:00"):
                assert position_of(content, 0, parse_place(text)) == wanted, (zone, text)
            assert place_label(content, wanted)[1].split(", ")[0] == typed[0]
    with in_zone(NEW_YORK):
        # The evening before: the day is that of the zone.
        assert position_of(content, 0, parse_place("2026-11-20 22:29:10.161")) == wanted


def test_evidence_and_changes_are_told_in_the_zone(trace: Trace) -> None:
    content = content_of((trace,), "loss", "orders-0", QUIET)
    position = position_of(content, 0, parse_place("03:29:10.161"))
    seq = content.cursors(position)[0] - 1
    with in_zone(BERLIN):
        own = next(row for row in rows_of(content, ((0, seq),)) if row.seq == seq)
        assert own.time == "04:29:10.161"
        assert "03:29:10,161" in own.text
        assert any(value.when == "04:29:10.161" for value in values_at(content, position))
        assert origin_words((trace,)).endswith("shown at +01:00")
    assert "shown at" not in origin_words((trace,))


@pytest.mark.slow
def test_work_beside_the_window_words_times_as_the_window_and_exports_in_utc(
    window: MainWindow, qtbot: QtBot
) -> None:
    said: dict[str, str] = {}

    def ask(name: str, run: Callable[..., None]) -> None:
        class Ask:
            def answer(self, _work: Any) -> str:
                return clock(CUT)

        with qtbot.waitSignal(window.jobs.ended, timeout=20_000):
            run(name, Ask(), lambda told: said.__setitem__(name, told))

    with in_zone(BERLIN):
        ask("document", window.jobs.in_thread)
        ask("picture", window.jobs.in_thread_beside)

    assert said == {"document": "04:29:10.161", "picture": "03:29:10.161"}


def test_what_can_be_chosen_is_a_zone() -> None:
    (setting,) = (one for one in SETTINGS if one.key == "zone")
    values = [value for value, _ in setting.offered()]
    assert values[:2] == ["UTC", "local"]
    assert len(values) > 300
    assert zone_of("Europe/Berlin") == BERLIN
    assert zone_of("local") is None
    assert str(zone_of("Mars/Olympus")) == "UTC"
