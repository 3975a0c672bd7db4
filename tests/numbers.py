"""Every number of lost records that a surface shows of a partition, read from its text or its marks."""

import json
import re
from collections.abc import Iterator

from core.compare.comparison import Run
from core.diagnose.account.as_json import check_dict
from core.diagnose.account.fields import account
from core.diagnose.account.page import page_of
from core.diagnose.account.report import incidents_of
from core.diagnose.narrate.marked_range import marked_range
from core.diagnose.narrate.story import tell
from core.diagnose.verdict.counted import is_compacted
from core.diagnose.verdict.facts import PartitionVerdict, Severity, Verdict
from core.diagnose.verdict.summary import triage
from core.history.state import History
from core.message import AtLeast, Count
from core.picture.comparison import verdict_words
from core.picture.cuts import cuts_of
from core.picture.figure import timeline_words
from core.picture.marks import Glyph, Ref, Sign
from core.picture.timeline import TimelineView, lay_out
from core.picture.whole import history_window
from core.picture.words import timeline_text
from core.words import text
from gui.panels.explain import explain
from gui.panels.lists import ledger
from gui.workspace.content import alone

_NUMBER = re.compile(r"\d[\d,]*")
_SPAN = re.compile(r"\[(\d+), (\d+)\)")


def records_by_hand(verdict: PartitionVerdict, severity: Severity) -> int:
    """How many (epoch, offset) pairs losses of a severity have and no loss of a stronger one."""
    stronger = list(Severity)[: list(Severity).index(severity)]
    of = {
        one: {
            (loss.epoch, offset)
            for loss in verdict.losses
            if loss.severity is one
            for offset in range(loss.first_offset, loss.end_offset)
        }
        for one in (*stronger, severity)
    }
    return len(of[severity].difference(*(of[one] for one in stronger)))


def first_number(words: str) -> int:
    """The first number in a text."""
    found = _NUMBER.search(words)
    assert found is not None, words
    return int(found.group().replace(",", ""))


def surfaces(history: History, verdict: PartitionVerdict) -> Iterator[tuple[str, int]]:
    """(surface, records lost) for each surface that says how many records a partition lost in all."""
    trace, run = history.trace, Run("run", None, history, verdict)
    whole = Verdict((verdict,), verdict.findings)
    rows = dict(ledger(alone("run", run)))
    committed, acknowledged = (rows[name][0] for name in ("committed, then gone", "acknowledged, then gone"))
    lost = [one for one in verdict.losses if one.severity is Severity.LOSS]
    if lost and all(one.loss_class.value == "committed" for one in lost):
        yield "ledger", first_number(committed)
    elif lost and all(one.loss_class.value == "acknowledged" for one in lost):
        yield "ledger", first_number(acknowledged)
    words, role = verdict_words(run)
    if lost and any(sign.isdigit() for sign in words.split(" lost")[0]) and " record" in words:
        yield "title", first_number(words)
        yield "figure", first_number(timeline_words(_view(history, verdict)).title.split(": ", 1)[-1])
    assert (role == "loss") == bool(lost or verdict.divergences)
    (summary,) = triage(trace, whole).summaries
    yield "triage", summary.records_lost
    yield "marked range", marked_range(history, verdict, 0, len(trace)).records_lost
    yield "account", sum(loss.lost for one in incidents_of(trace, verdict) for loss in one.losses)
    pages = page_of(trace, whole).pages
    chips = [chip for one in pages for cause in one.causes for group in cause.groups for chip in group.chips]
    yield "incident page", sum(chip.lost for chip in chips)
    if lost and not is_compacted(trace, verdict.partition):
        fields = [field for one in incidents_of(trace, verdict) for field in account(trace, one)]
        told = [
            value.number
            for field in fields
            for line in field.lines
            if line.id == "incident.totals.lost"
            for _, value in line.values
            if isinstance(value, Count | AtLeast)
        ]
        yield "check", sum(told)
    answer = json.loads(json.dumps(check_dict(trace, whole, text)))
    ranges = [row for one in answer["incidents"] for loss in one["losses"] for row in loss["ranges"]]
    yield "JSON", sum(row["end_offset"] - row["first_offset"] for row in ranges if row["lost"])
    told = [
        value.number
        for sentence in tell(history, verdict).summary
        if sentence.id in ("story.lost", "story.lost.unknown-cause", "story.lost.offsets")
        for _, value in sentence.values
        if isinstance(value, Count | AtLeast)
    ]
    yield "explain", sum(told)
    told_lines = timeline_text(history, verdict).splitlines()
    lines = [line for line in told_lines if line.lstrip().startswith("LOST")]
    spans = [_SPAN.search(line) for line in lines if "possibly offsets" not in line]
    yield "text", sum(int(span.group(2)) - int(span.group(1)) for span in spans if span is not None)


def wrong_pills(history: History, verdict: PartitionVerdict) -> list[str]:
    """Pills on cuts, and titles of the inspector, that say another number than the losses of their cut."""
    of_cuts = {cut.truncation.seq: cut for cut in cuts_of(verdict) if cut.lost}
    content = alone("run", Run("run", None, history, verdict))
    bad: list[str] = []
    drawn = 0
    for mark in (mark for layer in lay_out(_view(history, verdict)).layers for mark in layer.marks):
        if not isinstance(mark, Sign) or mark.glyph is not Glyph.LOSS or mark.ref is None:
            continue
        if mark.label.startswith(("−", "≥")):
            drawn += 1
            expected = of_cuts[mark.ref.key]
            sign = "≥" if expected.lost_at_least else "−"
            if (mark.label[0], first_number(mark.label)) != (sign, expected.records_lost):
                bad.append(f"pill {mark.label}, {sign}{expected.records_lost} lost")
    if of_cuts and not drawn:
        bad.append("no pill")
    for seq, cut in of_cuts.items():
        told = explain(content, seq + 1, Ref("loss", 0, seq, cut.truncation.broker))
        if first_number(told.sections[0].title) != cut.records_lost:
            bad.append(f"inspector {told.sections[0].title}, {cut.records_lost} lost")
    return bad


def disagreements(history: History, verdict: PartitionVerdict) -> list[str]:
    """What surfaces say of a partition that is not what its losses say."""
    lost = records_by_hand(verdict, Severity.LOSS)
    bad = [f"{name} {number}, {lost} lost" for name, number in surfaces(history, verdict) if number != lost]
    (summary,) = triage(history.trace, Verdict((verdict,), verdict.findings)).summaries
    possible = records_by_hand(verdict, Severity.DANGER)
    of_account = sum(loss.possible for one in incidents_of(history.trace, verdict) for loss in one.losses)
    if {summary.records_possible, of_account} != {possible}:
        bad.append(f"triage {summary.records_possible}, account {of_account}, {possible} possibly lost")
    return bad + wrong_pills(history, verdict)


def _view(history: History, verdict: PartitionVerdict) -> TimelineView:
    """The whole time of a partition, wide."""
    return TimelineView(history, verdict, None, history_window(history), 1600, 900)
