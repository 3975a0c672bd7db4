"""`make goldens`: every golden text and every generated document, made anew; then what changed, to be read.

    make goldens                            all parts; about half an hour, most of it the parts marked slow
    make goldens ONLY=scenarios             a group of parts, or parts by name: ONLY=timelines,by-era
    make goldens ONLY=scenarios OF=hw-loss  of the parts that have a test for each scenario, this one alone
    make goldens ONLY=help                  the parts and groups

What is made anew proves nothing: read the difference, line by line, before you commit it. Not among
them: pictures (`make screenshots`), docs/mutants.md (`make mutants`), the figures of tests/bench/README.md.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

ROOT: Final = Path(__file__).parent.parent
UPDATE: Final = "TIDEGAUGE_UPDATE_GOLDEN"
"""The variable of the environment with which a test writes what it otherwise compares."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is made by one command: by tests that write with UPDATE, or by a script."""

    says: str
    makes: tuple[str, ...]
    """Files or folders, from the project's folder."""
    tests: tuple[str, ...] = ()
    script: str = ""
    options: tuple[str, ...] = ()
    takes_of: bool = False
    """Its tests are called by the scenario, so that OF chooses among them."""
    slow: bool = False
    """Takes more than a minute."""


PARTS: Final[Mapping[str, Part]] = MappingProxyType(
    {
        "words": Part(
            "Kafka's words that stay in a redacted export",
            ("core/trace/kafka_words.txt",),
            script=".ci/kafka_words.py",
        ),
        "catalogues": Part(
            "the compiled catalogues of sentences; says what is wrong with them",
            ("gui/locales",),
            script=".ci/catalogues.py",
        ),
        "assumptions": Part(
            "times that are taken for granted", ("docs/assumptions.md",), ("tests/test_assumptions.py",)
        ),
        "inference": Part(
            "rules of inference, and what each carries (minutes)",
            ("docs/inference.md",),
            ("tests/recordings/test_inference.py",),
            slow=True,
        ),
        "perturbed": Part(
            "what moves with the times that are taken for granted (minutes)",
            ("docs/assumptions-perturbed.md",),
            ("tests/recordings/test_perturbed.py",),
            slow=True,
        ),
        "era-table": Part("eras and switches", ("docs/eras.md",), ("tests/core_kafka/test_era_table.py",)),
        "model-guards": Part(
            "what tells that a guard of the model is missing",
            ("docs/model-guards.md",),
            script="tests/core_model/guards.py",
        ),
        "pictures": Part(
            "pictures as text",
            ("tests/golden/picture",),
            ("tests/core_picture/test_lane_anatomy.py", "tests/core_picture/test_comparison_picture.py"),
        ),
        "timelines": Part(
            "each scenario in each era, as text",
            ("tests/golden/sim",),
            ("tests/core_sim/test_golden_timelines.py",),
            takes_of=True,
        ),
        "by-era": Part(
            "what each scenario costs in each era",
            ("docs/scenarios-by-era.md", "core/sim/ablation/by_era.json"),
            ("tests/core_sim/test_by_era.py",),
            takes_of=True,
        ),
        "ablations": Part(
            "what each switch changes, flipped alone",
            ("docs/ablations.md", "core/sim/ablation/worst.json"),
            ("tests/core_sim/test_ablations.py",),
            options=("--every-case",),
            slow=True,
        ),
        "recorded-steps": Part(
            "simulations beside the recordings that they retell",
            ("docs/recorded-steps.md",),
            ("tests/core_sim/test_recorded_steps.py",),
        ),
        "diagnosis": Part(
            "what diagnosis says, beside the truth",
            ("docs/diagnosis.md",),
            ("tests/recordings/test_diagnosis_table.py",),
            takes_of=True,
            slow=True,
        ),
        "fidelity": Part(
            "what comes out of the recordings",
            ("docs/fidelity.md",),
            ("tests/recordings/test_fidelity.py",),
            options=("--every-case",),
        ),
        "distortions": Part(
            "what is found of distorted recordings, of what `make referee` wrote",
            ("docs/fidelity.md", "tests/recordings/distorted.json"),
            ("tests/recordings/test_distortion_table.py",),
            options=("--distorted-into", ".distorted.jsonl"),
        ),
        "fidelity-simulated": Part(
            "what comes back out of simulated logs",
            ("docs/fidelity-simulated.md",),
            ("tests/core_sim_logs/test_fidelity_table.py",),
            takes_of=True,
            slow=True,
        ),
        "fidelity-incidents": Part(
            "the same of 2,000 random incidents",
            ("docs/fidelity-incidents.md",),
            ("tests/core_sim_logs/test_incidents.py::test_nothing_false_and_nothing_missed",),
            options=("--incidents", "2000"),
            slow=True,
        ),
        "replayed": Part(
            "what runs of scenarios advise for real incidents",
            ("core/diagnose/account/replayed.txt",),
            ("tests/core_diagnose/test_replayed.py::test_the_table_is_what_the_runs_give",),
        ),
        "claims": Part(
            "how often each sentence is said, and held",
            ("docs/claims.md",),
            ("tests/claims/test_every_sentence.py::test_the_table_is_what_the_runs_give",),
            slow=True,
        ),
        "heard": Part(
            "what is heard of the window, task by task",
            ("tests/golden/heard",),
            ("tests/heard/test_tasks.py",),
        ),
        "explained": Part(
            "recordings told in sentences",
            ("docs/explained",),
            ("tests/recordings/test_explained.py",),
        ),
    }
)
GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "scenarios": (
            "timelines",
            "by-era",
            "diagnosis",
            "fidelity-simulated",
            "ablations",
            "claims",
            "replayed",
        ),
        "eras": (
            "era-table",
            "timelines",
            "by-era",
            "diagnosis",
            "fidelity-simulated",
            "fidelity-incidents",
            "ablations",
            "claims",
            "replayed",
        ),
        "grammar": ("words", "fidelity", "explained", "diagnosis"),
        "checks": ("catalogues", "diagnosis"),
        "window": ("catalogues",),
        "sentences": ("catalogues", "claims", "explained"),
        "quick": (
            "words",
            "catalogues",
            "assumptions",
            "era-table",
            "pictures",
            "timelines",
            "by-era",
            "recorded-steps",
        ),
    }
)
"""What to ask for after a change of one kind."""


def updating() -> bool:
    """Whether a test shall write its golden or document instead of comparing it alone."""
    return bool(os.environ.get(UPDATE))


def chosen(names: str) -> tuple[str, ...]:
    """The parts of a list of parts and groups, in the order of PARTS; all for "". Raises ValueError."""
    wanted: set[str] = set()
    for name in filter(None, names.replace(",", " ").split()):
        if name not in GROUPS and name not in PARTS:
            raise ValueError(f"there is no part {name!r}: {', '.join(dict.fromkeys((*GROUPS, *PARTS)))}")
        wanted.update(GROUPS.get(name, (name,)))
    return tuple(name for name in PARTS if name in wanted or not names)


def command_of(part: Part, of: str) -> tuple[str, ...]:
    """How a part is made; `of` is a scenario, or "" for all."""
    if part.script:
        return (sys.executable, part.script)
    # Tests of one scenario each are thinned otherwise.
    chosen_tests = ("--every-case", *(("-k", of) if of else ())) if part.takes_of else ()
    # One process: a document that several tests write a row of is read and written by each.
    pytest = (sys.executable, "-m", "pytest", "-q", "-n", "0", "--timeout", "0", "-p", "no:cacheprovider")
    return (*pytest, *part.options, *chosen_tests, *part.tests)


def make(names: tuple[str, ...], of: str) -> list[str]:
    """Make these parts; the names of those whose command failed: their tests hold more than the golden."""
    environment = {**os.environ, UPDATE: "1", "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    failed: list[str] = []
    for name in names:
        begun = time.monotonic()
        done = subprocess.run(
            command_of(PARTS[name], of),
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        say(f"{name}: {PARTS[name].says}, {time.monotonic() - begun:.0f} s")
        if done.returncode:
            failed.append(name)
            say(done.stdout + done.stderr)
    return failed


def changes(names: tuple[str, ...]) -> str:
    """What of these parts differs from the last commit or `git add`: figures a file, then new files."""
    paths = [path for name in names for path in PARTS[name].makes]
    changed = git("diff", "--stat", "--", *paths)
    new = git("ls-files", "--others", "--exclude-standard", "--", *paths)
    return changed + "".join(f" {path} (new)\n" for path in new.splitlines())


def git(*arguments: str) -> str:
    """What git prints; nothing where the folder is no checkout."""
    done = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout


def say(text: str) -> None:
    """A line for the one who waits, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def table_of_parts() -> str:
    """The parts and groups for `ONLY=help`."""
    parts = [f"  {name:20}{part.says}{' (minutes)' if part.slow else ''}" for name, part in PARTS.items()]
    groups = [f"  {name:20}{', '.join(of)}" for name, of in GROUPS.items()]
    return "\n".join(["Parts:", *parts, "Groups:", *groups])


def main(arguments: list[str]) -> int:
    """Exit code 1 where a command failed, 2 where there is no such part."""
    parser = argparse.ArgumentParser(prog="make goldens", description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="parts and groups, with commas; all unless said")
    parser.add_argument("--of", default="", help="a scenario")
    asked = parser.parse_args(arguments)
    if asked.only == "help":
        say(table_of_parts())
        return 0
    try:
        names = chosen(asked.only)
    except ValueError as error:
        say(f"make goldens: {error}")
        return 2
    failed = make(names, asked.of)
    say(changes(names) or "Nothing changed.")
    if failed:
        say(f"Not made, or made and still wrong: {', '.join(failed)}. What is wrong stands above.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
