"""docs/diagnosis.md: what diagnosis says beside the truth. Made by this test, read by a person.

`make goldens` writes it anew. What is expected comes from truth.json, from the README of a
recording, and from what the script of a simulation says will happen; where diagnosis says something else,
no row is written.
"""

import re
from itertools import groupby
from pathlib import Path

import pytest

from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity, Verdict
from core.kafka.eras import ERAS, Era
from core.sim.library import scenario_ids
from core.sim.truth import Promise, Truth
from tests.archives import recording_names
from tests.goldens import updating
from tests.recordings import referee
from tests.recordings.whole import grouped, whole
from tests.runs import diagnosed, played

TABLE = Path(__file__).parents[2] / "docs" / "diagnosis.md"
STRONG = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
INTRO = """\
# What diagnosis says, beside the truth

Made by tests/recordings/test_diagnosis_table.py, which fails where diagnosis claims what is not so.

- **lost**: offsets of records that were acknowledged and that the last leader does not hold. *Claimed* is
  what the ledger calls committed or acknowledged; *possible* what it calls possible, as brokers print no
  acknowledgements.
- **causes** of the records that are lost, as the README of the recording or the script of the simulation
  has it.
- **cuts**: those that the truth knows, and how many of them are found. **differ**: offsets at which two
  replicas hold different records at the end.
- **alarms**: checks of severity loss or danger that found something. A healthy cluster has none.
"""
RECORDED = (
    "## Recordings of real clusters",
    "",
    "| recording | lost | claimed | possible | causes | cuts | found | differ | found | alarms |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
)
SIMULATED = (
    "",
    "## Simulations, every scenario in every era",
    "",
    "Ledger and divergences equal the truth of the run in each of them: a row tells what was lost of the",
    "records that had been promised. Eras with the same outcome share a row; scenarios without a row lose",
    "nothing of what was promised, and raise no alarm, in any era.",
    "",
    "| scenario | eras | lost | causes | differ | alarms |",
    "| --- | --- | --- | --- | --- | --- |",
)
CAUSES_OF_RECORDINGS = {
    # 2 cut at its stale high watermark, led, and wrote; 1 cut nothing: "the logs differ silently".
    "k0102-divergence": {"divergence"},
    "k0102-hw-loss": {"high-watermark-truncation"},
    # "an upgrade that was never finished has no leader epochs"
    "k28-ibp0102-hw-loss": {"high-watermark-truncation"},
    # "1 returns and is elected uncleanly": the 16 records of epoch 1 go with that election, cut or kept.
    "k111-kip279-divergence": {"unclean-election"},
    "k28-kip279-fix": {"unclean-election"},
    "k28-unclean-loss": {"unclean-election"},
    "k39-unclean-loss": {"unclean-election"},
    "k43-chaos": {"unclean-election"},
    # "the last acks=1 records exist on it alone", and a member of the in-sync set is elected.
    "k0102-trace": {"not-replicated"},
    "k28-trace": {"not-replicated"},
    "k41-console": {"not-replicated"},
    "k41-console-apache": {"not-replicated"},
    "k41-trace": {"not-replicated"},
    "k43-elr": {"not-replicated"},
    "k43-failover": {"not-replicated"},
    "k43-snapshots": {"not-replicated"},
}
HEALTHY = (
    "k011-epoch-fix",
    "k0102-rolling-restart",
    "k28-epoch-fix",
    "k28-isr-flap",
    "k28-rolling-restart",
    "k39-isr-flap",
    "k39-rolling-restart",
    "k41-txn",
)
_ALONE, _DISK, _UNCLEAN = {"not-replicated"}, {"disk-loss"}, {"unclean-election"}
_TO_HW = {"high-watermark-truncation"}
CAUSES_OF_SCRIPTS = {
    "acks": _ALONE,
    "acks-min-1": _DISK,
    "batch-truncation": _ALONE,
    "consumer-out-of-range": _TO_HW,
    "disk-replaced": {"stale-isr"},
    "format-raised": _ALONE,
    "hw-divergence": _ALONE | _UNCLEAN,
    "hw-loss": _TO_HW,
    "hw-loss-ten": _TO_HW,
    "idempotent-producer": _ALONE,
    "kafka-3919": _DISK,
    "lost-tail": _DISK,
    "old-records-kept": _ALONE,
    "out-of-range": _DISK,
    "protocol-raised": _TO_HW,
    "recovering-leader": _UNCLEAN,
    "s1": _TO_HW,
    "s2": _TO_HW,
    # To 0.10 C cuts to its own high watermark whoever leads; from 0.11 at the word of a leader that is none.
    "s7": {"0.10.2": _TO_HW, "": {"stale-leader"}},
    "stale-leader-truncation": {"0.10.2": _TO_HW, "": {"stale-leader"}},
    "s8": _DISK,
    "s9": {"4.1": _ALONE, "": _DISK},
    "s10": _DISK,
    "silent-divergence": _ALONE,
    "stale-hw-isr": {"stale-isr"},
    # A's broker hears nothing of the controller that has elected B.
    "two-controllers": {"late-write"},
    "three-broker-loss": _UNCLEAN,
    # A comes back with an empty disk, and unclean elections are on.
    "tiered-forgotten": _DISK | _UNCLEAN,
    "upgrade-min-isr": _DISK,
    # m1 and m4 are written by B, which hears late; A of 2.0 cannot answer for m0.
    "upgrade-unknown-epoch": {
        "0.10.2": _TO_HW | {"late-write"},
        "": {"unknown-epoch", "late-write"},
    },
    # m1 is written by B, which hears late that its epoch is over; m0 is cut where A cannot answer.
    "unknown-epoch-loss": {
        "0.10.2": _TO_HW | {"late-write"},
        "2.1": {"late-write"},
        "2.4": {"late-write"},
        "": {"unknown-epoch", "late-write"},
    },
    "zombie-leader": {"late-write"},
}
"""By scenario, or by scenario and era ("" is any other): the causes of what had been promised and is lost."""


def alarms(verdict: Verdict) -> str:
    found = sorted({one.check for one in verdict.findings if one.severity is not Severity.NOTICE})
    return ", ".join(found) or "-"


def span(eras: list[str]) -> str:
    """The eras in few words: "0.11 to 2.8, 3.6"."""
    order = [era.id for era in ERAS]
    runs: list[str] = []
    for _, group in groupby(enumerate(order.index(era) for era in eras), key=lambda pair: pair[1] - pair[0]):
        places = [place for _, place in group]
        first, last = order[places[0]], order[places[-1]]
        runs.append(first if first == last else f"{first} to {last}")
    return ", ".join(runs)


def covers(loss: Loss, offset: int) -> bool:
    return loss.first_offset <= offset < loss.end_offset


def offsets_of(verdict: PartitionVerdict) -> set[int]:
    return {o for one in verdict.divergences for o in range(one.first_offset, one.end_offset)}


def row_of_recording(name: str) -> str:
    truth, heard = referee.of_the_last_topics(whole(name).truth), whole(name).heard()
    assert referee.false_losses(truth, heard) == []
    assert referee.invented_cuts(truth, heard) == []
    claimed = possible = lost = differ = found = 0
    causes: set[str] = set()
    for tp in truth["final"]:
        verdict, gone = heard.verdicts[tp], referee.lost(truth, tp)
        lost += len(gone)
        claimed += len(gone & referee.claimed(heard, tp, strong=True))
        possible += len(
            gone & referee.claimed(heard, tp, strong=False) - referee.claimed(heard, tp, strong=True)
        )
        causes |= {loss.cause for loss in verdict.losses if any(covers(loss, offset) for offset in gone)}
        unlike = {record["offset"] for record in truth["diverged"].get(tp, [])}
        assert offsets_of(verdict) == unlike, tp
        differ, found = differ + len(unlike), found + len(unlike & offsets_of(verdict))
    if causes:
        assert causes == CAUSES_OF_RECORDINGS[name], name
    assert claimed + possible == lost, name
    cuts, seen = cuts_of(truth, heard)
    assert seen == cuts, name
    raised = alarms(whole(name).verdict)
    if name in HEALTHY:
        assert raised == "-"
        assert not lost
    cells = (lost, claimed, possible, ", ".join(sorted(causes)) or "-", cuts, seen, differ, found, raised)
    return f"| {name} | {' | '.join(map(str, cells))} |"


def cuts_of(truth: referee.Truth, heard: referee.Heard) -> tuple[int, int]:
    """The cuts of the truth, and how many of them diagnosis has, as score.py counts them."""
    wanted = [cut for cut in truth["truncations"] if cut["to"] < cut["from"] and not cut.get("full")]
    seen = 0
    for cut in wanted:
        mine = [one for one in heard.verdicts[cut["tp"]].truncations if one.broker == cut["replica"]]
        if cut.get("exact", True):
            seen += any(one.to_offset == cut["to"] for one in mine)
        else:
            seen += any(one.to_offset <= cut["to"] for one in mine)
    return len(wanted), seen


def promised(truth: Truth) -> set[tuple[int, int, int]]:
    """(partition, epoch, offset) of what had been acknowledged or committed and is lost."""
    fates = [fate for number in truth.lost if (fate := truth.fate(number)) is not None]
    return {(one.partition, one.epoch, one.offset) for one in fates if one.promise is not Promise.NONE}


def outcome(name: str, rules: Era) -> tuple[str, ...]:
    """Lost, causes, differing offsets, alarms of one run; held against its truth."""
    truth, verdict = played(name, rules).truth, diagnosed(name, rules)
    wanted = promised(truth)
    strong = [
        (p.partition, loss) for p in verdict.partitions for loss in p.losses if loss.loss_class in STRONG
    ]
    claimed = {
        (partition, loss.epoch, offset)
        for partition, loss in strong
        for offset in range(loss.first_offset, loss.end_offset)
    }
    assert claimed == wanted, (name, rules.id)
    causes = {loss.cause for _, loss in strong}
    expected = CAUSES_OF_SCRIPTS.get(name, set())
    if isinstance(expected, dict):
        expected = expected.get(rules.id, expected[""])
    advice = "if the script says so, name it in CAUSES_OF_SCRIPTS"
    assert causes <= expected, f"{name} loses records in {rules.id} by {causes - expected}: {advice}"
    assert bool(causes) == bool(wanted)
    true = sum(one.end_offset - one.first_offset for one in truth.diverged)
    unlike = sum(one.end_offset - one.first_offset for p in verdict.partitions for one in p.divergences)
    assert unlike == true, (name, rules.id)
    raised = alarms(verdict)
    if not truth.lost and not true:
        assert raised == "-", (name, rules.id)
    return str(len(wanted)), ", ".join(sorted(causes)) or "-", str(true), raised


def rows_of_scenario(name: str) -> list[str]:
    by: dict[tuple[str, ...], list[str]] = {}
    for rules in ERAS:
        by.setdefault(outcome(name, rules), []).append(rules.id)
    return [
        f"| `{name}` | {span(eras)} | {' | '.join(cells)} |"
        for cells, eras in by.items()
        if cells != ("0", "-", "0", "-")
    ]


def kept(start: str) -> list[str]:
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    return [line for line in lines if line.startswith(f"| {start} |")]


def write(key: str, rows: list[str]) -> None:
    """The table with the rows of one recording or scenario exchanged."""
    recorded = {name: kept(name) for name in recording_names()}
    simulated = {f"`{name}`": kept(f"`{name}`") for name in scenario_ids()}
    (recorded if key in recorded else simulated)[key] = rows
    quiet = [name for name, found in simulated.items() if not found]
    lines = [INTRO, *RECORDED, *(row for found in recorded.values() for row in found), *SIMULATED]
    lines += [row for found in simulated.values() for row in found]
    lines += ["", f"Without a row: {', '.join(quiet)}."]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(recording_names()))
def test_a_recording_has_its_row(name: str) -> None:
    row = row_of_recording(name)
    if updating():
        write(name, [row])
    assert kept(name) == [row]


@pytest.mark.slow
@pytest.mark.parametrize("name", scenario_ids())
def test_a_scenario_has_its_rows(name: str) -> None:
    rows = rows_of_scenario(name)
    if updating():
        write(f"`{name}`", rows)
    assert kept(f"`{name}`") == rows


def test_every_recording_is_healthy_or_has_a_cause() -> None:
    assert set(recording_names()) == {*HEALTHY, *CAUSES_OF_RECORDINGS}
    told = re.findall(r"^\| (k[\w-]+) \|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert told == recording_names()
