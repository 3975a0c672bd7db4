"""Protocols and message formats of brokers, as a scenario names them."""

from collections.abc import Mapping, Sequence
from typing import Final

from core.kafka.releases import version_numbers
from core.message import message
from core.sim.script import ProtocolPlan
from core.sim.toml_reader import Reader, words_allowed

STEP_KEYS: Final = ("protocol", "message_format")
"""Of a step `start`."""
CLUSTER_KEYS: Final = ("protocols", "message_formats")
_EXAMPLES: Final = "0.10.2, 2.8"


def read_protocols(cluster: Reader, brokers: Sequence[str]) -> Mapping[str, ProtocolPlan]:
    """By broker what `[cluster]` names; nothing of one that it does not name."""
    protocols, formats = (cluster.table(key) for key in CLUSTER_KEYS)
    for table in (protocols, formats):
        table.only(*brokers)
    return {
        name: _plan((protocols, name), (formats, name))
        for name in brokers
        if name in protocols.values or name in formats.values
    }


def read_plan(step: Reader) -> ProtocolPlan | None:
    """What a step `start` names; None where it names nothing, and the broker keeps what it has."""
    if not any(key in step.values for key in STEP_KEYS):
        return None
    return _plan(*((step, key) for key in STEP_KEYS))


def _plan(protocol: tuple[Reader, str], message_format: tuple[Reader, str]) -> ProtocolPlan:
    """The plan of two keys. A format above the protocol no broker starts with (KafkaConfig, 2.8.2)."""
    plan = ProtocolPlan(_release(*protocol), _release(*message_format))
    if plan.protocol and version_numbers(plan.message_format) > version_numbers(plan.protocol):
        table, key = message_format
        table.fail(key, message("error.scenario.format-above"), words_allowed(f"\u2264 {plan.protocol}"))
    return plan


def _release(table: Reader, key: str) -> str:
    if key not in table.values:
        return ""
    text = table.text(key)
    if not version_numbers(text):
        table.fail(key, message("error.scenario.no-release", text=text), words_allowed(_EXAMPLES))
    return text
