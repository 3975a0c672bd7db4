"""All rules in one table, and what a line must mention to count as being about replication."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from importers.kafka.asking import ASKING_RULES
from importers.kafka.controller import CONTROLLER_RULES
from importers.kafka.directories import DIRECTORY_RULES
from importers.kafka.fetching import FETCH_RULES
from importers.kafka.following import FOLLOWING_RULES
from importers.kafka.kraft_controller import KRAFT_CONTROLLER_RULES
from importers.kafka.kraft_life import KRAFT_LIFE_RULES
from importers.kafka.kraft_noise import KRAFT_NOISE_RULES
from importers.kafka.kraft_state import KRAFT_STATE_RULES
from importers.kafka.life import LIFE_RULES
from importers.kafka.log_files import LOG_FILE_RULES
from importers.kafka.logs import LOG_RULES
from importers.kafka.noise import NOISE_RULES
from importers.kafka.raft import RAFT_RULES
from importers.kafka.replicas import REPLICA_RULES
from importers.kafka.request_log import REQUEST_LOG_RULES
from importers.kafka.requests import REQUEST_RULES
from importers.kafka.rule import Compiled, LineRule, dispatch_table, wide_key
from importers.kafka.tiers import TIER_RULES
from importers.kafka.topic_settings import TOPIC_SETTINGS_RULES
from importers.kafka.tracing import TRACING_RULES

RULES: Final[tuple[LineRule, ...]] = (
    *LOG_RULES,
    *LOG_FILE_RULES,
    *DIRECTORY_RULES,
    *REPLICA_RULES,
    *FETCH_RULES,
    *ASKING_RULES,
    *FOLLOWING_RULES,
    *TIER_RULES,
    *TRACING_RULES,
    *REQUEST_RULES,
    *REQUEST_LOG_RULES,
    *CONTROLLER_RULES,
    *LIFE_RULES,
    *KRAFT_STATE_RULES,
    *KRAFT_CONTROLLER_RULES,
    *KRAFT_LIFE_RULES,
    *RAFT_RULES,
    *TOPIC_SETTINGS_RULES,
    *NOISE_RULES,
    *KRAFT_NOISE_RULES,
)

_RELEVANT: Final = re.compile(
    rb"truncat|\bISR\b|\bisr\b|[lL]eader|high ?[wW]atermark|[eE]poch|[oO]ffset|[pP]artition[ =]|\[[\w.\-]+,\d+\]",
)
_ABOUT: Final = 1 << 16
"""What a line is about is said in its first bytes: the words of replication are looked for up to here."""
_OF_CLIENTS: Final = (
    b"org.apache.kafka.clients.",
    b"org.apache.kafka.connect.",
    b"org.apache.kafka.streams.",
)
"""Loggers of programs beside the brokers, and of the network code that a broker shares with them."""
_BY_CLIENTS: Final = (
    b"[Producer clientId=",
    b"[Consumer clientId=",
    b"[Consumer instanceId=",
    b"[AdminClient clientId=",
)
"""How their lines begin where a layout names no logger (LogContext, from 1.0)."""


def may_be_relevant(message: bytes, logger: bytes) -> bool:
    """Whether a line that no rule reads may say something of replication that is missing then.

    Not one of a client: what it says of leaders and offsets is what a broker has told it.
    """
    if logger.startswith(_OF_CLIENTS) or message.startswith(_BY_CLIENTS):
        return False
    return _RELEVANT.search(message, 0, _ABOUT) is not None


@lru_cache(maxsize=1)
def table() -> Mapping[str, tuple[Compiled, ...]]:
    """The dispatch table, compiled at the first use."""
    return dispatch_table(RULES)


def candidates_of(narrow: str) -> tuple[Compiled, ...]:
    """The rules that can fit a message, by its dispatch key: its own first, then those of its component."""
    rules = table()
    own = rules.get(narrow, ())
    return own if narrow.startswith("|") else (*own, *rules.get(wide_key(narrow), ()))
