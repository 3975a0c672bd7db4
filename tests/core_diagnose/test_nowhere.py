"""A partition without a leader to the end, whose last copy in sync lay on a disk that was wiped.

A cluster of 4.2.1 with eligible leader replicas told so: broker 1 was alone in sync, was killed and came back
with another directory. The controller elects neither it (KIP-858, KIP-966) nor those that had left the set.
"""

import pytest

from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import LossClass, Severity
from core.words import text
from tests.stories import SECOND, Story, of


def wiped(
    *,
    ends: bool = True,
    led: int = -1,
    disk: bool = True,
    joined: bool = False,
    others: int = 12,
    cut_before: int = 0,
) -> Story:
    """Broker 1 leads to offset 21 and is in sync with nobody; the others hold 12 records, or `others`.

    `ends`: files at the end show where logs end; `led`: who leads then; `disk` False: broker 1 has its log.
    `cut_before`: where the log of broker 2 ended before it stopped without a clean end.
    """
    story = Story("4.2.1", (1, 2, 3))
    story.begin()
    for broker in (1, 2, 3):
        story.add("leo_sample", broker, leo=12 if broker == 1 else others)
    if cut_before:
        story.add("leo_sample", 2, leo=cut_before)
        story.process("broker_crashed", 2)
        story.process("broker_starting", 2)
        story.add("log_loaded", 2, leo=12)
        story.add("became_follower", 2, leader=1, epoch=0, leo=12, hw=12)
    members = (1, 2) if joined else (1,)
    story.add("isr_committed", 1, leader=1, epoch=0, isr=members, partition_epoch=2, wait=SECOND)
    story.process("broker_stopped", 2)
    story.process("broker_stopped", 3)
    if ends:
        story.add("leo_sample", 1, leo=21, wait=SECOND)
        story.add("hw_sample", 1, hw=21, wait=0)
    story.process("broker_crashed", 1, wait=0)
    story.add("leaderless", None, leader=-1, epoch=1, isr=(), partition_epoch=3)
    for broker in (2, 3):
        story.process("broker_starting", broker)
        story.add("became_follower", broker, leader=-1, epoch=1, leo=others, hw=12)
    story.process("broker_starting", 1)
    if disk:
        story.add("log_created", 1, leo=0)
    else:
        story.add("log_loaded", 1, leo=21)
    story.add("became_follower", 1, leader=-1, epoch=1, leo=0 if disk else 21, hw=0 if disk else 21)
    if led != -1:
        story.add("leader_elected", None, leader=led, epoch=2, isr=(led,), partition_epoch=4, aux=2)
        story.add("became_leader", led, leader=led, epoch=2, leo=12, hw=12)
    for broker, leo in ((1, 0 if disk else 21), (2, others), (3, others)) if ends else ():
        story.add("log_end_on_disk", broker, leo=leo, in_a_file=True, wait=0)
    return story


def test_what_only_the_wiped_disk_had_is_lost_although_nobody_leads() -> None:
    trace = wiped().trace()
    verdict = diagnose(trace)
    (loss,) = verdict.partitions[0].losses

    assert (loss.first_offset, loss.end_offset, loss.epoch) == (12, 21, 0)
    assert (loss.loss_class, loss.severity, loss.cause) == (
        LossClass.COMMITTED,
        Severity.LOSS,
        "last-copy-gone",
    )
    assert (loss.removed_from, loss.survives_on) == ((1,), ())
    made_anew = [seq for seq in range(len(trace)) if trace.event(seq).kind == "log_created"][-1]
    assert made_anew in loss.evidence
    assert text(loss.message).startswith("Broker 1 came back without them. No leader is named after that")


def test_a_loss_is_not_told_a_second_time_as_a_disk_that_was_wiped() -> None:
    assert of(wiped(), "isr-empty-disk") == []


def test_what_another_copy_reaches_is_not_lost() -> None:
    assert diagnose(wiped(others=21).trace()).partitions[0].losses == ()
    assert diagnose(wiped(others=30).trace()).partitions[0].losses == ()


def test_what_a_follower_lost_before_is_no_loss_of_the_last_copy() -> None:
    """Broker 2 had copied 18 records, and came back with 12 of them while broker 1 led on."""
    story = wiped(cut_before=18)

    (loss,) = diagnose(story.trace()).partitions[0].losses

    assert (loss.first_offset, loss.end_offset, loss.removed_from) == (12, 21, (1,))


def test_its_account_says_that_nobody_leads_and_to_read_the_old_disk() -> None:
    trace = wiped().trace()
    (incident,) = find_incidents(trace, diagnose(trace))
    lines = {field.key: [text(line) for line in field.lines] for field in account(trace, incident)}

    assert lines["totals"][0].startswith("Lost: at least 9 records")
    assert any("t-0 had no leader from then on" in line for line in lines["when"])
    assert lines["do"][0].startswith("Read the old disk before an unclean election")
    assert not any("-1" in line for line in lines["when"])


def test_where_no_line_tells_how_far_it_reached_the_last_copy_is_a_danger() -> None:
    (found,) = of(wiped(ends=False), "isr-empty-disk")

    assert (found.severity, found.brokers) == (Severity.DANGER, (1,))
    assert text(found.message) == (
        "Broker 1 was alone in the in-sync set when it was stated last, and came back with a new, empty log; "
        "no leader is named after that. What it alone held is lost, unless its old disk can be read."
    )


@pytest.mark.parametrize("story", [{"disk": False}, {"joined": True, "ends": False}], ids=str)
def test_a_copy_that_is_there_or_was_not_alone_is_no_loss(story: dict[str, bool]) -> None:
    told = wiped(**story)  # pyright: ignore[reportArgumentType]

    assert of(told, "isr-empty-disk") == []
    assert diagnose(told.trace()).partitions[0].losses == ()


def test_what_a_leader_lacks_later_is_lost_as_before() -> None:
    (loss,) = diagnose(wiped(led=2).trace()).partitions[0].losses

    assert (loss.first_offset, loss.end_offset, loss.took_over) == (12, 21, 2)
    assert loss.cause != "last-copy-gone"
