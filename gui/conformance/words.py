"""What is said of one column, in the language spoken now: the sentences of `tidegauge conform`."""

from dataclasses import dataclass

from core.conform.answer import Conformance
from core.message import Listing, Message
from core.picture.conformance import verdict_message
from core.trace.evidence import evidence_list
from core.trace.times import moment_words
from core.trace.trace import Origin
from gui.text.spoken import tr, worded
from gui.workspace.conforming import Subject


@dataclass(frozen=True, slots=True)
class Broken:
    """Where an era breaks: what was done and what it does instead, the rule, when, and what shows it."""

    sentence: str
    rule: str
    when: str
    lines: tuple[tuple[str, str], ...]
    """Each with its place, and its text as it was read; "" where it is of a binary file."""


@dataclass(frozen=True, slots=True)
class Words:
    """All that is said of a column."""

    name: str
    verdict: str
    own: bool
    """Whether it is what ran."""
    broken: Broken | None
    counts: str
    sought: str
    """What a search found; "" where there is nothing to say."""
    open: tuple[str, ...]
    """What is not decided, and what is missing for it."""
    unread: tuple[tuple[str, str], ...]
    """What of a trace is read by rules of which this one shows no decision, with their names."""


def words_of(subject: Subject, answer: Conformance, place: int) -> Words:
    """What is said of the column at a place."""
    one = answer.eras[place]
    sought = None if one.sought is None else one.sought.sentence(one.sought.era)
    needs: dict[Message, list[str]] = {}
    for rule in answer.unread:
        needs.setdefault(rule.needs, []).append(rule.rule)
    return Words(
        one.era,
        worded(verdict_message(one)),
        one.era == answer.own,
        _broken(subject, answer, place),
        tr("conformance.counts", fitting=len(one.fits_at), open=len(one.open_at)),
        "" if sought is None else worded(sought),
        tuple(worded(undecided.sentence(one.era)) for undecided in one.undecided),
        tuple(
            (tr("conformance.unread.needs", needs=read), ", ".join(rules)) for read, rules in needs.items()
        ),
    )


def _broken(subject: Subject, answer: Conformance, place: int) -> Broken | None:
    breaks = answer.eras[place].breaks
    if breaks is None:
        return None
    trace = subject.trace
    return Broken(
        worded(breaks.sentence(breaks.era)),
        breaks.rule,
        moment_words(breaks.at, simulated=trace.origin is not Origin.IMPORTED),
        tuple(
            (one["file"] if one["line"] is None else f"{one['file']}:{one['line']}", one["text"])
            for one in evidence_list(trace, breaks.evidence)
        ),
    )


def summary_of(answer: Conformance) -> str:
    """What ran, as the command says it, and which eras could have made it."""
    own = answer.own
    ran = tr("command.conform.own-unknown") if own is None else tr("command.conform.own", name=own)
    accepted = tuple(one.era for one in answer.eras if one.accepted)
    if not accepted:
        return f"{ran} · {tr('conformance.summary.none')}"
    return f"{ran} · {tr('conformance.summary', eras=Listing(accepted))}"
