"""Write a file whole or not at all."""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import DocumentError


@contextmanager
def whole(target: Path) -> Generator[Path]:
    """Where to write a file that appears whole or not at all: beside its place, renamed afterwards.

    Raises DocumentError where the disk refuses; what was there before stays then.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        yield part
        part.replace(target)
    except OSError as error:
        raise DocumentError(
            "The file cannot be written",
            why=error.strerror or str(error),
            where=str(target),
            advice="Choose a folder that exists and that you may write to",
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """A text file that ends with a line end. Raises as `whole` does."""
    with whole(target) as part:
        part.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
