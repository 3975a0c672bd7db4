"""Whether there is anything new for a data set: what it was made of, and what it would be made of now."""

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from importers.options import ImportOptions
from importers.prepared.data_set import read_manifest
from spark.parse import Digest, Read
from spark.store import Kept, Mark, code_digest, known, mark_of

MADE_OF: Final = "made_of"
"""In the provenance of a manifest."""


def made_of(tasks: Sequence[Read | Digest], sources: Sequence[str], options: ImportOptions) -> str:
    """SHA-256, as hex, of all that decides what a data set holds: files, options, names, and our code."""
    told = [(one.name, _sorted(getattr(options, one.name))) for one in fields(options)]
    digest = hashlib.sha256(code_digest())
    digest.update(repr((list(sources), told)).encode())
    for task in tasks:
        digest.update(repr(mark_of(task)).encode())
    return digest.hexdigest()


def _sorted(value: Any) -> Any:  # noqa: ANN401 - any option
    """The same as text in every process: sets and mappings have an order."""
    if isinstance(value, Mapping):
        return sorted(value.items(), key=repr)
    return sorted(value, key=repr) if isinstance(value, AbstractSet) else value


def unchanged(
    out: Path, tasks: Sequence[Read | Digest], there: Mapping[Mark, Kept], made: str
) -> dict[str, Any] | None:
    """The manifest of a data set that another run would write again as it is; None where it would not.

    What could not be read the last time is tried again, as is what the data set has lost (`there` is what it
    has). Raises SourceError where the data set is damaged.
    """
    manifest = read_manifest(out)
    stands = manifest["provenance"].get(MADE_OF) == made and len(known(tasks, there)) == len(tasks)
    return manifest if stands else None
