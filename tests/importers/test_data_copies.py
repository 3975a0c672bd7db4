"""Several data directories of one broker: several disks, or one disk copied at several times."""

import os
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from importers.disk.data_dirs import place_in
from importers.load import load
from importers.merge.data_copies import DirectoryFacts, earlier_copies
from tests.archives import unpack_recording

A, B = ("a", 0), ("b", 0)


def facts(written: int, *partitions: tuple[str, int], identity: str = "") -> DirectoryFacts:
    return DirectoryFacts(identity, frozenset(partitions), written)


def test_of_two_with_the_same_partition_the_one_written_last_is_the_end() -> None:
    assert earlier_copies({"x/before": facts(5, A, B), "x/later": facts(9, A)}) == {"x/before"}


def test_two_disks_hold_different_partitions() -> None:
    assert earlier_copies({"d1": facts(5, A), "d2": facts(9, B)}) == frozenset()


def test_the_same_directory_id_is_the_same_disk_whatever_it_holds() -> None:
    both = {"d1": facts(5, A, identity="yrP8"), "d2": facts(9, B, identity="yrP8")}

    assert earlier_copies(both) == {"d1"}


def test_different_directory_ids_are_different_disks_although_a_partition_is_moving() -> None:
    both = {"d1": facts(5, A, identity="yrP8"), "d2": facts(9, A, identity="IAb4")}

    assert earlier_copies(both) == frozenset()


def test_what_is_named_as_a_copy_is_one_although_its_times_are_those_of_the_copying() -> None:
    assert earlier_copies({"data": facts(5, A), "data-at-2-killed": facts(9, A)}) == {"data-at-2-killed"}


def test_without_times_the_plainer_name_is_the_end() -> None:
    assert earlier_copies({"n1/data": facts(0, A), "n1/data-monday": facts(0, A)}) == {"n1/data-monday"}


@pytest.mark.parametrize(
    ("folder", "tp", "state"),
    [
        ("orders-0", ("orders", 0), ""),
        ("a.b-c_d-12", ("a.b-c_d", 12), ""),
        ("temp-0.13a9b542785f4f9eb9faa1c6e5ef182c-delete", ("temp", 0), "delete"),
        ("temp-0.0f16e07cea784958a91f77488c4018b6-stray", ("temp", 0), "stray"),
        ("temp-1.0f16e07cea784958a91f77488c4018b6-future", ("temp", 1), "future"),
        ("logs", None, ""),
    ],
)
def test_what_a_folder_of_a_data_directory_is(folder: str, tp: tuple[str, int] | None, state: str) -> None:
    place = place_in(PurePosixPath("broker-1/data"), folder)

    assert (place.directory, place.tp, place.state) == ("broker-1/data", tp, state)


@pytest.mark.parametrize(
    "name", ["data-at-after-1", "data-at-2-head-gone", "kafka-backup", "data.before.restart"]
)
def test_a_directory_that_is_named_as_a_copy(name: str) -> None:
    assert place_in(PurePosixPath(f"broker-1/{name}"), "t-0").snapshot
    assert not place_in(PurePosixPath("broker-1/data"), "t-0").snapshot


@pytest.mark.parametrize(("seconds", "told"), [(4, True), (17, False)])
def test_a_directory_that_was_copied_while_its_broker_ran_is_not_the_end(
    tmp_path: Path, seconds: int, *, told: bool
) -> None:
    """The logs go on for 18 s; a broker that runs writes its high watermarks every 5 s."""
    folder, _ = unpack_recording("k41-trace", tmp_path)
    first = int(datetime(2026, 11, 21, 3, 11, 15, 571_000, UTC).timestamp() * 1000) * 1_000_000
    at = first + seconds * 10**9
    for path in folder.glob("broker-*/data/**/*"):
        if path.is_file():
            os.utime(path, ns=(at, at))

    trace = load([folder])

    brokers = {f"broker-{number}/data/replication-offset-checkpoint" for number in (1, 2, 3)}
    notes = [gap for gap in trace.report["gaps"] if gap["id"] == "report.copied-earlier"]
    assert {gap["values"]["file"] for gap in notes} == (brokers if told else set())
    disk = [number for number, source in enumerate(trace.sources) if "/data/" in source.path]
    ends = trace.columns["at"][np.isin(trace.columns["source"], disk)]
    assert bool(len(ends) and ends.max() >= trace.columns["at"].max()) is not told
