"""What a line is and which releases print it: the tables of core/sim/logs/ are read here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

SERVER: Final = "server.log"
STATE: Final = "state-change.log"
CONTROLLER: Final = "controller.log"
CONSOLE: Final = "kafkaServer.out"

# Loggers and the prefixes of their lines, that several tables share; the number is the first release.
FETCHER: Final = "kafka.server.ReplicaFetcherThread"
FETCHER_8: Final = "[ReplicaFetcherThread-0-{leader}], "
FETCHER_11: Final = "[ReplicaFetcherThread-0-{leader}]: "
FETCHER_1: Final = "[ReplicaFetcher replicaId={broker}, leaderId={leader}, fetcherId=0] "
PARTITION_8: Final = "Partition {btp} on broker {broker}: "
PARTITION_1: Final = "[Partition {tp} broker={broker}] "
LOG_1: Final = "[Log partition={tp}, dir={dir}] "


@dataclass(frozen=True, slots=True)
class Line:
    """One wording of one line.

    `since` is the first release that prints it and `until` the first that does not ("" = no bound). `text`
    and `tail` are templates; a tail is what log4j prints after the logger, as the lines of an exception.
    """

    name: str
    since: str
    until: str
    file: str
    level: str
    logger: str
    text: str
    tail: str = ""


def numbers(release: str) -> tuple[int, ...]:
    """0.10.2.2 as (0, 10, 2, 2)."""
    return tuple(int(part) for part in release.split("."))


def lines_of(release: str, table: Iterable[Line]) -> Mapping[str, Line]:
    """The lines that a release prints, by name. Raises ValueError where two wordings hold for one release."""
    here = numbers(release)
    found: dict[str, Line] = {}
    for line in table:
        begun = not line.since or numbers(line.since) <= here
        ended = bool(line.until) and numbers(line.until) <= here
        if begun and not ended:
            if line.name in found:
                raise ValueError(f"two wordings of {line.name} in {release}")
            found[line.name] = line
    return found
