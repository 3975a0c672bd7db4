"""Each rule reads its own samples as the domain says, and no other rule's."""

import re

import pytest

from core.trace.vocabulary import KIND, Basis, CutReason, Election, StopReason
from importers.kafka.drafts import Fate, Said
from importers.kafka.grammar import RULES, candidates_of
from importers.kafka.requests import request_key
from importers.kafka.rule import LineRule, dispatch_table, key
from importers.lines.layout import STOCK
from importers.lines.parser import parse
from tests.importers.grammar_states import MORE_FACTS, MORE_STATES

pytestmark = pytest.mark.broad(4)

ORDERS = ("orders", 0)
HEAD = "[2026-11-21 03:29:10,161] INFO "

# rule -> what each of its samples states, written from the texts themselves and what Kafka means by them.
STATES: dict[str, list[list[Said]]] = {
    "log-loaded": [
        [Said("log_loaded", ORDERS, leo=254)],
        [Said("log_loaded", ORDERS, leo=45)],
        [Said("log_loaded", ORDERS, leo=45, log_start=0)],
    ],
    # highWatermark=0 in the text is a default, not a statement
    "truncated": [[Said("truncated", ORDERS, offset=206)]],
    "truncation-noop": [[Said("truncation_noop", ORDERS, offset=254, leo=254)]],
    "recovering": [[Said("unclean_restart_detected", ORDERS)]],
    # the first is a copy on another disk of the same broker
    "log-created": [[], [Said("log_created", ORDERS)], *([[Said("log_created", ("orders", 2))]] * 2)],
    "no-checkpointed-hw": [
        [Said("hw_loaded", ORDERS, broker=2, hw=0)],
        [Said("hw_loaded", ("orders", 2), broker=1, hw=0)],
    ],
    "hw-loaded": [[Said("hw_loaded", ("orders", 2), broker=1, hw=254)]],
    "isr-expanding": [
        [Said("isr_expand_proposed", ORDERS, broker=2, leader=2, isr=(2, 1))],
        [Said("isr_expand_proposed", ORDERS, broker=2, leader=2, isr=(2, 3, 1))],
    ],
    "became": [
        [Said("became_leader", ("orders", 2), broker=1, leader=1, epoch=0, leo=0, hw=0, isr=(1, 2))],
        [Said("became_follower", ("audit", 0), broker=1, epoch=3, leo=270, hw=257)],
    ],
    "fetcher-added": [
        [
            Said("fetcher_added", ("orders", 1), broker=2, leader=1, offset=206),
            Said("fetcher_added", ("orders", 2), broker=2, leader=1, offset=0),
        ],
        [Said("fetcher_added", ("orders", 1), broker=2, leader=1, offset=7)],
    ],
    "fetcher-removed": [
        [Said("fetcher_removed", ("audit", 0), broker=2), Said("fetcher_removed", ("orders", 1), broker=2)],
        [
            Said("fetcher_removed", ("audit", 0), broker=1),
            Said("fetcher_removed", ("clicks", 2), broker=1),
            Said("fetcher_removed", ("clicks", 1), broker=1),
        ],
    ],
    "fetch-failed": [[Said("fetch_failed", leader=1, aux=StopReason.UNREACHABLE)]],
    "fetch-failed-1.1": [
        [Said("fetch_failed", ORDERS, leader=1, offset=93, aux=StopReason.UNREACHABLE)],
        [Said("fetch_failed", ORDERS, broker=2, leader=1, epoch=0, offset=254, aux=StopReason.UNREACHABLE)],
        [Said("fetch_failed", ORDERS, broker=2, leader=1, offset=93, aux=StopReason.UNREACHABLE)],
        [Said("fetch_failed", ORDERS, broker=2, leader=1, epoch=0, offset=254, aux=StopReason.UNREACHABLE)],
    ],
    "not-leader": [
        [Said("fetch_failed", ("audit", 0), leader=1, aux=StopReason.NOT_LEADER)],
        [Said("fetch_failed", ("audit", 0), broker=2, leader=1, aux=StopReason.NOT_LEADER)],
    ],
    "leader-and-isr-sent": [
        [
            Said(
                "leader_and_isr_sent",
                ORDERS,
                broker=3,
                replica=2,
                leader=1,
                epoch=0,
                isr=(1, 2),
                sends=request_key("1", ORDERS, 0, 2),
            )
        ]
    ],
    "metadata-sent": [[Said("metadata_sent", ORDERS, broker=3, leader=1, epoch=0, isr=(1, 2))]],
    "metadata-applied": [
        [Said("metadata_applied", ORDERS, broker=3, leader=1, epoch=0, isr=(1, 2), assigned=(1, 2))]
    ],
    "stale-request": [
        [Said("stale_request_ignored", ORDERS, broker=1, epoch=0)],
        [Said("stale_request_ignored", ORDERS, broker=1, epoch=5)],
    ],
    "same-epoch-request": [[Said("stale_request_ignored", ("audit", 0), broker=1, epoch=0)]],
    "leader-unavailable": [
        [Said("leader_and_isr_received", ORDERS, broker=2, leader=-1)],
        [Said("leader_and_isr_received", ("audit", 0), broker=2, leader=1)],
    ],
    "still-leader": [
        [Said("leader_and_isr_received", ORDERS, broker=1, leader=1)],
        [Said("leader_and_isr_received", ("audit", 0), broker=1, leader=1)],
    ],
    "partition-created": [
        [Said("partition_created", ORDERS, broker=3, assigned=(1, 2))],
        [Said("partition_created", ORDERS, broker=3, assigned=(1, 2))],
    ],
    "replicas-assigned": [
        [Said("replicas_assigned", ("moves", 0), broker=1, isr=(3, 1), assigned=(3, 1))],
        [Said("replicas_assigned", ("moves", 0), broker=1, isr=(3, 1, 2), assigned=(3, 1, 2))],
    ],
    "replicas-assigned-2.4": [
        [Said("replicas_assigned", ("moves", 0), broker=1, isr=(3, 1, 2), assigned=(3, 1, 2))],
        [Said("replicas_assigned", ("moves", 0), broker=1, isr=(3, 1), assigned=(3, 1))],
    ],
    "leader-changed": [[Said("leader_elected", ORDERS, broker=3, leader=1, aux=Election.FIRST)]] * 2,
    "leader-initialized": [
        [
            Said(
                "leader_elected",
                ("orders", 1),
                broker=3,
                leader=1,
                epoch=0,
                isr=(1, 2),
                aux=Election.FIRST,
            )
        ]
    ]
    * 2,
    "leader-selected": [[Said("leader_elected", ("clicks", 0), leader=2, epoch=1, isr=(2,))]],
    "leader-from-isr": [[Said("leader_elected", ORDERS, leader=2, aux=Election.CLEAN)]],
    "leader-outside-isr": [[Said("leader_elected", ("orders", 1), leader=1, aux=Election.UNCLEAN)]],
    "preferred-election-completed": [
        [Said("leader_elected", ("clicks", 0), broker=2, leader=1, aux=Election.PREFERRED)],
        [Said("leader_elected", ORDERS, broker=2, leader=1, aux=Election.PREFERRED)],
    ],
    "controller-isr-updated": [
        [Said("isr_committed", ("clicks", 1), broker=2, isr=(2, 1), partition_epoch=3)]
    ],
    "controller-elected": [[Said("controller_elected", broker=1, epoch=2)]],
    "controller-elected-2.1": [[Said("controller_elected", broker=1, epoch=2)]],
    "controller-resigned": [[Said("controller_resigned", broker=1)]],
    "controller-resigned-0.8": [[Said("controller_resigned", broker=3)]],
    "shutdown-asked": [
        [Said("controlled_shutdown_begun", broker=3, replica=2, basis=Basis.REPORTED)],
    ]
    * 2,
    "brokers-changed": [
        [Said("broker_registered", broker=3, replica=3, basis=Basis.REPORTED)],
        [Said("broker_registered", broker=1, replica=2, basis=Basis.REPORTED)],
        [Said("broker_registered", broker=2, replica=1, basis=Basis.REPORTED)],
    ],
    "starting": [
        [Said("broker_starting")],
        [Said("broker_starting", broker=1)],
        [Said("broker_starting", broker=1)],
    ],
    "started": [[Said("broker_started", broker=1)], [Said("broker_started", broker=1)]],
    "terminating": [[Said("shutdown_requested")]],
    "shutting-down": [[Said("shutdown_requested", broker=31)], [Said("shutdown_requested", broker=1)]],
    "controlled-shutdown-begun": [
        [Said("controlled_shutdown_begun", broker=1)],
        [Said("controlled_shutdown_begun", broker=1)],
    ],
    "controlled-shutdown-ended": [
        [Said("controlled_shutdown_ended", broker=1, aux=1)],
        [Said("controlled_shutdown_ended", broker=1, aux=1)],
    ],
    "stopped": [[Said("broker_stopped", broker=1)], [Said("broker_stopped", broker=1)]],
    "registered": [[Said("broker_registered", broker=2)], [Said("broker_registered", broker=1)]],
    "session-expired": [[Said("session_expired")]],
    "session-expired-1.1": [[Said("session_expired")]] * 2,
    "leader-starts": [
        [Said("became_leader", ORDERS, broker=2, leader=2, epoch=1, leo=257)],
        [Said("became_leader", ORDERS, broker=2, leader=2, epoch=2, leo=30)],
    ],
    "replica-loaded": [[Said("hw_loaded", ORDERS, hw=254)]],
    "epoch-assigned": [
        [Said("epoch_assigned", ORDERS, epoch=1, offset=257, aux=2)],
        [Said("epoch_assigned", ORDERS, epoch=0, offset=0, aux=1)],
    ],
    "epoch-conflict": [[Said("epoch_assigned", ("cart", 0), epoch=2, offset=186)]] * 2,
    "epochs-cut": [[Said("epoch_cache_cut", ORDERS, offset=30, aux=2)]],
    "cut-not-needed": [
        [Said("truncation_not_needed", ORDERS, offset=269, leo=269, aux=CutReason.LEADER_EPOCH)],
        [Said("truncation_not_needed", ORDERS, broker=1, offset=1, leo=1, aux=CutReason.LEADER_EPOCH)],
    ],
    # UNKNOWN repeats the warning before it: nobody was reached.
    "epoch-refused": [[], [Said("epoch_end_failed", ORDERS, leader=1, aux=StopReason.NOT_LEADER)], []],
    "fetch-fenced": [
        [
            Said(
                "fetch_failed",
                ORDERS,
                broker=2,
                leader=1,
                epoch=1,
                aux=StopReason.FENCED_LEADER_EPOCH,
            )
        ]
    ],
    "exiting": [[Said("broker_exited")]] * 3,
    "replica-removed-0.8": [
        [Said("isr_committed", ORDERS, broker=3, leader=1, epoch=1, isr=(1,))],
        [Said("leaderless", ORDERS, broker=3, leader=-1, epoch=1, isr=(1,))],
    ],
}

FACTS: dict[str, list[list[tuple[str, str]]]] = {
    "log4j-registered": [[("life", "")]],
    "settings": [
        [("life", "settings"), ("config:broker.id", "2"), ("config:unclean.leader.election.enable", "true")]
    ],
    "broker-settings-in-zookeeper": [[("settings_changed", "")]] * 2,
    "broker-settings": [[("settings_changed", "")]] * 3,
    "starting": [[("life", "")]] * 3,
    "registering": [[("registering", "1")]],
    "log-cut-by-recovery": [[("torn_tail", "")]] * 3,
    "log-segment-torn": [[("torn_tail", "")]],
    "version": [[("version", "0.10.2.2")], [("version", "2.8.2")]],
    "cluster-id": [[("cluster", "HVJ44XNZSlauFiEJDxtJYQ")]],
    "start-time": [[("start_time_ms", "1795231015689")]],
}

STATES |= MORE_STATES
FACTS |= MORE_FACTS
SAMPLES = [(rule.name, number) for rule in RULES for number in range(len(rule.samples))]
BY_NAME = {rule.name: rule for rule in RULES}


def text_of(sample: str) -> bytes:
    return f"{HEAD}{sample}\n".encode()


@pytest.mark.parametrize(("name", "number"), SAMPLES)
def test_a_sample_says_what_the_catalogue_says(name: str, number: int) -> None:
    drafts = parse(text_of(BY_NAME[name].samples[number]), STOCK)

    said = [draft.said for draft in drafts.drafts]
    assert said == (STATES[name][number] if name in STATES else [])
    assert [(fact.name, fact.value) for fact in drafts.facts] == (
        FACTS[name][number] if name in FACTS else []
    )
    assert {draft.rule for draft in drafts.drafts} <= {name}
    known = Fate.RECOGNISED if BY_NAME[name].build is not None else Fate.NOISE
    assert drafts.counts[known] == len(BY_NAME[name].samples[number].splitlines())


READERS = dispatch_table(RULES)


@pytest.mark.parametrize(("name", "number"), SAMPLES)
def test_no_other_rule_reads_a_sample(name: str, number: int) -> None:
    message = BY_NAME[name].samples[number].split("\n")[0]

    readers = {rule.name for rule, pattern in READERS[key(message.encode())] if pattern.fullmatch(message)}

    assert readers == {name}


def test_a_sample_fits_the_pattern_of_no_other_rule_whatever_its_key() -> None:
    patterns = {rule.name: re.compile(rule.pattern) for rule in RULES}

    for rule in RULES:
        for sample in rule.samples:
            message = sample.split("\n")[0]
            assert {name for name, pattern in patterns.items() if pattern.fullmatch(message)} == {rule.name}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_states_events_or_says_why_not(rule: LineRule) -> None:
    assert rule.samples
    assert rule.since
    assert bool(rule.build) != bool(rule.why)


@pytest.mark.parametrize("name", STATES)
def test_a_statement_uses_only_columns_of_its_kind(name: str) -> None:
    for said in (said for sample in STATES[name] for said in sample):
        kind = KIND[said.kind]
        allowed = {*kind.columns, *(("aux",) if kind.aux else ())}
        assert set(said.values()) <= allowed
        assert said.isr is None or "isr" in allowed


def test_the_logger_is_not_needed_and_may_not_be_another_program() -> None:
    with_logger = parse(f"{HEAD}starting (kafka.server.KafkaServer)\n".encode(), STOCK)
    other = parse(f"{HEAD}starting (com.example.Other)\n".encode(), STOCK)

    assert [draft.said.kind for draft in with_logger.drafts] == ["broker_starting"]
    assert not other.drafts


def test_a_message_may_end_in_a_parenthesis_of_its_own() -> None:
    text = f"{HEAD}Truncating log a.b-c_d-0 to offset 7. (kafka.log.Log)\r\n"

    (draft,) = parse(text.encode(), STOCK).drafts

    assert draft.said == Said("truncated", ("a.b-c_d", 0), offset=7)


def test_what_mentions_replication_and_has_no_rule_is_counted() -> None:
    text = text_of("The replica did something new with its high watermark") + text_of("Good morning")

    drafts = parse(text, STOCK)

    assert drafts.counts[Fate.UNRECOGNISED] == 1
    assert drafts.counts[Fate.NOISE] == 1
    assert [(one.fate, one.line) for one in drafts.examples] == [(Fate.UNRECOGNISED, 1)]


def test_lines_that_no_calendar_has_and_holes_of_zeros_are_malformed() -> None:
    text = b"[2026-02-30 03:29:10,161] INFO starting\n" + text_of("a\0\0b") + text_of("starting")

    drafts = parse(text, STOCK)

    assert drafts.counts[Fate.MALFORMED] == 2
    assert [draft.line for draft in drafts.drafts] == [3]


_TO_FOLLOW = (
    "as part of become-follower request from controller 3 epoch 1 with correlation id 2 for partition t-0"
)


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        # To 1.0, from Kafka's source: the samples of the rules have the prefix of later releases.
        (
            "[Replica Manager on Broker 1]: Error processing append operation on partition t-0",
            "trace-manager",
        ),
        ("[ReplicaFetcherThread-0-2]: Node 2 disconnected.", "fetcher-network"),
        (f"Broker 1 stopped fetchers {_TO_FOLLOW}", "transition-fetchers"),
        (f"[Broker id=1] Stopped fetchers {_TO_FOLLOW}", "transition-fetchers"),
        ("[UnifiedLog partition=t-0, dir=/data] Incrementing log start offset to 100", "log-start-moved"),
    ],
)
def test_a_component_is_found_by_its_older_and_its_newer_name(printed: str, name: str) -> None:
    found = [
        rule.name for rule, pattern in candidates_of(key(printed.encode())) if pattern.fullmatch(printed)
    ]

    assert found[:1] == [name]
