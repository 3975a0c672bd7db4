"""`tidegauge open`: the window."""

import click

from core.errors import QuestionError
from core.message import message
from gui.commands import texts
from gui.commands.screen import has_screen


@click.command("open", cls=texts.Told, help="command.open.help")
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|DIR.parquet|SCENARIO.toml]...")
@texts.language_option("command.option.lang-of-window", given=True)
def command(paths: tuple[str, ...], lang: str | None) -> int:
    """Run the window until it is closed."""
    if not has_screen():
        raise QuestionError(
            message("error.command.no-display"),
            advice=message("error.command.no-display.way-out"),
        )
    from gui.app import run_window

    return run_window(paths, lang=lang)
