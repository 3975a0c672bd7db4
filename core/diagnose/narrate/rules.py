"""Which rules hold where an event is, as sentences cite them: by the switches of a run, else by releases."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from core.diagnose.narrate.holds import is_newer
from core.diagnose.narrate.scene import Scene
from core.diagnose.narrate.values import is_simulated
from core.diagnose.verdict.case import Case
from core.errors import QuestionError
from core.history.running import is_mixed, metadata_version, rules_over_time
from core.kafka.eras import era, with_switches
from core.kafka.protocols import under_metadata_version
from core.kafka.switches import Switches
from core.message import Listing, Message, message


def run_switches(scene: Scene) -> Switches | None:
    """The switches of a simulated run; None for logs, and for a run of an era that is not known."""
    if not is_simulated(scene.case):
        return None
    trace = scene.case.history.trace
    version = metadata_version(trace, scene.row.at)
    return _switches(trace.facts.get("era", ""), trace.facts.get("switches", ""), version)


@lru_cache(maxsize=32)
def _switches(era_id: str, overrides: str, version: str) -> Switches | None:
    pairs = (text.partition("=") for text in overrides.split(",") if text)
    try:
        base = with_switches(era(era_id), {name: value for name, _, value in pairs})
        return under_metadata_version(base, version).switches
    except QuestionError:
        return None


def answers_a_rise(scene: Scene) -> bool:
    """Whether a rise of the high watermark completes a parked fetch: in 2.4 and 2.5 alone (KIP-392)."""
    rules = run_switches(scene)
    if rules is not None:
        return rules.hw_sending == "when-behind"
    view, leader, at = scene.case.view, scene.row.broker, scene.row.seq
    return view.since(leader, 2, 4, at=at) and view.before(leader, 2, 6, at=at)


def answers_after(scene: Scene) -> bool:
    """Whether an answer carries the high watermark from after its own fetch: in the articles alone."""
    rules = run_switches(scene)
    return rules is not None and rules.fetch_answer_hw == "after"


def eligible_may_lead(scene: Scene) -> bool:
    """Whether replicas outside of the in-sync set may lead by ELR (KIP-966)."""
    rules = run_switches(scene)
    if rules is not None:
        return rules.eligible_leaders == "on" and rules.controller == "kraft"
    return is_newer(scene, 4, 0)


def shows_the_log_end(scene: Scene) -> bool:
    """Whether consumers see records above the high watermark: in no release."""
    rules = run_switches(scene)
    return rules is not None and rules.visible == "log-end"


def fetches_name_epochs(scene: Scene) -> bool:
    """Whether a fetch names its follower's last epoch, which a leader may not know (KIP-595)."""
    rules = run_switches(scene)
    if rules is not None:
        return (_of_broker(scene) or rules).truncation == "fetch-divergence"
    return scene.case.view.since(scene.row.replica, 2, 8, at=scene.row.seq)


def _of_broker(scene: Scene) -> Switches | None:
    """The switches of the replica's broker then, in a run whose brokers have rules of their own."""
    trace, row = scene.case.history.trace, scene.row
    broker = next((one for one in trace.brokers if int(one.broker_id) == row.replica), None)
    if broker is None or not is_mixed(trace):
        return None
    began = [era for at, era in rules_over_time(trace, broker) if at <= row.at]
    return began[-1].switches if began and began[-1] is not None else None


def carries_epochs(scene: Scene) -> bool:
    """Whether a log that moves to another directory takes its epoch cache along: in no release."""
    rules = run_switches(scene)
    return rules is not None and rules.directory_move == "epochs-carried"


_ALWAYS: Final = ((), (99,))
_SPANS: Final[Mapping[str, tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]]] = {
    "why.since.parked": (((), (2, 4)), ((2, 6), (99,))),
    "why.since.parked.woken": (((2, 4), (2, 6)),),
    "why.since.epochs": (((0, 11), (99,)),),
    "why.since.idempotence": (((0, 11), (99,)),),
    "why.since.sequence": (((0, 11), (99,)),),
    "why.since.duplicate": (((1,), (99,)),),
    "why.since.watermark.cut": (((2, 4), (99,)),),
    "why.since.kraft": (((2, 8), (99,)),),
    "why.since.topic-ids": (((2, 8), (99,)),),
    "why.since.diverging-epoch": (((2, 8), (99,)),),
    "why.since.epoch-end": (((0, 11), (4,)),),
    "why.since.zookeeper": (((), (4,)),),
    "why.since.elr": (((4,), (99,)),),
}
"""By the sentence on releases: from which release on, and before which one. The others leave none out."""


_SET_BY: Final[Mapping[str, str]] = {
    "why.since.cut.high-watermark": "truncation=high-watermark",
    "why.since.cut.leader-end": "out-of-range=cut",
    "why.since.epoch-end": "truncation=epoch-request",
    "why.since.diverging-epoch": "truncation=fetch-divergence",
    "why.since.watermark.cut": "hw-after-cut=lowered",
    "why.since.parked": "hw-sending=with-data",
    "why.since.parked.woken": "hw-sending=when-behind",
    "why.since.answer": "fetch-answer-hw=before",
    "why.since.elr": "eligible-leaders=on",
    "why.since.kraft": "controller=kraft",
    "why.since.zookeeper": "controller=zookeeper",
}
"""By the sentence on releases: the value of the switch with which a run has that rule, in any release.

What no release has is told by a sentence of its own.
"""


def since_here(scene: Scene, since: Message | None) -> Message | None:
    """The releases of a rule, as far as they leave in the release of the broker that the event is about.

    Where the switch of that rule was set by hand, that is said instead. Where the release is left out and
    others were set, these; of logs nothing is.
    """
    switches = switches_set(scene.case)
    of_the_rule = None if since is None else _SET_BY.get(since.id)
    if of_the_rule in switches:
        return message("why.since.set", switches=Listing((of_the_rule,)))
    view, row = scene.case.view, scene.row
    release = max(view.releases(row.replica, row.seq) or view.versions.values(), default=())
    spans = _SPANS.get("" if since is None else since.id, (_ALWAYS,))
    if not release or any(first <= release < end for first, end in spans):
        return since
    return message("why.since.set", switches=Listing(switches)) if switches else None


def switches_set(case: Case) -> tuple[str, ...]:
    """The switches of a simulated run that were set by hand, each as name=value; none of logs."""
    return tuple(filter(None, case.history.trace.facts.get("switches", "").split(",")))
