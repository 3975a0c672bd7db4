"""What killed runs left: swept when the program starts, and said in words where something stays."""

import click

from core.sweeping import Left, Swept, sweep
from gui.text.spoken import tr


def sweep_and_say() -> None:
    """Remove what killed runs left. What stays, or was put back, is said once, on stderr."""
    for sentence in sentences(sweep()):
        click.echo(f"tidegauge: {' '.join(sentence.split())}", err=True)


def sentences(swept: Swept) -> list[str]:
    """What a person has to know of a sweep. What was only removed is not among it."""
    put_back = [tr("command.leftovers.put-back", path=str(path)) for path in swept.put_back]
    return [*put_back, *map(sentence_of, swept.told)]


def sentence_of(left: Left) -> str:
    """What stays, where, and what can be done with it."""
    if left.kind == "resume":
        return tr("command.leftovers.resume", target=str(left.target), path=str(left.path))
    if left.kind == "document":
        return tr("command.leftovers.document", path=str(left.path))
    return tr("command.leftovers.replaced", target=str(left.target), path=str(left.path))
