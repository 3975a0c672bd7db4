"""Under which rules a real cluster ran: its era, and the settings that its logs state."""

from typing import Final

from core.history.running import era_of, oldest_stated, releases_of
from core.kafka.eras import ERAS, Era, era
from core.kafka.protocols import FORMAT, PROTOCOL, under_protocol
from core.kafka.releases import version_numbers
from core.trace.settings import topic_setting
from core.trace.trace import Trace

_OBEYS_UNCLEAN: Final = (3, 9)
"""From here on KRaft looks at unclean.leader.election.enable (KAFKA-12670). The era of 3.7 does not."""
UNCLEAN: Final = "unclean.leader.election.enable"


def rules_of(trace: Trace) -> Era | None:
    """The rules that the brokers of a trace ran under; None where no release is known.

    With an older protocol between newer brokers: those of the release under the oldest that one states.
    """
    if era_of(trace) is None:
        return None
    running = _fitting(min(filter(None, map(version_numbers, releases_of(trace)))))
    return under_protocol(running, oldest_stated(trace, PROTOCOL), oldest_stated(trace, FORMAT))


def _fitting(release: tuple[int, ...]) -> Era:
    """The latest era that is not later than a release."""
    if _OBEYS_UNCLEAN <= release < version_numbers("4.0"):
        # As in 4.0 in all that an era tells apart.
        return era("4.0")
    fitting = [one for one in ERAS if version_numbers(one.id) <= release]
    return fitting[-1] if fitting else ERAS[0]


def settings_of(trace: Trace, topic: str, rules: Era) -> dict[str, int | bool]:
    """Kafka's settings that the logs state for a topic, by name, where they are not the release's defaults.

    Brokers print their defaults too, and another release has others.
    """
    defaults = {
        "min.insync.replicas": "1",
        "replica.lag.time.max.ms": rules.switches.lag_time_ms,
        "replica.high.watermark.checkpoint.interval.ms": "5000",
    }
    found: dict[str, int | bool] = {}
    for name, default in defaults.items():
        stated = topic_setting(trace, topic, name)
        if stated is not None and stated.isdigit() and int(stated) > 0 and stated != default:
            found[name] = int(stated)
    unclean = topic_setting(trace, topic, UNCLEAN)
    if unclean in ("true", "false") and unclean != rules.switches.unclean_election:
        found[UNCLEAN] = unclean == "true"
    return found
