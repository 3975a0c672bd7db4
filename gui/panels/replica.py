"""What the inspector says of a replica at the cursor, and what each bound of its log rests on."""

from collections.abc import Iterator
from typing import Final, cast

from core.compare.comparison import Run
from core.history.chain import Bound, because, step_message
from core.history.inference import RULES, Quantity, rules_of
from core.history.open import Opened, read_again
from core.history.state import Band, History, ReplicaState
from core.picture.marks import Ref
from core.picture.memo import Same, remembered
from core.trace.broker_names import broker_name
from core.trace.times import clock
from core.trace.trace import Origin
from gui.panels.explanation import Explanation, Section
from gui.terms import term
from gui.text.spoken import tr, worded
from gui.workspace.content import Content

FOLLOWED_AT_MOST: Final = 5_000
"""Events of a partition whose bounds are followed while a person waits: to narrow them again takes 30 ms."""


def explain_replica(content: Content, ref: Ref, position: int, where: str) -> Explanation:
    """The replica of a lane at a position: its state, and the lines that its bounds rest on."""
    run, cursor = content.runs[ref.run], content.cursors(position)[ref.run]
    state = run.history.at(cursor).replica(ref.broker)
    badge = tr("explain.run", run=ref.run + 1) if len(content.runs) > 1 else ""
    section, chains = _state(run, ref, state, badge), _chains(run, state, cursor)
    if not chains:
        return Explanation(tr("explain.replica"), where, (section,))
    lines = tuple(line for chain in chains for line in _lines(run, chain))
    seqs = dict.fromkeys(seq for chain in chains for step in reversed(chain) for seq in step.seqs)
    rests_on = Section(tr("replica.rests-on"), badge, sentences=lines, run=ref.run, evidence=tuple(seqs))
    evidence = tuple((ref.run, seq) for seq in seqs)
    return Explanation(tr("explain.replica"), where, (section, rests_on), (), evidence)


def _state(run: Run, ref: Ref, state: ReplicaState, badge: str) -> Section:
    member = {
        True: tr("explain.in-the-isr"),
        False: tr("explain.not-in-the-isr"),
        None: tr("explain.isr-unknown"),
    }[state.in_isr]
    facts = [
        (tr("explain.leader-epoch"), term("unknown") if state.epoch is None else str(state.epoch)),
        (tr("explain.log-start"), str(state.log_start)),
        *(((tr("explain.local-start"), str(state.local_start)),) if state.local_start is not None else ()),
        (tr("explain.log-end-of-lane"), str(state.leo)),
        *_inferred(tr("explain.log-end-by"), state.leo),
        (tr("explain.high-watermark"), str(state.hw)),
        *_inferred(tr("explain.high-watermark-by"), state.hw),
    ]
    if run.history.replicas[ref.broker].has_transactions:
        facts.append((tr("explain.last-stable-offset"), str(state.lso)))
    if state.epochs is not None:
        cache = ", ".join(f"({epoch}, {start})" for epoch, start in state.epochs)
        facts.append((tr("explain.epoch-cache"), cache or term("empty")))
    return Section(
        title=broker_name(run.history.trace, ref.broker),
        badge=badge,
        aside=run.title if badge else "",
        sentences=(tr("explain.role-and-set", role=term(str(state.role)).capitalize(), member=member),),
        facts=tuple(facts),
        certainty=term(str(state.leo.basis.name).lower()),
        run=ref.run,
    )


def _inferred(title: str, band: Band) -> Iterator[tuple[str, str]]:
    """The rules of inference that set the bounds of a band, as a fact; none where a line states the value."""
    rules = [worded(RULES[one].says) for one in rules_of(band) if not RULES[one].always]
    if rules:
        yield title, "; ".join(rules)


def _chains(run: Run, state: ReplicaState, cursor: int) -> tuple[tuple[Bound, ...], ...]:
    """What the bounds of both values rest on; () in a simulation, and in a partition of very many events."""
    if run.history.trace.origin == Origin.SIMULATED or len(run.history.seqs) > FOLLOWED_AT_MOST:
        return ()
    opened = _opened(Same((run.history,), None))
    return (
        *because(opened, state.broker, Quantity.LOG_END, cursor, state.leo),
        *because(opened, state.broker, Quantity.HIGH_WATERMARK, cursor, state.hw),
    )


@remembered
def _opened(same: Same[None]) -> Opened:
    return read_again(cast("History", same.objects[0]))


def _lines(run: Run, chain: tuple[Bound, ...]) -> Iterator[str]:
    """Each step as a line; one that stands at another moment than the bound itself says when."""
    trace = run.history.trace
    for step in chain:
        line = worded(step_message(trace, step))
        arrow = "" if step is chain[0] else "\u2190 "
        at = run.history.time_of(step.cursor) if step.cursor != chain[0].cursor else None
        yield f"{arrow}{line}" if at is None else f"{arrow}{clock(at)}  {line}"
