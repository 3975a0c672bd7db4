"""Write a small file whole or not at all."""

from pathlib import Path

from core.errors import DocumentError


def write_text(target: Path, text: str) -> None:
    """Write beside the place, then rename. Raises DocumentError; what was there before stays then."""
    part = target.with_name(f"{target.name}.part")
    try:
        part.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
        part.replace(target)
    except OSError as error:
        raise DocumentError(
            "The file cannot be written",
            why=error.strerror or str(error),
            where=str(target),
            advice="Choose a folder that exists and that you may write to",
        ) from error
