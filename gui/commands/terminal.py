"""What a person sees in a terminal: calm tables on stdout, progress on stderr. Piped, both are plain.

Whatever is printed may come from a file: characters that would steer a terminal are shown (core/shown.py).
"""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, LiteralString

import click

from core.message import Message
from core.shown import shown, shown_in_json, shown_in_line
from core.time_left import with_time_left
from core.words import text
from core.work import QUIET, Work
from gui.text.spoken import tr

_PIPED_WIDTH = 2_000
"""A pipe has no edge to fold at: a row stays one line, which grep and sort can use."""
_WHOLE = 24
"""Cells up to this length are never folded: names, numbers, times."""


def print_json(value: object) -> None:
    """One JSON value on one line; what is not known is null."""
    click.echo(shown_in_json(json.dumps(value, ensure_ascii=False)))


def print_table(
    heads: Sequence[LiteralString], rows: Sequence[Sequence[Any]], *, right: Sequence[int] = ()
) -> None:
    """A table without rules. `heads`: ids of the columns' heads, "" for none.

    `right`: places of columns of numbers. A narrow terminal folds text.
    """
    print_rows([tr(head) if head else "" for head in heads], rows, right=right)


def print_rows(heads: Sequence[str], rows: Sequence[Sequence[Any]], *, right: Sequence[int] = ()) -> None:
    """The same with heads that are texts already: names of columns."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(heads))
    cells = [["" if cell is None else shown_in_line(str(cell)) for cell in row] for row in rows]
    for place, head in enumerate(heads):
        whole = all(len(row[place]) <= _WHOLE for row in cells)
        justify = "right" if place in right else "left"
        table.add_column(
            Text(shown_in_line(head)), justify=justify, no_wrap=whole, overflow="fold", header_style="bold"
        )
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    _print(table)


def print_facts(facts: Sequence[tuple[str, object]]) -> None:
    """Label and value, aligned."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    for label, value in facts:
        table.add_row(Text(shown_in_line(label)), Text(shown_in_line(str(value))))
    _print(table)


def moment(text: str | None) -> str:
    """A time of the JSON for a person: 2026-11-21 03:29:10.161, UTC as everywhere."""
    return "" if text is None else text[:23].replace("T", " ")


def print_line(text: str = "", *, style: str = "") -> None:
    """One line of text; styles vanish in a pipe."""
    from rich.text import Text

    _print(Text(shown(text), style=style))


def print_text(text: str, *, end: bool = True) -> None:
    """A text that has its lines already, as they are; with `end` a line feed after them."""
    click.echo(shown(text), nl=end)


def labelled_lines(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Label and text of each row, folded to the terminal: the lines that it takes, for `print_laid_out`."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for label, told in rows:
        table.add_row(Text(shown_in_line(label)), Text(shown_in_line(told)))
    return _laid_out(table)


def folded_lines(text: str, *, style: str = "") -> list[str]:
    """A text folded to the terminal: the lines that it takes, for `print_laid_out`."""
    from rich.text import Text

    return _laid_out(Text(shown(text), style=style))


def print_laid_out(lines: Sequence[str]) -> None:
    """Lines that are laid out already."""
    click.echo("\n".join(lines))


def _print(thing: object) -> None:
    print_laid_out(_laid_out(thing))


def _laid_out(thing: object) -> list[str]:
    """The lines that something takes, folded to the terminal; in a pipe they are not folded."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False, file=sys.stdout)
    with console.capture() as captured:
        console.print(thing)
    # Rich pads cells to the end of the row; nobody wants to copy that.
    return [line.rstrip() for line in captured.get().splitlines()]


@contextmanager
def working(id_: LiteralString) -> Generator[Work]:
    """The progress of long work, on stderr, gone when it is done. Silent where stderr is no terminal.

    `id_` is what is told until the work tells more of itself.
    """
    if not sys.stderr.isatty():
        yield QUIET
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        title = tr(id_)
        task = bar.add_task(title, total=None)

        def progress(done: int, total: int, what: Message | None) -> None:
            said = "" if what is None else text(what)
            bar.update(task, completed=done, total=total or None, description=shown_in_line(said or title))

        yield Work(progress=with_time_left(progress, monotonic))
