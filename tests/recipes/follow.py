"""A recipe of CONTRIBUTING.md, read from the page and followed in a copy of the project.

A step names in backticks the files that it changes (`<name>` stands for a word of the example, `*` for
anything), and holds its commands as indented lines. What the page does not say is not done; what it says is
run, but for parts of `make goldens` that take minutes.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from tests.goldens import PARTS, chosen
from tests.test_house_rules import place, tracked_files

PAGE: Final = Path(__file__).parents[2] / "CONTRIBUTING.md"
PYTEST: Final = ("-q", "-n", "0", "-p", "no:cacheprovider", "--every-case")
_FILE: Final = re.compile(r"`((?:[\w.<>*-]+/)*[\w.<>*-]+\.\w+)`")
_STEP: Final = re.compile(r"^\d+\. ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a recipe."""

    files: tuple[str, ...]
    """Patterns of the files that it changes."""
    commands: tuple[str, ...]


def steps_of(title: str, words: Mapping[str, str]) -> dict[int, Step]:
    """The steps under a heading of the page, by number from 1, with `<words>` filled in."""
    text = PAGE.read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"<{name}>", word)
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None, f"CONTRIBUTING.md has no section {title!r}"
    _, *told = _STEP.split(section[1])
    return {number: step_of(one) for number, one in enumerate(told, start=1)}


def step_of(text: str) -> Step:
    """The files and the commands in the text of a step."""
    return Step(tuple(_FILE.findall(text)), tuple(re.findall(r"^ {7}(\S.*)$", text, re.MULTILINE)))


def copy_compiled(module: Path, target: Path) -> None:
    """Put what is compiled of a module beside its copy: each recipe would compile all modules anew."""
    for compiled in (module.parent / "__pycache__").glob(f"{module.stem}.*.pyc"):
        folder = target.parent / "__pycache__"
        folder.mkdir(exist_ok=True)
        shutil.copy(compiled, folder)


class Copy:
    """The files of the project that git knows, in a folder and a repository of their own."""

    def __init__(self, root: Path) -> None:
        """Copies; nothing is shared with the project, as commands write into files in place."""
        self.root = root
        for path in tracked_files():
            target = root / place(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            # With its time, so that what Python has compiled of it holds there, too.
            shutil.copy2(path, target)
            copy_compiled(path, target)
        self.git("init", "-q")
        self.keep()

    def git(self, *arguments: str) -> str:
        """What git prints in the copy. Raises CalledProcessError."""
        who = ("-c", "user.name=tests", "-c", "user.email=tests@localhost", "-c", "core.quotePath=false")
        # Half of what a copy costs would be to compress files that are thrown away.
        return subprocess.run(
            ("git", *who, "-c", "core.compression=0", *arguments),
            cwd=self.root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def keep(self) -> None:
        """Commit: what was changed so far is no change any more."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "kept")

    def changed(self) -> set[str]:
        """The files that differ from what was kept, new ones too."""
        self.git("add", "-A")
        return set(self.git("diff", "--cached", "--name-only").splitlines())

    def put(self, name: str, text: str) -> None:
        """Write a file."""
        (self.root / name).write_text(text, encoding="utf-8")

    def insert(self, name: str, text: str, *, before: str) -> None:
        """Put text before the first place in a file that reads so."""
        old = (self.root / name).read_text(encoding="utf-8")
        assert before in old, f"{name} has no {before!r}"
        self.put(name, old.replace(before, text + before, 1))

    def append(self, name: str, text: str) -> None:
        """Put text at the end of a file."""
        self.put(name, (self.root / name).read_text(encoding="utf-8") + text)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """A command as the page has it. There is no .venv in the copy, so that make is not asked."""
        told = shlex.split(command)
        if told[:2] == ["make", "goldens"]:
            options = dict(one.split("=", 1) for one in told[2:])
            told = ["-m", "tests.goldens", options["ONLY"], "--of", options.get("OF", "")]
        else:
            assert told[:3] == [".venv/bin/python", "-m", "pytest"], f"not known here: {command}"
            told = ["-m", "pytest", *PYTEST, *told[3:]]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        return subprocess.run(
            (sys.executable, *told),
            cwd=self.root,
            env={
                **kept,
                "PYTHONPATH": str(self.root),
                "QT_QPA_PLATFORM": "offscreen",
                # What hypothesis knows of modules by their content: it would parse all of them in each copy.
                "HYPOTHESIS_STORAGE_DIRECTORY": str(PAGE.parent / ".hypothesis"),
            },
            capture_output=True,
            text=True,
            check=False,
        )


def only(names: set[str], command: str, root: Path) -> str | None:
    """A command of pytest that runs no tests but these, of those that it ran; None where it ran none of them.

    It reads no module in which they are not.
    """
    told, asked = shlex.split(command), " or ".join(sorted(names))
    defined = re.compile(rf"^def (?:{'|'.join(sorted(names))})\(", re.MULTILINE)
    paths = [one for one in told if one.startswith("tests/")]
    modules = [
        file.relative_to(root).as_posix()
        for path in paths
        for file in sorted((root / path).rglob("test_*.py") if (root / path).is_dir() else [root / path])
        if file.is_file() and defined.search(file.read_text(encoding="utf-8"))
    ]
    if not modules:
        return None
    told = [*(one for one in told if one not in paths), *modules]
    if "-k" in told:
        at = told.index("-k") + 1
        told[at] = f"({told[at]}) and ({asked})"
    else:
        told += ["-k", asked]
    return shlex.join(told)


def takes_minutes(command: str) -> bool:
    """Whether it makes goldens of a part that is marked so, and not of one scenario or era alone."""
    found = re.match(r"make goldens ONLY=(\S+)(?: OF=(\S+))?", command)
    if found is None:
        return False
    return any(PARTS[part].slow and not (found[2] and PARTS[part].takes_of) for part in chosen(found[1]))


Change = Callable[[Copy], object]


def follow(
    copy: Copy,
    title: str,
    changes: Mapping[int, Change],
    *,
    words: Mapping[str, str],
    left_out: int,
    reds: set[str],
) -> None:
    """Follow a recipe; `changes` are its steps that are done by hand.

    Before the step `left_out` is done and goldens are made, tests that the recipe names fail: `reds`, which
    alone are run then. At last all of them pass. Each step changes the files that it names, and no
    other, and ruff has nothing to say of them.
    """
    steps = steps_of(title, words)
    touched: dict[int, set[str]] = {number: set() for number in steps}
    for number in sorted(steps, key=lambda number: number == left_out):
        if number == left_out:
            tests = [one for step in steps.values() for one in step.commands if "-m pytest" in one]
            few = [one for one in (only(reds, test, copy.root) for test in tests) if one is not None]
            said = "".join(copy.run(one).stdout for one in few)
            failed = set(re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", said, re.MULTILINE))
            assert reds <= failed, f"without step {left_out} and goldens only {sorted(failed)} fail"
        if number in changes:
            changes[number](copy)
            touched[number] |= keep(copy, steps[number], number)
    for number, step in steps.items():
        skipped = [one for one in step.commands if takes_minutes(one)]
        for command in (one for one in step.commands if one not in skipped):
            done = copy.run(command)
            assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
        touched[number] |= keep(copy, step, number)
        same = [name for name in step.files if not any(fnmatchcase(one, name) for one in touched[number])]
        assert skipped or not same, f"step {number} does not change {same}"


def keep(copy: Copy, step: Step, number: int) -> set[str]:
    """The files that were changed: none that the step does not name, none with which ruff finds fault."""
    touched = copy.changed()
    strange = {one for one in touched if not any(fnmatchcase(one, name) for name in step.files)}
    assert strange == set(), f"step {number} does not name them"
    modules = [one for one in touched if one.endswith(".py")]
    for question in (("check",), ("format", "--check")) if modules else ():
        command = (sys.executable, "-m", "ruff", *question, "--no-cache", *modules)
        said = subprocess.run(command, cwd=copy.root, capture_output=True, text=True, check=False)
        assert said.returncode == 0, f"step {number}\n{said.stdout}{said.stderr}"
    copy.keep()
    return touched
