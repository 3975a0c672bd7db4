"""What grep found in the logs of several brokers says what the logs say."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import SourceError
from importers.containers.exports import is_export
from importers.containers.grep_text import NO_FILE, grep_lines
from importers.load import load
from tests.archives import unpack_three_logs
from tests.importers.test_containers import rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three logs of each broker of a recording, and nothing else."""
    made = tmp_path_factory.mktemp
    return unpack_three_logs("k0102-hw-loss", made("sample"), made("part"))


def found(folder: Path, root: str, *, numbered: bool) -> Iterator[str]:
    """`grep -r [-n] -C9 '^\\[' .`: each record found, and the lines of a stack trace around it."""
    for path in sorted(folder.rglob("*.log")):
        name = root + path.relative_to(folder).as_posix()
        for number, raw in enumerate(path.read_text().splitlines(), start=1):
            mark = ":" if raw.startswith("[20") else "-"
            yield f"{name}{mark}{f'{number}{mark}' if numbered else ''}{raw}\n"
        yield "--\n"


@pytest.mark.slow
@pytest.mark.parametrize("option", ["-n", "-H"])
@pytest.mark.parametrize("root", ["./", "C:\\kafka\\", "/var/log/kafka/"])
def test_lines_of_many_files_say_what_the_files_say(
    root: str, option: str, folder: Path, tmp_path: Path
) -> None:
    place = tmp_path / "grep.txt"
    place.write_text("".join(found(folder, root, numbered=option == "-n")))

    trace, wanted = load([place]), load([folder])

    assert rows(trace) == rows(wanted)
    assert {int(one.broker_id) for one in trace.brokers} == {1, 2, 3}


def test_a_name_may_hold_what_stands_behind_names() -> None:
    """A rotated log has a date in its name, and is found before and behind the log itself."""
    hit = "[2026-11-21 03:29:10,161] INFO a"
    text = (
        f"l/server.log:7:{hit}\nl/server.log-8-\tat x\n--\nl/server.log-7-01:9:{hit}\nl/server.log-7-01-1-b\n"
    )

    assert grep_lines(text + "Binary file x matches\n") == {
        "l/server.log": [hit, "\tat x"],
        "l/server.log-7-01": [hit, "b"],
        NO_FILE: ["Binary file x matches"],
    }


def test_other_text_is_no_grep() -> None:
    line = b"[2026-11-21 03:20:12,613] INFO a (kafka.Log)\n"

    assert is_export(b"logs/server.log:" + line)
    assert is_export(b"server.log-3-\tat x\nserver.log:4:" + line)
    assert not is_export(line + b"server.log:" + line)
    assert not is_export(b"123:" + line)
    assert not is_export(b"broker-1  | " + line)
    assert not is_export(b"./gradlew: " + line)


def test_found_lines_of_no_known_layout_are_refused(tmp_path: Path) -> None:
    (tmp_path / "grep.txt").write_text("a/server.log:2026-11-21 03:29:10,161 kafka <INFO> x\n" * 9)

    with pytest.raises(SourceError, match="layout of this log is not known"):
        load([tmp_path / "grep.txt"])
