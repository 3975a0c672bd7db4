"""The pipeline at scale: `python -m tests.bench.spark_scale [--megabytes 50 100] [--large] [--keep FOLDER]`.

Logs of a hundred brokers are made, processed on this machine's cores, and one partition of the data set is
opened. Wall time holds for a machine with nothing else to do; how cost grows is seen by the CPU time of all
processes together. `--large` is 500 MB and 5 GB; `--keep` leaves logs and data sets in a folder, for the
window to open.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.summary import PartitionSummary, Spell, Triage, sort_key
from core.message import LEGACY, Message
from core.work import QUIET
from gui.workspace.loading import load_partition
from importers.containers.containers import members
from importers.kafka.grammar import RULES
from importers.merge.files import read_files
from importers.options import ImportOptions
from importers.prepared.arrow_rows import to_batch
from importers.prepared.data_set import dictionaries_of
from importers.prepared.triage import FINDINGS, SUMMARIES, read_triage
from spark.job import Plan, process, read, tasks_of
from spark.ranges import RANGE_BYTES, cut, list_files
from spark.session import LOCAL, spark_session
from spark.shelf import Shelf
from spark.store import pieces_of
from tests.bench.cluster_logs import HEALTHY, Planted, make_logs
from tests.bench.importers import plain_pattern
from tests.bench.table import Measured, print_table
from tests.counted import counted

MB = 1_000_000
SMALL = (50, 100)
LARGE = (500, 5000)
PARTITIONS_A_MB = 20
"""100,000 partitions in 5 GB."""


@dataclass(slots=True)
class Watched:
    """Of this process and those below it: the peak memory of each kind in MB, and seconds of CPU by id."""

    peak: dict[str, float] = field(default_factory=dict[str, float])
    cpu: dict[int, float] = field(default_factory=dict[int, float])


@contextmanager
def watched_processes() -> Generator[Watched]:
    """Look every half second at what the kernel counts of this process and all below it."""
    watched, done = Watched(), threading.Event()
    # What came before is not ours.
    Path("/proc/self/clear_refs").write_text("5", "ascii")

    def look() -> None:
        while not done.wait(0.5):
            _note(watched)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        done.set()
        thread.join()


def _note(watched: Watched) -> None:
    parents: dict[int, int] = {}
    facts: dict[int, tuple[str, float, float]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            told = dict(
                line.split(":\t", 1) for line in (entry / "status").read_text().splitlines() if ":\t" in line
            )
            ticks = (entry / "stat").read_text().rpartition(")")[2].split()[11:13]
        except (OSError, ValueError):
            continue
        if "VmHWM" in told:
            parents[int(entry.name)] = int(told["PPid"])
            peak, cpu = int(told["VmHWM"].split()[0]) / 1024, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
            facts[int(entry.name)] = told["Name"], peak, cpu
    for pid, (name, peak, cpu) in facts.items():
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            # What Java starts is a copy of it until it becomes another program, and has its peak.
            kind = "driver" if pid == above else "worker" if name.startswith("python") else "Java"
            watched.peak[kind] = max(watched.peak.get(kind, 0), peak)
            watched.cpu[pid] = cpu


def shuffled(session: SparkSession) -> float:
    """MB that all stages of a session wrote for others."""
    context: Any = session.sparkContext
    # pyspark has no question of its own for it.
    executors = context._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(at).totalShuffleWrite() for at in range(executors.size())) / MB


def run(megabytes: int, where: Path) -> tuple[list[Measured], float]:
    """One size: made, processed, opened. Gives its rows and the seconds of CPU that a byte took."""
    logs, out = where / f"logs-{megabytes}", where / f"out-{megabytes}.parquet"
    begun = time.monotonic()
    planted = make_logs(logs, megabytes * MB, PARTITIONS_A_MB * megabytes)
    size = sum(file.stat().st_size for file in logs.rglob("*.log"))
    count = sum(len(one.partitions) for one in planted)
    rows = [
        _row(
            f"{megabytes} MB made",
            f"{size / MB:.0f} MB, {count:,} partitions, {time.monotonic() - begun:.0f} s",
        )
    ]
    with watched_processes() as watched, spark_session(LOCAL) as session:
        before = sum(watched.cpu.values())
        begun = time.monotonic()
        done = process([logs], out)
        seconds = time.monotonic() - begun
        moved = shuffled(session)
    cpu = sum(watched.cpu.values()) - before
    rows.append(
        _row(
            f"{megabytes} MB processed",
            f"{seconds:.0f} s, {cpu:.0f} s of CPU, {done['events']:,} events, {moved:.0f} MB shuffled",
        )
    )
    rows.append(
        _row(
            f"{megabytes} MB, peaks in MB",
            ", ".join(f"{kind} {peak:.0f}" for kind, peak in watched.peak.items()),
        )
    )
    triage = read_triage(out)
    rows.append(ranking(megabytes, out, triage, planted))
    total = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    load_partition(str(out), planted[1].partitions[0], False, triage, None, QUIET)
    begun = time.monotonic()
    with counted() as parts:
        load_partition(str(out), planted[0].partitions[0], False, triage, None, QUIET)
    seconds_open = time.monotonic() - begun
    share = parts.total() / total
    figure = f"{share:.2%} of {total / MB:.0f} MB, {seconds_open:.2f} s"
    rows.append(
        Measured(
            f"{megabytes} MB, one partition opened",
            "<= 1 %, <= 1 s",
            figure,
            share <= 0.01 and seconds_open <= 1,
        )
    )
    return rows, cpu / size


def ranking(megabytes: int, out: Path, triage: Triage, planted: Sequence[Planted]) -> Measured:
    """Where the planted losses stand among all partitions: the last of them, and the first healthy one."""
    names = [str(partition.tp) for partition in dictionaries_of(out)["partitions"]]
    ordered = sorted(triage.summaries, key=lambda one: sort_key(one, names[one.partition]))
    ranks = {names[one.partition]: rank for rank, one in enumerate(ordered, 1)}
    lost = [ranks[name] for one in planted for name in one.lost]
    healthy = [ranks[name] for one in planted if one.recording in HEALTHY for name in one.partitions]
    figure = f"{len(lost)} losses to rank {max(lost)}, {len(healthy):,} healthy from rank {min(healthy)}"
    return Measured(f"{megabytes} MB, losses above healthy ones", "all", figure, max(lost) < min(healthy))


def _row(what: str, figure: str) -> Measured:
    return Measured(what, "", figure, met=True)


def ways_of_reading(where: Path) -> list[Measured]:
    """The same logs read in one process, by the byte-range job, and searched by Spark's own expressions."""
    logs = where / "ways"
    make_logs(logs, 40 * MB, 800)
    size = sum(file.stat().st_size for file in logs.rglob("*.log"))
    begun = time.monotonic()
    events = 0
    for member in members([logs]):
        for file in read_files(member):
            events += len(file.drafts.drafts) if file.drafts is not None else 0
    alone = time.monotonic() - begun
    with spark_session(LOCAL) as session:
        files = list_files([logs], QUIET)
        ranges = cut(files, RANGE_BYTES)
        plans = [
            Plan(
                Path(mkdtemp(dir=where)),
                files,
                ranges,
                tasks_of(files, ranges),
                [logs],
                ImportOptions(),
                None,
            )
            for _ in range(2)
        ]
        read(session, plans[0], QUIET)
        begun = time.monotonic()
        found = read(session, plans[1], QUIET)
        with Shelf(where) as shelf:
            for _ in pieces_of(plans[1].folder, found.number, found.where, shelf):
                pass
        job = time.monotonic() - begun
        lines = session.read.text([str(file) for file in logs.rglob("*.log")])
        found = [sql.max(sql.length(sql.regexp_extract("value", pattern, 0))) for pattern in _patterns()]
        lines.limit(1000).select(*found).collect()
        some = lines.sample(fraction=0.05, seed=1)
        part = some.agg(sql.sum(sql.length("value") + 1)).collect()[0][0]
        begun = time.monotonic()
        some.select(*found).collect()
        native = (time.monotonic() - begun) * size / part
    return [
        Measured(
            "byte-range job, over one process",
            "<= 3 x",
            f"{job / alone:.2f} x ({job:.1f} s, {alone:.1f} s)",
            job <= 3 * alone,
        ),
        Measured(
            "regexp_extract, over the byte-range job",
            ">= 10 x",
            f"{native / job:.1f} x ({native:.0f} s, from 5 %)",
            native >= 10 * job,
        ),
    ]


def triage_table(where: Path) -> Measured:
    """Summaries of 100,000 partitions, read as the window reads them: CPU time of one thread."""
    spells = tuple(Spell(number, number + 1, number % 3, number) for number in range(4))
    rows = [
        PartitionSummary(
            number, "leaderless", Message(LEGACY, (("text", f"Nobody led orders-{number}"),)), number,
            0, 0, 0, 2, 0, 0, 0, 6, 0, 6, 12, 0, 0, 0, 0.98,
            {"leaderless": 1, "unclean-stop": 2}, spells, ((1, "leaderless"),),
        )
        for number in range(100_000)
    ]  # fmt: skip
    folder = where / "triage"
    for name, kind, values in ((SUMMARIES, PartitionSummary, rows), (FINDINGS, Finding, [])):
        (folder / name).mkdir(parents=True)
        parquet.write_table(pa.Table.from_batches([to_batch(kind, values)]), folder / name / "part.parquet")
    begun = time.process_time()
    found = read_triage(folder)
    seconds = time.process_time() - begun
    assert found.summaries == tuple(rows)
    return Measured("triage table of 100,000 partitions", "<= 1 s", f"{seconds:.2f} s CPU", seconds <= 1)


def _patterns() -> list[str]:
    return [plain_pattern(rule.pattern) for rule in RULES if rule.build is not None]


def main() -> int:
    """The table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, nargs="+", default=SMALL)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="an empty folder that keeps what is made")
    chosen = parser.parse_args()
    sizes = LARGE if chosen.large else tuple(chosen.megabytes)
    rows: list[Measured] = []
    rates: list[float] = []
    if chosen.keep and any(Path(chosen.keep).iterdir()):
        parser.error(f"{chosen.keep} is not empty")
    with nullcontext(chosen.keep) if chosen.keep else tempfile.TemporaryDirectory() as where:
        rows.append(triage_table(Path(where)))
        rows += ways_of_reading(Path(where))
        for megabytes in sizes:
            more, rate = run(megabytes, Path(where))
            rows += more
            rates.append(rate)
    if len(rates) > 1:
        growth = rates[-1] / rates[0]
        rows.append(
            Measured(
                f"growth {sizes[0]} -> {sizes[-1]} MB, over linear",
                "<= 1.2 x",
                f"{growth:.2f} x",
                growth <= 1.2,
            )
        )
    return print_table("spark", rows)


if __name__ == "__main__":
    sys.exit(main())
