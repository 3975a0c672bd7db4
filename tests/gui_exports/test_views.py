"""What a figure is laid out from: which notes it has, and what it refuses."""

import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from core.document.lane_order import LaneOrder
from core.errors import QuestionError
from core.kafka.eras import era
from core.picture.figure import Part
from core.picture.marks import Text
from core.picture.timeline import TimelineView
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.times import rfc3339
from core.work import QUIET
from db.anchors import anchor_of
from db.notes import Note
from gui.exports.devices import offscreen_app
from gui.exports.material import Material
from gui.exports.plan import Plan, parse_lanes, parse_parts, parse_stops, refuse_senseless
from gui.exports.views import figure_of, view_of, words_of
from gui.scrub.page import page
from importers.load import load
from tests.archives import unpack_recording


def test_only_notes_that_are_drawn_are_listed_and_they_are_numbered_anew() -> None:
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    places = {"early": 5, "inside": 60, "late": len(trace) - 1}
    notes = [Note(0, trace.name, anchor_of(trace, place), text) for text, place in places.items()]
    across = Note(0, trace.name, anchor_of(trace, 5), "across", kind="range", end=anchor_of(trace, 100))
    mark = replace(notes[1], kind="bookmark", text="a bookmark")
    material = Material((trace,), (*notes, across, mark))
    times = trace.columns["at"]
    plan = Plan(window=(rfc3339(int(times[50])), rfc3339(int(times[70]))))
    view = view_of(material, plan, QUIET)
    assert isinstance(view, TimelineView)
    assert [(note.number, note.text) for note in view.notes] == [(1, "across"), (2, "inside")]
    whole = view_of(material, Plan(), QUIET)
    assert [note.text for note in whole.notes] == ["early", "across", "inside", "late"]


def test_the_place_of_a_note_in_a_comparison_is_told_in_the_language_of_the_figure() -> None:
    traces = tuple(simulate(scenario("hw-loss"), era(name)) for name in ("0.10.2", "2.8"))
    note = Note(0, traces[0].name, anchor_of(traces[0], len(traces[0]) - 1), "here")

    def place(lang: str) -> str:
        (placed,) = view_of(Material(traces, (note,)), Plan(lang=lang), QUIET).notes
        return placed.where

    # The last step of the script.
    assert place("en") == "step 13 (A fetches)"
    assert place("zh") == "步骤 13（A 拉取）"


@pytest.mark.parametrize(
    ("ending", "plan", "words"),
    [
        (".docx", Plan(), ".docx is no format"),
        (".csv", Plan(title="x"), ".csv has no title"),
        (".txt", Plan(window=("2026-11-21T00:00:00Z", None)), "whole timeline"),
        (".png", Plan(stops=(1, 2)), "shows all stops"),
        (".gif", Plan(at="3"), "no cursor of its own"),
        (".html", Plan(slide=True), "no picture on paper or on a slide"),
        (".gif", Plan(patterns=True), "no picture on paper or on a slide"),
        (".png", Plan(outlines=True), "no text that could be outlines"),
    ],
)
def test_what_a_kind_has_no_place_for_is_refused(ending: str, plan: Plan, words: str) -> None:
    with pytest.raises(QuestionError, match=re.escape(words)):
        refuse_senseless(ending, plan)


@pytest.mark.parametrize("text", ["", "3", "5-3", "3-x", "-4"])
def test_stops_that_are_none_are_told(text: str) -> None:
    with pytest.raises(QuestionError, match="are no stops"):
        parse_stops(text)


def test_a_part_that_there_is_not_is_told() -> None:
    with pytest.raises(QuestionError, match="'frame' is no part"):
        parse_parts("legend,frame")


def test_lanes_are_named_from_top_to_bottom() -> None:
    told = parse_lanes("3, 1:folded,2:hidden,4:80")
    assert told == LaneOrder((3, 1, 2, 4), frozenset({1}), hidden=frozenset({2}), heights=((4, 80),))
    assert parse_lanes("kept") is None
    for wrong in ("", "broker 1", "1,1", "1:open", "1,,2"):
        with pytest.raises(QuestionError, match="is no lane"):
            parse_lanes(wrong)
    # A table has no lanes, and neither has a text.
    for ending in (".csv", ".txt"):
        with pytest.raises(QuestionError, match="has no lanes"):
            refuse_senseless(ending, Plan(lanes=told))


@pytest.mark.slow
def test_a_document_of_an_incident_begins_with_the_account_that_check_prints(tmp_path: Path) -> None:
    offscreen_app()
    folder, truth = unpack_recording("k0102-hw-loss", tmp_path)
    trace = load([folder])
    plan = Plan(partition="orders-0")
    view = view_of(Material((trace,)), plan, QUIET)
    lost = len(truth["lost"]["orders-0"])

    told = words_of(view, plan, ".pdf").account

    assert [name for name, _ in told] == ["Totals", "Cause", "When", "Now", "Do", "Trust"]
    assert told[0][1] == (f"Lost: {lost} records that had been committed or acknowledged, in orders-0.",)
    written = page(view, words_of(view, plan, ".html"))
    assert all(escape(sentence) in written for _, sentences in told for sentence in sentences)
    drawn = [mark.text for mark in figure_of(view, plan, ".pdf").marks() if isinstance(mark, Text)]
    assert {name for name, _ in told} <= set(drawn)

    assert words_of(view, plan, ".png").account == ()
    assert words_of(view, replace(plan, slide=True), ".pdf").account == ()
    left_out = replace(plan, left_out=frozenset({Part.ACCOUNT}))
    assert "Totals" not in [
        mark.text for mark in figure_of(view, left_out, ".pdf").marks() if isinstance(mark, Text)
    ]


def test_a_simulated_run_has_no_account_of_an_incident() -> None:
    view = view_of(Material((simulate(scenario("hw-loss"), era("0.10.2")),)), Plan(), QUIET)

    assert words_of(view, Plan(), ".pdf").account == ()
