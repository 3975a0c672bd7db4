"""What the page lists, as values: a row for each question and for each scenario."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.sim.articles import claims
from core.sim.library import other_names, scenario, scenario_ids
from core.sim.questions import Lesson, Place, Question, questions
from core.sim.script import Texts, in_language
from core.words import Language
from gui.workspace.simulating import SHOWN_FIRST

_RUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "s8": ("4.0", "4.1"),
    "s9": ("4.0", "4.1"),
    "s10": ("4.0", "4.1"),
    "min-isr-lowered": ("4.0", "4.1"),
    "recovering-leader": ("2.8", "3.3", "4.0"),
    "hanging-transaction": ("3.5", "3.6"),
    "tiered-new-disk": ("3.5", "3.6"),
    "tiered-stale-start": ("3.6", "3.7"),
    "tiered-overlap": ("3.5", "3.7", "4.0"),
    "tiered-forgotten": ("3.5", "3.6"),
    "stale-epoch-file": ("3.6", "3.7"),
    "format-raised": ("2.0", "2.1", "2.8"),
}
"""Scenarios of a rule that the usual three releases have alike open in releases without and with it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. `runs` are names of eras, () where the page chooses; `place` None is where they differ."""

    head: str
    """The number of a question, the id of a scenario."""
    title: str
    text: str
    scenario: str
    runs: tuple[str, ...] = ()
    place: Place | None = None
    words: str = ""
    """All that the field finds it by, in lower case and in every language."""
    lesson: Lesson | None = None
    """What stays beside the runs once they are open."""


def question_entries(language: Language) -> tuple[Entry, ...]:
    """The questions of the domain, in its order."""
    return tuple(_of_question(one, language) for one in questions())


def _of_question(one: Question, language: Language) -> Entry:
    words = _words(one.ask, one.answer, str(one.number), one.scenario, one.switch, *one.runs)
    return Entry(
        str(one.number),
        in_language(one.ask, language),
        in_language(one.answer, language),
        one.scenario,
        one.runs,
        one.place,
        words,
        Lesson(one.ask, one.answer),
    )


def claim_entries(language: Language) -> tuple[Entry, ...]:
    """Where the articles and Kafka differ, in the order of core/lessons/articles.toml."""
    return tuple(
        Entry(
            "",
            in_language(one.title, language),
            "",
            one.scenario,
            one.runs,
            one.place,
            _words(one.title, one.article, one.kafka, one.scenario, *one.runs),
            Lesson(one.title, one.kafka, one.article),
        )
        for one in claims()
    )


def scenario_entries(language: Language) -> tuple[Entry, ...]:
    """Every scenario of the library, the canonical loss first, then by id."""
    ids = sorted(scenario_ids(), key=lambda name: name != SHOWN_FIRST)
    entries: list[Entry] = []
    for name in ids:
        script = scenario(name)
        words = _words(script.title, script.story, name, *other_names(name))
        title, story = in_language(script.title, language), in_language(script.story, language)
        entries.append(Entry(name, title, story, name, _RUNS.get(name, ()), words=words))
    return tuple(entries)


def _words(*texts: Texts | str) -> str:
    parts = [part for text in texts for part in ((text,) if isinstance(text, str) else text.values())]
    return "\n".join(parts).lower()


def chosen(entries: Sequence[Entry], asked: str) -> tuple[bool, ...]:
    """For each entry, whether it holds all the words that were asked for."""
    words = asked.lower().split()
    return tuple(all(word in entry.words for word in words) for entry in entries)
