"""The account of an incident on recordings, held against truth.json: totals, and one number everywhere."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gui.commands.terminal
from core.diagnose.account.as_json import check_dict
from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.incident import Incident
from core.diagnose.narrate.story import tell
from core.diagnose.verdict.check import worst_partition
from core.diagnose.verdict.facts import Severity, Verdict
from core.diagnose.verdict.summary import triage
from core.history.open import open_history
from core.message import AtLeast, Count, Message
from core.trace.trace import Trace
from core.words import text
from gui.cli import run
from gui.text.render import renderer
from importers.samples import sample_path
from tests.archives import RECORDINGS, unpack_recording
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(100)

LOSING = (
    "k0102-divergence",
    "k0102-hw-loss",
    "k111-kip279-divergence",
    "k28-ibp0102-hw-loss",
    "k28-kip279-fix",
    "k28-unclean-loss",
    "k39-unclean-loss",
    "k43-chaos",
)
"""Recordings in which acknowledged records were lost by more than acks=1 (their READMEs)."""
COUNTED = ("k0102-divergence", "k0102-hw-loss", "k28-ibp0102-hw-loss", "k39-unclean-loss")
"""Those of which every lost record was acknowledged, and every one is proven."""
LABELS = {
    "en": ("Totals", "Cause", "When", "Now", "Do", "Trust"),
    "zh": ("总计", "原因", "时间", "现状", "措施", "可信度"),
}


@dataclass(frozen=True)
class Read:
    """A recording as the program sees it, beside its truth."""

    folder: Path
    truth: dict[str, Any]
    trace: Trace
    verdict: Verdict
    incidents: tuple[Incident, ...]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> "Reader":
    @cache
    def reading(name: str) -> Read:
        folder, truth = unpack_recording(name, tmp_path_factory.mktemp("accounts"))
        trace, verdict = whole(name).trace, whole(name).verdict
        return Read(folder, truth, trace, verdict, find_incidents(trace, verdict))

    return reading


Reader = Callable[[str], Read]


def offsets_of(incidents: tuple[Incident, ...], trace: Any, *, lost: bool) -> set[tuple[str, int]]:
    return {
        (str(trace.partitions[loss.partition].tp), offset)
        for one in incidents
        for loss in one.losses
        for part in loss.ranges
        if (part.severity is Severity.LOSS) == lost
        for offset in range(part.first_offset, part.end_offset)
    }


@pytest.mark.parametrize("name", grouped(LOSING))
def test_what_is_lost_is_what_the_truth_has(name: str, read: Reader) -> None:
    recording = read(name)
    incidents = recording.incidents
    truth = {(tp, record["offset"]) for tp, records in recording.truth["lost"].items() for record in records}

    lost = offsets_of(incidents, recording.trace, lost=True)
    possible = offsets_of(incidents, recording.trace, lost=False)

    # Committed records of which no producer had an answer are lost, too: the disks show that they were cut.
    removed = {
        (cut["tp"], offset)
        for cut in recording.truth["truncations"]
        for offset in range(cut["to"], cut["from"])
    }
    assert lost | possible
    assert lost <= truth | removed
    notices = {
        (str(recording.trace.partitions[verdict.partition].tp), offset)
        for verdict in recording.verdict.partitions
        for loss in verdict.losses
        if loss.severity is Severity.NOTICE
        for offset in range(loss.first_offset, loss.end_offset)
    }
    # What only acks=1 can have been told of is a notice of the ledger.
    assert truth <= lost | possible | notices


def counted(lines: Sequence[Message], id_: str) -> list[Count | AtLeast]:
    values = [value for line in lines if line.id == id_ for _, value in line.values]
    return [value for value in values if isinstance(value, Count | AtLeast)]


@pytest.mark.parametrize("name", grouped(LOSING))
def test_at_least_so_many_are_lost_and_exactly_so_many_where_it_does_not_say_at_least(
    name: str, read: Reader
) -> None:
    """The truth: what the driver had an answer for, and what the disks show was cut."""
    recording = read(name)
    (incident,) = recording.incidents
    lines = [line for field in account(recording.trace, incident) for line in field.lines]
    acknowledged = sum(len(records) for records in recording.truth["lost"].values())
    removed = {
        (cut["tp"], offset)
        for cut in recording.truth["truncations"]
        for offset in range(cut["to"], cut["from"])
    }
    gone = removed | {
        (tp, record["offset"]) for tp, records in recording.truth["lost"].items() for record in records
    }

    for count in counted(lines, "incident.totals.lost"):
        assert count.number <= len(gone)
        if isinstance(count, Count) and not counted(lines, "incident.totals.possible"):
            assert count.number >= acknowledged


@pytest.mark.parametrize("name", grouped(COUNTED))
def test_the_total_is_what_the_driver_counted(name: str, read: Reader) -> None:
    recording = read(name)

    total = sum(one.totals.lost for one in recording.incidents)

    assert not any(one.totals.lost_at_least for one in recording.incidents)
    assert total == sum(len(records) for records in recording.truth["lost"].values())


@pytest.mark.parametrize("name", grouped(("k41-trace", "k43-failover", "k43-elr")))
def test_records_that_acks_1_alone_promised_are_counted_where_nothing_is_an_alarm(
    name: str, read: Reader, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = read(name)
    removed = sum(len(records) for records in recording.truth["lost"].values())

    code = run(["check", str(recording.folder)])

    said = " ".join(capsys.readouterr().out.split())
    assert code == 0
    assert f"{removed} records of " in said
    assert "with acks=1 a producer may have been told of them" in said


@pytest.mark.parametrize("name", grouped(LOSING))
def test_partitions_that_share_brokers_and_a_time_are_one_story(name: str, read: Reader) -> None:
    """Each of these recordings is one incident: one script broke the cluster once."""
    recording = read(name)
    incidents = recording.incidents

    assert len(incidents) == 1
    told = account(recording.trace, incidents[0])
    (cause,) = [one for one in told if one.key == "cause"]
    causes = {loss.cause for loss in incidents[0].losses}
    assert len([line for line in cause.lines if line.id == "incident.cause"]) == len(causes)


@pytest.mark.parametrize("name", grouped(LOSING))
def test_one_number_everywhere(name: str, read: Reader) -> None:
    """Totals, ranges, ledger, findings, summaries, stories and JSON count the same records."""
    one_read = read(name)
    trace, verdict, incidents = one_read.trace, one_read.verdict, one_read.incidents
    lost = sum(one.totals.lost + one.totals.compacted_lost for one in incidents)

    ledger = [loss for one in verdict.partitions for loss in one.losses if loss.severity is Severity.LOSS]
    assert sum(loss.end_offset - loss.first_offset for loss in ledger) == lost
    assert sum(one.records_lost for one in triage(trace, verdict).summaries) == lost

    answer = json.loads(json.dumps(check_dict(trace, verdict, text)))
    assert sum(one["totals"]["records_lost"] for one in answer["incidents"]) == lost
    rows = [row for one in answer["incidents"] for loss in one["losses"] for row in loss["ranges"]]
    assert sum(row["end_offset"] - row["first_offset"] for row in rows if row["lost"]) == lost
    of_json = [loss for one in answer["partitions"] for loss in one["losses"]]
    strong = [loss for loss in of_json if loss["class"] in ("committed", "acknowledged")]
    assert sum(loss["records"] for loss in strong) == lost
    alarms = [one for one in answer["findings"] if one["severity"] == "loss"]
    assert len(alarms) == len(strong)

    in_stories = 0
    for one in verdict.partitions:
        story = tell(open_history(trace, one.partition), one)
        for sentence in story.summary:
            if sentence.id in ("story.lost", "story.lost.unknown-cause"):
                (count,) = [value for _, value in sentence.values if isinstance(value, Count | AtLeast)]
                in_stories += count.number
    assert in_stories == lost


@pytest.mark.parametrize("name", grouped(LOSING))
def test_explain_opens_with_the_largest_loss(name: str, read: Reader) -> None:
    recording = read(name)
    verdict = recording.verdict
    worst = worst_partition(recording.trace, verdict)

    claimed = {
        str(recording.trace.partitions[one.partition].tp): sum(
            loss.end_offset - loss.first_offset for loss in one.losses if loss.severity is Severity.LOSS
        )
        for one in verdict.partitions
    }
    mine = str(recording.trace.partitions[worst].tp)
    assert claimed[mine] == max(claimed.values())
    assert recording.truth["lost"][mine]


# Each imports the recording anew: of recordings, widths and languages a fifth, in which each of them is.
@pytest.mark.thinned(5)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [80, 100, 120])
@pytest.mark.parametrize("name", grouped(LOSING))
def test_a_terminal_has_six_named_fields_on_twenty_lines(
    name: str,
    read: Reader,
    width: int,
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recording = read(name)
    (incident,) = recording.incidents
    # In a pipe nothing is folded; here it is, as wide as a terminal.
    monkeypatch.setattr(gui.commands.terminal, "_PIPED_WIDTH", width)

    code = run(["check", str(recording.folder), "--lang", language])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert len(lines) <= 20
    labels = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert [label for label in labels if label in LABELS[language]] == list(LABELS[language])
    joined = "".join(line.strip() for line in lines)
    assert f"{incident.totals.lost or incident.totals.possible:,}" in lines[0]
    assert not lines[-2].startswith("…")
    words = renderer(language)
    (when,) = [one for one in account(recording.trace, incident) if one.key == "when"]
    place = words(when.lines[0]).rpartition("[")[2].removesuffix("]")
    assert place in joined
    assert "2026-11-2" in joined


@pytest.mark.parametrize("name", grouped(("k28-rolling-restart", "k28-epoch-fix", "k39-isr-flap")))
def test_a_recording_without_a_loss_has_no_incident(name: str, read: Reader) -> None:
    assert read(name).incidents == ()


def test_the_readme_shows_what_check_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gui.commands.terminal, "_PIPED_WIDTH", 100)
    readme = (RECORDINGS.parent.parent / "README.md").read_text(encoding="utf-8")
    asked = "check importers/samples/k0102-hw-loss.tar.xz"

    run(["check", str(sample_path("k0102-hw-loss"))])

    shown = "".join(f"    {line}\n" for line in capsys.readouterr().out.splitlines())
    assert f"    tidegauge {asked}\n\n{shown}\n" in readme


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", ["k28-ibp0102-hw-loss", "k0102-divergence"])
def test_what_was_left_out_stands_first_and_all_of_it_fits(
    name: str,
    width: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, _ = unpack_recording(name, tmp_path)
    for number in (1, 2, 3, 4):
        log = folder / f"broker-{number}" / "logs" / "server.log.2"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b"\x1f\x8b\x08\x00" + b"\x00" * 40)
        log.rename(log.with_suffix(".2.gz"))
    monkeypatch.setattr(gui.commands.terminal, "_PIPED_WIDTH", width)

    code = run(["check", str(folder)])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[0].startswith("4 files are not read")
    assert len(lines) <= 20
    labels = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert [label for label in labels if label in LABELS["en"]] == list(LABELS["en"])
