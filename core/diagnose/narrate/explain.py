"""Text that the report of `check` still makes itself."""


def offsets_text(first: int, end: int) -> str:
    """Half-open offsets as text with the last one included."""
    if end - first <= 2:
        return f"offset {first}" if end - first == 1 else f"offsets {first} and {end - 1}"
    return f"offsets {first} to {end - 1}"
