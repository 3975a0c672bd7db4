"""Run an operation, stop it somewhere, start Tidegauge again, and say what is wrong then."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from core.state_folder import STATE
from tests.kills.calls import WRITING, Call, makes_a_file, read_calls
from tests.kills.held import DOCUMENTS, STATES, TEMPORARY, Files, Held, after_the_next_start
from tests.kills.scenarios import ANYTHING, SCENARIOS, Scenario

ROOT: Final = Path(__file__).parent.parent.parent
_LONGEST_DATA: Final = "100000000"


@dataclass(slots=True)
class Outcome:
    """What the child said: steps done, steps refused with their words, and whether it got to its end."""

    did: list[int] = field(default_factory=list[int])
    refused: dict[int, str] = field(default_factory=dict[int, str])
    finished: bool = False
    defect: str = ""
    seconds: float = 0.0


@cache
def may_trace() -> bool:
    """Whether strace is there, and may look at a process that is no child of it."""
    if shutil.which("strace") is None:
        return False
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as other:
        tracer = subprocess.Popen(
            ["strace", "-o", os.devnull, "-p", str(other.pid)], stderr=subprocess.PIPE, text=True
        )
        assert tracer.stderr is not None
        attached = "attached" in tracer.stderr.readline()
        other.communicate()
    tracer.communicate()
    return attached


class Children:
    """The server of operations (tests/kills/operation.py)."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.kills.operation", "--serve"],
            cwd=ROOT,
            # Threads of a library would not come along into a forked child.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()

    def run(
        self,
        name: str,
        run: Path,
        *,
        trace: Sequence[str] = (),
        kill_after: float | None = None,
        **asked: Any,
    ) -> Outcome:
        """One operation, perhaps under strace, perhaps killed with its process group after some seconds."""
        assert self._server.stdin is not None
        self._ask(json.dumps({"name": name, "run": str(run), **asked}) + "\n")
        process = int(self._line().split()[1])
        tracer = _attached(process, trace) if trace else None
        begun = time.monotonic()
        self._ask("\n")
        if kill_after is not None:
            time.sleep(kill_after)  # A moment by chance is what is asked for.
            os.killpg(process, signal.SIGKILL)
        outcome = Outcome()
        while (line := self._line()) != "ended":
            word, _, rest = line.partition(" ")
            match word:
                case "did":
                    outcome.did.append(int(rest))
                case "refused":
                    number, _, words = rest.partition(" ")
                    outcome.refused[int(number)] = words
                case "finished":
                    outcome.finished = True
                case _:
                    outcome.defect = line
        outcome.seconds = time.monotonic() - begun
        if tracer is not None:
            tracer.communicate()
        return outcome

    def warm_up(self, name: str, run: Path) -> None:
        """Have the server do it once by itself, so that its children find everything loaded."""
        self._ask(json.dumps({"name": name, "run": str(run), "warm": True}) + "\n")
        assert self._line() == "ended"

    def _ask(self, text: str) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(text.encode())
        self._server.stdin.flush()

    def _line(self) -> str:
        assert self._server.stdout is not None
        line = self._server.stdout.readline().decode()
        assert line, "the server of operations died"
        return line.removesuffix("\n")


def _attached(process: int, options: Sequence[str]) -> "subprocess.Popen[str]":
    tracer = subprocess.Popen(
        ["strace", "-f", "-p", str(process), *options], stderr=subprocess.PIPE, text=True
    )
    assert tracer.stderr is not None
    said = tracer.stderr.readline()
    assert "attached" in said, said
    return tracer


class Case:
    """One scenario, with the files that it starts from, kept to be put in place before each run."""

    def __init__(self, scenario: Scenario, folder: Path, children: Children) -> None:
        self.scenario, self._children = scenario, children
        self.run, self._kept = folder / "run", folder / "kept"
        # Whatever is left of a first attempt that failed.
        shutil.rmtree(folder, ignore_errors=True)
        for name in (DOCUMENTS, STATES, TEMPORARY):
            (self.run / name).mkdir(parents=True)
        os.environ[STATE] = str(self.run / STATES)
        self.before = scenario.prepare(self.run / DOCUMENTS)
        shutil.copytree(self.run, self._kept)
        if not scenario.starts_qt:
            children.warm_up(scenario.name, self.run)
        clean = self.perform()
        assert clean.finished, clean
        assert not clean.defect, clean
        assert not clean.refused, clean
        assert clean.did == list(range(len(scenario.effects))), clean
        self.seconds = clean.seconds
        self.clean, wrong = after_the_next_start(self.run)
        assert not wrong, wrong
        assert not self.complaints(clean)

    def put_back(self) -> None:
        """Have the folders as they were before."""
        shutil.rmtree(self.run)
        shutil.copytree(self._kept, self.run)

    def perform(self, **how: Any) -> Outcome:
        """Run it from the beginning, as `Children.run`."""
        self.put_back()
        return self._children.run(self.scenario.name, self.run, **how)

    def recorded(self, **asked: Any) -> tuple[Call, ...]:
        """The writing calls of a run that nobody stops."""
        report = self.run.with_name("report")
        options = ["-o", str(report), "-s", _LONGEST_DATA, "-e", f"trace={','.join(WRITING)}"]
        outcome = self.perform(trace=options, **asked)
        assert outcome.finished, outcome
        assert not outcome.defect, outcome
        return read_calls(report.read_text(encoding="ascii"))

    def counted(self, calls: Sequence[Call]) -> list[Call]:
        """Of these calls those that write into the folders of the run, or say that a step is done."""
        mine = str(self.run)
        return [
            call
            for call in calls
            if (call.path.startswith(mine) or (call.name == "writev" and call.handle == 1))
            and (call.name != "openat" or makes_a_file(call))
        ]

    def possible(self, outcome: Outcome) -> list[Files]:
        """What may lie there after the child said this: steps done, perhaps the one under way."""
        states: list[Files] = [self.before]
        for number, effect in enumerate(self.scenario.effects):
            after = [self._known(effect(files)) for files in states]
            if number in outcome.did:
                states = after
            elif number in outcome.refused:
                states += after
            elif not outcome.finished:
                return states + after
        return states

    def _known(self, files: Files) -> Files:
        return {name: self.clean[name] if value == ANYTHING else value for name, value in files.items()}

    def complaints(self, outcome: Outcome, *, registered: bool = True) -> list[str]:
        """Start Tidegauge on what is there now, and say all that must not be so."""
        try:
            found, wrong = after_the_next_start(self.run, registered=registered)
        except Exception as error:  # noqa: BLE001 - a refusal is what is looked for
            return [f"the next start says {error!r}"]
        if found not in self.possible(outcome):
            wrong.append(
                f"after {outcome} there is {_told(found)}, and not {_told(self.before)} with its steps"
            )
        if outcome.defect:
            wrong.append(outcome.defect)
        return wrong


def _told(files: Files) -> dict[str, object]:
    return {
        name: ([trace for trace, _ in one.traces], [note.text[:20] for note in one.notes], len(one.ties))
        if isinstance(one, Held)
        else one
        for name, one in files.items()
    }


class Cases:
    """Each scenario is prepared once."""

    def __init__(self, folder: Path, children: Children) -> None:
        self._folder, self._children = folder, children
        self._made: dict[str, Case] = {}

    def __getitem__(self, name: str) -> Case:
        if name not in self._made:
            self._made[name] = Case(SCENARIOS[name], self._folder / name, self._children)
        return self._made[name]
