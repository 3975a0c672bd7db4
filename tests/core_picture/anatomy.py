"""One small picture for each state of the visual design's lane anatomy, built by hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from core.diagnose.verdict.facts import (
    Divergence,
    Leadership,
    Loss,
    LossClass,
    PartitionVerdict,
    Severity,
    Truncation,
)
from core.history.state import UNKNOWN_BAND, Band, EpochRun, Role
from core.message import Message
from core.picture.marks import Picture
from core.picture.notes import PlacedNote
from core.picture.timeline import TimelineView, lay_out
from core.trace.trace import Origin
from core.trace.vocabulary import Basis
from tests.core_picture.conftest import MS, Tape, between, exact, fetch, log

END = 1000
NOTHING = PartitionVerdict(0)


@dataclass(frozen=True)
class State:
    """A state: how it comes about, and what must be found in the text of its picture."""

    tape: Callable[[], Tape]
    expected: tuple[str, ...]
    absent: tuple[str, ...] = ()
    verdict: PartitionVerdict = NOTHING
    notes: tuple[PlacedNote, ...] = ()
    height: float = 180.0


def alone(**given: Any) -> Tape:
    """One broker whose state is `given` from the start, with a line at 0 and at 1000 ms."""
    tape = Tape({1: ""}, given.pop("origin", Origin.IMPORTED))
    tape.start(1, **given)
    tape.event(0, "broker_started", broker=1, replica=1)
    return tape


def ended(tape: Tape) -> Tape:
    """The same with a last line, so that every lane has the same width."""
    tape.event(END, "broker_started", broker=1, replica=1)
    return tape


def still(**given: Any) -> Callable[[], Tape]:
    """A lane in which nothing changes."""
    return lambda: ended(alone(**given))


def then(kind: str, columns: dict[str, Any], changes: dict[str, Any], **given: Any) -> Callable[[], Tape]:
    """A lane in which one event at 500 ms changes something."""

    def make() -> Tape:
        tape = alone(**given)
        tape.event(500, kind, broker=1, replica=1, **columns)
        tape.now(1, **changes)
        return ended(tape)

    return make


def shared_then(leader: int, epoch: int) -> Callable[[], Tape]:
    """A lane in which a leader is elected at 500 ms."""

    def make() -> Tape:
        tape = alone(role=Role.FOLLOWER)
        tape.event(500, "leader_elected", broker=1, leader=leader, epoch=epoch)
        tape.all_now(leader=leader, leader_epoch=epoch)
        return ended(tape)

    return make


def pair(*, answered: bool, parked: bool = False) -> Callable[[], Tape]:
    """Two simulated brokers, one fetch."""

    def make() -> Tape:
        tape = Tape({1: "", 2: ""})
        tape.start(1, role=Role.LEADER)
        tape.start(2, role=Role.FOLLOWER)
        fetch(tape, 10, 0, answered=answered)
        if parked:
            tape.event(12, "fetch_parked", broker=1, replica=2, leader=1, offset=0)
            tape.event(500, "fetch_answered", broker=1, replica=2, leader=1, from_offset=0, offset=1)
            tape.event(501, "fetch_delivered", broker=2, replica=2, leader=1, from_offset=0, offset=1)
        return ended(tape)

    return make


def unanswered() -> Tape:
    """Two simulated brokers, a fetch that never arrives."""
    tape = Tape({1: "", 2: ""})
    tape.start(1, role=Role.LEADER)
    tape.start(2, role=Role.FOLLOWER)
    tape.event(10, "fetch_sent", broker=2, replica=2, leader=1, offset=0)
    return ended(tape)


def cut(kind: str = "plain") -> tuple[Callable[[], Tape], PartitionVerdict]:
    """A truncation 45 to 30 at 500 ms: plain, with a proven loss, or with a possible one."""
    tape = then("truncated", {"offset": 30}, {"leo": exact(30), "hw": exact(30)}, leo=exact(45), hw=exact(30))
    made = Truncation(1, 1, 500 * MS, 45, 30, "leader-epoch", False, Basis.OBSERVED)
    verdict = PartitionVerdict(0, truncations=(made,))
    if kind != "plain":
        proven = kind == "loss"
        loss = Loss(
            1, 30, 45, 0, (1,), (),
            LossClass.COMMITTED if proven else LossClass.POSSIBLY_ACKNOWLEDGED,
            "unclean-election", 500 * MS, Message("a.loss"), Severity.LOSS if proven else Severity.DANGER,
        )  # fmt: skip
        verdict = replace(verdict, losses=(loss,))
    return tape, verdict


def elected(how: str) -> PartitionVerdict:
    """The verdict on the election of `shared_then`."""
    return PartitionVerdict(0, leadership=(Leadership(1, 1, 0, 500 * MS, None, how, Basis.OBSERVED),))


E0, E1 = EpochRun(0, 0, 30), EpochRun(1, 30, 45)
FULL: dict[str, Any] = {
    "role": Role.FOLLOWER,
    "leo": exact(45),
    "hw": exact(45),
    "runs": (EpochRun(0, 0, 45),),
}

STATES: dict[str, State] = {
    "leader": State(
        still(role=Role.LEADER, epoch=1),
        (" e1 edge e1.edge  = event: broker 1 leader · epoch 1", '"leader · epoch 1" e1.ink'),
    ),
    "follower": State(still(role=Role.FOLLOWER, epoch=1), ("e1 20%", '"follower · epoch 1" text.2')),
    "starting": State(
        still(role=Role.STARTING), ("edge line.edge dashed  = event: broker 1 starting",), ('"starting"',)
    ),
    "offline": State(still(role=Role.OFFLINE, alive=False), ("offline 12%", '"offline" text.2')),
    "unknown role": State(still(role=Role.UNKNOWN), ("edge unknown dashed", '"unknown" text.2')),
    "crash": State(
        then("broker_crashed", {}, {"role": Role.OFFLINE, "alive": False}, role=Role.LEADER),
        ("crash text  = event: broker 1 went offline", '"crashed"'),
    ),
    "clean stop": State(
        then("broker_stopped", {}, {"role": Role.OFFLINE, "alive": False}, role=Role.LEADER),
        ("stop text  = event: broker 1 stopped", '"stopped"'),
    ),
    "start": State(
        then("broker_started", {}, {"role": Role.FOLLOWER}, role=Role.OFFLINE),
        ("start text  = event: broker 1 started",),
    ),
    "in the ISR": State(still(role=Role.LEADER, in_isr=True), ("x4 text.2",)),
    "not in the ISR": State(still(role=Role.LEADER, in_isr=False), ("line.strong",), ("x4 text.2",)),
    "left the ISR": State(
        then("fetcher_removed", {}, {"in_isr": False}, role=Role.FOLLOWER),
        ("ISR shrank text.2  = event: broker 1 left the in-sync replicas",),
    ),
    "joined the ISR": State(
        then("fetcher_removed", {}, {"in_isr": True}, role=Role.FOLLOWER, in_isr=False),
        ("ISR grew text.2  = event: broker 1 joined the in-sync replicas",),
    ),
    "committed": State(still(**FULL), ("e0.committed",), ("e0.open",)),
    "not yet committed": State(
        still(**{**FULL, "hw": exact(30)}), ("e0.committed", "e0.open", "hatch", "e0 55%")
    ),
    "two epochs": State(
        still(**{**FULL, "runs": (E0, E1)}), ("e0.committed", "e1.committed", '"e0" text', '"e1" text')
    ),
    "log end bounded": State(
        still(**{**FULL, "leo": between(30, 45), "hw": exact(20)}),
        ("leo 6%", '"log end 30–45"', "line.edge 1px dashed"),
        (" leo 2px", " leo 1px"),
    ),
    "high watermark bounded": State(
        still(**{**FULL, "hw": between(20, 30)}),
        ("hw 15%", '"HW 20–30"', "hw 1px dashed"),
        (" hw 2px",),
    ),
    "on the disk only": State(
        still(**{**FULL, "role": Role.OFFLINE}),
        ("e0.committed 38%", "leo 1.4px dashed", '"log end 45 stays on the disk"'),
    ),
    "unknown": State(
        still(role=Role.FOLLOWER, leo=UNKNOWN_BAND, hw=UNKNOWN_BAND),
        ('"unknown" text.2 on a plate', "hatch"),
        (" leo ", " hw "),
    ),
    "cut with loss": State(
        cut("loss")[0],
        (
            "loss 16%",
            'loss "−15" loss  = loss',
            "30–44 gone from every replica",
            "cut 45 → 30 to the epoch's end on the leader",
        ),
        verdict=cut("loss")[1],
        height=260.0,
    ),
    "cut as designed": State(
        cut()[0], ("edge text  = truncation", '"cut 45 → 30" text'), (" loss",), verdict=cut()[1]
    ),
    "possible loss": State(
        cut("possible")[0], ("possible loss loss", "edge loss"), ("loss 16%",), verdict=cut("possible")[1]
    ),
    "high watermark above the log end": State(
        still(**{**FULL, "leo": exact(30), "runs": (E0,)}), ("hw 80%", " hw 2px", " leo 2px")
    ),
    "observed": State(
        then("hw_sample", {"hw": 45}, {}, **FULL),
        ("observed hw  = event: broker 1 says: high watermark of broker 1 is 45",),
    ),
    "derived": State(still(**{**FULL, "leo": Band(45, 45, Basis.DERIVED)}), (" leo 1px",), (" leo 2px",)),
    "inferred": State(still(**{**FULL, "leo": Band(45, 45, Basis.INFERRED)}), (" leo 1.4px dashed",)),
    "gap in evidence": State(then("evidence_gap", {"aux": 10}, {}, **FULL), ("evidence gap unknown",)),
    "election": State(
        shared_then(1, 1),
        ('election "e1" text  = event: election of broker 1, epoch 1',),
        verdict=elected("clean"),
    ),
    "unclean election": State(
        shared_then(1, 1),
        ('unclean election "e1"', "text 1px dashed  = event: epoch 1: broker 1 leads"),
        verdict=elected("unclean"),
    ),
    "no leader": State(shared_then(-1, 1), ("dashed  = event: epoch 1: no leader",), ('election "e1"',)),
    "high watermark rose": State(
        then("hw_sample", {"hw": 45}, {"hw": exact(45)}, **{**FULL, "hw": exact(30), "role": Role.LEADER}),
        ("high watermark rose hw", '"HW 45" hw'),
    ),
    "high watermark moved back": State(
        then("hw_sample", {"hw": 30}, {"hw": exact(30)}, **FULL),
        ("high watermark moved back hw  = event: broker 1 moved its high watermark back from 45 to 30",),
    ),
    "acknowledged by one": State(
        then("acknowledged", {"offset": 45, "aux": 1}, {}, **FULL), ("acknowledged, acks=1 text", '"acked"')
    ),
    "acknowledged by all": State(
        then("acknowledged", {"offset": 45, "aux": -1}, {}, **FULL), ("acknowledged, acks=all text",)
    ),
    "divergence": State(
        still(**FULL),
        ("divergence loss  = event: broker 1 and broker 2 hold different records at 30–34",),
        verdict=PartitionVerdict(0, divergences=(Divergence((1, 2), 30, 35, Basis.OBSERVED, (1,)),)),
    ),
    "note": State(
        still(**FULL),
        ('note "1" note  = note: note 1: the disk was full', "note 1px dashed"),
        notes=(PlacedNote(1, 1, "the disk was full"),),
    ),
    "message": State(
        pair(answered=True),
        (
            "arrow  = event: broker 2 fetches at offset 0 from broker 1",
            "arrow  = event: broker 1 answers broker 2",
        ),
        height=320.0,
    ),
    "message lost": State(
        unanswered,
        ("text.2 1.1px dashed  = event: broker 2 fetches at offset 0 from broker 1; it never arrives",),
        height=320.0,
    ),
    "fetch parked": State(
        pair(answered=False, parked=True), ("text.3 55%  = event: broker 1 parks the fetch",), height=320.0
    ),
    "records named": State(
        still(origin=Origin.SIMULATED, role=Role.LEADER, leo=exact(2), hw=exact(1), runs=log("m0", "m1")),
        ('"m1" text on a plate',),
        ('"m0"',),
    ),
}


def picture_of(state: State) -> Picture:
    """The state's picture, without overview and cursor."""
    tape = state.tape()
    history = tape.history("anatomy")
    view = TimelineView(
        history, state.verdict, None, (-100 * MS, (END + 100) * MS), 640, state.height,
        notes=state.notes, with_overview=False,
    )  # fmt: skip
    return lay_out(view)
