"""Names that a line shows by their form: hosts and folders; and one pattern for many names."""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, Final

from core.trace.redact_values import word_before


class Finding(IntEnum):
    """What a line names."""

    HOST = 0
    FOLDER = 1


_LABEL: Final = r"[^\W_](?:[\w-]*\w)?"
_HOST: Final = rf"{_LABEL}(?:\.{_LABEL})*"
_TOP: Final = (
    "com|net|org|io|dev|app|cloud|corp|intern|internal|local|lan|home|arpa|example|test|invalid|svc|de|cn|uk"
)

_PORT: Final = re.compile(r":(?:\d{4,5}|80|443)(?![\w:.])")
"""kafka-1:9092 (id: 1 rack: null), in a list of servers, behind a slash."""
_HOSTNAME: Final = re.compile(_HOST)
_FORMS: Final = (
    (Finding.HOST, re.compile(rf"(?<![\w.-])((?:{_LABEL}\.)+(?:{_TOP}))(?![\w-]|\.\w)")),
    (Finding.HOST, re.compile(r"(?<![\w.])((?:\d{1,3}\.){3}\d{1,3})(?![\w.]*\w)")),
    (Finding.HOST, re.compile(r"(?<![\w:])((?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4})(?![\w:])", re.IGNORECASE)),
    (Finding.HOST, re.compile(r"(?<![\w:])((?:[0-9a-f]{1,4}:)+(?::[0-9a-f]{1,4})+)(?![\w:])", re.IGNORECASE)),
    # /var/lib/kafka/…, C:\kafka\…
    (Finding.FOLDER, re.compile(r"(?<![\w/.:-])((?:[A-Za-z]:)?(?:/[^\s/,;:()\[\]{}'\"<>]+)+)")),
    (Finding.FOLDER, re.compile(r"(?<!\w)([A-Za-z]:(?:\\[^\s\\,;:()\[\]{}'\"<>]+)+)")),
)
"""Without a key before them; what stands behind one is found by core/trace/redact_values.py."""
_NODES: Final = re.compile(
    r"/(brokers|controller|controller_epoch|config|admin|isr_change_notification|consumers|cluster|feature|"
    r"latest_producer_id_block|log_dir_event_notification|kafka-acl|kafka-acl-changes)(/|$)"
)
"""ZooKeeper's nodes look like paths and are Kafka's own."""
_OWN: Final = re.compile(
    r"localhost|127\.\d+\.\d+\.\d+|0(\.\d+){3}|::1|null|none|unknown|true|false|\d*|"
    r"[\w.$]+\.(scala|java|py|properties|log|toml|xml)|PLAINTEXT|SSL|SASL_\w+|broker-\d+-(fetcher|txn)\S*|ANONYMOUS|User",
    re.IGNORECASE,
)
"""What identifies nobody: this machine, versions before 1.0, places in Kafka's source, its own clients."""
_FILE: Final = re.compile(
    r"[^/\\]+\.(log|index|timeindex|txnindex|snapshot|checkpoint|properties|gz|zip|tar|xz|txt|out|json|toml)"
    r"(\.\d[\d-]*)?|[\w-]*-checkpoint|\.kafka_cleanshutdown|meta\.properties"
)


def names_in(text: str) -> Iterator[tuple[Finding, str]]:
    """What a text names by its form alone. A folder comes without the file that lies in it.

    No name has a blank in it, so that the text may be the distinct words of a log, each on a line.
    """
    for what, form in _FORMS:
        for match in form.finditer(text):
            name = match[1].rstrip(".")
            if what is Finding.FOLDER:
                name = _folder(name)
            if len(name) > 1 and not _OWN.fullmatch(name.lstrip("/")):
                yield what, name
    for match in _PORT.finditer(text):
        host = word_before(text, match.start())
        before = text[match.start() - len(host) - 1 : match.start() - len(host)]
        if before != "/" and len(host) > 1 and _HOSTNAME.fullmatch(host) and not _OWN.fullmatch(host):
            yield Finding.HOST, host


def _folder(path: str) -> str:
    if _NODES.match(path):
        return ""
    head, _, tail = path.replace("\\", "/").rpartition("/")
    return path[: len(head)] if _FILE.fullmatch(tail) else path


def trie_pattern(names: Iterable[str]) -> str:
    """A pattern that matches the longest of many names, in time that does not grow with their number."""
    root: dict[str, Any] = {}
    for name in names:
        node = root
        for letter in name:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branch(root)


def _branch(root: dict[str, Any]) -> str:
    """A node as a pattern, without recursion: names may be longer than Python's stack."""
    order: list[dict[str, Any]] = []
    stack = [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(child for letter, child in node.items() if letter)
    made: dict[int, str] = {}
    for node in reversed(order):
        ways = [re.escape(letter) + made[id(child)] for letter, child in node.items() if letter]
        ended = "" in node
        alone = len(ways) == 1 and not ended
        made[id(node)] = "" if not ways else ways[0] if alone else f"(?:{'|'.join(ways)})" + "?" * ended
    return made[id(root)]
