"""What traces name: the names that they hold as such, and those that their lines, facts and reports tell."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, cast

from core.message_json import is_message
from core.trace.redact_cut import TOKEN, chinese_apart
from core.trace.redact_names import Finding, names_in
from core.trace.redact_values import Holder, values_in
from core.trace.trace import KeptLine, Origin, Trace


class What(StrEnum):
    """What can be hidden. In this order a name that is two things gets its pseudonym."""

    HOSTS = "hosts"
    CLIENTS = "clients"
    KEYS = "keys"
    PATHS = "paths"
    TOPICS = "topics"


_SCRIPTED: Final = re.compile(r"[A-Za-z]{1,2}\d{0,4}")
"""Letters of a scenario's script: they name nobody."""
KIND_OF: Final = {
    Holder.GUARDED: None,
    Holder.OTHER: None,
    Holder.HOST: What.HOSTS,
    Holder.CLIENT: What.CLIENTS,
    Holder.KEY: What.KEYS,
    Holder.TOPIC: What.TOPICS,
}
_AT_ONCE: Final = 4096


@dataclass(slots=True)
class Seen:
    """What was found so far: names by their kind, names of no kind, and all tokens beside them."""

    found: dict[What, set[str]]
    hosts: dict[str, int] = field(default_factory=dict[str, int])
    others: set[str] = field(default_factory=set[str])
    """Passwords, user names, tokens"""
    apart: set[str] = field(default_factory=set[str])
    """Racks, clusters and the like: hidden where only what is allowed stays"""
    tokens: set[str] = field(default_factory=set[str])
    pieces: set[str] = field(default_factory=set[str])
    """What stands between blanks: a log says the same ones again and again, and each is looked at once."""

    def read(self, text: str, *, cut: bool) -> None:
        """Names of a text, and the values that are hidden whole in it; all other tokens, if it is `cut`."""
        self.pieces.update(text.split())
        end = 0
        for value in values_in(text):
            kind = KIND_OF[value.holder]
            name = text[value.start : value.end]
            if not (kind is What.TOPICS and name.startswith("__")):
                self._of(value.holder, kind).add(name)
            if cut:
                self.tokens.update(TOKEN.findall(text, end, value.start))
            end = value.end
        if cut:
            self.tokens.update(TOKEN.findall(text, end))

    def _of(self, holder: Holder, kind: What | None) -> set[str]:
        if kind is not None:
            return self.found[kind]
        return self.others if holder is Holder.GUARDED else self.apart

    def settle(self) -> None:
        """Find the names that stand behind no key."""
        for what, name in names_in("\n".join(self.pieces)):
            if what is Finding.FOLDER:
                _folder(name, self.found)
            else:
                self.found[What.HOSTS].add(name)


def batches(lines: Sequence[KeptLine]) -> Iterator[list[KeptLine]]:
    """The lines, some thousand at a time."""
    some: list[KeptLine] = []
    for line in lines:
        some.append(line)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def texts_of(trace: Trace) -> Iterator[str]:
    """What a trace says in words: by Kafka, by the import, and by who named it."""
    yield trace.name
    yield "\n".join(trace.facts.values())
    yield "\n".join(broker.name for broker in trace.brokers)
    yield "\n".join(source.path.rpartition("/")[2] for source in trace.sources)
    yield "\n".join(part for source in trace.sources for part in source.path.split("/"))
    for some in batches(trace.lines):
        yield "\n".join(line.text for line in some)
    yield "\n".join(chinese_apart(text, str, " ") for text in _strings(trace.report))


def stated(trace: Trace, found: dict[What, set[str]], hosts: dict[str, int]) -> None:
    """Names that the trace holds as such."""
    scripted = trace.origin is Origin.SIMULATED
    for broker in trace.brokers:
        host = re.sub(r":\d+$", "", broker.name)
        if host and not (scripted and _SCRIPTED.fullmatch(host)):
            found[What.HOSTS].add(host)
            hosts.setdefault(host, int(broker.broker_id))
    found[What.KEYS].update(
        name for name in trace.records if name and not (scripted and _SCRIPTED.fullmatch(name))
    )
    found[What.TOPICS].update(
        one.tp.topic for one in trace.partitions if one.tp.topic and not one.tp.topic.startswith("__")
    )
    if not scripted and _tells(trace.name):
        found[What.PATHS].add(trace.name)
    for path in (*(source.path for source in trace.sources), *_paths(trace.report)):
        folder, slash, _ = path.rpartition("/")
        if slash:
            _folder(folder, found)


_NEUTRAL: Final = re.compile(
    r"(broker|node|controller|kafka|server|zookeeper|metadata|snapshots?|checkpoints?)?-?\d{0,4}|[a-z]{1,7}|\.{1,2}|!",
    re.IGNORECASE,
)


def _tells(part: str) -> bool:
    """Whether a folder's name says something about somebody, such as a customer or a machine."""
    return len(part) > 2 and not _NEUTRAL.fullmatch(part.removesuffix("!"))


def _folder(folder: str, found: dict[What, set[str]]) -> None:
    """A folder and each part of it that tells something by itself."""
    if folder:
        found[What.PATHS].add(folder)
        found[What.PATHS].update(part for part in re.split(r"[/\\]", folder) if _tells(part))


_FILES: Final = ("file", "paths", "left_out")


def _paths(value: Any) -> Iterable[str]:  # noqa: ANN401 - plain JSON values
    """Paths in a report: of files that are no source, and of what a person named."""
    if isinstance(value, Mapping):
        for key, one in cast("Mapping[str, Any]", value).items():
            if key in _FILES:
                yield from _strings(one)
            elif key == "brokers" and isinstance(one, Mapping):
                yield from cast("Mapping[str, Any]", one)
            else:
                yield from _paths(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[Any]", value):
            yield from _paths(one)


def _strings(value: Any) -> Iterable[str]:  # noqa: ANN401 - plain JSON values
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        rows = cast("Mapping[str, Any]", value)
        if is_message(rows):
            yield from _values(list(rows.get("values", {}).values()))
            return
        for key, one in rows.items():
            yield key
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[Any]", value):
            yield from _strings(one)


def _values(value: Any) -> Iterable[str]:  # noqa: ANN401 - plain JSON values
    """Strings of values of a message: the names of sentences, of places and of kinds of values are ours."""
    if isinstance(value, Mapping):
        rows = cast("Mapping[str, Any]", value)
        yield from _strings(rows) if is_message(rows) else _values(list(rows.values()))
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[Any]", value):
            yield from _values(one)
    else:
        yield from _strings(value)
