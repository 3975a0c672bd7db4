"""Redaction: hosts, clients, keys, paths and topics of a trace become pseudonyms before anything is drawn.

Names are found where the trace states them (brokers, sources, partitions, records) and where a line or a fact
names them in one of Kafka's own forms. What was found once is replaced everywhere, so that one thing has one
pseudonym. The result is a trace: nothing that is made of it can show what it no longer holds.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

from core.errors import QuestionError
from core.language import say
from core.trace.redact_names import Finding, names_in, trie_pattern
from core.trace.trace import Origin, Trace

FACT: Final = "redaction"
"""The fact of a redacted trace that says what was replaced and what was kept."""


class What(StrEnum):
    """What can be hidden. In this order a name that is two things gets its pseudonym."""

    HOSTS = "hosts"
    CLIENTS = "clients"
    KEYS = "keys"
    PATHS = "paths"
    TOPICS = "topics"


USUAL: Final = (What.HOSTS, What.CLIENTS, What.KEYS, What.PATHS)
_STEM: Final = {
    What.HOSTS: "host",
    What.CLIENTS: "client",
    What.KEYS: "key",
    What.PATHS: "dir",
    What.TOPICS: "topic",
}
_CALLED: Final = {
    What.HOSTS: ("host names", "主机名"),
    What.CLIENTS: ("client ids", "客户端 ID"),
    What.KEYS: ("record keys", "记录键"),
    What.PATHS: ("folders", "文件夹"),
    What.TOPICS: ("topic names", "主题名"),
}
_SCRIPTED: Final = re.compile(r"[A-Za-z]{1,2}\d{0,4}")
"""Letters of a scenario's script: they name nobody."""
_PATTERNED: Final = re.compile(r"[^A-Za-z]")
"""A name with more than letters in it is recognised inside of words too."""
_FREE: Final = 8
"""So is a name of letters of this length."""
_Texts: TypeAlias = Iterable[str]


@dataclass(frozen=True, slots=True)
class Redaction:
    """Which names become which. `pseudonyms` is the whole map, by kind: keep it, give it to nobody."""

    what: tuple[What, ...]
    pseudonyms: Mapping[What, Mapping[str, str]]
    pattern: re.Pattern[str] | None
    by_name: Mapping[str, str]

    def text(self, text: str) -> str:
        """A text with every name replaced."""
        if self.pattern is None:
            return text
        return self.pattern.sub(self._one, text)

    def path(self, path: str) -> str:
        """A path: its folders become one pseudonym, its file name stays but for the names in it."""
        folder, slash, name = path.rpartition("/")
        if What.PATHS not in self.what or not slash:
            return self.text(path)
        return f"{self.pseudonyms[What.PATHS].get(folder) or self.text(folder)}/{self.text(name)}"

    def plain(self, value: Any) -> Any:  # noqa: ANN401 - plain JSON values
        """Strings inside of lists and maps, as `report` has them."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            rows = cast("Mapping[str, Any]", value)
            return {self.text(key): self.plain(one) for key, one in rows.items()}
        if isinstance(value, list | tuple):
            return [self.plain(one) for one in cast("Sequence[Any]", value)]
        return value

    def summary(self) -> str:
        """What was replaced, how often, and what was kept, in the language spoken."""
        done = [f"{say(*_CALLED[kind])} ({len(self.pseudonyms[kind])})" for kind in self.what]
        kept = [say(*_CALLED[kind]) for kind in What if kind not in self.what]
        told = say(f"Replaced: {', '.join(done)}.", f"已替换：{'、'.join(done)}。")
        rest = say(f" Kept: {', '.join(kept)}.", f"保留：{'、'.join(kept)}。")
        return told + (rest if kept else "")

    def trace(self, trace: Trace) -> Trace:
        """The same trace with its names replaced; its events are the same."""
        topics = self.pseudonyms.get(What.TOPICS, {})
        return replace(
            trace,
            name=self.text(trace.name),
            brokers=tuple(replace(one, name=self.text(one.name)) for one in trace.brokers),
            partitions=tuple(
                replace(one, tp=replace(one.tp, topic=topics.get(one.tp.topic, one.tp.topic)))
                for one in trace.partitions
            ),
            sources=tuple(replace(one, path=self.path(one.path)) for one in trace.sources),
            records=tuple(self.text(one) for one in trace.records),
            facts=MappingProxyType(
                {key: self.text(value) for key, value in trace.facts.items()} | {FACT: self.summary()}
            ),
            lines=tuple(replace(line, text=self.text(line.text)) for line in trace.lines),
            report=self.plain(trace.report),
        )

    def _one(self, match: re.Match[str]) -> str:
        found = match[0]
        return self.by_name.get(found) or self.by_name.get(found.lower(), "hidden")


def parse_what(text: str) -> tuple[What, ...]:
    """Kinds as "hosts,paths" names them, in their order. Raises QuestionError for an unknown one."""
    asked = {part.strip().lower() for part in text.split(",") if part.strip()}
    wrong = sorted(asked - {kind.value for kind in What})
    if wrong or not asked:
        raise QuestionError(
            f"{wrong[0] if wrong else text!r} cannot be hidden",
            advice=f"Choose from {', '.join(What)}: --redact=hosts,paths",
        )
    return tuple(kind for kind in What if kind in asked)


def redaction_of(traces: Sequence[Trace], what: Sequence[What] = USUAL, texts: _Texts = ()) -> Redaction:
    """What hiding `what` of these traces means; `texts` (notes) may name more.

    It depends on the whole traces, not on a stretch of them: every export of one document has the same
    pseudonyms. A broker's host has the broker's number.
    """
    found: dict[What, set[str]] = {kind: set() for kind in What}
    hosts: dict[str, int] = {}
    for trace in traces:
        _stated(trace, found, hosts)
        for text in (*trace.facts.values(), *(line.text for line in trace.lines), *_strings(trace.report)):
            _named(text, found)
    for text in texts:
        _named(text, found)
    # A folder of a partition is called as the partition is, which is hidden with the topics, or not.
    found[What.PATHS] -= found[What.TOPICS] | {str(one.tp) for trace in traces for one in trace.partitions}
    taken = {name for names in found.values() for name in names}
    pseudonyms: dict[What, Mapping[str, str]] = {}
    by_name: dict[str, str] = {}
    for kind in (kind for kind in What if kind in what):
        given = _numbered(_STEM[kind], found[kind], hosts if kind is What.HOSTS else {}, taken)
        pseudonyms[kind] = MappingProxyType(given)
        for name, pseudonym in given.items():
            by_name.setdefault(name, pseudonym)
    for name, pseudonym in tuple(by_name.items()):
        by_name.setdefault(name.lower(), pseudonym)
    return Redaction(tuple(pseudonyms), MappingProxyType(pseudonyms), _pattern(by_name), by_name)


def _stated(trace: Trace, found: dict[What, set[str]], hosts: dict[str, int]) -> None:
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


def _named(text: str, found: dict[What, set[str]]) -> None:
    for what, name in names_in(text):
        if what is Finding.FOLDER:
            _folder(name, found)
        else:
            found[_KIND[what]].add(name)


_KIND: Final = {
    Finding.HOST: What.HOSTS,
    Finding.CLIENT: What.CLIENTS,
    Finding.KEY: What.KEYS,
}


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
        for key, one in cast("Mapping[str, Any]", value).items():
            yield key
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[Any]", value):
            yield from _strings(one)


def _numbered(stem: str, names: set[str], fixed: Mapping[str, int], taken: set[str]) -> dict[str, str]:
    """Pseudonyms in the order of the names, after the fixed ones."""
    given: dict[str, str] = {}
    used = set(taken)
    number = max(fixed.values(), default=0)
    for name in (*fixed, *sorted(names - fixed.keys())):
        pseudonym = f"{stem}-{fixed.get(name, number + 1)}"
        while pseudonym in used:
            number += 1
            pseudonym = f"{stem}-{number}"
        used.add(pseudonym)
        given[name] = pseudonym
    return given


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """One pattern of all names, longest first. A short word of letters is one only where it stands alone."""
    inside: list[str] = []
    alone: list[str] = []
    for name in names:
        (inside if len(name) >= _FREE or (len(name) > 3 and _PATTERNED.search(name)) else alone).append(name)
    parts = [trie_pattern(inside)] if inside else []
    parts += [rf"(?<![^\W_]){trie_pattern(alone)}(?![^\W_])"] if alone else []
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None
