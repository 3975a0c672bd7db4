"""What a rule of the grammar is, and how the rule for a message is found without trying them all."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from importers.kafka.drafts import Said
from importers.kafka.text import whole

NamedFacts: TypeAlias = tuple[tuple[str, str], ...]


# Never changed, and yet not frozen, as importers/kafka/drafts.py has it.
@dataclass(slots=True)
class Reading:
    """What a rule makes of a record: statements, facts, or neither for a line that is known and says nothing new."""

    said: tuple[Said, ...] = ()
    facts: NamedFacts = ()


@dataclass(slots=True)
class Message:
    """What a rule sees: the groups of its pattern, and the lines that follow the first one."""

    match: re.Match[str]
    following: str

    @property
    def tail(self) -> str:
        """The lines that follow the first one."""
        return self.following

    def __getitem__(self, name: str) -> str:
        """A group that took part in the match."""
        return self.match[name]

    def number(self, name: str) -> int:
        """A group as an integer."""
        return whole(self.match[name])


Build: TypeAlias = Callable[[Message], Reading]


@dataclass(frozen=True, slots=True)
class LineRule:
    """One kind of line.

    `since` and `until` are the releases that print it ("" = no end known). `pattern` must match the whole
    first line of the message; `logger`, where set, may only narrow the match, and a layout without loggers
    passes. `samples` are real messages, with following lines where the rule reads them; they are tests, and
    their dispatch keys are the rule's: a line that begins in another way needs a sample that does. `build` is
    None for known noise, and then `why` says why the line is not an event. `components` are names in a leading
    bracket whose lines are tried with the rule however they go on: for noise of whole components.
    """

    name: str
    since: str
    until: str
    pattern: str
    samples: tuple[str, ...]
    build: Build | None = None
    why: str = ""
    logger: str = ""
    components: tuple[str, ...] = ()


_KEY: Final = re.compile(
    rb"(?:\[([A-Za-z]++)[^\]]*\][:,]? *)?(?:(Broker|Controller) \d+ (?:epoch \d+ )?)?([^\s:,(\[]*)",
)
"""The first word in the leading bracket, the actor of the state change log to 0.11, and the word after them."""


_TWO_NAMES: Final = (
    ("Replica", "ReplicaManager"),
    ("ReplicaFetcherThread", "ReplicaFetcher"),
    ("Log", "UnifiedLog"),
    ("Controller", "QuorumController"),
)
"""Components that older releases print by the one name and newer ones by the other, most words being the same."""
_STATE_CHANGE: Final = ("Broker", "Controller")
"""Who prints state-change.log: `Broker 1 received …` to 0.11, `[Broker id=1] Received …` later."""


def key(message: bytes) -> str:
    """The dispatch key of a message: component|actor|word, digits as #.

    `[Kafka Server 1], started` is `Kafka||started`, `Broker 2 received …` is `|Broker|received`. A partition is @:
    `[Partition t-0 broker=1] t-0 starts …` is `Partition||@`.
    """
    match = _KEY.match(message)
    if match is None:
        return "||"
    component, actor, word = ((part or b"").decode("utf-8", "replace").strip() for part in match.groups())
    if word[-1:].isdigit():
        word = "#" if word.isdigit() else "@" if "-" in word else word
    return f"{component}|{actor}|{word}"


def _keys(sample: str) -> Iterator[str]:
    """The dispatch keys of a sample: its own, and those of the same words under the component's other names."""
    component, actor, word = key(sample.encode()).split("|", 2)
    if (actor or component) in _STATE_CHANGE and not (actor and component):
        for first in (word[:1].lower(), word[:1].upper()):
            yield f"{actor or component}||{first}{word[1:]}"
            yield f"|{actor or component}|{first}{word[1:]}"
    for name in next((names for names in _TWO_NAMES if component in names), (component,)):
        yield f"{name}|{actor}|{word}"


def wide_key(narrow: str) -> str:
    """The key under which rules of a whole component stand, for the key of a message."""
    return f"{narrow.partition('|')[0]}||*"


Compiled: TypeAlias = tuple[LineRule, re.Pattern[str]]


def dispatch_table(rules: Iterable[LineRule]) -> Mapping[str, tuple[Compiled, ...]]:
    """Rules by dispatch key, compiled. Raises ValueError for a name given twice."""
    table: dict[str, tuple[Compiled, ...]] = {}
    names: set[str] = set()
    for rule in rules:
        if rule.name in names:
            raise ValueError(f"two rules are called {rule.name}")
        names.add(rule.name)
        compiled = (rule, re.compile(rule.pattern))
        for start in dict.fromkeys(one for sample in rule.samples for one in _keys(sample)):
            table[start] = (*table.get(start, ()), compiled)
        for component in rule.components:
            table[f"{component}||*"] = (*table.get(f"{component}||*", ()), compiled)
    return table
