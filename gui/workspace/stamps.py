"""What was named, as it is on the disk now: a stamp tells the same source, unchanged, from any other."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path


def stamp_of(paths: Sequence[str | Path]) -> str:
    """A digest of the paths with sizes and times of all files in them; "" where one cannot be looked at.

    Of a document it is which file it is: it changes with each note that is written into it.
    """
    if not paths:
        return ""
    digest = hashlib.sha256()
    try:
        for path in sorted(str(Path(one).resolve(strict=True)) for one in paths):
            for line in _lines(path):
                digest.update(f"{line}\0".encode(errors="surrogateescape"))
    except OSError:
        return ""
    return digest.hexdigest()


def is_same_path(one: str, other: str) -> bool:
    """Whether two paths name the same file; "" names none."""
    return bool(one and other) and os.path.realpath(one) == os.path.realpath(other)


def _lines(path: str) -> Iterator[str]:
    from db.recognise import is_document

    found = Path(path).stat()
    if is_document(path):
        yield f"{path} {found.st_dev} {found.st_ino}"
    elif not Path(path).is_dir():
        yield f"{path} {found.st_size} {found.st_mtime_ns}"
    else:
        for folder, folders, files in os.walk(path):
            folders.sort()
            for name in sorted(files):
                file = Path(folder) / name
                inside = file.stat()
                yield f"{file} {inside.st_size} {inside.st_mtime_ns}"
