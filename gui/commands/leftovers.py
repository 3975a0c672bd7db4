"""What killed runs left: swept when the program starts, and said in words where something stays."""

import click

from core.sweeping import Left, Swept, sweep


def sweep_and_say() -> None:
    """Remove what killed runs left. What stays, or was put back, is said once, on stderr."""
    for sentence in sentences(sweep()):
        click.echo(f"tidegauge: {' '.join(sentence.split())}", err=True)


def sentences(swept: Swept) -> list[str]:
    """What a person has to know of a sweep. What was only removed is not among it."""
    put_back = [
        f"{path} was being replaced when a run was stopped: what it held before is there again."
        for path in swept.put_back
    ]
    return [*put_back, *map(sentence_of, swept.told)]


def sentence_of(left: Left) -> str:
    """What stays, where, and what can be done with it."""
    if left.kind == "resume":
        return (
            f"What process read for {left.target} is kept in {left.path}: the same command goes on from "
            "there. Remove it with tidegauge doctor --clean."
        )
    if left.kind == "document":
        return f"Notes that were not saved are kept in {left.path}. Open it, and save it where you like."
    return (
        f"{left.target} was being replaced when a run was stopped, and something else stands there now. "
        f"What it held before is kept in {left.path}."
    )
