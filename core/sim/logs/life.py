"""Starts and ends of brokers, and what the controller says of them."""

from core.sim.logs.scribe import Scribe, about, comma, say
from core.sim.logs.settings import dump
from core.trace.trace import Event
from core.trace.units import MILLISECOND_NS


def boot(scribe: Scribe, broker: int) -> None:
    """The first lines of a start."""
    life = scribe.life(broker)
    life.up, life.restarting, life.gone_at = True, True, None
    life.starts += 1
    for (_, owner), copy in scribe.copies.items():
        if owner == broker:
            copy.role, copy.fetching, copy.announced, copy.leader_epoch = "", False, False, -1
            copy.knows_others = False
            copy.remote.clear()
    say(scribe, broker, "mbean")
    lines = scribe.runs_by(broker).lines
    if "version" in lines and lines["version"].file == "kafkaServer.out":
        say(scribe, broker, "version")
    say(scribe, broker, "settings", settings=settings_text(scribe, broker))
    say(scribe, broker, "starting")
    say(scribe, broker, "logs-loading")
    count = sum(owner == broker and copy.leo > 0 for (_, owner), copy in scribe.copies.items())
    if count == 0:
        say(scribe, broker, "no-logs")
    if count or scribe.release_of(broker) < (3, 5):
        say(scribe, broker, "stopped-cleanly" if life.clean else "stopped-uncleanly", count=count)


def settings_text(scribe: Scribe, node: int) -> str:
    """The settings of a node as it prints them at its start."""
    settings = {**scribe.settings, **scribe.runs_by(node).settings}
    return dump(settings, node, role_of(scribe, node), moves=scribe.moves)


def role_of(scribe: Scribe, node: int) -> str:
    """`broker` or `controller` under KRaft, "" with ZooKeeper."""
    if scribe.metadata is None:
        return ""
    return "broker" if node in brokers_of(scribe) else "controller"


def brokers_of(scribe: Scribe) -> list[int]:
    """The brokers of the run. The voters of a quorum are none."""
    voters = () if scribe.quorum is None else scribe.quorum.members
    return [int(one.broker_id) for one in scribe.trace.brokers if int(one.broker_id) not in voters]


def load(scribe: Scribe, partition: int, broker: int, leo: int, *, clean: bool = False) -> None:
    """A log that is there already is loaded; after a crash it is recovered first."""
    copy = scribe.copy(partition, broker)
    words = {
        **about(scribe, partition),
        "leo": leo,
        "log_start": copy.log_start,
        "local_start": copy.first_on_disk,
        "count": sum(owner == broker for _, owner in scribe.copies),
    }
    if not clean:
        say(scribe, broker, "corrupt-index", **words)
        say(scribe, broker, "recovering", **words)
        say(scribe, broker, "producer-snapshot", **words)
    say(scribe, broker, "producer-state", **words)
    say(scribe, broker, "log-loaded", **words)


def register(scribe: Scribe, broker: int) -> None:
    """The broker writes its id to ZooKeeper."""
    say(scribe, broker, "registering")
    say(scribe, broker, "znode-created")
    life = scribe.life(broker)
    say(scribe, broker, "registered", broker_epoch=100 * life.starts + broker)


def finish(scribe: Scribe, broker: int) -> None:
    """The last lines of a start."""
    life = scribe.life(broker)
    if not life.restarting:
        return
    life.restarting, life.clean = False, False
    lines = scribe.runs_by(broker).lines
    if "version" in lines and lines["version"].file != "kafkaServer.out":
        say(scribe, broker, "version")
    say(scribe, broker, "start-time", now_ms=(scribe.origin + scribe.at) // MILLISECOND_NS)
    say(scribe, broker, "started")


def start_at_once(scribe: Scribe, broker: int) -> None:
    """A whole start of a broker that holds nothing."""
    boot(scribe, broker)
    say(scribe, broker, "logs-loaded", count=0)
    register(scribe, broker)
    finish(scribe, broker)


def live(scribe: Scribe) -> tuple[int, ...]:
    """The brokers that run."""
    return tuple(sorted(one for one, life in scribe.lives.items() if life.up))


def take_over(scribe: Scribe) -> None:
    """The controller of now begins its work."""
    for name in ("controller-taking-over", "controller-elected", "controller-ready"):
        say(scribe, scribe.controller, name)


def on_starting(scribe: Scribe, event: Event) -> None:
    """A broker that was down starts. A new disk has no sign of a clean stop."""
    scribe.life(event.values["replica"]).clean &= not _has_new_disk(scribe, event)
    boot(scribe, event.values["replica"])


def _has_new_disk(scribe: Scribe, event: Event) -> bool:
    """Whether what follows a start says that the logs begin anew."""
    end = min(len(scribe.trace), event.seq + 2 + len(scribe.trace.partitions))
    after = (scribe.trace.event(seq) for seq in range(event.seq + 1, end))
    return any(one.kind == "log_reset" and one.cause == event.seq for one in after)


def on_loaded(scribe: Scribe, event: Event) -> None:
    """It loads a log."""
    broker, partition = event.values["replica"], event.values["partition"]
    if scribe.copy(partition, broker).exists:
        load(scribe, partition, broker, event.values["leo"], clean=scribe.life(broker).clean)


def on_registered(scribe: Scribe, event: Event) -> None:
    """It registers: at the end of its start, or anew, once its client has heard that its session expired."""
    broker = event.values["replica"]
    if scribe.life(broker).restarting:
        say(scribe, broker, "logs-loaded", count=sum(owner == broker for _, owner in scribe.copies))
    else:
        say(scribe, broker, "session-expired")
    register(scribe, broker)


def on_started(scribe: Scribe, event: Event) -> None:
    """It is up."""
    finish(scribe, event.values["replica"])


def on_gone(scribe: Scribe, event: Event) -> None:
    """The process is gone without a word."""
    go_down(scribe, event.values["replica"])


def go_down(scribe: Scribe, node: int) -> None:
    """A process is gone from now on."""
    life = scribe.life(node)
    life.up, life.gone_at = False, scribe.at


def on_exited(scribe: Scribe, event: Event) -> None:
    """The broker ends itself: it may not cut its log to that of its leader (to 2.0.0)."""
    broker = event.values["replica"]
    for (partition, owner), copy in scribe.copies.items():
        if owner == broker and copy.fetching:
            leader = scribe.copy(partition, copy.leader)
            words = {**about(scribe, partition), "leader": copy.leader, "leo": copy.leo, "to": leader.leo}
            if leader.leo < copy.leo:
                say(scribe, broker, "exiting", **words)
    say(scribe, broker, "stopping")
    go_down(scribe, broker)


def on_shutdown(scribe: Scribe, event: Event) -> None:
    """The steps of a clean stop."""
    broker = event.values["replica"]
    if event.kind == "shutdown_requested":
        say(scribe, broker, "stopping")
    elif event.kind == "controlled_shutdown_begun":
        say(scribe, broker, "shutdown-begun")
    elif event.kind == "controlled_shutdown_ended" and event.get("aux") != 0:
        say(scribe, broker, "shutdown-granted")
    elif event.kind == "broker_stopped":
        say(scribe, broker, "stopped")
        go_down(scribe, broker)
        scribe.life(broker).clean = True


def on_failure_noticed(scribe: Scribe, event: Event) -> None:
    """The controller sees that a broker is gone."""
    gone = event.values["replica"]
    left = tuple(one for one in live(scribe) if one != gone)
    say(scribe, scribe.controller, "brokers-changed", added="", gone=gone, live=comma(left))


def on_controller_elected(scribe: Scribe, event: Event) -> None:
    """Another controller begins: the broker that the event names, or the next one outside of the picture."""
    before = scribe.controller
    named = event.get("broker")
    if named is None and before not in {int(one.broker_id) for one in scribe.trace.brokers}:
        go_down(scribe, before)
    scribe.controller = before + 1 if named is None else named
    scribe.controller_epoch = event.get("epoch") or scribe.controller_epoch + 1
    scribe.correlations.clear()
    take_over(scribe)
