"""Sentences that logs of real clusters alone can give: the metadata log, choices, segments."""

from core.trace.vocabulary import Basis
from tests.claims.claim import At, claim
from tests.claims.world import NOBODY


@claim(
    "why.state.title",
    "why.state.leaderless.title",
    "why.state",
    "why.state.leaderless",
    "why.state.because",
    "why.rule.state",
    by_lines=True,
)
def the_metadata_log_has_that(at: At) -> bool:
    """Its row names leader, epoch and set; a change of the leader or of the set has a kind of its own."""
    event, said = at.event, at.said
    leader = "leader" not in said or at.is_broker("leader", event.get("leader"))
    epoch = "epoch" not in said or at.number("epoch") == event.get("epoch")
    version = "version" not in said or at.number("version") == event.get("partition_epoch")
    nobody = "leaderless" not in at.message.id or event.get("leader") == NOBODY
    return event.kind == "partition_state" and leader and epoch and version and nobody


@claim("why.removed.title", "why.removed", "why.rule.removed", by_lines=True)
def the_topic_is_deleted(at: At) -> bool:
    topic = at.run.trace.partitions[at.run.partition].tp.topic
    return at.event.kind == "partition_removed" and at.said.get("topic", topic) == topic


@claim("why.reassigned.title", "why.reassigned", "why.rule.reassigned", by_lines=True)
def other_replicas_are_assigned(at: At) -> bool:
    """Its row lists them, in their order."""
    assigned = at.run.isr(at.event)
    named = "members" not in at.said or tuple(at.brokers("members")) == assigned
    return at.event.kind == "replicas_assigned" and bool(assigned) and named


@claim("why.elected.inferred", "why.elected.inferred.member", "why.elected.inferred.stranger", by_lines=True)
def no_line_says_how(at: At) -> bool:
    """The line that names the election does not say of which kind it is."""
    epoch = at.event.get("epoch")
    stated = at.event.kind == "leader_elected" and at.event.get("aux") is not None
    return not (stated and at.event.basis is Basis.OBSERVED) and epoch in (None, at.number("epoch"))


@claim("why.chosen.title", "why.chosen", "why.chosen.by", by_lines=True)
def the_epoch_is_not_said(at: At) -> bool:
    return at.event.get("epoch") is None and at.is_broker("who", at.event.get("leader"))


@claim("why.segment-rolled.title", "why.segment-rolled", "why.segment-rolled.offset", by_lines=True)
def a_segment_is_rolled(at: At) -> bool:
    offset = "offset" not in at.said or at.number("offset") == at.event.get("offset")
    return at.event.kind == "segment_rolled" and offset


@claim("why.log-dir.title", "why.log-dir", by_lines=True)
def a_directory_failed(at: At) -> bool:
    return at.event.kind == "log_dir_failed"


@claim("why.cut.title.unknown-end", "why.cut.unknown-end", by_lines=True)
def it_is_cut_to_an_offset(at: At) -> bool:
    return at.number("to") == at.event.get("offset") and at.event.get("from_offset") is None


@claim("why.step.effect")
def the_script_says_so(at: At) -> bool:
    step = at.run.script.steps[(at.event.get("aux") or 1) - 1]
    return at.said["effect"] == step.effect["en"]
