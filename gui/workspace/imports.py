"""Documents of imports, kept while a window is open: after a kill no log is read again.

A document is kept as it was imported, without notes: `recall.py` says of which tab it is.
"""

import shutil
from contextlib import suppress
from pathlib import Path

from core.diagnose.verdict.summary import Triage
from core.errors import TidegaugeError
from core.leftovers import token
from core.trace.trace import Trace
from gui.workspace.files import refused

ENDING = ".imports"
"""Of the folder in which one window keeps them."""


def keep_import(document: str, folder: str) -> str:
    """Move a document into a folder of imports; gives where it is, "" where it cannot be kept."""
    kept = Path(folder) / token() / Path(document).name
    try:
        kept.parent.mkdir(parents=True)
        shutil.move(document, kept)
    except OSError:
        # The disk may be full: the logs are read again then.
        drop_imports(kept.parent)
        return ""
    return str(kept)


def copy_import(document: str, folder: str) -> str:
    """Copy a document that is read one partition at a time into a folder of imports; gives where the copy is.

    Notes are written into the document itself. "" where it cannot be copied.
    """
    kept = Path(folder) / token() / Path(document).name
    try:
        kept.parent.mkdir(parents=True)
        shutil.copyfile(document, kept)
    except OSError:
        # As above.
        drop_imports(kept.parent)
        return ""
    return str(kept)


def take_import(document: str, folder: str) -> str:
    """Move an import that a killed window had kept into a folder; gives where it is. Raises DocumentError."""
    mine = Path(folder) / Path(document).name
    with refused(mine):
        shutil.move(document, mine)
    return str(mine)


def write_import(trace: Trace, found: Triage | None, folder: str) -> str:
    """Write a trace that was imported with others into a folder of imports; gives where it is.

    "" where it cannot be written.
    """
    from db.document import create

    kept = Path(folder) / token() / "import.tide"
    try:
        kept.parent.mkdir(parents=True)
        create(kept, [trace], found=[found])
    except (OSError, TidegaugeError):
        # As above.
        drop_imports(kept.parent)
        return ""
    return str(kept)


def drop_imports(folder: Path) -> None:
    """Remove a folder of imports, if it is there."""
    with suppress(OSError):
        shutil.rmtree(folder)
