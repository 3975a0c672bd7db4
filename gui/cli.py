"""The command line. Each command is a module of gui/commands, imported when it is called, and not before."""

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from core.errors import CancelledError, TidegaugeError
from core.message import message
from core.shown import shown_in_line
from core.state_folder import is_anything_made
from gui.commands.texts import Option, Told, language_option
from gui.text.catalogues import FIRST
from gui.text.spoken import speak, tr

COMMANDS: Final = {
    "open": ("open_window", "command.open.short"),
    "demo": ("demo", "command.demo.short"),
    "import": ("import_logs", "command.import.short"),
    "process": ("process", "command.process.short"),
    "scenarios": ("scenarios", "command.scenarios.short"),
    "eras": ("eras", "command.eras.short"),
    "simulate": ("simulate", "command.simulate.short"),
    "ablate": ("ablate", "command.ablate.short"),
    "lift": ("lift", "command.lift.short"),
    "prevent": ("prevent", "command.prevent.short"),
    "lesson": ("lesson", "command.lesson.short"),
    "explore": ("explore", "command.explore.short"),
    "conform": ("conform", "command.conform.short"),
    "info": ("info", "command.info.short"),
    "events": ("events", "command.events.short"),
    "query": ("query", "command.query.short"),
    "validate": ("validate", "command.validate.short"),
    "state": ("state", "command.state.short"),
    "check": ("check", "command.check.short"),
    "explain": ("explain", "command.explain.short"),
    "compare": ("compare", "command.compare.short"),
    "export": ("export", "command.export.short"),
    "doctor": ("doctor", "command.doctor.short"),
}
"""Name, module in gui/commands, and what `--help` says. The module's `command` is the command."""
DONE: Final = 0
FOUND: Final = 1
"""Done, and something is wrong in the trace, or differs."""
FAILED: Final = 2
"""The question could not be answered; one message on stderr says why."""


class Commands(Told, click.Group):
    """The commands of the table above. What is no command but a file is opened in the window."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gui.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def told(self) -> str:
        """What the program does, what commands take, and what exit codes mean."""
        parts = ("command.help", "command.help.without-command", "command.help.exit-codes")
        return "\n\n".join(map(tr, parts))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Options, then commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table, so that help imports no command."""
        with formatter.section(tr("command.commands")):
            formatter.write_dl([(name, tr(id_)) for name, (_module, id_) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`tidegauge` alone, and `tidegauge FILE…`, are `tidegauge open`; `--lang` may come first."""
        rest = args[2:] if args[:1] == ["--lang"] else args[1:] if args[:1] and _is_lang(args[0]) else args
        first = rest[0] if rest else ""
        if not rest or (first not in COMMANDS and not first.startswith("-") and _names_something(first)):
            args = ["open", *args]
        return super().parse_args(ctx, args)


def _is_lang(text: str) -> bool:
    return text.startswith("--lang=")


def _names_something(text: str) -> bool:
    """A file that is there, or a text that can only be meant as a path."""
    return "/" in text or "." in text or os.sep in text or Path(text).exists()


@click.command(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@language_option("command.option.lang")
@click.version_option(
    package_name="tidegauge",
    prog_name="tidegauge",
    message="%(prog)s %(version)s",
    cls=Option,
    help="command.option.version",
)
def tidegauge() -> None:
    """The program; without a command the window."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit code. Whatever goes wrong is one message on stderr.

    What killed runs left is removed first. `--lang` holds for this command line alone.
    """
    speak(FIRST)
    try:
        return _run(arguments)
    finally:
        speak(FIRST)


def _run(arguments: Sequence[str]) -> int:
    try:
        if is_anything_made() and not _only_asks(arguments):
            from gui.commands.leftovers import sweep_and_say

            sweep_and_say()
        result = tidegauge.main(args=list(arguments), prog_name="tidegauge", standalone_mode=False)
        return result if isinstance(result, int) else DONE
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        _say(_usage(error))
    except TidegaugeError as error:
        _say(str(error))
    except (KeyboardInterrupt, click.Abort):
        _say(str(CancelledError(message("error.stopped"), background=message("error.stopped.nothing-kept"))))
    except SystemExit:
        # How click ends where the reader has left (`| head`). That is no finding, which its 1 would mean.
        return DONE
    except Exception as error:
        if os.environ.get("TIDEGAUGE_TRACEBACK"):
            raise
        _say(tr("command.defect", kind=type(error).__name__, text=str(error)))
    return FAILED


def _only_asks(arguments: Sequence[str]) -> bool:
    """Whether help, the version, or completion by a shell is all that is wanted."""
    return bool({"-h", "--help", "--version"} & set(arguments)) or "_TIDEGAUGE_COMPLETE" in os.environ


def _usage(error: click.ClickException) -> str:
    message = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return tr("command.usage-error", text=message, command=f"{error.ctx.command_path} --help")
    return message


def _say(message: str) -> None:
    click.echo(f"tidegauge: {shown_in_line(' '.join(message.split()))}", err=True)


def main() -> None:
    """The program `tidegauge`."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
