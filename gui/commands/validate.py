"""`tidegauge validate`: whether tables of Parquet fit the contract."""

from typing import Final

import click

from core.message_json import plain
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table, working
from gui.text.spoken import tr, worded

_HEADS: Final = (
    "command.head.table",
    "command.head.file",
    "command.head.row",
    "command.head.column",
    "command.head.fault",
)


@texts.command("validate", "command.validate.help")
@click.argument("path", metavar="FOLDER|FILE")
@options.as_json
def command(path: str, *, as_json: bool) -> int:
    """Look at every table, print what is wrong, and say by the exit code whether something is."""
    from importers.contract.columns import VERSION
    from importers.contract.validate import validate

    with working("command.working.reading") as work:
        checked = validate(path, work)
    faults = [(one.table, fault) for one in checked for fault in one.faults]
    if as_json:
        print_json(
            {
                "schema": 1,
                "contract": VERSION,
                "tables": [
                    {"table": one.table, "files": one.files, "rows": one.rows, "faults": len(one.faults)}
                    for one in checked
                ],
                "faults": [
                    {
                        "table": table,
                        "file": fault.file,
                        "row": fault.row,
                        "column": fault.column,
                        "text": worded(fault.message),
                        "message": plain(fault.message),
                    }
                    for table, fault in faults
                ],
            }
        )
        return int(bool(faults))
    for one in checked:
        told = "command.validate.wrong" if one.faults else "command.validate.right"
        print_line(tr(told, table=one.table, rows=one.rows, files=one.files, faults=len(one.faults)))
    if faults:
        print_line()
        rows = [
            (table, fault.file, fault.row, fault.column, worded(fault.message)) for table, fault in faults
        ]
        print_table(_HEADS, rows, right=(2,))
    return int(bool(faults))
