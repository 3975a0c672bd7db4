"""The truth of a run, and what diagnosis makes of the appearance alone."""

import dataclasses
import json
import re
from pathlib import Path
from types import MappingProxyType

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Verdict
from core.kafka.eras import ERAS, Era, era
from core.sim.chance import Chance
from core.sim.library import scenario, scenario_ids
from core.sim.run import play
from core.sim.scenario import parse_scenario
from core.sim.truth import FACT, Promise, Truth
from tests.runs import diagnosed, played

ROOT = Path(__file__).parent.parent.parent


def lost(truth: Truth) -> list[tuple[int, int, int, str]]:
    """(partition, epoch, offset, promise) of every record that is lost."""
    fates = [truth.fate(number) for number in truth.lost]
    return sorted(
        (one.partition, one.epoch, one.offset, str(one.promise)) for one in fates if one is not None
    )


def told(said: Verdict) -> list[tuple[int, int | None, int, str]]:
    """The same, as diagnosis says it."""
    return sorted(
        (verdict.partition, loss.epoch, offset, str(loss.loss_class))
        for verdict in said.partitions
        for loss in verdict.losses
        for offset in range(loss.first_offset, loss.end_offset)
    )


def is_beneath(truth: Truth, partition: int, _epoch: int | None, offset: int, promise: str) -> bool:
    """Whether nobody was promised a record below the log start of the last leader.

    The truth counts none below it. Diagnosis says when one had gone before that log began there.
    """
    start, _ = truth.logs[partition, truth.ledger.leaders[partition][1]]
    return promise == Promise.NONE and offset < start


@pytest.mark.slow
@pytest.mark.parametrize("name", scenario_ids())
def test_the_ledger_of_diagnosis_is_the_truth(name: str) -> None:
    for rules in ERAS:
        truth, said = played(name, rules).truth, diagnosed(name, rules)
        counted = [one for one in told(said) if not is_beneath(truth, *one)]
        assert (rules.id, counted) == (rules.id, lost(truth))
        unlike = [
            (verdict.partition, one.brokers, one.first_offset, one.end_offset)
            for verdict in said.partitions
            for one in verdict.divergences
        ]
        true = [(one.partition, one.brokers, one.first_offset, one.end_offset) for one in truth.diverged]
        assert (rules.id, sorted(unlike)) == (rules.id, sorted(true))


@pytest.mark.parametrize("name", ["hw-loss", "hw-divergence", "lost-tail"])
def test_the_verdict_is_the_same_without_the_truth_and_with_a_lie(name: str) -> None:
    trace = play(scenario(name), era("0.10.2")).trace
    verdict = diagnose(trace)
    assert verdict.findings
    lie = json.dumps({"lost": [], "diverged": [], "unavailable": [0]})
    for facts in (
        {key: value for key, value in trace.facts.items() if key != FACT},
        {**trace.facts, FACT: lie},
    ):
        assert diagnose(dataclasses.replace(trace, facts=MappingProxyType(facts))) == verdict


@pytest.mark.parametrize("folder", ["history", "diagnose"])
def test_they_know_neither_the_truth_nor_the_name_of_the_fact(folder: str) -> None:
    for path in (ROOT / "core" / folder).rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        assert not re.search(r"core\.sim\.(truth|ledger|state|run)\b", code), path
        assert f'"{FACT}"' not in code, path


def test_hw_loss_record_by_record() -> None:
    truth = play(scenario("hw-loss"), era("0.10.2")).truth
    m0, m1, m2 = truth.fates()
    assert [one.name for one in (m0, m1, m2)] == ["m0", "m1", "m2"]
    assert (m1.offset, m1.epoch, m1.held_by, m1.lost) == (1, 0, (), True)
    assert m1.promise is Promise.COMMITTED
    assert m1.acknowledged is not None
    assert (m2.offset, m2.epoch, m2.held_by, m2.lost) == (1, 1, (1, 2), False)
    assert not m0.lost
    assert truth.unavailable == ()


def test_the_mark_of_hw_loss_and_of_its_fix() -> None:
    mark = json.loads(play(scenario("hw-loss"), era("0.10.2")).trace.facts[FACT])
    assert mark["lost"] == [{"partition": 0, "epoch": 0, "first": 1, "end": 2, "promise": "committed"}]
    assert json.loads(play(scenario("hw-loss"), era("0.11")).trace.facts[FACT])["lost"] == []


def test_what_consumers_had_read_is_known_to_be_lost() -> None:
    truth = play(scenario("consumer-out-of-range"), era("0.10.2")).truth
    read = [one.name for one in truth.fates() if one.lost and one.read is not None]
    assert read == ["m1"]


def test_a_divergence_and_a_gap() -> None:
    (unlike,) = play(scenario("hw-divergence"), era("0.10.2")).truth.diverged
    assert (unlike.brokers, unlike.first_offset, unlike.end_offset) == ((1, 2), 2, 3)
    assert play(scenario("batch-truncation"), era("0.11")).truth.diverged == ()


def test_a_partition_whose_leader_is_dead_is_unavailable() -> None:
    script = scenario("hw-divergence").text.replace('enable" = true', 'enable" = false')
    script = script[: script.index('label = "B starts')].rsplit("[[step]]", 1)[0]
    assert play(parse_scenario(script), era("2.8")).truth.unavailable == (0,)


HEAD = """\
schema = 1
id = "random"
title = { en = "Random", zh = "随机" }
story = { en = "Made by a test.", zh = "测试。" }
[settings]
"replica.lag.time.max.ms" = 4_000
"zookeeper.session.timeout.ms" = 3_000
"request.timeout.ms" = 700
"""
STEP = '[[step]]\nlabel = { en = "s", zh = "步" }\n'


def random_script(seed: int) -> str:
    """Crashes, lost tails, batches, retries, idempotence and a consumer, by the luck of a seed."""
    chance = Chance(seed)

    def one_of(step: int, what: str, *choices: object) -> object:
        return choices[chance.below(len(choices), what, step)]

    brokers = ["A", "B", "C"][: 2 + chance.below(2, "brokers")]
    text = HEAD + f'"unclean.leader.election.enable" = {one_of(0, "unclean", "true", "false")}\n'
    text += f'"min.insync.replicas" = {one_of(0, "min", 1, 2)}\n[limits]\njitter_us = 1_500\n'
    text += f'[cluster]\nbrokers = {json.dumps(brokers)}\n[[consumer]]\nname = "c"\nnear = "B"\n'
    for step in range(1, 12):
        who = f'broker = "{one_of(step, "who", *brokers)}"\n'
        produce = f'do = "produce"\ncount = {one_of(step, "count", 1, 3, 6)}\n'
        produce += f"batch = {one_of(step, 'batch', 1, 2, 3)}\nretries = {one_of(step, 'retries', 0, 3)}\n"
        produce += (
            f'acks = "{one_of(step, "acks", "0", "1", "all")}"\nfor_ms = {one_of(step, "for", 1, 5, 1500)}\n'
        )
        produce += str(one_of(step, "idempotent", "", 'producer = "p"\n'))
        crash = f'do = "crash"\n{who}tail_lost = {one_of(step, "tail", 0, 0, 1, 2)}\n'
        crash += f"controller_fails_over = {one_of(step, 'over', 'true', 'false')}\nfor_ms = 3500\n"
        start = f'do = "start"\n{who}for_ms = {one_of(step, "after start", 3, 8, 300, 4000)}\n'
        text += STEP + str(one_of(step, "do", produce, produce, crash, start))
    starts = "".join(f'{STEP}do = "start"\nbroker = "{broker}"\nfor_ms = 100\n' for broker in brokers)
    return f'{text}{starts}{STEP}do = "wait"\nfor_ms = 12_000\n'


@pytest.mark.slow
@pytest.mark.thinned(1)
@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
def test_so_it_is_after_random_faults(rules: Era, request: pytest.FixtureRequest) -> None:
    """Half of the seeds, the others in the next era; --every-case: all."""
    losing = 0
    every = request.config.getoption("--every-case")
    for seed in range(25) if every else range(ERAS.index(rules) % 2, 25, 2):
        run = play(parse_scenario(random_script(seed)), rules, seed=seed)
        assert told(diagnose(run.trace)) == lost(run.truth), seed
        losing += bool(run.truth.lost)
    assert losing  # else nothing was tested


def test_a_leader_that_leads_again_in_its_epoch_without_its_tail_has_lost_it() -> None:
    """Its session lived on, so nobody was elected; consumers had read the record."""
    text = f'{HEAD}[cluster]\nbrokers = ["A", "B"]\n[[consumer]]\nname = "c"\nposition = 0\n'
    text += f'{STEP}do = "produce"\ncount = 2\nacks = "all"\nfor_ms = 100\n'
    text += (
        f'{STEP}do = "crash"\nbroker = "A"\ntail_lost = 1\n{STEP}do = "start"\nbroker = "A"\nfor_ms = 3_000\n'
    )
    played = play(parse_scenario(text), era("2.1"))
    assert lost(played.truth) == [(0, 0, 1, "committed")]
    assert told(diagnose(played.trace)) == [(0, 0, 1, "committed")]
