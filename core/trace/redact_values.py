"""Values that are hidden whole, whatever they say, because of the key that they stand behind.

A password may be called `follower`, a client `leader`: as words of Kafka they would stay. Behind `password=`,
`"clientId":`, `OU=`, `user.name = ` or `rack: ` they do not. Quoted values are taken whole, with their blanks
and escapes; a quote that is not closed hides the rest of its line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Holder(IntEnum):
    """What a key says that its value is."""

    GUARDED = 0
    HOST = 1
    CLIENT = 2
    KEY = 3
    OTHER = 4
    TOPIC = 5


@dataclass(frozen=True, slots=True)
class Value:
    """Where a value stands in a text, without its quotes."""

    holder: Holder
    start: int
    end: int


_GUARDED: Final = (
    r"(?:pass(?:word|wd|phrase)|secret|jaas|credential|keystore|truststore|token|user[._ -]?name"
    r"|private[._-]?key|key[._-]?pair)[\w.\-]{0,48}"
)
_CLIENT: Final = (
    r"(?:client|(?<![^\W_])group|transactional|member|instance)(?:[._ -]?instance)?[._ -]?id"
    r"|consumer[._ -]?group(?:[._ -]?id)?"
    r"|(?<![^\W_])(?:group|user|principal(?:[._ ]?name)?|owner|realm|member)"
)
_HOST: Final = (
    r"(?:client|remote|(?<![^\W_])(?:broker[._ ]?)?)host(?:[._ ]?name)?"
    r"|(?:client|remote|local|inet)[._ -]?address|(?<![^\W_])address"
)
_OTHER: Final = (
    r"(?<![^\W_])(?:broker[._ ]?)?rack(?:[._ ]?id)?|client[._ ]?rack"
    r"|zookeeper[._ ]connect|connect[._ ]?string|chroot|cluster[._ ]?id"
)
_KEY: Final = r"(?<![^\W_])(?:record[._ ]?)?key"
_TOPIC: Final = r"(?<![^\W_])topic(?:[._ ]?name)?"
_VIA: Final = r"(?:[\\\"']*[ \t]*,[ \t]*[\\\"']*\w{0,12}value)?"
"""A list of settings has name and value apart: `name=sasl.jaas.config, value=…`."""
_IS: Final = r"[\\\"']*[ \t]*(?:->|=>|[=:>])[ \t]*(?:Some\()?(?!(?:null|none|\[hidden\])(?!\w))"
_QUOTED: Final = (
    r"(?:(?P<slash{0}>\\+)(?P<mark{0}>[\"'])(?P<a{0}>.*?)(?<!\\)(?P=slash{0})(?P=mark{0})"
    r"|\"(?P<b{0}>(?:[^\"\\\n]|\\.)*)\"|'(?P<c{0}>(?:[^'\\\n]|\\.)*)'"
    r"|\\*[\"'](?P<d{0}>[^\n]*))"
)
_PLAIN: Final = r"(?P<e{0}>[^\s,;)\]}}<\"'][^\s,;)\]}}<]*)"
_LIST: Final = r"(?P<e{0}>(?:User:)?(?!(?:User:)?CN=)[^\s,;:(){{}}\[\]<>\"'][^\s,;:(){{}}\[\]<>\"']*)"

_RULES: Final = (
    # A setting of a login module is a sentence of its own; what follows on its line belongs to it.
    (Holder.GUARDED, r"jaas[._]config", r"(?P<e{0}>[^\n]+)", _VIA),
    (Holder.GUARDED, _GUARDED, _PLAIN, _VIA),
    (Holder.CLIENT, _CLIENT, _LIST, ""),
    (Holder.HOST, _HOST, r"/?(?P<e{0}>[^\s,;:(){{}}\[\]<>\"'/]+)", ""),
    (Holder.KEY, _KEY, _PLAIN, ""),
    (Holder.OTHER, _OTHER, _PLAIN, ""),
    (Holder.TOPIC, _TOPIC, _LIST, ""),
)
_NAMED: Final = re.compile(
    "|".join(
        f"(?P<k{number}>{keys}){via}{_IS}(?:{_QUOTED.format(number)}|{value.format(number)})"
        for number, (_, keys, value, via) in enumerate(_RULES)
    ),
    re.IGNORECASE,
)
_MAYBE: Final = re.compile(
    r"(?:pass(?:w|phrase)|secret|jaas|credential|keystore|truststore|token|user|private|key|client"
    r"|group|transactional|member|instance|consumer|principal|owner|realm|remote|broker|host|local|inet|address"
    r"|rack|zookeeper|connect|chroot|cluster|record|topic)(?=[\w.\- ]{0,56}[\\\"']*[ \t]*(?:[=:,>]|->))"
)
"""Where one of the keys may stand, in small letters: the full pattern is tried there alone."""
_SETTING: Final = re.compile(
    r"^[ \t]*([\w.\-]{1,100})[ \t]*=[ \t]*(?!(?:null|none|\[hidden\])[ \t\r]*$)(?P<v>\S[^\n]*)$", re.MULTILINE
)
"""A setting alone on its line, as `KafkaConfig values:` and property files have it, perhaps with blanks."""
_KINDS: Final = tuple(
    (holder, re.compile(keys, re.IGNORECASE))
    for holder, keys in (
        (Holder.GUARDED, _GUARDED),
        (Holder.CLIENT, rf"(?:{_CLIENT})$"),
        (Holder.HOST, rf"(?:{_HOST})$"),
        (Holder.OTHER, rf"(?:{_OTHER})$"),
    )
)
_END_OF_NAME: Final = r"(?!(?:is|was|has|from|for|on|in|with|to|and|joins|of|at)\b)[^\s,;+()\[\]{}\"'=<>]+"
_DN: Final = re.compile(
    r"=(?P<v>(?:\\.|[^\s,;+()\[\]{}\"'=<>\\])+"
    rf"(?: (?:\\.|{_END_OF_NAME}))*)"
)
"""A part of a distinguished name: `OU=Payments Europe`. What may follow it in a sentence ends it."""
_DN_KEY: Final = re.compile(
    r"(?<![\w.])(?:CN|OU|DC|UID|SN|ST|STREET|EMAILADDRESS|SERIALNUMBER|O|L|C|S|T|E)(?==)", re.IGNORECASE
)
_FORMS: Final = (
    (Holder.CLIENT, re.compile(r"User:(?!CN=)(?P<v>[^\s,;()\[\]{}\"'<>]+)")),
    (Holder.CLIENT, re.compile(r"Group:(?P<v>[^\s,;()\[\]{}\"'<>]+)")),
    (Holder.GUARDED, re.compile(r"://(?P<v>[^\s/\"'@]+)@")),
    (Holder.HOST, re.compile(r"://(?:[^\s/\"'@]*@)?(?P<v>[^\s/\"'@:,;)\]\[]+)")),
    (Holder.HOST, re.compile(r"EndPoint\((?:\d+, ?)?(?P<v>[^\s,()]+), ?\d+")),
    (Holder.HOST, re.compile(r"Node\((?:\d+, ?)?(?P<v>[^\s,()]+), ?\d+")),
    # How the coordinator of groups tells of them, from 0.9 to 4.3.
    (
        Holder.CLIENT,
        re.compile(
            r" group (?P<v>\S+)"
            r"(?= (?:in state|generation|for generation|has|with|transitioned|\(__consumer_offsets-\d+\)))"
        ),
    ),
    (
        Holder.CLIENT,
        re.compile(
            r"ember (?:id )?(?P<v>\S+)(?= (?:in group|of group|has failed|joining|with group instance))"
        ),
    ),
    (Holder.CLIENT, re.compile(r"from (?:leader|consumer) (?P<v>\S+)(?= for group)")),
    (Holder.OTHER, re.compile(r"ookeeper (?!on |at )(?P<v>\S+:\d+\S*)")),
    (Holder.OTHER, re.compile(r"ookeeper (?:on|at) (?P<v>\S+)")),
    (Holder.OTHER, re.compile(r" session to (?P<v>\S+)")),
)
"""Each begins with letters that Python finds fast."""
_AT_ADDRESS: Final = re.compile(r"/(?:\d{1,3}\.){3}\d{1,3}(?!\w)")
_BACKWARDS: Final = re.compile(r"[\w.\-]*")
_LONGEST_HOST: Final = 255
_NOBODY: Final = re.compile(
    r"null|none|unknown|-1|true|false|ANONYMOUS|\[?hidden\]?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|localhost"
    r"|broker-\d+-(?:fetcher|txn)\S*|User|\*",
    re.IGNORECASE,
)
"""Values of names that name nobody; addresses are recognised as such."""


def values_in(text: str) -> list[Value]:
    """The values of a text, of many lines perhaps, that are hidden whole: in order, none within another."""
    kept: list[Value] = []
    end = 0
    for one in sorted(_all(text), key=lambda one: (one.start, -one.end)):
        if one.end > end:
            kept.append(Value(one.holder, max(one.start, end), one.end))
            end = one.end
    return kept


def _all(text: str) -> Iterator[Value]:
    for match in _SETTING.finditer(text):
        holder = next((holder for holder, keys in _KINDS if keys.search(match[1])), None)
        value = match["v"].rstrip()
        # A line that goes on with other keys is a message, not a setting.
        if holder is Holder.GUARDED or (holder is not None and "=" not in value and not _names_nobody(value)):
            yield Value(holder, match.start("v"), match.start("v") + len(value))
    small = text.lower()
    if len(small) != len(text):
        small = "".join(letter.lower() if letter.isascii() else letter for letter in text)
    end = 0
    for maybe in _MAYBE.finditer(small):
        # What is hidden already is not looked into: a line is read once, whatever it holds.
        named = _named(text, maybe.start()) if maybe.start() >= end else None
        if named is not None:
            end = named.end
            yield named
    if any(key in small for key in ("cn=", "ou=", "dc=", "uid=")):
        for key in _DN_KEY.finditer(text):
            match = _DN.match(text, key.end())
            if match is not None:
                yield Value(Holder.CLIENT, *match.span("v"))
    for match in _AT_ADDRESS.finditer(text):
        host = word_before(text, match.start())
        start = match.start() - len(host)
        if host and text[start - 1 : start] != "/" and not _names_nobody(host):
            yield Value(Holder.HOST, start, match.start())
    for holder, form in _FORMS:
        for match in form.finditer(text):
            if not _names_nobody(match["v"]):
                yield Value(holder, *match.span("v"))


def word_before(text: str, end: int) -> str:
    """The letters, digits, dots and dashes that end at `end`, 255 at most: as a host is written."""
    found = _BACKWARDS.match(text[max(end - _LONGEST_HOST, 0) : end][::-1])
    return "" if found is None else found[0][::-1]


def _named(text: str, start: int) -> Value | None:
    """The value behind the key that begins at `start`."""
    match = _NAMED.match(text, start)
    if match is None:
        return None
    number = next(place for place in range(len(_RULES)) if match[f"k{place}"] is not None)
    span = next(match.span(f"{form}{number}") for form in "abcde" if match[f"{form}{number}"] is not None)
    holder, value = _RULES[number][0], text[span[0] : span[1]]
    if value.startswith("User:") and holder is Holder.CLIENT:
        span, value = (span[0] + 5, span[1]), value[5:]
    nobody = _names_nobody(value) or (holder is Holder.HOST and value.isdecimal())
    return None if nobody and holder is not Holder.GUARDED else Value(holder, *span)


def _names_nobody(value: str) -> bool:
    return _NOBODY.fullmatch(value) is not None
