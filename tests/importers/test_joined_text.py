"""Logs that stand one after the other in one text, each below a heading, say what the files say."""

from pathlib import Path

import pytest

from importers.containers.exports import is_export
from importers.containers.joined_text import BEFORE, joined_logs
from importers.load import load
from tests.importers.test_containers import rows
from tests.importers.test_exports import folder

__all__ = ["folder"]
FORMS = {
    "tail -n +1 */*/*.log": lambda path, text: f"==> {path} <==\n{text}\n",
    "more": lambda path, text: f"::::::::::::::\n{path}\n::::::::::::::\n{text}",
    "a loop": lambda path, text: f"##### {path} #####\n{text}",
    "a ticket": lambda path, text: f"\n## {path}\n\n```\n{text}```\n",
    "Jira": lambda path, text: f"\n--- {path} ---\n{{noformat}}\n{text}{{noformat}}\n",
}


def logs_of(folder: Path) -> list[tuple[str, str]]:
    """Each log by its path below the folder."""
    return [
        (path.relative_to(folder).as_posix(), path.read_text())
        for path in sorted(folder.rglob("*.log"))
        if path.stat().st_size
    ]


@pytest.fixture(scope="module")
def expected(folder: Path) -> list:
    return rows(load([folder]))


@pytest.mark.parametrize("name", FORMS)
def test_logs_below_headings_say_what_the_files_say(
    folder: Path, expected: list, name: str, tmp_path: Path
) -> None:
    (tmp_path / "all.txt").write_text("".join(FORMS[name](*log) for log in logs_of(folder)))

    assert rows(load([tmp_path / "all.txt"])) == expected


def test_hosts_have_headings_and_their_files_below_them(folder: Path, expected: list, tmp_path: Path) -> None:
    text, last = "", ""
    for path, log in logs_of(folder):
        host, name = path.split("/", 1)
        text += (f"======== {host} ========\n" if host != last else "") + f"--- {name} ---\n{log}"
        last = host
    (tmp_path / "all.txt").write_text(text)

    assert rows(load([tmp_path / "all.txt"])) == expected


def test_a_heading_of_another_form_is_of_a_part() -> None:
    text = "Hello\n### a ###\n--- b ---\n1\n--- c ---\n2\n### d ###\n3\nh1 | CHANGED | rc=0 >>\n4\n"

    assert [(label, log.strip()) for label, log in joined_logs(text)] == [
        (BEFORE, "Hello"), ("a/b", "1"), ("a/c", "2"), ("d", "3"), ("d/h1", "4")
    ]  # fmt: skip


def test_a_log_or_settings_with_lines_like_headings_are_not_joined() -> None:
    line = b"[2026-11-21 03:29:10,161] INFO Truncating log t-0 to offset 2. (kafka.log.Log)\n"

    assert is_export(b"==> broker-1/server.log <==\n" + line)
    assert not is_export(line + b"==> broker-1/server.log <==\n" + line)
    assert not is_export(b"## Settings of broker 1 ##\nbroker.id=1\n" + line)
    assert not is_export(b"## Settings of broker 1 ##\nbroker.id=1\n")
