"""What was open is remembered as text, and opened again: each source once, each tab where it stood."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from core.kafka.eras import SWITCHES, era, with_switches
from core.sim.library import scenario
from db.document import create
from gui.workspace import loading, requests
from gui.workspace.desk import Desk, plain_desk
from gui.workspace.loading import Loaded
from gui.workspace.recall import Origins, Place, Remembered, from_text, remembered, to_text
from gui.workspace.restoring import Restoring
from gui.workspace.simulating import Asked
from gui.workspace.stamps import stamp_of
from gui.workspace.store import APART
from importers.options import ImportOptions
from tests.gui_workspace.given import trace_of
from tests.killed import killed

pytestmark = pytest.mark.broad(4)


def line(second: int, name: str, offset: int) -> str:
    told = f"Truncating log {name} to offset {offset}. (kafka.log.Log)"
    return f"[2026-11-21 03:29:{second:02d},000] INFO {told}\n"


def logs_in(folder: Path) -> Path:
    """A folder with the log of one broker, which cuts twice."""
    log = folder / "logs" / "broker-1" / "server.log"
    log.parent.mkdir(parents=True)
    log.write_text(line(1, "orders-0", 7) + line(9, "orders-0", 5), encoding="utf-8")
    return folder / "logs"


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = plain_desk()
    yield made
    made.close()


@pytest.fixture
def later() -> Iterator[Desk]:
    """The desk of the next start."""
    made = plain_desk()
    yield made
    made.close()


def show(desk: Desk, path: Path, *brokers: int) -> int:
    create(path, [trace_of(*brokers)])
    desk.store.open_groups(((str(path),),))
    desk.wait()
    return desk.tabs.open.current


def restored(desk: Desk, what: Remembered) -> tuple[int, int]:
    """How many tabs are there again, and how many are not."""
    told: list[tuple[int, int]] = []
    Restoring(desk, what, lambda there, gone: told.append((there, gone))).begin()
    while not told:
        desk.wait()
    return told[0]


def test_tabs_come_back_where_they_stood(
    desk: Desk, later: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = show(desk, tmp_path / "a.tide", 1, 2, 3)
    desk.session.set_position(1)
    desk.tabs.show_view("triage")
    show(desk, tmp_path / "b.tide", 7, 8)
    desk.tabs.duplicate()
    desk.session.set_position(2)
    switched = with_switches(era("2.8"), {SWITCHES[0].name: SWITCHES[0].values[0]})
    desk.store.replay(Asked(scenario("hw-loss"), (era("0.10.2"), switched), seed=1))
    desk.wait()
    desk.session.set_position(4)
    sides = [requests.Side("t-0", desk.tabs.values(tab)[1].traces[0]) for tab in desk.tabs.open.tabs[:2]]
    desk.store.compare(tuple(sides))
    desk.wait()
    desk.session.set_position(1)
    desk.tabs.choose(first)
    text = to_text(remembered(desk.tabs))

    read: list[str] = []
    real = requests.OpenDocument.answer

    def answer(self: requests.OpenDocument, work: object) -> object:
        read.append(Path(self.path).name)
        return real(self, work)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(requests.OpenDocument, "answer", answer)
    what = from_text(text)
    assert what is not None
    assert restored(later, what) == (5, 0)
    assert sorted(read) == ["a.tide", "b.tide"], "each source is read once"
    old, new = desk.tabs.open, later.tabs.open
    assert [tab.label for tab in new.tabs] == [tab.label for tab in old.tabs]
    assert new.place(new.current) == old.place(old.current) == 0
    for before, after in zip(old.tabs, new.tabs, strict=True):
        desk.tabs.choose(before.key)
        later.tabs.choose(after.key)
        assert later.session.position == desk.session.position
        assert later.session.path == desk.session.path


def test_what_is_gone_is_left_out_and_counted(desk: Desk, later: Desk, tmp_path: Path) -> None:
    show(desk, tmp_path / "a.tide", 1, 2)
    show(desk, tmp_path / "b.tide", 7, 8)
    what = remembered(desk.tabs)
    (tmp_path / "a.tide").unlink()
    (tmp_path / "b.tide").write_bytes(b"no document any more")
    show(desk, tmp_path / "c.tide", 4, 5)
    what = Remembered(
        (*what.sources, Origins(document=str(tmp_path / "c.tide"))),
        (*what.places, Place((2,), ("t-0",), 1)),
        0,
        1,
    )
    assert restored(later, what) == (1, 3)
    assert later.session.path.endswith("c.tide")


def test_the_text_holds_all_that_is_remembered() -> None:
    options = ImportOptions(
        zones={None: "UTC", "2": "+01:00"},
        year=2020,
        topic="o*",
        brokers={"a.log": 3},
        left_out=frozenset({"b"}),
    )
    what = Remembered(
        (
            Origins(document="/a.tide"),
            Origins(found="/x/import.tide", title="night", paths=("/logs",), options=options),
            Origins(script="id = 1", eras=(("2.8", "a=b"),), seed=7),
        ),
        (Place((0, 1), ("o-0", "o-1"), 9), Place((2,), ("t-0",), 0, "incident")),
        1,
        2,
    )
    assert from_text(to_text(what)) == what


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"tidegauge": 2}', "null", '{"tidegauge": 1, "sources": 3}']
)
def test_a_damaged_text_is_nothing(text: str) -> None:
    assert from_text(text) is None


def test_a_place_of_no_source_is_nothing() -> None:
    assert from_text(to_text(Remembered((), (Place((0,), ("t-0",), 0),), 0))) is None


_KILLED: Final = """
import sys
from gui.workspace.desk import plain_desk
from gui.workspace.loading import Loaded
from gui.workspace.recall import remembered, to_text

def main():
    desk = plain_desk()
    logs, kept = sys.stdin.read().split()
    desk.store.imports = lambda: kept
    desk.store.open_groups(((logs,),))
    desk.wait()
    print(to_text(remembered(desk.tabs)), flush=True)
    die()

main()
"""


def test_what_a_killed_process_had_imported_is_not_read_twice(
    later: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real process, ended as a power cut ends it."""
    logs, kept, own = logs_in(tmp_path), tmp_path / "old.imports", tmp_path / "new.imports"
    told = killed(_KILLED, stdin=f"{logs}\n{kept}\n")
    what = from_text(told.splitlines()[-1])
    assert what is not None
    assert list(kept.rglob("*.tide"))
    later.store.imports = lambda: str(own)

    def read(_request: requests.Import, _work: object) -> str:
        raise AssertionError("the logs are read again")

    with monkeypatch.context() as patched:
        patched.setattr(later.jobs, "in_process", read)
        assert restored(later, replace(what, imports=str(kept))) == (1, 0)
    assert later.session.content is not None
    assert later.session.content.partition == "orders-0"
    assert not kept.exists(), "the next kill has an import of its own"
    again = remembered(later.tabs)
    assert Path(again.sources[0].imported).is_relative_to(own)
    assert Path(again.sources[0].imported).is_file()


_KILLED_IN_PARTS: Final = """
from gui.workspace import loading

loading.LARGE = 0
""" + _KILLED.replace("    print(", "    desk.store.show_partition('clicks-0')\n    desk.wait()\n    print(")


def test_nor_is_an_import_that_is_read_one_partition_at_a_time(
    later: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, kept, own = logs_in(tmp_path), tmp_path / "old.imports", tmp_path / "new.imports"
    with (logs / "broker-1" / "server.log").open("a", encoding="utf-8") as log:
        log.write(line(20, "clicks-0", 3))
    what = from_text(killed(_KILLED_IN_PARTS, stdin=f"{logs}\n{kept}\n").splitlines()[-1])
    assert what is not None
    later.store.imports = lambda: str(own)

    def read(*_asked: object) -> None:
        raise AssertionError("the logs are read again")

    monkeypatch.setattr(loading, "LARGE", 0)
    monkeypatch.setattr(later.jobs, "in_process", read)
    assert restored(later, replace(what, imports=str(kept))) == (1, 0)
    assert not kept.exists()
    content = later.session.content
    assert content is not None
    assert content.partition == "clicks-0"
    # What is read now is its own, and a copy waits for the next kill.
    later.store.show_partition("orders-0")
    later.wait()
    assert later.session.content is not None
    assert later.session.content.partition == "orders-0"
    again = remembered(later.tabs)
    assert Path(again.sources[0].imported).is_relative_to(own)
    assert Path(again.sources[0].imported).is_file()


def test_logs_that_changed_since_are_read_again(later: Desk, tmp_path: Path) -> None:
    logs, kept = logs_in(tmp_path), tmp_path / "old.imports"
    what = from_text(killed(_KILLED, stdin=f"{logs}\n{kept}\n").splitlines()[-1])
    assert what is not None
    with (logs / "broker-1" / "server.log").open("a", encoding="utf-8") as log:
        log.write(line(20, "clicks-0", 3))

    assert restored(later, replace(what, imports=str(kept))) == (1, 0)
    assert len(later.session.traces[0]) > 0
    assert set(later.session.partitions) | {later.session.content.partition} == {"orders-0", "clicks-0"}  # type: ignore[union-attr]
    assert not kept.exists()


def test_what_was_read_at_once_to_be_compared_is_not_read_twice_either(
    desk: Desk, later: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, own = tmp_path / "old.imports", tmp_path / "new.imports"
    logs = [str(logs_in(tmp_path / name)) for name in ("a", "b")]
    desk.store.imports = lambda: str(kept)
    later.store.imports = lambda: str(own)
    desk.store.open_groups(tuple((path,) for path in logs))
    desk.wait()

    def add(found: tuple[Loaded, ...]) -> None:
        for loaded, path in zip(found, logs, strict=True):
            desk.tabs.add(loaded, stamp_of((path,)))

    desk.store.take_apart(desk.session.traces, add)
    desk.jobs.wait_for(APART)
    what = from_text(to_text(remembered(desk.tabs)))
    assert what is not None
    assert len(list(kept.rglob("*.tide"))) == 2

    def read(*_asked: object) -> None:
        raise AssertionError("the logs are read again")

    monkeypatch.setattr(later.jobs, "in_process", read)
    assert restored(later, replace(what, imports=str(kept))) == (3, 0)
    assert [tab.label.compared for tab in later.tabs.open.tabs] == [False, False, True]
    assert len(list(own.rglob("*.tide"))) == 2
