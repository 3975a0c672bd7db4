"""The power fails: anything that was not synced may be lost, and nothing that was said to be done is."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kills.broken import BROKEN
from tests.kills.calls import Call
from tests.kills.disk import Moment, applied, moments, outcomes
from tests.kills.harness import Case, Cases, Outcome, may_trace
from tests.kills.held import DOCUMENTS
from tests.kills.points import dice
from tests.kills.scenarios import SCENARIOS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kills")]
needs_strace = pytest.mark.skipif(
    not may_trace(), reason="without strace, or leave to use it, nothing tells when SQLite syncs"
)
NEEDED = {
    "notes": ("synchronous FULL", "synchronous NORMAL", "synchronous OFF"),
    "replace": ("no sync before the rename",),
}


Lost = tuple[str, Outcome, dict[str, bytes]]
"""What to call it, what was said to be done before it, and the files after it."""


def disks(case: Case, calls: tuple[Call, ...]) -> list[Moment]:
    """The disk after each call."""
    folder = case.run / DOCUMENTS
    case.put_back()
    before = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return list(moments(folder, before, calls))


def lost(moment: Moment, chance: random.Random, more: int) -> Iterator[Lost]:
    """What power losses at that moment leave."""
    for number, files in enumerate(outcomes(moment, chance, more)):
        yield f"power loss {number} after call {moment.calls}", Outcome(did=list(moment.did)), files


def all_lost(every: list[Moment], chance: random.Random) -> Iterator[Lost]:
    """Those that differ by what is there, or by what was said before."""
    seen: set[int] = set()
    for moment in every:
        for one in lost(moment, chance, 4):
            key = hash((moment.did, *sorted(one[2].items())))
            if key not in seen:
                seen.add(key)
                yield one


def complaints(case: Case, files: dict[str, bytes], outcome: Outcome) -> list[str]:
    case.put_back()
    for path in (case.run / DOCUMENTS).iterdir():
        path.unlink()
    for name, content in files.items():
        Path(name).write_bytes(content)
    return case.complaints(outcome, registered=False)


@needs_strace
@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in {"export", "import-into"}])
def test_a_power_loss_loses_nothing_that_was_said_to_be_done(cases: Cases, name: str, *, every: bool) -> None:
    case = cases[name]
    wrong: list[str] = []

    every_moment, chance = disks(case, case.recorded()), dice(name)
    if every:
        tried = list(all_lost(every_moment, chance))
    else:
        few = chance.sample(every_moment, min(4, len(every_moment)))
        tried = [chance.choice(list(lost(moment, chance, 2))) for moment in few]
    for told, outcome, files in tried:
        wrong.extend(f"{told}: {text}" for text in complaints(case, files, outcome))

    print(f"{name}: {len(tried)} power losses")  # noqa: T201 - the figure of `make fuzz`
    assert wrong == []


@needs_strace
@pytest.mark.parametrize(
    ("name", "missing"), [(name, missing) for name, every in NEEDED.items() for missing in every]
)
def test_without_a_precaution_a_power_loss_is_seen_to_lose_something(
    cases: Cases, name: str, missing: str
) -> None:
    assert missing in BROKEN
    case = cases[name]

    # From the end: there is most that was said to be done.
    every_moment = reversed(disks(case, case.recorded(broken=missing)))

    assert any(
        complaints(case, files, outcome)
        for moment in every_moment
        for _, outcome, files in lost(moment, dice(missing), 0)
    )


def test_a_file_after_changes_is_what_a_reader_would_have_seen() -> None:
    assert applied(b"abcdef", [(2, b"XY"), (8, b"Z")]) == b"abXYef\0\0Z"
    assert applied(b"abcdef", [(2, None), (3, b"Z")]) == b"ab\0Z"
    assert applied(b"ab", [(4, None)]) == b"ab\0\0"


def test_names_and_bytes_are_lost_until_they_are_synced(tmp_path: Path) -> None:
    file, folder = str(tmp_path / "a"), str(tmp_path)
    calls = (
        Call("openat", 1, file, 3, flags="O_RDWR|O_CREAT"),
        Call("pwrite64", 1, file, 3, b"new"),
        Call("fsync", 1, file, 3),
        Call("rename", 1, file, other=f"{file}2"),
        Call("openat", 2, folder, 4, flags="O_RDONLY"),
        Call("fsync", 2, folder, 4),
    )

    def possible(moment: Moment) -> set[tuple[tuple[str, bytes], ...]]:
        return {tuple(sorted(files.items())) for files in outcomes(moment, dice("none"), 0)}

    made, written, synced, renamed, kept = moments(tmp_path, {f"{file}2": b"old"}, calls)

    old = (f"{file}2", b"old")
    assert possible(made) == {(old,), ((file, b""), old)}
    assert possible(written) == {(old,), ((file, b""), old), ((file, b"new"), old)}
    assert possible(synced) == {(old,), ((file, b"new"), old)}
    assert possible(renamed) == {(old,), ((file, b"new"), old), ((f"{file}2", b"new"),)}
    assert possible(kept) == {((f"{file}2", b"new"),)}
