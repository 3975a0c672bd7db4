"""Names and levels of metadata.version, which a cluster with KRaft has in the place of a protocol.

The metadata log and some lines name the level, others the version (MetadataVersion, 3.9.1; of later levels
what controllers of 4.1 and 4.3 print).
"""

from typing import Final

from core.kafka.releases import version_numbers

_NAMES: Final = (
    *("3.0-IV1", "3.1-IV0", "3.2-IV0", "3.3-IV0", "3.3-IV1", "3.3-IV2", "3.3-IV3", "3.4-IV0"),
    *("3.5-IV0", "3.5-IV1", "3.5-IV2", "3.6-IV0", "3.6-IV1", "3.6-IV2"),
    *("3.7-IV0", "3.7-IV1", "3.7-IV2", "3.7-IV3", "3.7-IV4", "3.8-IV0", "3.9-IV0"),
    *("4.0-IV0", "4.0-IV1", "4.0-IV2", "4.0-IV3", "4.1-IV0", "4.1-IV1", "4.2-IV0", "4.2-IV1", "4.3-IV0"),
)
"""From level 1 on."""


def name_of(level: int) -> str:
    """The version of a level; of a later one than is known the last that is. "" below the first."""
    return _NAMES[min(level, len(_NAMES)) - 1] if level > 0 else ""


def of_new_cluster(release: str) -> tuple[str, int]:
    """metadata.version and level of a cluster that was made by a release from 3.3 on: the newest of its own.

    Raises LookupError for a release without one.
    """
    minor = version_numbers(release)[:2]
    own = [level for level, name in enumerate(_NAMES, 1) if version_numbers(name) == minor]
    if not own:
        raise LookupError(release)
    return name_of(own[-1]), own[-1]
