"""Settings of topics, as brokers print them: when they make a log, and when a setting is changed.

To 2.8 a log is made "with properties" of all settings that hold for it, later with those alone that the topic
itself has; changes are always printed with all that the topic has.
"""

import re
from typing import Final

from importers.kafka.rule import LineRule, Message, NamedFacts, Reading

TOPIC_SETTINGS: Final = ("cleanup.policy", "min.insync.replicas", "unclean.leader.election.enable")
"""Those that decide what a loss needs, and whether offsets are records."""
TOPIC: Final = "topic:"
"""How the name of a fact begins that says which settings a topic has; the topic follows."""
_SETTING: Final = re.compile(rf"(?:^|[\s,{{(])({'|'.join(map(re.escape, TOPIC_SETTINGS))})(?: -> |=)")
_VALUE: Final = re.compile(r"\[[^\]]*\]|[^\[,)}\s][^,)}\s]*")


def topic_facts(topic: str, listed: str) -> NamedFacts:
    """The settings of a topic that a list of them has, as one fact: a text for `settings_of`."""
    values = ((match[1], _VALUE.match(listed, match.end())) for match in _SETTING.finditer(listed))
    found = {name: value[0].strip("[]").replace(" ", "") for name, value in values if value is not None}
    return ((f"{TOPIC}{topic}", ";".join(f"{name}={found.get(name, '')}" for name in TOPIC_SETTINGS)),)


def settings_of(value: str) -> dict[str, str]:
    """What such a fact says of each of `TOPIC_SETTINGS`; "" is a setting that the topic does not have."""
    return dict(part.split("=", 1) for part in value.split(";"))  # type: ignore[reportReturnType]


def _changed(message: Message) -> Reading:
    return Reading(facts=topic_facts(message["topic"], message["listed"]))


TOPIC_SETTINGS_RULES: Final = (
    LineRule(
        "topic-settings",
        "3.2",
        "",
        r"\[(?:DynamicConfig|BrokerMetadata)Publisher [^\]]*\] Updating topic (?P<topic>[\w.\-]{1,249}) with new configuration : "
        r"(?P<listed>.*)",
        (
            "[DynamicConfigPublisher broker id=1] Updating topic carts with new configuration : min.insync.replicas -> "
            "1,unclean.leader.election.enable -> true",
            "[DynamicConfigPublisher broker id=2] Updating topic carts with new configuration : ",
            # To 3.3.
            "[BrokerMetadataPublisher id=2] Updating topic carts with new configuration : min.insync.replicas -> 2",
        ),
        _changed,
    ),
    LineRule(
        "topic-settings-in-zookeeper",
        "0.10.1",
        "3.9",
        r"Processing override for entityPath: topics/(?P<topic>[\w.\-]{1,249}) with config: (?P<listed>.*)",
        (
            "Processing override for entityPath: topics/orders with config: {min.insync.replicas=2}",
            "Processing override for entityPath: topics/orders with config: Map(min.insync.replicas -> 2, "
            "cleanup.policy -> compact,delete)",
            "Processing override for entityPath: topics/orders with config: HashMap(retention.ms -> 60000)",
        ),
        _changed,
    ),
)
