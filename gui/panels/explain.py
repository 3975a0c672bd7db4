"""What the inspector says at a position, as values: no Qt, so that it can be read, copied and tested."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, cast

from core.compare.comparison import Comparison, Difference, Run
from core.diagnose.narrate.why import Why, why
from core.diagnose.verdict.counted import LostPart, amount_of, sums_of
from core.history.state import PartitionState, ReplicaState, Role
from core.message import Names, message
from core.picture.cuts import cuts_of
from core.picture.lane import offset_range
from core.picture.marks import Ref
from core.picture.memo import Same, keeping, remembered
from core.picture.ruler import stop_words
from core.trace.broker_names import broker_name
from core.trace.times import clock, moment_words, virtual_time
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NAME
from gui.panels.causes import cause_texts
from gui.panels.cell_life import explain_cell
from gui.panels.claims import explain_finding, loss_title, possibly_lost
from gui.panels.explanation import Explanation, Section, Table
from gui.panels.replica import explain_replica
from gui.panels.x_ray import XRayShown, x_ray_of
from gui.terms import counted, term
from gui.text.spoken import language, tr, worded
from gui.workspace.content import Content
from gui.workspace.pinned import BOOKMARK, PinnedNote
from gui.workspace.script_lines import script_lines

_WEIGHT: Final = {
    name: weight
    for weight, names in enumerate(
        (
            ("truncated", "log_reset"),
            ("truncation_decided", "truncation_noop", "truncation_not_needed", "fetch_diverged"),
            ("leader_elected", "leaderless"),
            ("broker_crashed", "broker_stopped", "broker_frozen", "broker_exited", "session_expired"),
            ("broker_started", "broker_thawed", "unclean_restart_detected"),
            ("became_leader", "became_follower"),
            ("isr_committed", "isr_shrink_proposed", "isr_expand_proposed"),
            ("acknowledged", "produce_failed", "appended", "epoch_end_answered", "fetch_failed"),
            ("hw_moved", "fetch_answered", "follower_leo_recorded", "epoch_assigned", "fetch_parked"),
        ),
    )
    for name in names
}
"""Where several events happen at one position, the one that is told is the first of these."""
_DIGITS: Final = re.compile(r"(\d+)")
RECORDS_LOST: Final = "explain.records-lost"
"""Committed or acknowledged ones: what "lost" means everywhere."""


def place_label(content: Content, position: int) -> tuple[str, str]:
    """Where the cursor is, and what that place is called: "step 8 of 13" and "B starts, 2 of 3"."""
    comparison, tied = content.comparison, content.tied_at(position)
    within = tr("explain.which-of", place=tied.passed, size=tied.size) if tied.size > 1 else ""
    if comparison is None:
        history = content.runs[0].history
        at = history.time_of(content.cursors(position)[0])
        simulated = history.trace.origin == Origin.SIMULATED
        when = tr("explain.before-everything") if at is None else virtual_time(at) if simulated else clock(at)
        return (
            tr("explain.position", position=position, last=content.last),
            ", ".join(part for part in (when, within) if part),
        )
    # The beginning is no step.
    steps = [place for place in content.landmarks.get("anchor", ()) if place > 0]
    done = bisect_right(steps, position)
    name = stop_words(comparison.stops[position - tied.passed + 1].label)
    return (
        tr("explain.step-of", done=done, steps=len(steps))
        if comparison.axis == "script"
        else tr("explain.landmark-of", done=done, steps=len(steps))
    ), ", ".join(part for part in (name, within) if part)


def explain(
    content: Content, position: int, selection: Ref | None, notes: tuple[PinnedNote, ...] = ()
) -> Explanation:
    """What is known of the selection, or else of what happened on arriving at a position.

    Remembered for the last few: a step asks for each panel.
    """
    return _explained(Same((content, notes), notes), position, selection, language())


@remembered
def _explained(
    same: Same[tuple[PinnedNote, ...]], position: int, selection: Ref | None, _language: str
) -> Explanation:
    content, notes = cast("Content", same.objects[0]), same.value
    where = place_label(content, position)[0]
    if selection is not None:
        chosen = _of_selection(content, selection, notes, position)
        if chosen is not None:
            return chosen
    comparison = content.comparison
    if comparison is not None:
        for place, difference in enumerate(comparison.differences):
            if difference.stop == position:
                return _of_difference(content, comparison, place, difference, where)
    told = [
        (run, _telling(content, run, before, now))
        for run, before, now in content.moved(position)
        if content.seqs_at(run, before, now)
    ]
    sections = [_of_event(content, run, seq + 1) for run, seq in told]
    if not sections:
        sections = [_of_event(content, 0, content.cursors(position)[0])]
    merged = _merged(tuple(sections), len(content.runs))
    return Explanation(
        tr("actions.inspector"),
        where,
        merged,
        _tables(content, position),
        _evidence_of(merged),
        _x_rays(content, told),
    )


def _x_rays(content: Content, told: Iterable[tuple[int, int | None]]) -> tuple[XRayShown, ...]:
    """Of each cut among events, as (run, seq)."""
    shown = (x_ray_of(content.runs[run], seq, _badge(content, run)) for run, seq in told if seq is not None)
    return tuple(one for one in shown if one is not None)


def _telling(content: Content, run: int, before: int, now: int) -> int:
    """The event of a position that is told first."""
    kinds = content.runs[run].history.trace.columns["kind"]
    seqs = content.seqs_at(run, before, now)
    # The last one of the weightiest kind: it is the one whose effect stands now.
    return min(seqs, key=lambda seq: (_WEIGHT.get(NAME[int(kinds[seq])], 99), -seq))


def _badge(content: Content, run: int) -> str:
    return tr("explain.run", run=run + 1) if len(content.runs) > 1 else ""


def _of_event(content: Content, run: int, cursor: int) -> Section:
    shown = content.runs[run]
    told = _asked(shown, cursor)
    title = worded(told.title)
    return Section(
        title=title,
        badge=_badge(content, run),
        aside=shown.title if len(content.runs) > 1 else _moment(shown, cursor),
        sentences=_beside(title, told),
        facts=_shown_facts(told),
        rule=_rule_line(told),
        certainty=term(str(told.basis.name).lower()),
        run=run,
        evidence=told.evidence,
    )


def _asked(shown: Run, cursor: int) -> Why:
    return why(shown.history, shown.verdict, cursor, script_lines(shown.history.trace, language()))


def _beside(title: str, told: Why) -> tuple[str, ...]:
    """The sentences that say more than the title."""
    return tuple(line for line in map(worded, told.sentences) if line.rstrip(".") != title)


def _shown_facts(told: Why) -> tuple[tuple[str, str], ...]:
    """Its facts without the time, which stands beside the title, nor what the log end says already."""
    repeated = {"at"}
    if any(name == "LEO" for name, _ in told.facts):
        repeated |= {"offset", "from offset", "log end offset"}
    if any(name == "HW" for name, _ in told.facts):
        repeated.add("high watermark")
    return tuple((term(name), value) for name, value in told.facts if name not in repeated)


def _rule_line(told: Why) -> str:
    if told.rule is None:
        return ""
    if told.since is None:
        return worded(told.rule)
    return worded(message("why.rule-since", rule=told.rule, since=told.since))


def _moment(run: Run, cursor: int) -> str:
    at = run.history.time_of(cursor)
    if at is None:
        return ""
    return moment_words(at, simulated=run.history.trace.origin == Origin.SIMULATED)


def _merged(sections: tuple[Section, ...], runs: int) -> tuple[Section, ...]:
    """Runs in which the same happened are told once."""
    if runs < 2 or len(sections) < 2:
        return sections
    groups: list[list[Section]] = []
    for section in sections:
        for group in groups:
            if (group[0].title, group[0].sentences, group[0].facts) == (
                section.title,
                section.sentences,
                section.facts,
            ):
                group.append(section)
                break
        else:
            groups.append([section])
    merged: list[Section] = []
    for group in groups:
        first = group[0]
        if len(group) > 1:
            names = [str(section.run + 1) for section in group]
            badge = (
                tr("explain.all-runs")
                if len(group) == runs
                else tr("explain.runs-and", runs=Names(tuple(names)))
            )
            first = Section(
                first.title,
                badge,
                "",
                first.sentences,
                first.facts,
                first.rule,
                first.certainty,
                first.run,
                first.evidence,
            )
        merged.append(first)
    return tuple(merged)


def _evidence_of(sections: tuple[Section, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((section.run, seq) for section in sections for seq in section.evidence)


def _of_difference(
    content: Content, comparison: Comparison, place: int, difference: Difference, where: str
) -> Explanation:
    left, right = difference.runs
    texts = {left: difference.left, right: difference.right}
    cursors = comparison.stops[difference.stop].cursors
    cards: list[Section] = []
    for run, shown in enumerate(content.runs):
        seq = difference.seqs[difference.runs.index(run)] if run in texts else None
        told = _asked(shown, cursors[run] if seq is None else seq + 1)
        title = worded(texts.get(run, told.title))
        rule = _rule_line(told) or ("" if shown.rule is None else worded(shown.rule))
        cards.append(
            Section(
                title,
                _badge(content, run),
                shown.title,
                _beside(title, told),
                _shown_facts(told),
                rule,
                "",
                run,
                told.evidence,
            )
        )
    head = (
        tr("explain.first-difference")
        if place == 0
        else tr("explain.difference-of", place=place + 1, count=len(comparison.differences))
    )
    question = Section(worded(difference.decision))
    tables = _tables(content, difference.stop)
    causes = (Section(one, sentences=lines) for one, lines in cause_texts(comparison, difference))
    sections = (question, *cards, *causes)
    cuts = _x_rays(content, zip(difference.runs, difference.seqs, strict=True))
    return Explanation(head, where, sections, tables, _evidence_of(tuple(cards)), cuts)


def _tables(content: Content, position: int) -> tuple[Table, ...]:
    tables = (_remembered(content, position),)
    if content.comparison is not None:
        tables = (_consequences(content), *tables)
    return tuple(table for table in tables if table.rows)


def _consequences(content: Content) -> Table:
    """What follows until the end, run by run."""
    runs = content.runs

    def lost(run: Run) -> str:
        sums = sums_of(run.verdict)
        return counted(sums.lost, at_least=sums.lost_at_least)

    def cut(run: Run) -> str:
        return str(len(run.verdict.truncations))

    def agree(run: Run) -> str:
        return term("no") if run.verdict.divergences else term("yes")

    def log_end(run: Run) -> str:
        ends = dict.fromkeys(str(replica.leo) for replica in run.verdict.final)
        return ", ".join(ends) or "?"

    def election(run: Run) -> str:
        led = [spell for spell in run.verdict.leadership if spell.leader >= 0]
        return term(led[-1].election) if len(led) > 1 else term("none")

    questions = (
        (tr(RECORDS_LOST), lost),
        (tr("explain.logs-cut"), cut),
        (tr("explain.replicas-agree-at-the-end"), agree),
        (tr("explain.log-end-at-the-end"), log_end),
        (tr("explain.last-election"), election),
    )
    head = tuple(tr("explain.run", run=run + 1) for run in range(len(runs)))
    return Table(
        tr("explain.what-follows"),
        head,
        tuple((text, *(ask(run) for run in runs)) for text, ask in questions),
    )


def _remembered(content: Content, position: int) -> Table:
    """The remote log end offsets that each leader remembers at a position."""
    rows: dict[str, list[str]] = {}
    cursors = content.cursors(position)
    for place, (run, cursor) in enumerate(zip(content.runs, cursors, strict=True)):
        state = run.history.at(cursor)
        for text, value in _remote_rows(run, state):
            rows.setdefault(text, ["–"] * len(content.runs))[place] = value
    head = (
        tuple(tr("explain.run", run=run + 1) for run in range(len(content.runs)))
        if len(content.runs) > 1
        else (tr("explain.log-end"),)
    )
    told = sorted(rows.items(), key=lambda row: _by_number(row[0]))
    return Table(
        tr("explain.what-the-leader-remembers"), head, tuple((text, *values) for text, values in told)
    )


def _by_number(text: str) -> list[str | int]:
    """A key that puts broker 2 before broker 10."""
    return [int(part) if part.isdigit() else part for part in _DIGITS.split(text)]


def _remote_rows(run: Run, state: PartitionState) -> list[tuple[str, str]]:
    trace = run.history.trace
    leaders = [leader for leader in state.replicas if leader.role is Role.LEADER]
    told = [_remote_of(Same((trace, leader), (trace, leader)), language()) for leader in leaders]
    return [row for rows in told for row in rows]


@keeping(16)
def _remote_of(same: Same[tuple[Trace, ReplicaState]], _language: str) -> tuple[tuple[str, str], ...]:
    """What a leader remembers of each follower; it stays for most steps."""
    trace, leader = same.value
    return tuple(
        (
            tr(
                "explain.leader-and-follower",
                leader=broker_name(trace, leader.broker),
                follower=broker_name(trace, follower),
            ),
            term("unknown") if end is None else str(end),
        )
        for follower, end in leader.remote
    )


def _of_selection(
    content: Content,
    ref: Ref,
    notes: tuple[PinnedNote, ...],
    position: int,
) -> Explanation | None:
    where = place_label(content, position)[0]
    if not 0 <= ref.run < len(content.runs):
        return None
    if ref.kind == "note":
        note = next((note for note in notes if note.key == ref.key), None)
        if note is None:
            return None
        anchored = "" if note.cursor is not None else tr("explain.its-place-is-not-in-what")
        name = tr("explain.bookmark") if note.kind == BOOKMARK else tr("explain.note")
        section = Section(name, sentences=tuple(text for text in (note.text, anchored) if text))
        return Explanation(name, where, (section,))
    if ref.kind == "lane":
        return explain_replica(content, ref, position, where)
    told = {"finding": explain_finding, "cell": explain_cell, "loss": _of_loss}.get(ref.kind)
    if told is not None:
        return told(content, ref, where)
    if ref.kind in ("event", "truncation"):
        section = _of_event(content, ref.run, ref.key + 1)
        evidence = _evidence_of((section,)) or ((ref.run, ref.key),)
        cuts = _x_rays(content, ((ref.run, ref.key),))
        return Explanation(tr("explain.selected"), where, (section,), (), evidence, cuts)
    return None


def _of_loss(content: Content, ref: Ref, where: str) -> Explanation | None:
    run = content.runs[ref.run]
    cut = next((cut for cut in cuts_of(run.verdict) if cut.truncation.seq == ref.key), None)
    parts = (cut.lost or cut.possible) if cut is not None else ()
    if not parts:
        return None
    sections = [_of_part(content, ref.run, part) for part in parts]
    if len(parts) > 1:
        count = amount_of(parts)
        total = (
            tr("explain.records-lost-by-cut", count=count)
            if cut is not None and cut.lost
            else possibly_lost(count)
        )
        sections.insert(0, replace(sections[0], title=total, sentences=(), facts=()))
    cause = _of_event(content, ref.run, ref.key + 1)
    evidence = tuple(dict.fromkeys((*_evidence_of(tuple(sections)), *_evidence_of((cause,)))))
    cuts = _x_rays(content, ((ref.run, ref.key),))
    return Explanation(tr("explain.loss"), where, (*sections, cause), (), evidence, cuts)


def _of_part(content: Content, number: int, part: LostPart) -> Section:
    """What is lost of one leader epoch by one promise."""
    run, loss = content.runs[number], part.loss
    return Section(
        title=loss_title(loss, amount_of((part,))),
        badge=_badge(content, number),
        aside=run.title if len(content.runs) > 1 else "",
        sentences=(worded(loss.message),),
        facts=(
            (tr("explain.offsets"), offset_range(part.first_offset, part.end_offset)),
            (tr("explain.leader-epoch"), term("unknown") if loss.epoch is None else str(loss.epoch)),
            (tr("explain.removed-from"), _brokers(run, loss.removed_from)),
            (tr("explain.survives-on"), _brokers(run, loss.survives_on)),
            (tr("explain.cause"), term(loss.cause.replace("-", " "))),
        ),
        run=number,
        evidence=loss.evidence or (loss.seq,),
    )


def _brokers(run: Run, brokers: tuple[int, ...]) -> str:
    return ", ".join(broker_name(run.history.trace, broker) for broker in brokers) or term("none")
