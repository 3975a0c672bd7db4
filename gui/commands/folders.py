"""Write a folder of brokers' files whole or not at all."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.errors import DocumentError
from core.leftovers import staging
from core.message import message
from core.placing import put_folder
from core.system_errors import reason

_BROKER: Final = re.compile(r"broker-\d+")


def refuse_folder(target: Path, *, replace: bool) -> None:
    """Raise DocumentError where something stands at `target` that may not be replaced.

    With `replace` only a folder that holds nothing but brokers' folders may be: it is removed as a whole.
    """
    _refuse(target, target, replace=replace)


def _refuse(there: Path, target: Path, *, replace: bool) -> None:
    """The same, of what stands `there` and was at `target` a moment ago."""
    if not there.exists() and not there.is_symlink():
        return
    if not replace:
        raise DocumentError(
            message("error.command.folder-exists"),
            where=str(target),
            advice=message("error.document.exists.way-out"),
        )
    if there.is_symlink() or not there.is_dir() or not _holds_brokers_only(there):
        raise DocumentError(
            message("error.command.not-replaced"),
            where=str(target),
            advice=message("error.command.choose-name"),
        )


def write_folder(
    target: Path, files: Mapping[str, bytes], modified_ns: Mapping[str, int], *, replace: bool
) -> None:
    """Write beside the place, then rename. Raises DocumentError; what was there before stays then.

    `modified_ns` is the modification time of each file, ns UTC: importers place checkpoints by it.
    """
    refuse_folder(target, replace=replace)
    try:
        with staging(target) as part:
            part.mkdir()
            for path, content in files.items():
                place = part / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
                os.utime(place, ns=(modified_ns[path], modified_ns[path]))
            put_folder(part, target, lambda former: _refuse(former, target, replace=replace))
    except OSError as error:
        raise DocumentError(
            message("error.command.folder-cannot-write"),
            why=reason(error),
            where=str(target),
            advice=message("error.document.choose-folder"),
        ) from error


def _holds_brokers_only(folder: Path) -> bool:
    """Whether it holds folders of brokers, or one level of folders that do."""
    return all(
        entry.is_dir()
        and not entry.is_symlink()
        and (_BROKER.fullmatch(entry.name) or all(_is_broker(inner) for inner in entry.iterdir()))
        for entry in folder.iterdir()
    )


def _is_broker(entry: Path) -> bool:
    return entry.is_dir() and not entry.is_symlink() and _BROKER.fullmatch(entry.name) is not None
