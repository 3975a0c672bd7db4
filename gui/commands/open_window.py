"""`tidegauge open`: the window."""

import click

from core.errors import QuestionError
from core.message import message
from gui.commands.screen import has_screen


@click.command(
    "open", help="Open the window on documents, logs, data sets, or a scenario; else on the welcome page."
)
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|DIR.parquet|SCENARIO.toml]...")
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    help="English or Simplified Chinese, this time. Else what the settings of the window say.",
)
def command(paths: tuple[str, ...], lang: str | None) -> int:
    """Run the window until it is closed."""
    if not has_screen():
        raise QuestionError(
            message("error.command.no-display"),
            advice=message("error.command.no-display.way-out"),
        )
    from gui.app import run_window

    return run_window(paths, lang=lang)
