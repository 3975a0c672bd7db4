"""Write a file whole or not at all."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from core.errors import DocumentError
from core.leftovers import staging
from core.message import message
from core.placing import put_file
from core.system_errors import reason


@contextmanager
def whole(target: Path, check: Callable[[Path], None] | None = None) -> Generator[Path]:
    """Where to write a file that appears whole or not at all: beside its place, synced, and renamed then.

    The name is nobody else's: of two that write to one target at once, the last one stands. Raises
    DocumentError where the disk refuses; what was there before stays then. What a killed process leaves
    there is removed by the next start (core/sweeping.py). `check` looks at the finished file before it gets
    its name: where it raises, nothing is left.
    """
    with refused(target), staging(target) as part:
        yield part
        if check is not None:
            check(part)
        put_file(part, target)


@contextmanager
def refused(target: Path) -> Generator[None]:
    """Where the disk refuses to write a file DocumentError is raised, with its reason."""
    try:
        yield
    except OSError as error:
        raise DocumentError(
            message("error.command.cannot-write"),
            why=reason(error),
            where=str(target),
            advice=message("error.document.choose-folder"),
        ) from error


def write_text(target: Path, text: str, check: Callable[[Path], None] | None = None) -> None:
    """A text file that ends with a line end; what no UTF-8 can say is written as its number.

    Raises as `whole` does.
    """
    with whole(target, check) as part:
        part.write_text(
            text if text.endswith("\n") else f"{text}\n", encoding="utf-8", errors="backslashreplace"
        )
