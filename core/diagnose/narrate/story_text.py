"""A story as Markdown and as plain JSON values, in the language of the words that are given."""

from collections.abc import Sequence
from typing import Any, Final

from core.diagnose.narrate.story import Story
from core.diagnose.narrate.story_words import HEADINGS
from core.diagnose.verdict.as_json import copy_dict, evidence_list
from core.diagnose.verdict.divergence_map import Region
from core.diagnose.verdict.life_lines import LifeLine
from core.message import Message, message
from core.message_json import plain
from core.trace.evidence import evidence_of
from core.trace.times import rfc3339
from core.trace.trace import Trace
from core.words import Words

_MOST: Final = 3
"""Pieces of evidence named for a sentence; JSON has all."""
_WIDTH: Final = 160


class _Notes:
    """Numbers for places, in the order of their first use."""

    def __init__(self, trace: Trace, words: Words) -> None:
        """No place has a number yet."""
        self.trace = trace
        self.words = words
        self.numbers: dict[tuple[str, str], int] = {}

    def marks(self, sentence: Message) -> str:
        """[1][4], or nothing."""
        found: list[int] = []
        for seq in sentence.evidence:
            one = evidence_of(self.trace, seq)
            if one is None or len(found) == _MOST:
                continue
            place = (
                self.words(message("story.place.byte", file=one.file, byte=one.byte))
                if one.line is None
                else f"{one.file}:{one.line}"
            )
            number = self.numbers.setdefault((place, one.text), len(self.numbers) + 1)
            if number not in found:
                found.append(number)
        return f" {''.join(f'[{number}]' for number in found)}" if found else ""

    def lines(self) -> list[str]:
        """The list at the end: each place with its line, as it was kept."""
        listed: list[str] = []
        for (place, text), number in self.numbers.items():
            shown = text.strip().replace("`", "'")
            shown = f"{shown[:_WIDTH]}…" if len(shown) > _WIDTH else shown
            listed.append(f"{number}. `{place}`" + (f"<br>`{shown}`" if shown else ""))
        return listed


def story_markdown(
    trace: Trace, story: Story, words: Words, head: Sequence[tuple[Message, Sequence[Message]]] = ()
) -> str:
    """Markdown: a title, sections as lists, and numbered evidence with file and line.

    `head` stands under the title: labels, each with its sentences.
    """
    notes = _Notes(trace, words)
    lines = [f"# {words(message('story.title', partition=story.partition))}", ""]
    for label, sentences in head:
        told = [words(message("story.head", label=label, text=sentences[0]))] if sentences else []
        lines += [f"- {one}" for one in [*told, *map(words, sentences[1:])]]
    lines += [""] if head else []
    for sentence in story.summary:
        lines += [words(sentence) + notes.marks(sentence), ""]
    for section in story.sections:
        lines += [f"## {words(section.heading)}", ""]
        lines += [f"- {words(sentence)}{notes.marks(sentence)}" for sentence in section.sentences]
        lines.append("")
    evidence = notes.lines()
    if evidence:
        lines += [f"## {words(HEADINGS['evidence'])}", "", *evidence, ""]
    return "\n".join(lines)


def story_dict(
    trace: Trace, story: Story, words: Words, lang: str, document: str | None = None
) -> dict[str, Any]:
    """The story as plain values; every sentence with all its evidence as `check --json` has it.

    Beside each text stands its message. `lang` is the language of `words`.
    """

    def told(sentence: Message) -> dict[str, Any]:
        """One sentence as plain values."""
        return {
            "text": words(sentence),
            "message": plain(sentence),
            "evidence": evidence_list(trace, sentence.evidence),
        }

    return {
        "schema": 1,
        "document": document,
        "partition": story.partition,
        "lang": lang,
        "summary": [told(sentence) for sentence in story.summary],
        "sections": [
            {
                "key": section.key,
                "heading": words(section.heading),
                "message": plain(section.heading),
                "sentences": [told(sentence) for sentence in section.sentences],
            }
            for section in story.sections
        ],
        "life_lines": [_life(trace, line) for line in story.lives],
        "contents": [_content(trace, region) for region in story.contents],
    }


def _life(trace: Trace, line: LifeLine) -> dict[str, Any]:
    """A life line as plain values."""
    return {
        "epoch": line.epoch,
        "first_offset": line.first_offset,
        "end_offset": line.end_offset,
        "appended_by": line.appended_by,
        "committed": [{"broker": one.broker, "high_watermark": one.hw} for one in line.below],
        "told": {"acks_0": line.told.acks_0, "acks_1": line.told.acks_1, "acks_all": line.told.acks_all},
        "copies": [copy_dict(one) for one in line.copies],
        "held_by": list(line.held_by),
        "evidence": evidence_list(trace, line.evidence),
    }


def _content(trace: Trace, region: Region) -> dict[str, Any]:
    """A region as plain values."""
    return {
        "brokers": list(region.brokers),
        "first_offset": region.first_offset,
        "end_offset": region.end_offset,
        "content": region.content.value,
        "epochs": list(region.epochs),
        "from": None if region.since is None else rfc3339(region.since),
        "to": None if region.until is None else rfc3339(region.until),
        "basis": region.basis.name.lower(),
        "evidence": evidence_list(trace, region.seqs),
    }
