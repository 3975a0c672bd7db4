"""The page of `export -o x.html`: it scrubs by itself, says what `state` says, and asks no network."""

import json
import random
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Tell
from tests.in_browser import probed
from tests.visible_texts import english_in

pytestmark = pytest.mark.broad(6)

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
needs_browser = pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")

KEPT = "Kafka KRaft broker Broker ISR LEO HW Page Up Down Home End JavaScript Tidegauge Leader Epoch ms"
"""Words that stay as they are in Chinese."""

PROBE = """
  const { show, placeOf, placeOfStop, state } = window.tidegauge;
  const said = [];
  const rows = (run) => [...document.querySelectorAll(`#run-${run} .replicas tr`)];
  const shown = (run) => rows(run).map((row) => [...row.cells].map((cell) => cell.textContent));
  const what = (run) => document.querySelector(`#run-${run} .what`).textContent;
  const runs = window.tidegauge.data.runs.map((_, run) => run);
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const where = () => Number(document.getElementById("scrub").value);
  for (const cursor of CURSORS) {
    const place = PLACE_OF(cursor);
    show(place);
    const said_of = (run) => ({ state: state(place, run), shown: shown(run), what: what(run) });
    said.push({ cursor, runs: runs.map(said_of) });
  }
  const moves = {};
  press("Home"); moves.home = where();
  press("ArrowRight"); moves.right = where();
  press("PageUp"); moves.up = where();
  press("ArrowLeft"); moves.left = where();
  press("End"); moves.end = where();
  const picture = document.getElementById("picture");
  const box = picture.getBoundingClientRect();
  const point = (part) => ({ clientX: box.left + box.width * part, clientY: box.top + 40, buttons: 1 });
  const drag = (part) => picture.dispatchEvent(new PointerEvent("pointermove", point(part)));
  drag(0); moves.leftmost = where();
  drag(0.6); moves.middle = where();
  drag(1); moves.rightmost = where();
  const root = document.documentElement;
  const colour = () => getComputedStyle(document.body).backgroundColor;
  const themes = [[root.dataset.theme, colour()]];
  document.getElementById("theme").click();
  themes.push([root.dataset.theme, colour()]);
  return { said, moves, themes };
"""


class Addresses(HTMLParser):
    """Every attribute that could make a browser load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset", "data", "action")
        ]
        self.found += [tag] * (tag in ("link", "iframe", "object", "embed", "img", "base", "form"))


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A recording's document and its page."""
    from gui.cli import run
    from importers.samples import sample_path

    folder = tmp_path_factory.mktemp("page")
    assert run(["import", str(sample_path("k0102-hw-loss")), "-o", str(folder / "a.tide")]) == 0
    assert (
        run(["export", str(folder / "a.tide"), "--partition", "orders-0", "-o", str(folder / "a.html")]) == 0
    )
    return folder / "a.tide", folder / "a.html"


@pytest.mark.slow
def test_the_page_holds_everything_and_loads_nothing(paged: tuple[Path, Path]) -> None:
    text = paged[1].read_text(encoding="utf-8")
    reader = Addresses()
    reader.feed(text)

    assert reader.found == []
    assert not re.findall(r"url\((?!#)|@import|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(", text)
    assert "default-src 'none'" in text
    assert len(data_of(text)["positions"]) > 50


def test_the_page_has_the_states_of_the_command(tell: Tell, paged: tuple[Path, Path]) -> None:
    data = data_of(paged[1].read_text(encoding="utf-8"))
    chosen = random.Random(7).sample(data["positions"], 10)  # noqa: S311 - which positions, not a secret
    for position in chosen:
        (place,) = position["runs"]
        told = tell("state", paged[0], "--at", place["cursor"], "--partition", "orders-0", "--json").json
        replicas = [data["replicas"][number] for number in place["replicas"]]
        assert {**data["heads"][place["head"]], "replicas": replicas} == told["partitions"][0]


@pytest.mark.slow
def test_a_thousand_events_are_at_most_two_megabytes(tell: Tell, tmp_path: Path) -> None:
    from importers.samples import sample_path

    assert tell("export", sample_path("k0102-hw-loss"), "-o", tmp_path / "a.html").code == 0
    page = tmp_path / "a.html"
    events = len(data_of(page.read_text(encoding="utf-8"))["positions"])
    # The picture, twice, does not grow with the events; each of them costs its state and its words.
    assert page.stat().st_size * 1000 / max(events, 1000) <= 2_000_000


def test_a_page_speaks_chinese(tell: Tell, kept: Path, tmp_path: Path) -> None:
    """All that a page says in Chinese: its elements, its labels, and what its script puts together."""
    target = tmp_path / "a.html"
    assert tell("export", kept / "hw.tide", "--lang", "zh", "-o", target).code == 0

    text = target.read_text(encoding="utf-8")
    data = data_of(text)
    words = [
        *data["words"]["roles"].values(),
        *map(data["words"].get, ("none", "in", "out")),
    ]
    assert '<html lang="zh-Hans">' in text
    assert words[:2] == ["领导者", "跟随者"]
    # A text of the data is a line of the script, the name of its file, or a sentence.
    script = {line for line in data["texts"] if re.match(r"\[|hw-loss|\w+ = ", line)}
    said = [line for line in data["texts"] if line not in script and line.strip()]
    shown = re.sub(r"<(script|style|svg|title)\b.*?</\1>|<[^>]+>", "\n", text, flags=re.DOTALL)
    labels = re.findall(r'aria-label="([^"]+)"', text)
    english = {
        line: found
        for line in (*words, *said, *labels, *unescape(shown).splitlines())
        if (found := english_in(re.sub(r"\{\w+\}", "", line), frozenset(KEPT.split())))
    }
    assert len(said) > 50
    assert english == {}


def test_words_of_the_outside_stay_words(tell: Tell, kept: Path, tmp_path: Path) -> None:
    from db.anchors import anchor_of
    from db.document import open_document
    from db.notes import Note

    target = tmp_path / "a.tide"
    target.write_bytes((kept / "hw.tide").read_bytes())
    evil = "</script><script>alert(1)</script><img src=x>"
    with open_document(target, write=True) as document:
        document.put_note(Note(0, "0.10.2", anchor_of(document.trace("0.10.2"), 64), evil))
    assert tell("export", target, "--trace", "0.10.2", "-o", tmp_path / "a.html").code == 0

    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    reader = Addresses()
    reader.feed(text)
    assert reader.found == []
    assert "<script>alert" not in text
    assert evil in unescape(text)


def in_browser(page: Path, cursors: list[int], place_of: str, folder: Path) -> dict[str, Any]:
    """What the probe found in a real browser, and every address that it asked for besides its own."""
    code = PROBE.replace("CURSORS", json.dumps(cursors)).replace("PLACE_OF", place_of)
    return probed(BROWSER, page, code, folder)


SHOWN_AS = {"absent": "no replica", "seeking": "no leader known"}
"""What a page calls a role, where it is not the word of `state`."""


def agrees(shown: dict[str, Any], told: dict[str, Any]) -> bool:
    """Whether a run of the page says of a position what `state` says of the partition."""
    return (
        shown["state"] == told
        and [int(row[0]) for row in shown["shown"]] == [row["broker"] for row in told["replicas"]]
        and [row[1] for row in shown["shown"]]
        == [SHOWN_AS.get(row["role"], row["role"]) for row in told["replicas"]]
        and bool(shown["what"])
    )


@pytest.mark.slow
@needs_browser
def test_in_a_browser_it_scrubs_and_says_what_state_says(
    tell: Tell, paged: tuple[Path, Path], tmp_path: Path
) -> None:
    document, page = paged
    data = data_of(page.read_text(encoding="utf-8"))
    total = tell("info", document, "--json").json["traces"][0]["events"]
    cursors = random.Random(3).sample(range(total + 1), 10)  # noqa: S311 - which cursors, not a secret
    answer = in_browser(page, cursors, "placeOf", tmp_path)

    for one in answer["said"]:
        told = tell("state", document, "--at", one["cursor"], "--partition", "orders-0", "--json").json
        assert agrees(one["runs"][0], told["partitions"][0])
    last = len(data["positions"]) - 1
    moves = answer["moves"]
    assert (moves["home"], moves["right"], moves["up"], moves["left"], moves["end"]) == (0, 1, 11, 10, last)
    assert moves["leftmost"] == 0
    assert 0 < moves["middle"] < last
    assert moves["rightmost"] == last
    assert (answer["loaded"], answer["asked"]) == ([], [])
    assert {name for name, _ in answer["themes"]} == {"light", "dark"}
    assert answer["themes"][0][1] != answer["themes"][1][1]


@pytest.mark.slow
@needs_browser
def test_in_a_browser_a_comparison_has_the_states_of_every_run_under_one_cursor(
    tell: Tell, kept: Path, tmp_path: Path
) -> None:
    from core.compare.align import compare, make_runs
    from db.document import open_document

    page = tmp_path / "a.html"
    assert tell("export", kept / "hw.tide", "-o", page).code == 0
    with open_document(kept / "hw.tide") as document:
        names = [info.name for info in document.infos()]
        comparison = compare(make_runs([document.trace(name) for name in names]))
    stops = random.Random(5).sample(range(len(comparison.stops)), 10)  # noqa: S311 - as above
    answer = in_browser(page, stops, "placeOfStop", tmp_path)

    for one in answer["said"]:
        cursors = comparison.stops[one["cursor"]].cursors
        for name, cursor, shown in zip(names, cursors, one["runs"], strict=True):
            told = tell("state", kept / "hw.tide", "--trace", name, "--at", cursor, "--json").json
            assert agrees(shown, told["partitions"][0])
    moves = answer["moves"]
    last = len(comparison.stops) - 1
    assert (moves["home"], moves["right"], moves["end"], moves["rightmost"]) == (0, 1, last, last)
    assert (answer["loaded"], answer["asked"]) == ([], [])


@pytest.mark.slow
def test_a_page_of_a_comparison_is_small_and_says_where_the_runs_differ(
    tell: Tell, kept: Path, tmp_path: Path
) -> None:
    page = tmp_path / "a.html"
    assert tell("export", kept / "hw.tide", "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    data = data_of(text)
    events = sum(run["ranks"] for run in data["runs"])
    told = [data["texts"][position["difference"]] for position in data["positions"]]
    assert next(words for words in told if words).startswith("First difference: ")
    assert page.stat().st_size * 1000 / max(events, 1000) <= 2_000_000
    assert text.count('class="run"') == 3

    assert tell("export", kept / "hw.tide", "--stops", "3-6", "--replace", "-o", page).code == 0
    shown = data_of(page.read_text(encoding="utf-8"))["positions"]
    assert [position["place"] for position in shown] == [3, 4, 5, 6]
    assert tell("export", kept / "hw.tide", "--stops", "3-600", "--replace", "-o", page).code == 2


def test_a_text_speaks_chinese_and_a_table_has_no_language(tell: Tell, kept: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    assert tell("export", kept / "hw.tide", "--lang", "zh", "-o", target).code == 0
    text = target.read_text(encoding="utf-8")
    assert text.startswith("运行 1  Kafka 0.10.2")
    assert "步骤 8：B 启动" in text
    refused = tell("export", kept / "hw.tide", "--lang", "zh", "-o", tmp_path / "a.csv")
    assert (refused.code, "以英文写成" in refused.err) == (2, True)
