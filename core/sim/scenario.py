"""From a TOML text to a scenario. The language is described in docs/scenarios.md."""

from collections.abc import Sequence
from typing import Final

from core.message import Count, message
from core.sim.conditions import OF_QUORUM, examples, parse_condition
from core.sim.scenario_blocks import REPEAT, in_round, unrolled
from core.sim.scenario_clients import CLIENT_STEPS, read_client_step, read_consumers
from core.sim.scenario_protocols import (
    CLUSTER_KEYS,
    STEP_KEYS,
    read_metadata_version,
    read_plan,
    read_plans,
    releases_named,
)
from core.sim.scenario_random import RANDOM_STEPS
from core.sim.scenario_start import read_start
from core.sim.scenario_world import WORLD_STEPS
from core.sim.script import (
    ACKS,
    Action,
    Checkpoint,
    Condition,
    Crash,
    Elect,
    Fetch,
    Hold,
    Limits,
    Pace,
    Produce,
    Release,
    Scenario,
    Settings,
    Start,
    Step,
    Stop,
    Wait,
)
from core.sim.script_quorum import QuorumPlan
from core.sim.toml_reader import Reader, names_allowed, read_toml, words_allowed
from core.trace.units import MILLISECOND_NS

_MAX_BROKERS: Final = 9
_MAX_ID: Final = 2**31 - 1
"""The greatest id that Kafka allows."""
_MAX_PARTITIONS: Final = 1_000
_MOST_PARTITION: Final = 2**31 - 1 - _MAX_PARTITIONS
_MAX_RECORDS: Final = 1_000_000
_DAY_MS: Final = 86_400_000
_MINUTE_MS: Final = 60_000
_ACTIONS: Final = {
    "produce": (
        "records",
        "count",
        "every_ms",
        "acks",
        "partitions",
        "to",
        "batch",
        "retries",
        "producer",
        "transaction",
    ),
    "fetch": ("brokers", "times"),
    **CLIENT_STEPS,
    "fetch-freely": ("brokers",),
    "fetch-by-step": ("brokers",),
    "crash": ("broker", "controller_fails_over", "tail_lost", "power_lost"),
    "stop": ("broker",),
    "start": ("broker", "disk_replaced", *STEP_KEYS),
    "checkpoint": ("brokers",),
    "wait": (),
    "elect": ("broker", "partition", "unclean"),
    "hold-controller": ("brokers",),
    "release-controller": ("brokers", "count", "newest_first"),
    **{do: keys for do, (keys, _) in WORLD_STEPS.items()},
    **{do: keys for do, (keys, _) in RANDOM_STEPS.items()},
}
_CLUSTER_KEYS: Final = (
    *("brokers", "ids", "topic", "first_partition", "partitions", "replication_factor", "fetching"),
)
_OF_NODES: Final = ("crash", "start", "disconnect", "heal", "slow")
"""The steps that may be about controllers of the quorum, too."""
_OF_CONTROLLERS: Final = ("add-voter", "remove-voter", "snapshot", "clean-metadata")
"""The steps that are about controllers of the quorum alone."""
_STEP_KEYS: Final = ("do", "label", "effect", "at_ms", "until", "within_ms", "for_ms")


def parse_scenario(text: str, path: str = "") -> Scenario:
    """The scenario of a TOML text. `path` is what an error names as the file.

    Raises ScenarioError: file, line, key, what is wrong, and what is allowed.
    """
    top = _top(text, path)
    cluster = top.table("cluster")
    brokers = _brokers(cluster)
    partitions = cluster.number("partitions", 1, least=1, most=_MAX_PARTITIONS)
    factor = cluster.maybe_number("replication_factor", least=1, most=len(brokers))
    quorum = _quorum(top, brokers)
    nodes = brokers if quorum is None else (*brokers, *quorum.controllers)
    consumers = read_consumers(top, brokers, partitions)
    names = tuple(one.name for one in consumers)
    if not (tables := top.tables("step")):
        top.fail("step", message("error.scenario.no-step"), message("allowed.steps"))
    turns, plans = unrolled(tables), read_plans(cluster, brokers)
    return Scenario(
        id=top.text("id"),
        title=top.languages("title"),
        story=top.languages("story"),
        brokers=brokers,
        ids=_ids(cluster, len(brokers)),
        topic=cluster.text("topic", "t"),
        first_partition=cluster.number("first_partition", 0, most=_MOST_PARTITION),
        partitions=partitions,
        free_fetching=cluster.choice("fetching", ("free", "by-step"), "free") == "free",
        settings=_settings(top.table("settings")),
        limits=_limits(top.table("limits"), brokers),
        start=read_start(top.table("start"), brokers, brokers[:factor]),
        start_line=top.table("start").line if "start" in top.values else cluster.line,
        steps=tuple(
            in_round(_step(turn.table, number, brokers, nodes, partitions, names), turn.rounds)
            for number, turn in enumerate(turns, start=1)
        ),
        consumers=consumers,
        text=text,
        path=path,
        replication_factor=factor,
        quorum=quorum,
        plans=plans,
        releases=releases_named(cluster, [turn.table for turn in turns], plans),
        metadata_version=read_metadata_version(cluster),
    )


def _top(text: str, path: str) -> Reader:
    """The tables of a scenario, of a schema that is read here."""
    top = read_toml(text, path or "scenario")
    top.only(
        "schema",
        "id",
        "title",
        "story",
        "cluster",
        "settings",
        "limits",
        "quorum",
        "start",
        "consumer",
        "step",
    )
    if top.number("schema", least=1) != 1:
        top.fail("schema", message("error.scenario.schema-newer"), words_allowed("1"))
    return top


def _brokers(cluster: Reader) -> tuple[str, ...]:
    """The names of `[cluster]`, which has no keys but its own."""
    cluster.only(*_CLUSTER_KEYS, *CLUSTER_KEYS)
    brokers = cluster.names("brokers")
    if len(brokers) > _MAX_BROKERS:
        cluster.fail(
            "brokers",
            message("error.scenario.many-brokers", count=Count(len(brokers))),
            message("allowed.up-to", count=Count(_MAX_BROKERS)),
        )
    return brokers


def _quorum(top: Reader, brokers: Sequence[str]) -> QuorumPlan | None:
    """`[quorum]`: controllers that vote, and those that do not; other names than those of the brokers."""
    if "quorum" not in top.values:
        return None
    table = top.table("quorum")
    fetch, election = "controller.quorum.fetch.timeout.ms", "controller.quorum.election.timeout.ms"
    table.only("voters", "observers", fetch, election)
    voters = table.names("voters")
    observers = table.names("observers") if "observers" in table.values else ()
    for key, names, taken in (("voters", voters, brokers), ("observers", observers, (*brokers, *voters))):
        if set(names) & set(taken) or len(names) > _MAX_BROKERS:
            table.fail(
                key, message("error.scenario.voters"), message("allowed.voters", count=Count(_MAX_BROKERS))
            )
    return QuorumPlan(
        voters,
        observers,
        table.number(fetch, 2_000, least=1, most=_DAY_MS) * MILLISECOND_NS,
        table.number(election, 1_000, least=1, most=_DAY_MS) * MILLISECOND_NS,
    )


def _ids(cluster: Reader, count: int) -> tuple[int, ...]:
    """The ids of the brokers; the numbers from 1 on where none are named."""
    ids = cluster.numbers("ids", tuple(range(1, count + 1)), least=1, most=_MAX_ID)
    if len(ids) != count or len(set(ids)) != count:
        cluster.fail("ids", message("error.scenario.ids"), message("allowed.ids", count=Count(count)))
    return ids


def _settings(table: Reader) -> Settings:
    names = {
        "replica.lag.time.max.ms": "lag_time_ms",
        "zookeeper.session.timeout.ms": "session_timeout_ms",
        "min.insync.replicas": "min_isr",
        "replica.high.watermark.checkpoint.interval.ms": "checkpoint_interval_ms",
        "replica.fetch.wait.max.ms": "fetch_wait_max_ms",
        "replica.fetch.backoff.ms": "fetch_backoff_ms",
        "request.timeout.ms": "request_timeout_ms",
        "replica.fetch.min.bytes": "fetch_min_bytes",
        "fetch.max.wait.ms": "consumer_wait_max_ms",
        "retry.backoff.ms": "retry_backoff_ms",
        "transaction.timeout.ms": "transaction_timeout_ms",
    }
    table.only(*names, "unclean.leader.election.enable", "acks", "remote.storage.enable")
    numbers = {
        field: table.number(name, least=1, most=_DAY_MS)
        for name, field in names.items()
        if name in table.values
    }
    return Settings(
        **numbers,
        unclean_election=table.flag("unclean.leader.election.enable", default=None),
        tiered=bool(table.flag("remote.storage.enable", default=False)),
        acks=ACKS[table.choice("acks", tuple(ACKS))] if "acks" in table.values else None,
    )


def _limits(table: Reader, brokers: Sequence[str]) -> Limits:
    table.only("latency_us", "jitter_us", "records_per_fetch", "record_bytes")
    per_fetch = table.table("records_per_fetch")
    per_fetch.only(*brokers)
    return Limits(
        latency_ns=table.number("latency_us", 1_000, least=1, most=_MINUTE_MS * 1_000) * 1_000,
        jitter_ns=table.number("jitter_us", 0, most=_MINUTE_MS * 1_000) * 1_000,
        records_per_fetch={name: per_fetch.number(name, least=1) for name in per_fetch.values},
        record_bytes=table.number("record_bytes", 1, least=1),
    )


def _step(
    table: Reader,
    number: int,
    brokers: Sequence[str],
    nodes: Sequence[str],
    partitions: int,
    consumers: Sequence[str],
) -> Step:
    """`nodes` are the brokers and the controllers of the quorum."""
    do = table.choice("do", (*_ACTIONS, REPEAT))
    table.only(*_STEP_KEYS, *_ACTIONS[do])
    until = _until(table, brokers, nodes, partitions)
    at_ms = table.maybe_number("at_ms", most=_DAY_MS)
    for_ms = table.maybe_number("for_ms", most=_DAY_MS)
    if until is not None and for_ms is not None:
        table.fail("for_ms", message("error.scenario.until-or-for"), message("allowed.one-of-two"))
    if until is None and "within_ms" in table.values:
        table.fail("within_ms", message("error.scenario.within"), message("allowed.within-until"))
    if do == "wait" and until is None and for_ms is None:
        table.fail("do", message("error.scenario.waits-for-nothing"), message("allowed.wait"))
    within_ms = _MINUTE_MS if until is None else table.number("within_ms", least=1, most=_DAY_MS)
    return Step(
        number=number,
        line=table.line,
        label=table.languages("label", needed=False),
        effect=table.languages("effect", needed=False),
        action=read_client_step(table, do, consumers)
        if do in CLIENT_STEPS
        else _action(table, do, _nodes_of(do, brokers, nodes), partitions),
        at_ns=None if at_ms is None else at_ms * MILLISECOND_NS,
        until=until,
        for_ns=None if for_ms is None else for_ms * MILLISECOND_NS,
        within_ns=within_ms * MILLISECOND_NS,
    )


def _nodes_of(do: str, brokers: Sequence[str], nodes: Sequence[str]) -> Sequence[str]:
    """What a step may be about. `nodes` are the brokers, then the controllers."""
    if do in _OF_CONTROLLERS:
        return nodes[len(brokers) :]
    return nodes if do in _OF_NODES else brokers


def _until(table: Reader, brokers: Sequence[str], nodes: Sequence[str], partitions: int) -> Condition | None:
    if "until" not in table.values:
        return None
    text = table.text("until")
    condition = parse_condition(text)
    if condition is None:
        table.fail("until", message("error.scenario.no-condition", text=text), words_allowed(examples()))
    if condition.partition >= partitions:
        table.fail(
            "until",
            message("error.scenario.no-partition", number=condition.partition),
            message("allowed.from-to", first=0, last=partitions - 1),
        )
    known = nodes[len(brokers) :] if condition.kind in OF_QUORUM else brokers
    for name in (condition.broker, condition.other):
        if name and name not in known:
            table.fail("until", message("error.scenario.no-broker", name=name), names_allowed(known))
    return condition


def _action(table: Reader, do: str, brokers: Sequence[str], partitions: int) -> Action:
    if do in WORLD_STEPS:
        return WORLD_STEPS[do][1](table, brokers, partitions)
    if do in RANDOM_STEPS:
        return RANDOM_STEPS[do][1](table, brokers, partitions)
    if do == "produce":
        return _produce(table, brokers, partitions)
    if do == "fetch":
        return Fetch(table.names("brokers", brokers), table.number("times", 1, least=1, most=_MAX_RECORDS))
    if do in ("fetch-freely", "fetch-by-step"):
        return Pace(table.names("brokers", brokers), free=do == "fetch-freely")
    if do in ("crash", "stop", "start"):
        return _process(table, do, brokers)
    if do in ("elect", "hold-controller", "release-controller"):
        return _control(table, do, brokers, partitions)
    return Checkpoint(table.names("brokers", brokers)) if do == "checkpoint" else Wait()


def _process(table: Reader, do: str, brokers: Sequence[str]) -> Action:
    broker = table.choice("broker", brokers)
    if do == "crash":
        fails_over = table.flag("controller_fails_over", default=False)
        power_lost = bool(table.flag("power_lost", default=False))
        return Crash(broker, bool(fails_over), table.number("tail_lost", 0), power_lost)
    if do == "stop":
        return Stop(broker)
    return Start(broker, bool(table.flag("disk_replaced", default=False)), read_plan(table))


def _control(table: Reader, do: str, brokers: Sequence[str], partitions: int) -> Action:
    if do == "elect":
        wanted = table.choice("broker", brokers) if "broker" in table.values else ""
        number = table.number("partition", 0, most=partitions - 1)
        return Elect(wanted, number, unclean=bool(table.flag("unclean", default=False)))
    names = table.names("brokers", brokers)
    if do == "hold-controller":
        return Hold(names)
    newest_first = table.flag("newest_first", default=False)
    return Release(names, table.maybe_number("count", least=1), bool(newest_first))


def _produce(table: Reader, brokers: Sequence[str], partitions: int) -> Produce:
    turns = table.numbers("partitions", (0,), most=partitions - 1)
    to = table.choice("to", brokers) if "to" in table.values else ""
    acks = ACKS[table.choice("acks", tuple(ACKS))]
    every = table.number("every_ms", 0, most=_MINUTE_MS) * MILLISECOND_NS
    if ("records" in table.values) == ("count" in table.values):
        table.fail("records", message("error.scenario.produce"), message("allowed.records-or-count"))
    batch = table.number("batch", 1, least=1, most=_MAX_RECORDS)
    retries = table.number("retries", 0)
    names = [table.text(key) if key in table.values else "" for key in ("producer", "transaction")]
    if names[1] and acks != ACKS["all"]:
        table.fail("acks", message("error.scenario.transaction-acks"), words_allowed("all"))
    if "records" in table.values:
        return Produce(table.names("records"), acks, every, turns, to, batch, retries, *names)
    count = table.number("count", least=1, most=_MAX_RECORDS)
    prefix = ".".join(str(part + 1) for part in table.path if isinstance(part, int))
    records = tuple(f"r{prefix}.{place}" for place in range(1, count + 1))
    return Produce(records, acks, every, turns, to, batch, retries, *names)
