"""The settings of the brokers: what the scenario sets, and what decides which era's rules hold."""

from collections.abc import Mapping

from core.kafka.eras import Era
from core.sim.logs.scribe import directory, port
from core.sim.logs.wording import numbers
from core.sim.script import Scenario, Settings


def settings_of(scenario: Scenario, era: Era) -> Mapping[str, str]:
    """Kafka's settings by name, the same for all brokers.

    A release that cuts to the high watermark although it need not runs with an old inter-broker protocol.
    """
    own = scenario.settings
    switches = era.switches
    release = ".".join(str(part) for part in numbers(era.release)[: 3 if era.release.startswith("0.") else 2])
    old = switches.truncation == "high-watermark" and numbers(release) >= (0, 11)
    protocol = "0.10.2" if old else release
    unclean = switches.unclean_election == "true" if own.unclean_election is None else own.unclean_election
    found = {
        "inter.broker.protocol.version": protocol,
        "log.message.format.version": protocol,
        "min.insync.replicas": str(own.min_isr),
        "replica.fetch.backoff.ms": str(own.fetch_backoff_ms),
        "replica.fetch.wait.max.ms": str(own.fetch_wait_max_ms),
        "replica.high.watermark.checkpoint.interval.ms": str(own.checkpoint_interval_ms),
        "replica.lag.time.max.ms": str(own.lag_time_ms or switches.lag_time_ms),
        "unclean.leader.election.enable": "true" if unclean else "false",
        "zookeeper.session.timeout.ms": str(own.session_timeout_ms or switches.session_timeout_ms),
    }
    if own.transaction_timeout_ms != Settings().transaction_timeout_ms:
        # Producers may ask for no more; without it nobody could tell from logs what they ask for.
        found["transaction.max.timeout.ms"] = str(own.transaction_timeout_ms)
    if switches.controller == "kraft":
        session = found.pop("zookeeper.session.timeout.ms")
        for name in ("inter.broker.protocol.version", "log.message.format.version"):
            del found[name]
        found["broker.session.timeout.ms"] = session
    return found


def _own(broker: int, role: str, *, moves: bool) -> Mapping[str, str]:
    """What a node has for itself. Where a log moves within its broker, each broker has a second directory."""
    second = (directory(broker, second=True),) if moves and role != "controller" else ()
    dirs = ",".join((directory(broker), *second))
    if not role:
        return {"broker.id": str(broker), "log.dirs": dirs}
    return {"process.roles": role, "node.id": str(broker), "log.dirs": dirs}


def properties(settings: Mapping[str, str], broker: int, role: str = "", *, moves: bool = False) -> bytes:
    """server.properties of a node; `role` is that of KRaft, `moves` whether a log moves within its broker."""
    rows = {
        **_own(broker, role, moves=moves),
        "listeners": f"PLAINTEXT://127.0.0.1:{port(broker)}",
        **({} if role else {"zookeeper.connect": "127.0.0.1:12181"}),
        **settings,
    }
    return "".join(f"{name}={value}\n" for name, value in rows.items()).encode()


def dump(settings: Mapping[str, str], broker: int, role: str = "", *, moves: bool = False) -> str:
    """The settings as a node prints them at its start: in order, one a line, after a tab."""
    rows = {**_own(broker, role, moves=moves), **settings}
    return "".join(f"\t{name} = {rows[name]}\n" for name in sorted(rows))
