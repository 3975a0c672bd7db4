"""Redaction: hosts, clients, keys, paths and topics of a trace become pseudonyms before anything is drawn.

Names are found where the trace states them (brokers, sources, partitions, records) and where a line or a fact
names them in one of Kafka's own forms. What was found once is replaced everywhere, so that one thing has one
pseudonym. With all usual kinds hidden, nothing stays that is not allowed: the words of Kafka and of the
grammar, numbers, and topics where they are kept (core/trace/known_words.py); every other word is replaced.
The result is a trace: nothing that is made of it can show what it no longer holds.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, LiteralString, TypeAlias, cast

from core.errors import QuestionError
from core.message import Listing, Message, message
from core.message_json import is_message
from core.trace.redact_cut import TOKEN, Cutter, chinese_apart, is_plain, shaped
from core.trace.redact_names import trie_pattern
from core.trace.redact_seen import KIND_OF, Seen, What, batches, stated, texts_of
from core.trace.redact_values import Holder, values_in
from core.trace.settings import CLUSTER_ID
from core.trace.trace import KeptLine, Origin, Trace
from core.words import text as text_of

FACT: Final = "redaction"
"""The fact of a redacted trace that says what was replaced and what was kept."""


USUAL: Final = (What.HOSTS, What.CLIENTS, What.KEYS, What.PATHS)
_STEM: Final = {
    What.HOSTS: "host",
    What.CLIENTS: "client",
    What.KEYS: "key",
    What.PATHS: "dir",
    What.TOPICS: "topic",
}
CALLED: Final[Mapping[What | None, LiteralString]] = {
    What.HOSTS: "redact.kind.hosts",
    What.CLIENTS: "redact.kind.clients",
    What.KEYS: "redact.kind.keys",
    What.PATHS: "redact.kind.paths",
    What.TOPICS: "redact.kind.topics",
    None: "redact.kind.others",
}
"""What each kind of names is called; None are words of no kind."""
_PATTERNED: Final = re.compile(r"[^A-Za-z]")
"""A name with more than letters in it is recognised inside of words too."""
_FREE: Final = 8
"""So is a name of letters of this length."""
_OF_TOPIC: Final = "config.topic-"
_Texts: TypeAlias = Iterable[str]


@dataclass(frozen=True, slots=True)
class Redaction:
    """Which names become which. `pseudonyms` is the whole map, by kind: keep it, give it to nobody.

    With all of `USUAL` asked for, `cutter` is there and only what it allows stays (docs/command-line.md);
    without it, what was recognised is replaced and the rest stays. `others` are the words and ids that are of
    no kind; `names` is every name, by its letters, that must not be in what is written; `brokers` are the
    numbers that may stand where a client is named.
    """

    what: tuple[What, ...]
    pseudonyms: Mapping[What, Mapping[str, str]]
    pattern: re.Pattern[str] | None
    by_name: Mapping[str, str]
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    brokers: Collection[str] = ()
    cutter: Cutter | None = None
    odd: re.Pattern[str] | None = None
    memo: dict[str, str] = field(default_factory=dict[str, str], compare=False, repr=False)

    def text(self, text: str) -> str:
        """A text as Kafka or the import wrote it: what may stay stays, the rest is replaced."""
        return self._told(text, self.known if self.cutter is None else self._free)

    def words(self, text: str) -> str:
        """A text that a person writes for this export, or the script of a simulation: only names go."""
        return self._told(text, self.known)

    def known(self, text: str) -> str:
        """A text with every name that is known replaced."""
        return text if self.pattern is None else self.pattern.sub(self._one, text)

    def path(self, path: str, told: Callable[[str], str] | None = None) -> str:
        """A path: its folders become one pseudonym, its file name stays but for the names in it."""
        told = told or self.text
        folder, slash, name = path.rpartition("/")
        if What.PATHS not in self.what or not slash:
            return told(path)
        return f"{self.pseudonyms[What.PATHS].get(folder) or told(folder)}/{told(name)}"

    def plain(self, value: Any, key: str = "") -> Any:  # noqa: ANN401 - plain JSON values
        """Strings inside of lists and maps, as `report` has them, under the key `key`."""
        if isinstance(value, str):
            if key == "file":
                return self.path(value)
            return chinese_apart(value, self.text) if key.endswith("_zh") else self.text(value)
        if isinstance(value, Mapping):
            rows = cast("Mapping[str, Any]", value)
            if is_message(rows):
                its = cast("Mapping[str, Any]", rows.get("values", {}))
                told = {name: self._value_of(one, name) for name, one in its.items()}
                return {**rows, "values": told} if told else dict(rows)
            return {self.text(one): self.plain(its, one) for one, its in rows.items()}
        if isinstance(value, list | tuple):
            return [self.plain(one, key) for one in cast("Sequence[Any]", value)]
        return value

    def _value_of(self, value: Any, name: str) -> Any:  # noqa: ANN401 - plain JSON values
        """A value of a message, at the place `name`: the name of its kind is ours and stays."""
        if isinstance(value, list | tuple):
            return [self._value_of(one, name) for one in cast("Sequence[Any]", value)]
        if isinstance(value, Mapping) and not is_message(cast("Mapping[str, Any]", value)):
            rows = cast("Mapping[str, Any]", value)
            return {kind: self._value_of(one, name) for kind, one in rows.items()}
        return self.plain(value, name)

    def summary(self) -> Message:
        """What was replaced, how often, and what was kept."""
        done: list[tuple[What | None, int]] = [(kind, len(self.pseudonyms[kind])) for kind in self.what]
        if self.cutter is not None:
            done.append((None, len(self.others)))
        replaced = Listing(
            tuple(
                message("redact.summary.kind", kind=message(CALLED[kind]), number=number)
                for kind, number in done
            )
        )
        kept = Listing(tuple(message(CALLED[kind]) for kind in What if kind not in self.what))
        if not kept.items:
            return message("redact.summary.all", replaced=replaced)
        return message("redact.summary.some", replaced=replaced, kept=kept)

    def trace(self, trace: Trace) -> Trace:
        """The same trace with its names replaced; its events are the same."""
        topics = self.pseudonyms.get(What.TOPICS, {})
        told = self.words if trace.origin is Origin.SIMULATED else self.text
        return replace(
            trace,
            name=self.name(trace),
            brokers=tuple(replace(one, name=self._broker(one.name, told)) for one in trace.brokers),
            partitions=tuple(
                replace(one, tp=replace(one.tp, topic=topics.get(one.tp.topic, one.tp.topic)))
                for one in trace.partitions
            ),
            sources=tuple(replace(one, path=self.path(one.path, told)) for one in trace.sources),
            records=tuple(self.by_name.get(one) or told(one) for one in trace.records),
            facts=MappingProxyType(
                {
                    self._fact(key, topics): told(value)
                    for key, value in trace.facts.items()
                    if key != CLUSTER_ID
                }
                | {FACT: text_of(self.summary())}
            ),
            lines=tuple(self._lines(trace.lines, told)),
            report=self.plain(trace.report),
        )

    def kind_of(self, name: str) -> What | None:
        """Which kind of name one is, in any capitals; None where it is of none."""
        for kind, names in self.pseudonyms.items():
            if any(one.lower() == name.lower() for one in names):
                return kind
        return None

    def partition(self, name: str) -> str:
        """A partition by its new name."""
        topic, dash, number = name.rpartition("-")
        return f"{self.pseudonyms.get(What.TOPICS, {}).get(topic, topic)}{dash}{number}"

    def name(self, trace: Trace) -> str:
        """What a trace is called."""
        return self.words(trace.name) if trace.origin is Origin.SIMULATED else self.text(trace.name)

    def _lines(self, lines: Sequence[KeptLine], told: Callable[[str], str]) -> Iterator[KeptLine]:
        """Many lines at a time: a pattern is started once for all of them."""
        for some in batches(lines):
            texts = told("\n".join(line.text for line in some)).split("\n")
            if len(texts) != len(some):
                texts = [told(line.text) for line in some]
            for line, text in zip(some, texts, strict=True):
                yield KeptLine(line.source, line.line, line.byte, text)

    def _told(self, text: str, free: Callable[[str], str]) -> str:
        """Values behind their keys first, what stands between them by `free`."""
        made: list[str] = []
        end = 0
        for value in values_in(text):
            made += [free(text[end : value.start]), self._value(value.holder, text[value.start : value.end])]
            end = value.end
        return "".join([*made, free(text[end:])])

    def _value(self, holder: Holder, value: str) -> str:
        kind = KIND_OF[holder]
        if kind is not None and kind not in self.what and (self.cutter is None or kind is What.TOPICS):
            return self._free(value) if self.cutter is not None else self.known(value)
        if (holder is Holder.OTHER and self.cutter is None) or (
            kind is not None and (value in self.brokers or value.startswith("__"))
        ):
            return value
        return self.by_name.get(value) or self.by_name.get(value.lower()) or self.known(value)

    def _free(self, text: str) -> str:
        """Token by token, after the names that have blanks or brackets in them."""
        if self.odd is None:
            return TOKEN.sub(self._token, text)
        made: list[str] = []
        end = 0
        for match in self.odd.finditer(text):
            made += [TOKEN.sub(self._token, text[end : match.start()]), self._one(match)]
            end = match.end()
        return "".join([*made, TOKEN.sub(self._token, text[end:])])

    def _token(self, match: re.Match[str]) -> str:
        token = match[0]
        told = self.memo.get(token)
        if told is None:
            parts = () if self.cutter is None else self.cutter.cut(token)
            told = "".join(part if isinstance(part, str) else self._name(part.name) for part in parts)
            self.memo[token] = told
        return told

    def _broker(self, name: str, told: Callable[[str], str]) -> str:
        """The name of a broker is a host, also where it is called as a word of Kafka."""
        host, colon, port = name.rpartition(":")
        if colon and port.isdecimal() and host in self.by_name:
            return f"{self.by_name[host]}:{port}"
        return self.by_name.get(name) or told(name)

    @staticmethod
    def _fact(key: str, topics: Mapping[str, str]) -> str:
        """The name of a fact; that of a setting of a topic has the topic in it."""
        name = key.removeprefix(_OF_TOPIC)
        if name == key:
            return key
        topic = max((one for one in topics if name.startswith(f"{one}.")), key=len, default="")
        return f"{_OF_TOPIC}{topics[topic]}{name[len(topic) :]}" if topic else key

    def _one(self, match: re.Match[str]) -> str:
        return self._name(match[0])

    def _name(self, name: str) -> str:
        return self.by_name.get(name) or self.by_name.get(name.lower(), "hidden")


def parse_what(text: str) -> tuple[What, ...]:
    """Kinds as "hosts,paths" names them, in their order. Raises QuestionError for an unknown one."""
    asked = {part.strip().lower() for part in text.split(",") if part.strip()}
    wrong = sorted(asked - {kind.value for kind in What})
    if wrong or not asked:
        raise QuestionError(
            message("error.hide.none", name=wrong[0] if wrong else text),
            advice=message("error.hide.form", names=Listing(tuple(What))),
        )
    return tuple(kind for kind in What if kind in asked)


def redaction_of(
    traces: Sequence[Trace], what: Sequence[What] = USUAL, texts: _Texts = (), told: _Texts = ()
) -> Redaction:
    """What hiding `what` of these traces means; `texts` (notes) and what is `told` for an export name more.

    It depends on the whole traces, not on a stretch of them: every export of one document has the same
    pseudonyms. A broker's host has the broker's number.
    """
    strict = set(what) >= set(USUAL)
    seen = Seen({kind: set() for kind in What})
    for trace in traces:
        stated(trace, seen.found, seen.hosts)
        for text in texts_of(trace):
            seen.read(text, cut=trace.origin is not Origin.SIMULATED)
    imported = any(trace.origin is not Origin.SIMULATED for trace in traces)
    for text in texts:
        seen.read(text, cut=imported)
    for text in told:
        seen.read(text, cut=False)
    seen.settle()
    found = seen.found
    own = {one.tp.topic for trace in traces for one in trace.partitions}
    # A folder of a partition is called as the partition is, which is hidden with the topics, or not.
    found[What.PATHS] -= found[What.TOPICS] | {str(one.tp) for trace in traces for one in trace.partitions}
    if What.TOPICS not in what:
        seen.apart |= found[What.TOPICS] - own
        found[What.TOPICS] = own
        for kind in USUAL:
            found[kind] -= own
    seen.others |= seen.apart if strict else set()
    return _made(seen, tuple(kind for kind in What if kind in what), own, strict=strict, traces=traces)


def _made(
    seen: Seen, what: tuple[What, ...], own: set[str], *, strict: bool, traces: Sequence[Trace]
) -> Redaction:
    """The redaction of what was seen, each name with its pseudonym."""
    taken = {name for names in seen.found.values() for name in names} | seen.others | seen.tokens
    pseudonyms: dict[What, Mapping[str, str]] = {}
    by_name: dict[str, str] = {}
    for kind in what:
        given = _numbered(_STEM[kind], seen.found[kind], seen.hosts if kind is What.HOSTS else {}, taken)
        pseudonyms[kind] = MappingProxyType(given)
        for name, pseudonym in given.items():
            by_name.setdefault(name, pseudonym)
    kept: Collection[str] = () if What.TOPICS in what else own
    free = {name for name in by_name if not is_plain(name)} | {
        name for name in seen.others if not is_plain(name) and name not in kept
    }
    cutter = None
    if strict:
        single = {name for name in free if TOKEN.fullmatch(name)}
        lower = {name.lower(): name for name in single} | {name: name for name in single}
        cutter = Cutter(kept, frozenset(pseudonyms.get(What.TOPICS, ())), lower, _pattern(single))
    hidden: dict[str, str] = dict.fromkeys(seen.others, "")
    parts = (part for token in seen.tokens for part in cutter.cut(token)) if cutter is not None else ()
    for part in parts:
        if not isinstance(part, str) and part.name not in by_name and part.name.lower() not in by_name:
            hidden[part.name] = part.shape
    others = {name: shown for name, shown in _others(hidden, taken) if name not in by_name}
    by_name |= others
    for name, pseudonym in tuple(by_name.items()):
        by_name.setdefault(name.lower(), pseudonym)
    return Redaction(
        what,
        MappingProxyType(pseudonyms),
        _pattern(free),
        by_name,
        MappingProxyType(others),
        MappingProxyType({name: by_name[name] for name in (free | others.keys()) if not is_plain(name)}),
        frozenset(str(int(one.broker_id)) for trace in traces for one in trace.brokers) | {"-1", "-2"},
        cutter,
        _pattern(name for name in free if not TOKEN.fullmatch(name)) if strict else None,
    )


def _others(hidden: Mapping[str, str], taken: set[str]) -> Iterator[tuple[str, str]]:
    """Names of no kind with their pseudonyms; those that differ in capitals alone share one."""
    given: dict[str, str] = {}
    used = {name.lower() for name in taken}
    numbers = Counter[str]()
    for name in sorted(hidden, key=lambda one: (one.lower(), one)):
        shape = hidden[name]
        key = name if shape == "id" else name.lower()
        while key not in given:
            numbers[shape] += 1
            pseudonym = shaped(shape, numbers[shape]) if shape else f"word-{numbers[shape]}"
            if pseudonym not in used:
                given[key] = pseudonym
        yield name, given[key]


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
