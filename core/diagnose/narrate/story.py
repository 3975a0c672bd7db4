"""From a verdict to the story of one partition, or of one loss: sentences with evidence, as messages."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.diagnose.narrate.story_cuts import cut_sentences
from core.diagnose.narrate.story_doubts import doubts
from core.diagnose.narrate.story_events import committed, events
from core.diagnose.narrate.story_lives import content_sentences, life_sentences
from core.diagnose.narrate.story_losses import divergence_sentences, loss_sentences, prevention, summary
from core.diagnose.narrate.story_words import HEADINGS, WORDS
from core.diagnose.narrate.values import number, when
from core.diagnose.verdict.case import Case, open_case
from core.diagnose.verdict.commitment import acknowledged, watermarks
from core.diagnose.verdict.divergence_map import Region, divergence_map
from core.diagnose.verdict.facts import FinalReplica, Loss, PartitionVerdict
from core.diagnose.verdict.holdings import find_holdings
from core.diagnose.verdict.life_lines import LifeLine, life_lines
from core.diagnose.verdict.made import who
from core.errors import QuestionError
from core.history.state import History
from core.message import Count, Message, Value, message


@dataclass(frozen=True, slots=True)
class Section:
    """One heading with its sentences."""

    key: str
    heading: Message
    sentences: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The sentences on a partition: `summary`, then sections; one without sentences is left out.

    `lives` are the life lines of all its records and `contents` the divergence map, as values.
    """

    partition: str
    summary: tuple[Message, ...]
    sections: tuple[Section, ...]
    lives: tuple[LifeLine, ...] = ()
    contents: tuple[Region, ...] = ()


_IN_OTHER_SECTIONS = frozenset(
    {
        "committed-loss",
        "acknowledged-loss",
        "possible-loss",
        "uncommitted-tail",
        "divergence",
        "unclean-stop",
        "leaderless",
        "cut-below-hw",
        "evidence-gap",
    }
)
"""Findings that the sections tell in their own words."""


def tell(history: History, verdict: PartitionVerdict, loss: int | None = None) -> Story:
    """The story of a partition; with `loss`, that of one entry of its ledger, counted from 1.

    Raises QuestionError where there is no such loss.
    """
    case = open_case(history)
    chosen = verdict.losses if loss is None else (_chosen(verdict, loss),)
    window = None if loss is None else _window(case, verdict, chosen[0])
    only = None if loss is None else chosen[0]
    lives, contents = _maps(case, verdict)
    sections: list[tuple[str, Iterable[Message]]] = [
        ("happened", events(case, verdict, window)),
        ("committed", committed(case, chosen if loss is not None else None)),
        ("cuts", cut_sentences(case, verdict, window)),
        ("losses", loss_sentences(case, chosen)),
        ("lives", life_sentences(case, lives, only)),
        ("divergences", divergence_sentences(case, verdict) if loss is None else ()),
        ("contents", content_sentences(case, contents) if loss is None else ()),
        ("notes", _notes(case, verdict) if loss is None else ()),
        ("end", (_end(case, one) for one in verdict.final)),
        ("unknown", doubts(case, verdict, chosen)),
        ("prevention", prevention(case, verdict, chosen)),
        ("words", WORDS),
    ]
    return Story(
        partition=str(history.trace.partitions[history.partition].tp),
        summary=tuple(summary(case, verdict, chosen, lives, whole=loss is None)),
        sections=tuple(
            Section(key, HEADINGS[key], told) for key, sentences in sections if (told := tuple(sentences))
        ),
        lives=lives,
        contents=contents,
    )


def lives_at(history: History, verdict: PartitionVerdict, offset: int) -> tuple[Message, ...]:
    """What became of the records that were at an offset, a sentence for each leader epoch.

    () where no log is known to have held one, or none of which the epoch is known.
    """
    case = open_case(history)
    lives, _ = _maps(case, verdict)
    there = [line for line in lives if line.first_offset <= offset < line.end_offset]
    return tuple(life_sentences(case, there, None))


def _maps(case: Case, verdict: PartitionVerdict) -> tuple[tuple[LifeLine, ...], tuple[Region, ...]]:
    """What became of each range, and which replicas held the same."""
    held, cuts = find_holdings(case), verdict.truncations
    lives = life_lines(case, held, cuts, watermarks(case), acknowledged(case))
    return tuple(_as_the_ledger(line, verdict) for line in lives), divergence_map(case, held)


def _as_the_ledger(line: LifeLine, verdict: PartitionVerdict) -> LifeLine:
    """A life line with what the ledger has on producers: the ledger uses the elections too.

    What a leader that came back in its epoch wrote at the offsets of lost records are others.
    """
    for loss in verdict.losses:
        within = loss.first_offset <= line.first_offset and line.end_offset <= loss.end_offset
        if loss.took_over == loss.epoch and not set(line.held_by) <= set(loss.survives_on):
            continue
        if within and loss.epoch == line.epoch and loss.told is not None:
            return replace(line, told=loss.told)
    return line


def _chosen(verdict: PartitionVerdict, number: int) -> Loss:
    """The loss with this number in the ledger, counted from 1. Raises QuestionError where there is none."""
    if not 1 <= number <= len(verdict.losses):
        count = len(verdict.losses)
        raise QuestionError(
            message("error.loss.none", number=number),
            advice=message("error.loss.known", count=Count(count))
            if count
            else message("error.loss.nothing-removed"),
        )
    return verdict.losses[number - 1]


def _window(case: Case, verdict: PartitionVerdict, loss: Loss) -> tuple[int, int]:
    """(first, last), in ns: from the start of the tenure that wrote the records to when they were gone."""
    starts = [term.start for term in verdict.leadership if term.epoch == loss.epoch]
    seen = [cut.at for cut in verdict.truncations if cut.seq in loss.evidence]
    at = int(case.history.trace.columns["at"][loss.seq]) if loss.at is None else loss.at
    return min(starts, default=0), max([at, *seen])


def _notes(case: Case, verdict: PartitionVerdict) -> Iterable[Message]:
    """The sentences of findings that no other section has; of those that say the same one."""
    told: set[tuple[str, tuple[tuple[str, Value], ...]]] = set()
    for finding in verdict.findings:
        said = finding.message.id, finding.message.values
        if finding.check not in _IN_OTHER_SECTIONS and said not in told:
            told.add(said)
            at = when(case, finding.start)
            yield message("story.note", evidence=finding.evidence, at=at, text=finding.message)


def _end(case: Case, one: FinalReplica) -> Message:
    """A replica at the end of the trace."""
    name, leo, hw = who(case, one.broker), number(one.leo), number(one.hw)
    if one.role == "leader":
        if one.epoch is None:
            return message("story.end.leader.unknown-epoch", who=name, leo=leo, hw=hw)
        return message("story.end.leader", who=name, epoch=one.epoch, leo=leo, hw=hw)
    if one.role == "follower":
        if one.epoch is None:
            return message("story.end.follower.unknown-epoch", who=name, leo=leo, hw=hw)
        return message("story.end.follower", who=name, epoch=one.epoch, leo=leo, hw=hw)
    if one.role == "offline":
        return message("story.end.offline", who=name, leo=leo, hw=hw)
    if one.role == "absent":
        return message("story.end.absent", who=name)
    return message("story.end.unknown", who=name, leo=leo, hw=hw)
