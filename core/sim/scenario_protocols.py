"""Releases, protocols and message formats of brokers, as a scenario names them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from core.kafka.eras import ERAS
from core.kafka.protocols import era_of_release
from core.kafka.releases import version_numbers
from core.message import message
from core.sim.script import BrokerPlan
from core.sim.toml_reader import Reader, words_allowed

STEP_KEYS: Final = ("protocol", "message_format", "release")
"""Of a step `start`."""
_TABLES: Final = ("protocols", "message_formats", "releases")
METADATA_VERSION_KEY: Final = "metadata_version"
"""Of the cluster, and of a step `configure`."""
CLUSTER_KEYS: Final = (*_TABLES, METADATA_VERSION_KEY)
_EXAMPLES: Final = "0.10.2, 2.8"


class _Place(NamedTuple):
    """Where a text stands: its table and key."""

    table: Reader
    key: str


class _Upgrade(NamedTuple):
    """What a broker has from a place of the script on, and where its release and its protocol stand there."""

    broker: str
    plan: BrokerPlan
    release: _Place
    protocol: _Place


class _Raise(NamedTuple):
    """The metadata.version of the cluster from a place of the script on."""

    version: str
    place: _Place


def read_plans(cluster: Reader, brokers: Sequence[str]) -> Mapping[str, BrokerPlan]:
    """By broker what `[cluster]` names; nothing of one that it does not name."""
    tables = [cluster.table(key) for key in _TABLES]
    for table in tables:
        table.only(*brokers)
    return {
        name: _plan(*(_Place(table, name) for table in tables))
        for name in brokers
        if any(name in table.values for table in tables)
    }


def read_plan(step: Reader) -> BrokerPlan | None:
    """What a step `start` names; None where it names nothing, and the broker keeps what it has."""
    if not any(key in step.values for key in STEP_KEYS):
        return None
    return _plan(*(_Place(step, key) for key in STEP_KEYS))


def read_metadata_version(table: Reader) -> str:
    """The metadata.version that `[cluster]` or a step names; "" for none."""
    return _release(_Place(table, METADATA_VERSION_KEY))


def releases_named(
    cluster: Reader, steps: Sequence[Reader], plans: Mapping[str, BrokerPlan]
) -> tuple[str, ...]:
    """Every release that a script names for a broker.

    Raises ScenarioError where they have different kinds of controllers, where a protocol or the
    metadata.version is above the release of a broker at that time, and where a step lowers the latter.
    """
    version = _Raise(read_metadata_version(cluster), _Place(cluster, METADATA_VERSION_KEY))
    now, found = dict(plans), dict[str, None]()
    for one in (*_at_start(cluster, plans), *_in_steps(steps)):
        if isinstance(one, _Raise):
            _above(version, one)
            version = one
            for broker, plan in now.items():
                _not_below(broker, plan, version)
            continue
        now[one.broker] = one.plan
        _known_to_all(one, now)
        if one.plan.release:
            found[one.plan.release] = None
            _same_controller(one, next(iter(found)))
            _not_below(one.broker, one.plan, version)
    return tuple(found)


def _at_start(cluster: Reader, plans: Mapping[str, BrokerPlan]) -> Iterator[_Upgrade]:
    protocols, _, releases = (cluster.table(key) for key in _TABLES)
    for name, plan in plans.items():
        yield _Upgrade(name, plan, _Place(releases, name), _Place(protocols, name))


def _in_steps(steps: Sequence[Reader]) -> Iterator[_Upgrade | _Raise]:
    protocol, _, release = STEP_KEYS
    for step in steps:
        if step.values.get("do") == "configure" and METADATA_VERSION_KEY in step.values:
            yield _Raise(read_metadata_version(step), _Place(step, METADATA_VERSION_KEY))
        plan = read_plan(step) if step.values.get("do") == "start" else None
        if plan is not None:
            yield _Upgrade(step.text("broker"), plan, _Place(step, release), _Place(step, protocol))


def _known_to_all(one: _Upgrade, now: Mapping[str, BrokerPlan]) -> None:
    """No broker talks by a protocol that another one's release does not know."""
    for name, other in now.items():
        if _is_above(one.plan.protocol, other.release):
            _fail_above(one.protocol, name, other.release)
        if _is_above(other.protocol, one.plan.release):
            _fail_above(one.release, one.broker, one.plan.release)


def _not_below(broker: str, plan: BrokerPlan, one: _Raise) -> None:
    """No broker is registered, and none is left behind, whose release does not know the metadata.version."""
    if _is_above(one.version, plan.release):
        _fail_above(one.place, broker, plan.release)


def _above(before: _Raise, one: _Raise) -> None:
    """A metadata.version is not lowered: the controller would have to forget what it holds by it."""
    if version_numbers(one.version) < version_numbers(before.version):
        lower = message("error.scenario.lower-metadata-version", before=before.version)
        one.place.table.fail(one.place.key, lower, words_allowed(f"\u2265 {before.version}"))


def _is_above(protocol: str, release: str) -> bool:
    """Whether a protocol, or a metadata.version, is above a release; not where one of them is not named."""
    numbers = version_numbers(release)
    return bool(numbers) and version_numbers(protocol)[: len(numbers)] > numbers


def _fail_above(place: _Place, broker: str, release: str) -> NoReturn:
    what = message("error.scenario.above-release", name=broker, release=release)
    place.table.fail(place.key, what, words_allowed(f"\u2264 {release}"))


def _same_controller(one: _Upgrade, first: str) -> None:
    """Brokers over ZooKeeper and brokers with KRaft are no cluster here."""
    kind, named = _controller_of(first), one.plan.release
    if _controller_of(named) != kind:
        fitting = [era.id for era in ERAS if era.switches.controller == kind]
        what = message("error.scenario.two-controllers", release=named, other=first)
        one.release.table.fail(one.release.key, what, words_allowed(f"{fitting[0]} \u2026 {fitting[-1]}"))


def _controller_of(release: str) -> str:
    found = era_of_release(release)
    return "" if found is None else found.switches.controller


def _plan(protocol: _Place, message_format: _Place, release: _Place) -> BrokerPlan:
    """The plan of three keys. A format above the protocol no broker starts with (KafkaConfig, 2.8.2)."""
    plan = BrokerPlan(*(_release(one) for one in (protocol, message_format, release)))
    if plan.protocol and version_numbers(plan.message_format) > version_numbers(plan.protocol):
        table, key = message_format
        table.fail(key, message("error.scenario.format-above"), words_allowed(f"\u2264 {plan.protocol}"))
    if plan.release and era_of_release(plan.release) is None:
        what = message("error.scenario.release-before", release=plan.release)
        release.table.fail(release.key, what, words_allowed(f"\u2265 {ERAS[0].id}"))
    return plan


def _release(place: _Place) -> str:
    table, key = place
    if key not in table.values:
        return ""
    text = table.text(key)
    if not version_numbers(text):
        table.fail(key, message("error.scenario.no-release", text=text), words_allowed(_EXAMPLES))
    return text
