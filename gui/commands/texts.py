"""Commands and options of the command line. Their help is an id; its text is looked up when it is shown."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from core.message import Listing
from gui.text.catalogues import languages
from gui.text.spoken import speak, tr

F = TypeVar("F", bound=Callable[..., Any])
LANGUAGE: Final = "lang"


class Option(click.Option):
    """An option whose help is an id."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option as it is typed, and what it does, in the language spoken now."""
        id_ = self.help or ""
        self.help = tr(id_)
        try:
            return super().get_help_record(ctx)
        finally:
            self.help = id_


class Language(click.ParamType[str]):
    """A language that has catalogues, by the name of their folder."""

    name = "language"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """All of them."""
        return f"[{'|'.join(languages())}]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; a usage error where there are no such catalogues."""
        if value not in languages():
            self.fail(tr("command.no-language", name=value, names=Listing(languages())), param, ctx)
        return value


class Told(click.Command):
    """A command whose help is an id."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """`--help`, told in the language spoken now."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = tr("command.option.help")
        return found

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How the command is typed."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{tr('command.usage')} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the command does."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.told())

    def told(self) -> str:
        """What stands between usage and options."""
        return tr(self.help or "")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each option does."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        told = [one.get_help_record(ctx) for one in options]
        with formatter.section(tr("command.options")):
            formatter.write_dl([one for one in told if one is not None])


def command(name: str, help_id: str, cls: type[Told] = Told) -> Callable[[Callable[..., Any]], Told]:
    """A command of this name, which takes `--lang`. `help_id` is the sentence that its help begins with."""
    made = click.command(name, cls=cls, help=help_id)

    def decorate(function: Callable[..., Any]) -> Told:
        return made(language_option("command.option.lang")(function))

    return decorate


def option(*names: str, **how: Any) -> Callable[[F], F]:  # noqa: ANN401 - those of click
    """An option as click's; `help` is an id."""
    return click.option(*names, cls=Option, **how)


def language_option(help_id: str, *, given: bool = False) -> Callable[[F], F]:
    """`--lang`: what it names is spoken as soon as it is read. With `given` the command gets it, too."""
    return option(
        f"--{LANGUAGE}",
        type=Language(),
        help=help_id,
        expose_value=given,
        is_eager=True,
        callback=_speak,
    )


def _speak(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    return None if value is None else speak(value)
