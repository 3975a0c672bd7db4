"""Made-up secrets, planted where lines and the fields of a document name things. A seed gives the same."""

import json
import random
import string
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import numpy as np

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.ids import BrokerId
from core.trace.trace import Broker, KeptLine, Origin, Source, Trace

STAMP: Final = "[2026-11-21 03:29:19,783]"
_ENGLISH: Final = (
    *("follower", "leader", "offset", "Controller", "truncating"),
    *("epoch 5", "the broker", "INFO", "null and void"),
)
"""Passwords that are words of Kafka's own: only their place tells that they are secret."""


@dataclass(frozen=True)
class Plant:
    """A secret and the line that names it."""

    kind: str
    secret: str
    line: str

    @property
    def told_apart(self) -> bool:
        """Whether the secret can be looked for in bytes: a word of Kafka's stands there anyway."""
        return not any(self.secret.lower() in (word.lower(), f"{word.lower()}-1") for word in _ENGLISH)


class _Chance:
    """Names of several makes: with digits, punctuation, letters beyond ASCII, base64, blanks."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - test data

    def word(self) -> str:
        """A name without blanks or separators, eight letters or more."""
        chance = self._random
        consonants, vowels = "bdfgjkmnpqvwxz", "aiouy"
        stem = "".join(chance.choice(consonants) + chance.choice(vowels) for _ in range(4))
        return chance.choice((
            stem,
            stem.capitalize(),
            f"{stem}{chance.randrange(10, 99)}",
            f"{stem}-{chance.choice(consonants)}{chance.choice(vowels)}x",
            f"{stem}_{chance.randrange(100)}.q",
            f"{stem}é{chance.choice('ßøłж中')}k",
            "".join(chance.choices(string.ascii_letters + string.digits, k=22)),
            f"{stem}.{stem[::-1]}",
        ))  # fmt: skip

    def make(self, make: str) -> str:
        """A secret of one of the makes of secret_lines.txt."""
        if make == "anything":
            return self.secret().strip()
        if make == "two":
            return f"{self.word()} {self.word()}"
        return self.word() if make == "word" else self.word().encode("ascii", "ignore").decode()

    def secret(self) -> str:
        """A password: anything but a quote or a line end."""
        chance = self._random
        if chance.random() < 0.15:
            return chance.choice(_ENGLISH)
        return self.word() + "".join(chance.choices("!$%&*+-./:;<>?@[]^_`{|}~#() ", k=3)) + self.word()


_LINES: Final = tuple(
    row.split("|", 2)
    for row in (Path(__file__).parent / "secret_lines.txt").read_text(encoding="utf-8").splitlines()
    if not row.startswith("#")
)
"""Kinds of lines as Kafka, ZooKeeper and the JDK print them, each with the make of its secret."""
FIELDS: Final = ("broker", "source", "folder", "name", "fact", "report", "note", "author")


def plants(seed: int, count: int) -> list[Plant]:
    """So many secrets in lines, of every kind in turn."""
    chance = _Chance(seed)
    made: list[Plant] = []
    for kind, make, form in islice(cycle(_LINES), count):
        secret = chance.make(make)
        line = form.replace("\\t", "\t").replace("§^", secret.upper()).replace("§", secret)
        made.append(Plant(kind, secret, line if line[0] in "\tuo" else f"{STAMP} {line}"))
    return made


def field_secrets(seed: int) -> dict[str, str]:
    """One secret for each field of a document, none of them in any line."""
    chance = _Chance(seed + 1_000_003)
    return {field: f"{chance.word()}zq{place}" for place, field in enumerate(FIELDS)}


def planted_trace(
    seed: int, count: int, topic: str = "orders", release: str = "0.10.2"
) -> tuple[Trace, list[Plant], dict[str, str]]:
    """The loss, as if imported, with secrets in its lines and fields."""
    base = simulate(scenario("hw-loss"), era(release))
    lines = plants(seed, count)
    told = field_secrets(seed)
    # Every event is read from one of the lines, so that a page shows as many of them as there are events.
    columns = {**base.columns, "source": np.zeros(len(base), base.columns["source"].dtype)}
    columns["line"] = (np.arange(len(base)) % count + 1).astype(base.columns["line"].dtype)
    path = f"{told['folder']}/{told['source']}-server.log"
    trace = replace(
        base,
        columns=columns,
        name=f"incident of {told['name']}",
        origin=Origin.IMPORTED,
        brokers=(Broker(BrokerId(1), f"{told['broker']}:9092"), *base.brokers[1:]),
        partitions=tuple(replace(one, tp=replace(one.tp, topic=topic)) for one in base.partitions),
        sources=(replace(base.sources[0], path=path), Source(f"{told['folder']}/a.tar!/b.log", "1" * 64, 1)),
        lines=tuple(KeptLine(0, at, at * 400, one.line) for at, one in enumerate(lines, start=1)),
        facts={"config.broker-1.log.dirs": f"/data/{told['fact']}", "version.broker-1": "0.10.2.2"},
        report={
            "by_file": [{"file": path, "is": "log", "broker": None}],
            "examples": [
                {
                    "file": path,
                    "line": 1,
                    "fate": "unrecognised",
                    "text": f"no rule reads {told['report']} here",
                }
            ],
            "further": [{"broker": 1, "evidence": f"logs of {told['report']}", "settles": "its times",
                         "evidence_zh": f"{told['report']}的日志", "settles_zh": "它的时间"}],
        },
    )  # fmt: skip
    return trace, lines, told


def spelled(secret: str) -> Iterator[str]:
    """A secret as text formats write it."""
    yield secret
    yield json.dumps(secret)[1:-1]
    yield secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
