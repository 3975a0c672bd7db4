"""What READMEs name is there, and what is there they name: lists that a person keeps."""

import re

import pytest

from core.sim.library import MEANT, scenario_ids
from tests.test_house_rules import ROOT, place, tracked_files

PAGES = [
    place(path)
    for path in tracked_files()
    if path.name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
]
PATH = re.compile(r"(?<![\w./:@~$-])((?:[\w.-]+/)+[\w.*-]*)")
ELSEWHERE = re.compile(
    r"\.venv/|build/|tools/bin/|unpacked/|application/vnd\.|recordings/k|k0102-hw-loss/|broker-N/|broker-\d+/|logs/$|data/$|data-at-|config/$"
)
"""Made by a command, found in what users have, or no path at all."""
OF_MODULES = [
    page
    for page in PAGES
    if re.match(r"(core|db|importers|spark|gui)/", page) and page != "gui/commands/README.md"
]
"""The commands are named by the table in gui/cli.py."""


def is_there(name: str, page: str) -> bool:
    """A path from the project's folder, or from the page's; `docs/adr/0004` is how its name begins."""
    return any(any(folder.glob(f"{name.rstrip('/')}*")) for folder in (ROOT, (ROOT / page).parent))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_folder_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    names = {found.rstrip(".") for found in PATH.findall(text)}

    assert [name for name in sorted(names) if not ELSEWHERE.match(name) and not is_there(name, page)] == []


@pytest.mark.parametrize("page", OF_MODULES)
def test_the_readme_of_a_folder_names_each_module_in_it(page: str) -> None:
    folder = (ROOT / page).parent
    text = (ROOT / page).read_text(encoding="utf-8")
    modules = [path.name for path in map(ROOT.joinpath, map(place, tracked_files())) if path.parent == folder]

    named = [name for name in modules if name.endswith(".py") and name != "__init__.py"]
    assert [name for name in named if not re.search(rf"\b{re.escape(name)}", text)] == []


def test_the_tests_readme_names_every_folder_of_tests() -> None:
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {
        place(path).split("/")[1] for path in tracked_files() if re.match(r"tests/[^/]+/", place(path))
    }

    assert [name for name in sorted(folders) if not re.search(rf"\b{name}\b", text)] == []


def test_the_readme_of_the_lessons_lists_every_scenario_once() -> None:
    text = (ROOT / "core" / "lessons" / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    told = [name for cell in rows for name in re.findall(r"`([\w-]+)`", cell)]

    assert sorted(told) == sorted(scenario_ids())
    assert not set(MEANT) & set(told)


def test_the_ci_readme_lists_every_tool() -> None:
    text = (ROOT / ".ci" / "README.md").read_text(encoding="utf-8")

    tools = [path.name for path in (ROOT / ".ci").iterdir() if path.is_file()]
    assert [name for name in tools if f"| {name} |" not in text] == ["README.md"]
