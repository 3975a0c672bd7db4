"""What the operating system says of a failure, by its number: its own words know one language."""

import errno
import os
from collections.abc import Mapping
from typing import Final, LiteralString

from core.errors import because
from core.message import Message, message

_OF_SYSTEM: Final[Mapping[int, LiteralString]] = {
    errno.EACCES: "system.no-permission",
    errno.ENOENT: "system.not-there",
    errno.EISDIR: "system.folder",
    errno.ENOTDIR: "system.no-folder",
    errno.EEXIST: "system.exists",
    errno.ENOSPC: "system.no-space",
    errno.EROFS: "system.read-only",
    errno.EIO: "system.input-output",
    errno.ENAMETOOLONG: "system.name-too-long",
}
"""Python gives Windows' errors the same numbers."""


def reason(error: OSError) -> Message:
    """Why the system refused, by number; where the number is not known here, in the system's own words.

    Libraries raise errors of the system too, and name their own source code in the text of them.
    """
    number = error.errno or 0
    id_ = _OF_SYSTEM.get(number)
    if id_ is not None:
        return message(id_)
    return because(os.strerror(number) if number else error.strerror or error)
