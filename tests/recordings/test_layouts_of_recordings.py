"""A recording's logs written anew in layouts that are met in the wild: what `check` says stays the same."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from core.diagnose.verdict.check import diagnose
from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_recording
from tests.importers.test_layouts import BARE, CARRIED, OBJECTS, Line, ending, parts, stock, utc
from tests.in_words import gaps_of

pytestmark = [pytest.mark.slow, pytest.mark.thinned(2)]
RECORDINGS: Final = ("k28-unclean-loss", "k39-unclean-loss")
SPLIT: Final = 16_384
"""Where Docker and containerd break a long line."""
CONSOLE: Final = ("server.log", "state-change.log", "controller.log")
Records = list[tuple[Line, list[str]]]
"""Each record with the lines that follow its first one."""


def records_of(text: str) -> Records:
    found: Records = []
    for line, raw in parts(text):
        if line is not None:
            found.append((line, []))
        elif found:
            found[-1][1].append(raw)
    return found


def bare(head: Callable[[Line], str]) -> Callable[[Records], Iterator[str]]:
    """Each record's first line anew, and the lines behind it as they are."""

    def write(records: Records) -> Iterator[str]:
        for line, more in records:
            yield head(line)
            yield from more

    return write


def carried(carry: Callable[[Line, str], str]) -> Callable[[Records], Iterator[str]]:
    """Every line wrapped."""

    def write(records: Records) -> Iterator[str]:
        for line, more in records:
            yield from (carry(line, one) for one in (stock(line), *more))

    return write


def objects(make: Callable[[Line, str], str]) -> Callable[[Records], Iterator[str]]:
    """One object a record."""

    def write(records: Records) -> Iterator[str]:
        for line, more in records:
            yield make(line, "".join(f"\n{one}" for one in more))

    return write


def in_pieces(raw: str) -> list[str]:
    return [raw[at : at + SPLIT] for at in range(0, max(len(raw), 1), SPLIT)]


def docker_split(records: Records) -> Iterator[str]:
    for line, more in records:
        for raw in (stock(line), *more):
            for piece in in_pieces(raw + "\n"):
                yield json.dumps({"log": piece, "stream": "stdout", "time": utc(line)})


def cri_split(records: Records) -> Iterator[str]:
    for line, more in records:
        for raw in (stock(line), *more):
            pieces = in_pieces(raw)
            for number, piece in enumerate(pieces, start=1):
                yield f"{utc(line)} stdout {'F' if number == len(pieces) else 'P'} {piece}"


def strimzi_log4j2(line: Line) -> str:
    """No milliseconds, and the last part of the logger's name before the message."""
    day, clock, _, level, message, logger = line
    return f"{day} {clock} {level:5} [main] {logger.rpartition('.')[2] or 'x'}:66 - {message}"


WRITERS: Final[dict[str, Callable[[Records], Iterator[str]]]] = {
    **{name: bare(head) for name, head in BARE.items()},
    **{name: carried(carry) for name, carry in CARRIED.items()},
    **{name: objects(make) for name, make in OBJECTS.items()},
    "Strimzi, log4j 2": bare(strimzi_log4j2),
    "Windows": bare(lambda line: stock(line) + "\r"),
    "docker json-file, split": docker_split,
    "CRI, split": cri_split,
    "stern": carried(lambda _, raw: f"kafka-1 kafka {raw}"),
    "system tests, thread": bare(lambda v: f"[{v[0]} {v[1]},{v[2]}] {v[3]} {v[4]}{ending(v[5])} [main]"),
}


WITHOUT_MILLISECONDS: Final = ("Strimzi, log4j 2",)
"""Who spoke first within a second is not known there: a statement may be weaker, and none is another."""


@cache
def recording(name: str, folder: Path) -> Path:
    return unpack_recording(name, folder)[0]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("unpacked")


def nodes(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if (path / "config").is_dir() and (path / "logs").is_dir()
    )


def rewritten(folder: Path, to: Path, write: Callable[[Records], Iterator[str]]) -> Path:
    """The same nodes with their configuration, and every log in another layout. No data directories."""
    for node in nodes(folder):
        shutil.copytree(node / "config", to / node.name / "config")
        for log in sorted((node / "logs").rglob("*")):
            if not log.is_file():
                continue
            lines = write(records_of(log.read_text(encoding="utf-8", errors="replace")))
            place = to / node.name / "logs" / log.relative_to(node / "logs")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return to


def as_it_is(records: Records) -> Iterator[str]:
    yield from bare(stock)(records)


def said(trace: Trace) -> dict[str, Any]:
    """What `check` says of each partition, but for times and places."""
    found: dict[str, Any] = {}
    for partition, verdict in zip(trace.partitions, diagnose(trace).partitions, strict=True):
        found[str(partition.tp)] = {
            "leaders": [
                (one.epoch, one.leader, one.start_offset, one.election) for one in verdict.leadership
            ],
            "cuts": sorted(
                (one.broker, one.from_offset or -1, one.to_offset, one.rule, str(one.below_high_watermark))
                for one in verdict.truncations
            ),
            "losses": sorted(
                (
                    one.first_offset,
                    one.end_offset,
                    one.epoch or -1,
                    one.removed_from,
                    str(one.loss_class),
                    one.cause,
                )
                for one in verdict.losses
            ),
            "isr": [sorted(one.isr) for one in verdict.isr],
            "divergences": [(one.brokers, one.first_offset, one.end_offset) for one in verdict.divergences],
        }
    return found


def weaker(told: dict[str, Any]) -> dict[str, Any]:
    """Leaders, cuts and losses without what hangs on the order within a second."""
    return {
        tp: {
            "leaders": [one[:3] for one in verdict["leaders"]],
            "cuts": [(one[0], one[2], one[3]) for one in verdict["cuts"]],
            "losses": [one[:2] for one in verdict["losses"]],
        }
        for tp, verdict in told.items()
    }


@pytest.fixture(scope="module", params=RECORDINGS)
def whole(request: pytest.FixtureRequest, unpacked: Path) -> tuple[Path, dict[str, Any]]:
    folder = recording(request.param, unpacked)
    return folder, said(load([rewritten(folder, unpacked / f"{request.param}-stock", as_it_is)]))


@pytest.mark.parametrize("layout", WRITERS)
def test_check_says_the_same_in_every_layout(
    layout: str, whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder, expected = whole

    trace = load([rewritten(folder, tmp_path / "logs", WRITERS[layout])])

    assert [one for one in gaps_of(trace.report) if "layout" in one] == []
    if layout in WITHOUT_MILLISECONDS:
        assert weaker(said(trace)) == weaker(expected)
    else:
        assert said(trace) == expected


TASK: Final = "{}_kafka.1.qh5c7v09xz8t2yd1wq8ab7rgn@node-9"


@pytest.mark.parametrize(("teller", "in_turn"), [("{}", True), (TASK, True), ("{}", False)])
def test_a_compose_log_of_all_brokers_says_the_same(
    teller: str,
    in_turn: bool,  # noqa: FBT001
    whole: tuple[Path, dict[str, Any]],
    tmp_path: Path,
) -> None:
    """`docker compose logs`, `docker service logs`: each broker's console, their lines among each other, in
    the order of time; or one broker after the other.
    """
    folder, expected = whole
    told: list[tuple[str, int, str, list[str]]] = []
    for node in nodes(folder):
        for name in CONSOLE:
            for log in sorted((node / "logs").glob(f"{name}*")):
                for number, (line, more) in enumerate(records_of(log.read_text(errors="replace"))):
                    told.append((" ".join(line[:3]), number, node.name, [stock(line), *more]))
    told.sort(key=lambda one: one[:1] if in_turn else (one[2], one[0]))
    width = max(len(node.name) for node in nodes(folder))
    lines = [f"{teller.format(name):{width}} | {raw}" for _, _, name, raws in told for raw in raws]
    (tmp_path / "compose.log").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    found = said(load([tmp_path / "compose.log"]))

    assert {tp: (one["leaders"], one["losses"], one["cuts"]) for tp, one in found.items()} == {
        tp: (one["leaders"], one["losses"], one["cuts"]) for tp, one in expected.items()
    }


def found_by_grep(told: list[tuple[str, str, list[str]]]) -> Iterator[str]:
    """`grep -rn`, with the lines around each hit: all of them."""
    for node, name, raws in told:
        for number, raw in enumerate(raws, start=1):
            mark = ":" if raw.startswith("[20") else "-"
            yield f"{node}/logs/{name}{mark}{number}{mark}{raw}"


def found_by_logcli(told: list[tuple[str, str, list[str]]]) -> Iterator[str]:
    """`logcli query -o jsonl`: a line for each, the newest first."""
    for node, name, raws in told:
        for raw in reversed(raws):
            yield json.dumps({"labels": {"filename": name, "host": node}, "line": raw})


def found_in_the_cloud(told: list[tuple[str, str, list[str]]]) -> Iterator[str]:
    """`gcloud logging read`: a list of entries."""
    entries = [
        {
            "insertId": "1",
            "resource": {"labels": {"pod_name": node}},
            "jsonPayload": {"log": raw, "file": name},
        }
        for node, name, raws in told
        for raw in raws
    ]
    yield json.dumps(entries)


@pytest.mark.parametrize("search", [found_by_grep, found_by_logcli, found_in_the_cloud])
def test_what_a_search_gave_says_the_same(
    search: Callable[[list[tuple[str, str, list[str]]]], Iterator[str]],
    whole: tuple[Path, dict[str, Any]],
    tmp_path: Path,
) -> None:
    """The logs of all brokers in one file."""
    folder, expected = whole
    told: list[tuple[str, str, list[str]]] = []
    for node in nodes(folder):
        for log in sorted(path for path in (node / "logs").rglob("*") if path.is_file()):
            raws = list(as_it_is(records_of(log.read_text(encoding="utf-8", errors="replace"))))
            told.append((node.name, log.relative_to(node / "logs").as_posix(), raws))
    (tmp_path / "found").write_text("".join(f"{line}\n" for line in search(told)), encoding="utf-8")

    found = said(load([tmp_path / "found"]))

    assert found == expected


def test_the_layouts_are_layouts(unpacked: Path) -> None:
    """Each of them writes something else than the stock layout."""
    folder = recording(RECORDINGS[0], unpacked)
    records = records_of((nodes(folder)[0] / "logs" / "server.log").read_text())
    plain: Sequence[str] = list(as_it_is(records))

    assert [name for name, write in WRITERS.items() if list(write(records)) == plain] == []
