"""Sentences in states that no scenario of a release reaches.

Small scripts, scenarios with a switch flipped, and random incidents of a seed.
"""

import pytest

from core.kafka.eras import era, with_switches
from core.sim.script_text import as_toml
from tests.claims.held import Tally, hold, runs_of
from tests.claims.stories_held import hold_script, hold_story
from tests.incident_plans import cluster, incident_of

pytestmark = pytest.mark.broad(4)

BEGIN = """
schema = 1
id = "state"
title = "A state"
story = "A state that no scenario reaches."
"""
THREE = """
[cluster]
brokers = ["A", "B", "C"]
[settings]
"replica.lag.time.max.ms" = 10_000
"replica.high.watermark.checkpoint.interval.ms" = 30_000
"""
BELOW_ITS_START = """
[[step]]
do = "produce"
count = 6
acks = "all"
for_ms = 1_200
[[step]]
do = "retain"
brokers = ["B"]
offset = 4
for_ms = 10
[[step]]
do = "crash"
broker = "B"
for_ms = 10
[[step]]
do = "start"
broker = "B"
for_ms = 3_000
"""
"""B deletes what is below 4, and starts with the high watermark of a checkpoint from before, 0."""
BEGUN_ANEW = """
[[step]]
do = "crash"
broker = "C"
for_ms = 10
[[step]]
do = "produce"
count = 6
acks = "1"
until = "C is not in the ISR"
within_ms = 60_000
[[step]]
do = "delete-records"
offset = 4
for_ms = 10
[[step]]
do = "start"
broker = "C"
until = "C has high watermark 4"
within_ms = 60_000
[[step]]
do = "crash"
broker = "C"
for_ms = 10
[[step]]
do = "start"
broker = "C"
for_ms = 3_000
"""
"""C begins anew at 4, and crashes before a checkpoint is written."""
LATE_ANSWER = """
[[step]]
do = "crash"
broker = "C"
until = "C is not in the ISR"
within_ms = 60_000
[[step]]
do = "slow"
from = ["controller"]
to = ["A"]
latency_us = 5_000_000
for_ms = 10
[[step]]
do = "start"
broker = "C"
for_ms = 1_500
[[step]]
do = "elect"
broker = "C"
for_ms = 1_500
[[step]]
do = "elect"
broker = "B"
for_ms = 12_000
"""
"""The controller takes the set with C; before A is notified of that, C leads, and then B."""
DOWN_AT_FIRST = """
[start]
isr = ["A", "B"]
down = { C = 60_000 }
remote = { B = 2, C = 2 }
[[start.replica]]
broker = "A"
log = [{ epoch = 0, count = 2 }]
high_watermark = 2
[[start.replica]]
broker = "B"
log = [{ epoch = 0, count = 2 }]
high_watermark = 2
[[start.replica]]
broker = "C"
log = [{ epoch = 0, count = 2 }]
high_watermark = 2
[[step]]
do = "start"
broker = "C"
for_ms = 5_000
"""
BELOW_THE_LOG_START = """
[[step]]
do = "produce"
count = 6
acks = "all"
for_ms = 1_200
[[step]]
do = "copy-to-tier"
offset = 3
for_ms = 10
[[step]]
do = "delete-records"
offset = 4
for_ms = 10
[[step]]
do = "clean-tier"
for_ms = 10
"""
"""Somebody deletes records of which the remote tier has some: they go there, too."""


@pytest.mark.parametrize(
    ("script", "era_id", "said"),
    [
        (BELOW_ITS_START, "0.10.2", "why.reset.title"),
        (BELOW_ITS_START, "0.11", "why.crashed.log"),
        (BELOW_ITS_START, "2.4", "why.crashed.log.start"),
        (BEGUN_ANEW, "2.1", "why.cut.because.reset"),
        (BEGUN_ANEW, "2.4", "why.cut.because.reset"),
        (LATE_ANSWER, "2.8", "why.elected"),
        (LATE_ANSWER, "3.5", "why.elected.member"),
        (DOWN_AT_FIRST, "3.5", "why.process.registered"),
        (DOWN_AT_FIRST, "2.8", "why.process.registered"),
        ('"remote.storage.enable" = true' + BELOW_THE_LOG_START, "3.6", "why.tier.deleted.log-start"),
        ('"remote.storage.enable" = true' + BELOW_THE_LOG_START, "4.1", "why.tier.deleted.log-start"),
    ],
)
def test_sentences_hold_in_states_that_no_scenario_reaches(script: str, era_id: str, said: str) -> None:
    tally = hold_script(BEGIN + THREE + script, era(era_id))

    assert tally.broken == []
    assert tally.said[said]


@pytest.mark.parametrize(
    ("name", "era_id", "switch", "value", "said"),
    [
        # A follower takes over a high watermark, and the same answer cuts its log below that. Then it leads.
        ("hw-divergence", "0.11", "truncation", "fetch-divergence", "story.life.committed"),
        # A consumer reads above the high watermark what the next leader does not have.
        ("leader-failover-consistent", "3.7", "visible", "log-end", "story.class.uncommitted.read"),
        # The leader's log begins above a record that nobody was told of, and a follower holds it to the end.
        ("diverged-below-start", "3.3", "diverging-below-start", "answered", "story.lost.never"),
        # The metadata quorum cuts where its leader says that the logs part, whatever other partitions do.
        ("two-controllers", "0.11", "controller", "kraft", "story.rule.quorum"),
        ("two-controllers", "3.5", "truncation", "high-watermark", "why.rule.quorum.follows"),
    ],
)
def test_sentences_hold_with_a_switch_with_which_one_was_not_so(
    name: str, era_id: str, switch: str, value: str, said: str
) -> None:
    tally = Tally()
    for run in runs_of(name, with_switches(era(era_id), {switch: value})):
        tally.add(hold(run, name))
        tally.add(hold_story(run, name))

    assert tally.broken == []
    assert tally.said[said]


@pytest.mark.parametrize(
    ("seed", "said"),
    [
        # The leader stops before it is notified that another one was elected.
        (900020, "why.stopped.title"),
        # A log came back shorter while no leader was up; the next one still held what had gone.
        (900026, "why.cut.title"),
        # A new controller takes a dead leader out for one epoch (2.4, KAFKA-3143).
        (900058, "why.leaderless.next"),
        # A leader that was fenced goes on until it reads of it.
        (900068, "why.leaderless"),
        # A leader goes by its set until it is notified of another one.
        (900123, "why.watermark.fetched"),
        # A follower that is elected fetches on until it is notified of that.
        (900074, "why.elected.log.first"),
        # A log came back shorter; its leader had stopped, led again in its epoch, and held what had gone.
        (900042, "why.cut.title"),
        # What a leader proposed counts no more once it reads of a newer state (3.6).
        (900047, "why.rule.watermark.leader"),
        # A new controller takes a dead leader out, then another dead member, and elects after that (2.8).
        (900065, "why.leaderless.next"),
        # A life was too short for a checkpoint: the last one is of the life before.
        (900101, "why.watermark.loaded"),
        # A leader that has not heard of the next one proposes a set for its own.
        (900130, "why.rule.isr.joins"),
        # A leader that is cut off takes one out of its own set; the controller has another one (2.4).
        (920146, "why.isr.to-leave"),
        # A request to a broker that is down fails: that is no sign of its life, and it ends once (3.3).
        (900000, "story.ended"),
        # The only copy comes back from the disk without its records, and nobody leads since (3.5).
        (900098, "story.lost.no-copy"),
        # Each dead member is taken out of the set in an epoch without a leader (2.8).
        (900154, "story.leaderless.until"),
        # A follower gets a high watermark of an epoch of which it was not notified (2.0, 0.10.2).
        (920092, "story.committed.exact"),
        (920156, "story.committed.exact"),
        # Who was elected with the records came back in its epoch without.
        (920092, "loss.led-from.again"),
        # A leader comes back in its epoch without its last records, and writes others there (1.1, 2.1).
        (990055, "why.cut.lost.committed"),
        (990140, "story.class.uncommitted"),
        # A follower's log is cut after its leader has come back without its last records, and grows anew.
        (900055, "loss.led-from.again"),
        (900056, "loss.led-from.again"),
        # A cut removes nothing committed; what was lost later at the same offsets had been (2.1).
        (900140, "story.cut.committed.nothing"),
        # A leader proposes a set, and the script ends before the controller takes it (2.8).
        (990069, "why.isr.to-join"),
        # Who had lost its end before it was elected takes over in the next epoch: a member was fenced (3.3).
        (920147, "loss.led-from.unknown"),
        # A leader dies before it hears that its set was taken, and is told so when it starts (2.8).
        (920168, "story.isr.heard"),
    ],
)
def test_sentences_hold_in_random_incidents_in_which_one_was_not_so(seed: int, said: str) -> None:
    plan, rules = incident_of(seed, cluster)

    tally = hold_script(as_toml(plan, f"incident-{seed}"), rules)

    assert tally.broken == []
    assert tally.said[said]
