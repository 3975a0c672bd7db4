"""docs/claims.md: each sentence of the inspector, how often it is said, and how often it held."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.claims.claim import CLAIMS
from tests.claims.held import PARTS, Tally
from tests.claims.stories import STORIES
from tests.claims.stories_by_truth import STORIES_BY_TRUTH
from tests.claims.stories_held import STORY_PARTS

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "docs" / "claims.md"
CATALOGUES: Final = ROOT / "gui" / "locales" / "en"
_START: Final = "said at position 0, before the first event"
_LACKING: Final = "of a line that lacks a value; no recording has one"
_BY_HAND: Final = "of a switch set by hand; held with `make referee`"
_NO_EVENT: Final = "no scenario and no recording has such an event"
NEVER: Final[Mapping[str, str]] = {
    **dict.fromkeys(("why.nothing-yet", "why.nothing-yet.title"), _START),
    **dict.fromkeys(("why.step.title", "why.step.begins"), "of a script that the trace does not carry"),
    "why.crashed.log.only": "of a broker whose release is not known, and whose log may begin above 0; "
    "no recording has one",
    **dict.fromkeys(
        ("why.cut.unknown-end", "why.cut.title.unknown-end"),
        "of a cut of a log of which nothing was known before; no recording has one",
    ),
    "why.stable.hidden": "of two transactions that are open at once; no scenario has them",
    **dict.fromkeys(
        (
            "why.cut.because.unknown",
            "why.epoch-cache",
            "why.failed.unknown",
            "why.role",
            "why.role.isr",
            "why.role.leaderless-isr",
            "why.role.leader-isr",
            "why.role.epoch",
            "why.role.epoch-isr",
            "why.role.epoch-leaderless",
            "why.role.epoch-leader",
            "why.process.silent.title",
            "why.isr-rejected",
            "why.log-start",
            "why.segment-rolled",
            "why.tier.deleted.unknown",
        ),
        _LACKING,
    ),
    **dict.fromkeys(
        (
            "why.quorum.refused.pending",
            "why.quorum.refused.already",
            "why.quorum.refused.none-such",
            "why.quorum.refused.lagging",
        ),
        _NO_EVENT,
    ),
    "why.quorum.voters.record.title": "of a data directory whose voters changed; no recording has one",
    **dict.fromkeys(
        (
            "why.consumer.passes-over",
            "why.consumer.stays",
            "why.loaded.shorter",
            "why.reassigned.title",
            "why.reassigned",
            "why.rule.reassigned",
            "why.state.leaderless.title",
            "why.state.leaderless",
            "why.log-dir.title",
            "why.log-dir",
            "why.tier.deleted.log-start",
        ),
        _NO_EVENT,
    ),
    **dict.fromkeys(
        (
            "why.rule.answer.after",
            "why.since.answer.after",
            "why.consumed.log-end",
            "why.rule.below-the-log-end",
            "why.since.log-end",
            "why.consumer.waits.log-end",
            "why.consumer.waits.parked.log-end",
            "why.since.set",
            "why.failed.gives-up",
        ),
        _BY_HAND,
    ),
}
"""Sentences that nothing here gives, each with the reason."""
INTRO: Final = """\
# Sentences as claims

Made by tests/claims/test_every_sentence.py; `make goldens ONLY=claims` writes it anew.

Each sentence that the inspector can say of an event has a predicate in tests/claims: over a replay of the
events, the simulator's ledger and the switches of the run, and over nothing that the sentence was made from.
It is held against the predicate wherever it is said.

- **eras**: every scenario in every era.
- **recordings**: every partition of every recording. What its recorder saw decides (tests/claims/seen.py:
  samples of log ends, high watermarks, leaders and in-sync sets, cuts, what was done to processes, what the
  disks held at the end), or the event's own line and the release. A number in brackets says how often neither
  decided. A value holds if the samples before and after it leave it possible.

{share}

With `make referee` every scenario runs once more with each switch at each of its values, too.
"""


def texts(subject: str = "why") -> dict[str, str]:
    """The English text of each sentence of a catalogue, the plural where there is one."""
    found: dict[str, str] = {}
    for block in (CATALOGUES / f"{subject}.po").read_text(encoding="utf-8").split("\n\n"):
        id_ = re.search(r'^msgid "([^"]+)"', block, re.MULTILINE)
        if id_ is None:
            continue
        body = block.split("msgstr[1]" if "msgstr[1]" in block else "msgstr")[1]
        found[id_[1]] = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', body)).replace("|", "\\|")
    return found


def row(id_: str, text: str, eras: Tally, recordings: Tally) -> str:
    """A row of the table: said, and held, in each of the two."""
    cells = (f"`{id_}`", text, _said(id_, eras), eras.held[id_], _said(id_, recordings), recordings.held[id_])
    return f"| {' | '.join(map(str, cells))} |"


def _said(id_: str, tally: Tally) -> str:
    """How often a sentence was said where something decided, and in brackets how often nothing did."""
    undecided = tally.undecided[id_]
    return f"{tally.said[id_] - undecided}" + (f" ({undecided})" if undecided else "")


def _of_stories(stories: Tally, told: Tally) -> list[str]:
    """The part on the story of a partition: what is held, and which sentences are not."""
    known = {**texts("story"), **texts("verdict")}
    held = sorted(one for one in known if one in STORIES or one in STORIES_BY_TRUTH)
    others = sorted(
        one for one in known if one not in held and (stories.undecided[one] or told.undecided[one])
    )
    return [
        "## The story of a partition",
        "",
        "Sentences of `explain`, of every scenario in every era, and of every partition of every recording.",
        "",
        "| sentence | text | eras: said | held | recordings: said | held |",
        "| --- | --- | --- | --- | --- | --- |",
        *(row(one, known[one], stories, told) for one in held),
        "",
        f"Of runs {_decided(stories)}, of recordings {_decided(told)}.",
        "",
        "Words within sentences, which claim nothing:",
        ", ".join(f"`{one}`" for one in sorted(STORY_PARTS)) + ".",
        "",
        "Said there without a predicate:",
        ", ".join(f"`{one}`" for one in others) + ".",
        "",
    ]


def _decided(told: Tally) -> str:
    """How much of what stories say is decided."""
    said, undecided = told.said.total(), told.undecided.total()
    return f"{said - undecided} of {said} sentences are decided"


def share(recordings: Tally) -> str:
    """How much of what is said of recordings is decided."""
    said, undecided = recordings.said.total(), recordings.undecided.total()
    parts = f"{said} sentences are said of recordings; {said - undecided} of them are decided"
    return f"{parts}, {100 * undecided / said:.1f} % are not."


def table_of(eras: Tally, recordings: Tally, stories: Tally, told: Tally) -> str:
    """The page."""
    every = {id_: text for id_, text in texts().items() if id_ not in PARTS}
    said = [id_ for id_ in every if eras.said[id_] or recordings.said[id_]]
    never = [id_ for id_ in every if id_ not in said]
    lines = [
        "| sentence | text | eras: said | held | recordings: said | held |",
        "| --- | --- | --- | --- | --- | --- |",
        *(row(id_, every[id_], eras, recordings) for id_ in sorted(said)),
        "",
        *_of_stories(stories, told),
        "## Never said here",
        "",
        "| sentence | text | why |",
        "| --- | --- | --- |",
        *(f"| `{id_}` | {every[id_]} | {NEVER.get(id_, '?')} |" for id_ in sorted(never)),
    ]
    return f"{INTRO.format(share=share(recordings))}\n" + "\n".join(lines) + "\n"


def without_predicate() -> list[str]:
    """Sentences of the catalogue that nothing is held against."""
    return [id_ for id_ in texts() if id_ not in CLAIMS and id_ not in PARTS]
