"""All files of the sources beside what was found out about them."""

from dataclasses import dataclass

from importers.attribution import Owner, attribute
from importers.drafts import Fact
from importers.files import ReadFile, Role
from importers.options import ImportOptions
from importers.zones import ASSUMED, Zone, zone_of


@dataclass(frozen=True, slots=True)
class Gathered:
    """All files of the sources with what the second passes found out about them, in the order of `files`."""

    files: tuple[ReadFile, ...]
    owners: tuple[Owner, ...]
    zones: tuple[Zone, ...]


def gather(files: tuple[ReadFile, ...], options: ImportOptions) -> Gathered:
    """Owners and zones of files."""
    owners = attribute(files, options.broker)
    facts: dict[int | None, tuple[Fact, ...]] = {}
    for file, owner in zip(files, owners, strict=True):
        if file.drafts is not None:
            facts[owner.broker] = (*facts.get(owner.broker, ()), *file.drafts.facts)
    by_broker = {broker: zone_of(broker, found, options.zones) for broker, found in facts.items()}
    zones = tuple(
        by_broker.get(owner.broker, ASSUMED) if file.role is Role.LOG else Zone("UTC", "")
        for file, owner in zip(files, owners, strict=True)
    )
    return Gathered(files, owners, zones)
