"""`tidegauge query`: a question in SQL about a document, a data set or logs."""

from typing import Any

import click

from core.errors import QuestionError
from core.message import message
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_rows, print_text, working
from gui.workspace.query_answer import Answer, cell_text, csv_text


@texts.command("query", "command.query.help")
@click.argument("path", metavar="DOC|DATASET|SOURCE")
@click.argument("sql", metavar="SQL")
@options.trace_name
@texts.option("--csv", "as_csv", is_flag=True, help="command.query.csv")
@options.reading
@options.as_json
def command(
    path: str,
    sql: str,
    trace_name: str | None,
    *,
    as_csv: bool,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Ask, and print the rows."""
    if as_csv and as_json:
        raise QuestionError(message("error.query.two-forms"))
    answer = _asked(path, sql, trace_name, told)
    if as_json:
        for row in answer.rows:
            print_json(dict(zip(answer.columns, row, strict=True)))
    elif as_csv:
        print_text(csv_text(answer), end=False)
    else:
        numbers = [
            place
            for place in range(len(answer.columns))
            if all(row[place] is None or isinstance(row[place], (int, float)) for row in answer.rows)
        ]
        print_rows(answer.columns, [[cell_text(cell) for cell in row] for row in answer.rows], right=numbers)
    return 0


def _asked(path: str, sql: str, trace_name: str | None, told: dict[str, Any]) -> Answer:
    from gui.commands.questions import opened
    from gui.workspace.query import ask
    from gui.workspace.query_tables import tables_at, tables_of
    from importers.options import ImportOptions

    with working("command.working.reading") as work:
        if trace_name is None and options.import_options(**told) == ImportOptions():
            stored = tables_at(path, work)
            if stored is not None:
                return ask(stored, sql, work)
        with opened((path,), told, work) as thing:
            return ask(tables_of(thing, trace_name, work), sql, work)
