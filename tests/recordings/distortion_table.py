"""What is found of distorted recordings, a table in docs/fidelity.md, of what `make referee` wrote."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tests.recordings.distortions import CLOCKS, COLLECTORS, PARTIAL
from tests.recordings.later_distortions import LATER_CLOCKS, LATER_COLLECTORS, LATER_PARTIAL

RESULTS: Final = Path(__file__).parent / "distorted.json"
"""The cases of the last whole run, by kind, recording and whether there were data directories."""
HEADING: Final = "## Distorted on their way"
KINDS: Final = {
    "clocks": (*CLOCKS, *LATER_CLOCKS),
    "collectors": (*COLLECTORS, *LATER_COLLECTORS),
    "partial": (*PARTIAL, *LATER_PARTIAL),
}
INTRO: Final = """\
Made by tests/recordings/test_distortion_table.py from what `make referee` found last, with seed {seed}: each
recording distorted in {kinds} ways (tests/recordings/distortions.py, later_distortions.py), with data
directories and without. A cell is *found/known*: of the lost records that are claimed of the recording as it
is, how many are claimed of what is left of it, with data, then of logs alone. Of the {every} recordings that
it came to the end of, {quiet} have no column: they lost nothing. Kinds of clocks and collectors take nothing
away, partial ones do. **false**: claimed losses, cuts and leaders that the truth denies, of all recordings.
"""


@dataclass(slots=True)
class Case:
    """One distorted recording: of the lost records that are `known` undistorted so many are found."""

    kind: str
    name: str
    data: bool
    known: int
    found: int = 0
    false: int = 0

    def written(self, into: str) -> None:
        """Add a line to a file, which other processes add to, too; "" for none."""
        if into:
            with Path(into).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(self)) + "\n")


def taken_in(lines: str, seed: int) -> str:
    """The text of RESULTS of the lines that a run wrote: of recordings that it came to the end of."""
    found = [Case(**json.loads(line)) for line in lines.splitlines()]
    whole = 2 * sum(map(len, KINDS.values()))
    ended = {name for name, count in Counter(one.name for one in found).items() if count == whole}
    cases = [one for one in found if one.name in ended]
    cases.sort(key=lambda one: (one.kind, one.name, not one.data))
    rows = (json.dumps([one.kind, one.name, one.data, one.known, one.found, one.false]) for one in cases)
    return f'{{"seed": {seed}, "cases": [\n' + ",\n".join(rows) + "\n]}\n"


def results() -> tuple[int, tuple[Case, ...]]:
    """The seed and the cases of the last whole run."""
    held = json.loads(RESULTS.read_text(encoding="utf-8"))
    return held["seed"], tuple(Case(*row) for row in held["cases"])


def section() -> str:
    """The part of docs/fidelity.md, from its heading on."""
    seed, cases = results()
    by_case = {(one.kind, one.name, one.data): one for one in cases}
    every, names = {one.name for one in cases}, sorted({one.name for one in cases if one.known})
    kinds = [(part, kind) for part, some in KINDS.items() for kind in some]
    head = ("kind", "", "false", *(f"`{name}`" for name in names))
    rows = [_row(part, kind, names, by_case) for part, kind in kinds]
    table = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
    told = INTRO.format(seed=seed, kinds=len(kinds), every=len(every), quiet=len(every) - len(names))
    return "\n".join([HEADING, "", told, *table]) + "\n"


def _row(
    part: str, kind: str, names: Sequence[str], by_case: Mapping[tuple[str, str, bool], Case]
) -> tuple[str, ...]:
    false = sum(one.false for (of_kind, _, _), one in by_case.items() if of_kind == kind)
    return kind, part, str(false), *(_cell(kind, name, by_case) for name in names)


def _cell(kind: str, name: str, by_case: Mapping[tuple[str, str, bool], Case]) -> str:
    both = [by_case[kind, name, data] for data in (True, False)]
    return ", ".join(f"{one.found}/{one.known}" if one.known else "-" for one in both)
