"""docs/fidelity.md: how much of what happened comes back out of each recording. Made here, read by a person.

`make goldens` writes it anew.
"""

import shutil
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.goldens import updating
from tests.recordings.distortion_table import section
from tests.recordings.referee import (
    Heard,
    Truth,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    of_the_last_topics,
    outside,
    values,
)
from tests.recordings.whole import grouped, whole

TABLE = Path(__file__).parents[2] / "docs" / "fidelity.md"
pytestmark = pytest.mark.slow
STEP = 7
"""Every so many samples of the truth is held against its band."""
STOPS = ("kill", "term", "start", "freeze", "thaw", "stop")
HEAD = (
    "recording",
    "lost",
    "false",
    "cuts",
    "invented",
    "leaders",
    "ISR",
    "epochs",
    "log ends",
    "states inside",
    "unknown",
    "mean width",
    "anchors",
)
INTRO = """\
# What comes back out of the recordings

Made by tests/recordings/test_fidelity.py from 24 recordings of real clusters (0.10.2 to 4.3) and their
truth, which the program is not given. A cell is *found/true*.

- **lost**: acknowledged records that are gone, and how many of them are claimed; **false**: records claimed
  that were neither lost nor cut
- **cuts**: truncations with broker, begin (or a lower bound that says so) and end; **invented**: those that
  no disk saw
- **leaders**: leader epochs with their leader; **ISR**, **epochs**, **log ends**: the in-sync set, the
  epoch caches and the log ends at the end (a log end counts where its band holds it)
- **states inside**: samples of log end offset and high watermark inside of their bands, of those that have
  both bounds; **unknown**: samples whose band lacks one; **mean width** of the bands, beside **anchors**:
  the mean distance of the true values at the neighbouring starts, stops, cuts and changes of leader

Why some cells are not full:

- k41-console and k41-console-apache are container output without data directories. The last line of any log
  comes before the last records: no upper bound of what was written after it can be known. The stock image
  prints nothing of the in-sync set.
- k43-chaos: its truth lists two cuts of broker 2 twice, `carts-1` to 10 and `carts-2` to 14: once as polled
  at 03:25:57, once from the disk, whose marks lie before and behind that moment. The broker's log has one
  line for each (`Truncating to offset`, 03:25:57,981 and 03:25:58,000) and none after it.
- k0102-divergence without data: broker 2 loaded `payments-0` with log end offset 259, cut it to 207 and led
  in epoch 1; broker 1 came back with 262, cut to 259 and fetched from there, so that it kept the records of
  epoch 0 below. From which offset broker 2 led no line says. Its fetcher started at 03:30:01,167, and its
  first fetch that is told of failed at 03:30:01,177: if one was answered in between, it had all back, and
  nothing was lost.
- Without data: records whose loss shows on the disks alone are not claimed, and bands are open where no
  line tells more.
"""


def ratio(found: int, true: int) -> str:
    return f"{found}/{true}" if true else "-"


def cuts(truth: Truth, heard: Heard) -> tuple[int, int]:
    """Cuts of the truth, each taken once, that are said: exact, or with bounds that hold."""
    wanted = [cut for cut in truth["truncations"] if cut["to"] < cut["from"] and not cut.get("full")]
    left = {tp: list(verdict.truncations) for tp, verdict in heard.verdicts.items()}
    found = 0
    for cut in sorted(wanted, key=lambda one: not one.get("exact", True)):
        exact = cut.get("exact", True)
        for said in left.get(cut["tp"], []):
            ends = said.to_offset == cut["to"] if exact else said.to_offset <= cut["to"]
            begins = not exact or said.from_offset is None or said.from_offset <= cut["from"]
            if said.broker == cut["replica"] and ends and begins:
                left[cut["tp"]].remove(said)
                found += 1
                break
    return found, len(wanted)


def leaders(truth: Truth, heard: Heard) -> tuple[int, int]:
    led = {
        (sample["tp"], sample["leader_epoch"], sample["leader"])
        for sample in truth["samples"]
        if sample.get("tp") and sample.get("leader_epoch") is not None and sample.get("leader") is not None
    }
    said = {
        (tp, term.epoch, term.leader) for tp, verdict in heard.verdicts.items() for term in verdict.leadership
    }
    return len(led & said), len(led)


def ends(truth: Truth, heard: Heard, *, data: bool) -> tuple[str, str, str]:
    """In-sync sets, epoch caches (where there is data) and log ends at the end."""
    isr: list[bool] = []
    epochs: list[bool] = []
    leo: list[bool] = []
    for tp, final in truth["final"].items():
        verdict = heard.verdicts.get(tp)
        last = verdict.isr[-1].isr if verdict is not None and verdict.isr else ()
        if final.get("isr") is not None:
            isr.append(sorted(last) == sorted(final["isr"]))
        said = {one.broker: one for one in verdict.final} if verdict is not None else {}
        for broker, true in final["replicas"].items():
            one = said.get(int(broker))
            high = one.leo.hi if one is not None else None
            leo.append(
                one is not None and (one.leo.lo or 0) <= true["leo"] and (high is None or true["leo"] <= high)
            )
            if data and true.get("epoch_checkpoint") is not None:
                cache = one.epochs if one is not None else None
                epochs.append(
                    cache is not None and [list(entry) for entry in cache] == true["epoch_checkpoint"]
                )
    return ratio(sum(isr), len(isr)), ratio(sum(epochs), len(epochs)), ratio(sum(leo), len(leo))


class Anchors:
    """What somebody would be unsure of who knows the values at starts, stops, cuts and changes of leader."""

    def __init__(self, truth: Truth) -> None:
        self.series: dict[tuple[str, int, str], list[tuple[int, int]]] = defaultdict(list)
        for tp, broker, value, at, true in values(truth, 1):
            self.series[tp, broker, value].append((at, true))
        common = [step["at_ns"] for step in truth["steps"] if step.get("do") in STOPS]
        self.marks: dict[str, list[int]] = defaultdict(lambda: list(common))
        epoch: dict[str, Any] = {}
        for sample in truth["samples"]:
            known = sample.get("leader_epoch")
            if sample.get("tp") and known is not None and epoch.get(sample["tp"]) != known:
                epoch[sample["tp"]] = known
                self.marks[sample["tp"]].append(sample["at_ns"])
        for cut in truth["truncations"]:
            self.marks[cut["tp"]].append(cut["at_ns"])

    def distance(self, tp: str, broker: int, value: str, at: int) -> int:
        points = self.series[tp, broker, value]
        marks = sorted([points[0][0], points[-1][0], *self.marks[tp]])
        place = bisect_right(marks, at)
        before, after = marks[max(place - 1, 0)], marks[min(place, len(marks) - 1)]
        times = [moment for moment, _ in points]

        def true(moment: int) -> int:
            return points[max(bisect_right(times, moment) - 1, 0)][1]

        return abs(true(after) - true(before))


def widths(truth: Truth, heard: Heard) -> tuple[float, float]:
    """Mean width of the bands with both bounds at the moments of the samples, and of the anchors there."""
    anchors, times = Anchors(truth), heard.trace.columns["at"]
    found: list[int] = []
    base: list[int] = []
    for tp, broker, value, at, _ in values(truth, STEP):
        history = heard.histories.get(tp)
        if history is None or broker not in history.replicas:
            continue
        state = history.at(int(bisect_right(times, at)), at).replica(broker)
        band = state.leo if value == "leo" else state.hw
        if band.lo is not None and band.hi is not None:
            found.append(band.hi - band.lo)
            base.append(anchors.distance(tp, broker, value, at))
    return sum(found) / max(len(found), 1), sum(base) / max(len(base), 1)


def row(name: str, heard: Heard, truth: Truth, *, data: bool) -> str:
    gone = {tp: lost(truth, tp) for tp in truth["lost"]}
    told = sum(len(offsets & claimed(heard, tp, strong=False)) for tp, offsets in gone.items())
    misses, unknown, count = outside(truth, heard, step=STEP)
    width, anchors = widths(truth, heard)
    isr, epochs, leo = ends(truth, heard, data=data)
    cells = (
        f"`{name}`",
        ratio(told, sum(map(len, gone.values()))),
        str(len(false_losses(truth, heard))),
        ratio(*cuts(truth, heard)),
        str(len(invented_cuts(truth, heard))),
        ratio(*leaders(truth, heard)),
        isr,
        epochs,
        leo,
        ratio(count - unknown - len(misses), count - unknown),
        str(unknown),
        f"{width:.1f}",
        f"{anchors:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def rows_of(name: str, tmp_path: Path) -> list[str]:
    """The row of a recording as it is, and the one without data directories."""
    folder, truth = unpack_recording(name, tmp_path)
    truth = of_the_last_topics(truth)
    data = any(folder.glob("*/data*"))
    complete = row(name, whole(name).heard(), truth, data=data)
    for directory in folder.glob("*/data*"):
        shutil.rmtree(directory)
    return [complete, row(name, Heard(load([folder])), truth, data=False)]


def rows_in(text: str, name: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"| `{name}` |")][:2]


def table(rows: Mapping[str, Sequence[str]]) -> str:
    complete, without = zip(*rows.values(), strict=True)
    head = [f"| {' | '.join(HEAD)} |", f"| {' | '.join(['---'] * len(HEAD))} |"]
    parts = [INTRO, "## Complete\n", *head, *complete, "", "## Without data directories\n", *head, *without]
    return "\n".join([*parts, "", section()])


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", grouped(recording_names()))
def test_a_recording_has_its_rows(name: str, tmp_path: Path) -> None:
    """A third of them: what is false is judged in each by test_diagnosis_table.py; --every-case: all."""
    made = rows_of(name, tmp_path)

    written = TABLE.read_text(encoding="utf-8")
    if updating():
        known = {one: rows_in(written, one) for one in recording_names()}
        TABLE.write_text(table({**known, name: made}), encoding="utf-8")
    assert rows_in(TABLE.read_text(encoding="utf-8"), name) == made


def test_the_table_has_rows_of_all_recordings_and_nothing_else() -> None:
    written = TABLE.read_text(encoding="utf-8")

    assert table({name: rows_in(written, name) for name in recording_names()}) == written
