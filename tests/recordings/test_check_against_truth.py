"""`check` held against truth.json, field by field. Every expected value comes from there."""

from collections import Counter, defaultdict

import pytest

from core.diagnose.verdict.facts import LossClass, Severity
from core.trace.evidence import evidence_of
from tests.recordings.conftest import Recording

STRONG = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)


def lost_offsets(recording: Recording, tp: str) -> set[int]:
    return {record["offset"] for record in recording.truth["lost"].get(tp, [])}


def claimed(recording: Recording, tp: str, classes: tuple[LossClass, ...]) -> set[int]:
    losses = recording.verdicts[tp].losses
    return {
        offset
        for loss in losses
        if loss.loss_class in classes
        for offset in range(loss.first_offset, loss.end_offset)
    }


@pytest.mark.slow
def test_the_partitions_are_those_of_the_truth(recording: Recording) -> None:
    assert set(recording.verdicts) == set(recording.truth["final"])


def test_every_lost_record_is_claimed_and_nothing_else(recording: Recording) -> None:
    for tp in recording.truth["final"]:
        assert claimed(recording, tp, STRONG) == lost_offsets(recording, tp), tp


def test_the_loss_has_the_size_that_the_driver_counted(the_loss: Recording, the_fix: Recording) -> None:
    for recording in (the_loss, the_fix):
        wanted = sum(len(records) for records in recording.truth["lost"].values())
        assert sum(len(claimed(recording, tp, STRONG)) for tp in recording.verdicts) == wanted


def test_what_may_be_lost_was_at_least_removed_somewhere(recording: Recording) -> None:
    removed: dict[str, set[int]] = defaultdict(set)
    for cut in recording.truth["truncations"]:
        removed[cut["tp"]].update(range(cut["to"], cut["from"]))

    for tp in recording.verdicts:
        weak = claimed(recording, tp, (LossClass.POSSIBLY_ACKNOWLEDGED,))
        assert weak <= removed[tp] | lost_offsets(recording, tp), tp


def test_the_cuts_are_those_that_the_disks_saw(recording: Recording) -> None:
    wanted = Counter((t["tp"], t["replica"], t["from"], t["to"]) for t in recording.truth["truncations"])
    found = Counter(
        (tp, cut.broker, cut.from_offset, cut.to_offset)
        for tp, verdict in recording.verdicts.items()
        for cut in verdict.truncations
    )

    assert found == wanted


def test_each_epoch_has_the_leader_that_zookeeper_had(recording: Recording) -> None:
    for sample in recording.truth["samples"]:
        epoch, leader, tp = sample.get("leader_epoch"), sample.get("leader"), sample.get("tp")
        if epoch is None or leader is None or tp is None:
            continue
        terms = {term.epoch: term.leader for term in recording.verdicts[tp].leadership}
        assert terms.get(epoch) == leader, (tp, epoch)


def test_no_election_was_unclean(recording: Recording) -> None:
    # The README of both recordings: the new leader came from the ISR.
    for tp, verdict in recording.verdicts.items():
        assert "unclean" not in {term.election for term in verdict.leadership}, tp


def test_the_end_is_what_the_disks_hold(recording: Recording) -> None:
    for tp, final in recording.truth["final"].items():
        verdict = recording.verdicts[tp]
        assert sorted(verdict.isr[-1].isr) == sorted(final["isr"]), tp
        replicas = {one.broker: one for one in verdict.final}
        for broker, replica in final["replicas"].items():
            mine = replicas[int(broker)]
            assert mine.leo.exact == replica["leo"], (tp, broker)
            if replica["epoch_checkpoint"] is not None:
                entries = [list(entry) for entry in mine.epochs or ()]
                assert entries == [list(entry) for entry in replica["epoch_checkpoint"]], (tp, broker)


def test_replicas_differ_where_the_disks_differ(recording: Recording) -> None:
    for tp, verdict in recording.verdicts.items():
        offsets = {
            offset for one in verdict.divergences for offset in range(one.first_offset, one.end_offset)
        }
        assert offsets == {record["offset"] for record in recording.truth["diverged"].get(tp, [])}, tp


def test_a_clean_history_raises_no_alarm(the_fix: Recording) -> None:
    for tp, verdict in the_fix.verdicts.items():
        assert {finding.severity for finding in verdict.findings} <= {Severity.NOTICE}, tp


def test_every_loss_and_every_cut_leads_to_a_line(recording: Recording) -> None:
    for verdict in recording.verdicts.values():
        for claim in (*verdict.losses, *verdict.truncations):
            assert claim.evidence
            for seq in claim.evidence:
                evidence = evidence_of(recording.trace, seq)
                assert evidence is not None
                assert evidence.line is None or evidence.text
