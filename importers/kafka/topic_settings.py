"""Settings of topics, as brokers print them: when they make a log, and when a setting is changed.

To 2.8 a log is made "with properties" of all settings that hold for it, later with those alone that the topic
itself has; changes are always printed with all that the topic has. Controllers print one setting at a time.
"""

import re
from typing import Final

from importers.kafka.rule import LineRule, Message, NamedFacts, Reading

TOPIC_SETTINGS: Final = ("cleanup.policy", "min.insync.replicas", "unclean.leader.election.enable")
"""Those that decide what a loss needs, and whether offsets are records."""
MADE: Final = "topic-made:"
"""How the name of a fact begins that says which settings a topic had when a log of it was made; the topic follows."""
NOTICED: Final = "topic-noticed:"
"""The same, as a broker reads them from ZooKeeper when it is told of a change."""
PUBLISHED: Final = "topic-published:"
"""The same, as a broker with KRaft takes them over: at a start, and at each change."""
SET: Final = "topic-set:"
"""The same, as a controller takes over one of them."""
_SETTING: Final = re.compile(rf"(?:^|[\s,{{(])({'|'.join(map(re.escape, TOPIC_SETTINGS))})(?: -> |=)")
_VALUE: Final = re.compile(r"\[[^\]]*\]|[^\[,)}\s][^,)}\s]*")

_NAMES: Final = "|".join(map(re.escape, TOPIC_SETTINGS))
CONTROLLER_SETS: Final = (
    r"(?:Replayed ConfigRecord for )?ConfigResource\(type=TOPIC, name='[\w.\-]{1,249}'\)(?:: set| which set) "
    rf"configuration (?:{_NAMES}) to "
)
"""How a line of a KRaft controller begins, behind its name, that is of one of `TOPIC_SETTINGS`."""


def topic_facts(how: str, topic: str, listed: str) -> NamedFacts:
    """The settings of a topic that a list of them has, as one fact: a text for `settings_of`.

    `how` begins its name: `MADE`, `NOTICED` or `PUBLISHED`.
    """
    values = ((match[1], _VALUE.match(listed, match.end())) for match in _SETTING.finditer(listed))
    found = {name: value[0].strip("[]").replace(" ", "") for name, value in values if value is not None}
    return ((f"{how}{topic}", ";".join(f"{name}={found.get(name, '')}" for name in TOPIC_SETTINGS)),)


def settings_of(value: str) -> dict[str, str]:
    """What such a fact says of `TOPIC_SETTINGS`; "" is a setting that the topic does not have."""
    return dict(part.split("=", 1) for part in value.split(";") if part)  # type: ignore[reportReturnType]


def _noticed(message: Message) -> Reading:
    return Reading(facts=topic_facts(NOTICED, message["topic"], message["listed"]))


def _published(message: Message) -> Reading:
    return Reading(facts=topic_facts(PUBLISHED, message["topic"], message["listed"]))


def _set(message: Message) -> Reading:
    value = "" if message["value"] == "null" else message["value"].replace(" ", "")
    return Reading(facts=((f"{SET}{message['topic']}", f"{message['setting']}={value}"),))


def _enabled(message: Message) -> Reading:
    return Reading(facts=((f"{SET}{message['topic']}", "unclean.leader.election.enable=true"),))


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
        _published,
    ),
    LineRule(
        "topic-settings-in-zookeeper",
        "0.10.1",
        "3.9",
        r"Processing override for entity(?:Path: topics/|Type: topics, entity: )(?P<topic>[\w.\-]{1,249}) with config: (?P<listed>.*)",
        (
            "Processing override for entityPath: topics/orders with config: {min.insync.replicas=2}",
            "Processing override for entityPath: topics/orders with config: Map(min.insync.replicas -> 2, "
            "cleanup.policy -> compact,delete)",
            "Processing override for entityPath: topics/orders with config: HashMap(retention.ms -> 60000)",
            # Of a change that a tool of 0.9 or 0.10.0 wrote.
            "Processing override for entityType: topics, entity: orders with config: {min.insync.replicas=2}",
        ),
        _noticed,
    ),
    LineRule(
        "topic-setting-of-controller",
        "2.8",
        "",
        rf"\[(?:QuorumController id=|Controller )\d+\] (?={CONTROLLER_SETS})[^']+'(?P<topic>[^']+)'\)[a-z: ]+"
        rf"(?P<setting>{_NAMES}) to (?P<value>[\w, ]+)",
        (
            "[Controller 100] ConfigResource(type=TOPIC, name='events'): set configuration "
            "unclean.leader.election.enable to true",
            "[QuorumController id=100] Replayed ConfigRecord for ConfigResource(type=TOPIC, name='orders') which set "
            "configuration min.insync.replicas to null",
        ),
        _set,
    ),
    LineRule(
        "unclean-elections-enabled",
        "2.0",
        "3.9",
        r"\[Controller id=\d+\] Unclean leader election has been enabled for topic (?P<topic>[\w.\-]{1,249})",
        ("[Controller id=3] Unclean leader election has been enabled for topic events",),
        _enabled,
    ),
)
