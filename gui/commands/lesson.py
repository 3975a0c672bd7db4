"""`tidegauge lesson`: lessons as text: listed, checked against their runs, begun anew."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from core.errors import QuestionError
from core.message import Count, message
from core.message_json import plain
from core.picture.viewing import USUAL, Room, letters_of
from core.shown import shown
from core.system_errors import reason
from core.words import text
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table
from gui.text.catalogues import languages
from gui.text.spoken import language, tr

if TYPE_CHECKING:
    from core.teaching.checking import Problem
    from core.teaching.grades import Result
    from core.teaching.lesson import Lesson
    from core.words import Language

WRONG: Final = 1
"""A lesson says what its runs do not."""


class Lessons(texts.Told, click.Group):
    """The commands about lessons."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Options, then commands."""
        super().format_options(ctx, formatter)
        with formatter.section(tr("command.commands")):
            formatter.write_dl([(name, tr(one.help or "")) for name, one in self.commands.items()])


@click.group(cls=Lessons, name="lesson", help="command.lesson.help")
@texts.language_option("command.option.lang")
def command() -> None:
    """Lessons of the course, and those in files."""


def _of_group(name: str, help_id: str) -> Callable[[Callable[..., Any]], texts.Told]:
    def decorate(function: Callable[..., Any]) -> texts.Told:
        made = texts.command(name, help_id)(function)
        command.add_command(made)
        return made

    return decorate


@_of_group("list", "command.lesson.list.help")
@options.as_json
def list_lessons(*, as_json: bool) -> int:
    """The lessons of the course, in its order."""
    from core.teaching.library import lesson, lesson_ids

    found = [lesson(one, language()) for one in lesson_ids()]
    if as_json:
        print_json([_listed(one) for one in found])
        return 0
    rows = [(one.id, one.title, one.minutes, len(one.questions), one.line) for one in found]
    heads = ("command.head.lesson", "command.head.title", "command.head.minutes")
    print_table((*heads, "command.head.questions", "command.head.about"), rows, right=(2, 3))
    return 0


def _listed(lesson: "Lesson") -> dict[str, Any]:
    return {
        "lesson": lesson.id,
        "title": lesson.title,
        "line": lesson.line,
        "language": lesson.language,
        "minutes": lesson.minutes,
        "steps": len(lesson.steps),
        "questions": len(lesson.questions),
        "digest": lesson.digest,
    }


@_of_group("check", "command.lesson.check.help")
@click.argument("paths", nargs=-1, metavar="[LESSON|FILE|FOLDER]...")
@texts.option("--present", is_flag=True, help="command.option.present")
@texts.option(
    *("--picture-width", "width"),
    type=click.FloatRange(0.5, 20),
    default=USUAL.width_cm / 100,
    show_default=True,
    metavar="M",
    help="command.option.picture-width",
)
@texts.option(
    *("--last-row", "distance"),
    type=click.FloatRange(1, 60),
    default=USUAL.distance_cm / 100,
    show_default=True,
    metavar="M",
    help="command.option.last-row",
)
@options.as_json
def check_lessons(
    paths: tuple[str, ...], *, present: bool, width: float, distance: float, as_json: bool
) -> int:
    """Hold every statement of a lesson against its runs; without arguments the whole course."""
    from core.teaching.checking import problems
    from gui.workspace.lesson_runs import runs_of

    found = [(name, one, problems(one, runs_of)) for name, one in _lessons(paths)]
    if present:
        room = Room(round(width * 100), round(distance * 100))
        found = [(name, one, (*wrong, *_too_full(one, room))) for name, one, wrong in found]
    if as_json:
        print_json(
            [{"file": name, **_listed(one), "problems": _as_json(wrong)} for name, one, wrong in found]
        )
    else:
        for name, one, wrong in found:
            _print(name, one, wrong)
    return WRONG if any(wrong for _, _, wrong in found) else 0


def _too_full(lesson: "Lesson", room: Room) -> "Iterator[Problem]":
    """The steps that do not fit a screen with letters that the last row of a room reads."""
    from core.teaching.checking import Problem
    from gui.handouts.slides import too_full

    least = round(letters_of(room))
    for slide, size in too_full(lesson, _told_in(lesson), room):
        what = "lesson.problem.too-full.revealed" if slide.revealed else "lesson.problem.too-full"
        yield Problem(slide.number, slide.step.line, message(what, size=size, least=least))


def _told_in(lesson: "Lesson") -> "Language":
    """The language of a lesson, where the program speaks it; else the one that is spoken now."""
    return lesson.language if lesson.language in languages() else language()


def _lessons(paths: tuple[str, ...]) -> "list[tuple[str, Lesson]]":
    """Each lesson in each of its languages, by the name of its file."""
    from core.sim.translations import LESSONS
    from core.teaching.library import COURSE, lesson_ids
    from core.teaching.library import lessons_of as lessons_in

    if not paths:
        folders = sorted((LESSONS / COURSE).iterdir(), key=lambda one: one.name)
        return [found for folder in folders if folder.is_dir() for found in lessons_in(folder)]
    found: list[tuple[str, Lesson]] = []
    for path in map(Path, paths):
        if not path.exists() and str(path) in lesson_ids():
            folders = {one.name.partition("-")[2]: one for one in (LESSONS / COURSE).iterdir()}
            found += lessons_in(folders[str(path)])
        else:
            found += lessons_in(path)
    return found


def _as_json(wrong: "tuple[Problem, ...]") -> list[dict[str, Any]]:
    return [{"step": one.step, "line": one.line, "text": text(one.what), **plain(one.what)} for one in wrong]


def _print(name: str, lesson: "Lesson", wrong: "tuple[Problem, ...]") -> None:
    counted = message("command.lesson.problems", count=Count(len(wrong)))
    print_line(tr("command.lesson.checked", file=name, title=lesson.title, problems=counted))
    for one in wrong:
        print_line(tr("command.lesson.problem", file=name, line=one.line, step=one.step, what=one.what))


@_of_group("export", "command.lesson.export.help")
@click.argument("name", metavar="LESSON|FILE|FOLDER")
@texts.option(
    "-o",
    "--output",
    "target",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="command.option.output-handout",
)
@texts.option("--notes", is_flag=True, help="command.option.notes")
@options.replace_existing
def export_lesson(name: str, target: Path, *, notes: bool, replace_existing: bool) -> int:
    """Write a lesson as a file to take along."""
    from gui.handouts.write import write_handout

    for one in write_handout(_spoken(name), language(), target, notes=notes, replace=replace_existing):
        print_line(tr("command.lesson.export.written", path=str(one)))
    return 0


def _spoken(name: str) -> "Lesson":
    """A lesson in the language that is spoken now, or in the first that it has."""
    from core.teaching.library import lesson, lesson_ids
    from gui.workspace.lesson_final import final_test, seed_of

    if not Path(name).exists() and name in lesson_ids():
        return lesson(name, language())
    seed = seed_of(name)
    if seed is not None:
        return final_test(seed, language())
    found = [one for _, one in _lessons((name,))]
    return next((one for one in found if one.language == language()), found[0])


@_of_group("results", "command.lesson.results.help")
@click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path(path_type=Path))
@texts.option("--csv", "shape", flag_value="csv", help="command.option.csv")
@texts.option("--markdown", "shape", flag_value="markdown", help="command.option.markdown")
@texts.option("--xapi", "shape", flag_value="xapi", help="command.option.xapi")
@options.as_json
def sum_up(paths: tuple[Path, ...], *, shape: str | None, as_json: bool) -> int:
    """Sum up the results of many learners."""
    from core.teaching.grades import as_xapi
    from core.teaching.sheet import sheet_csv, sheet_json
    from gui.workspace.lesson_results import sheet_markdown

    results = [_result(path) for path in _files(paths)]
    makers = {"csv": sheet_csv, "markdown": sheet_markdown, "xapi": as_xapi}
    if as_json:
        print_json(sheet_json(results))
    elif shape is not None:
        click.echo(shown(makers[shape](results)).rstrip("\n"))
    else:
        _print_sheet(results)
    return 0


def _files(paths: tuple[Path, ...]) -> list[Path]:
    """The files that are named, and those of folders that are results: NAME.json, not NAME.xapi.json."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(one for one in path.glob("*.json") if not one.name.endswith(".xapi.json"))
        if not inside:
            raise QuestionError(message("error.lesson.no-results-there"), where=str(path))
        found += inside
    return found


def _print_sheet(results: "list[Result]") -> None:
    from core.teaching.sheet import lines_of, questions_of
    from gui.workspace.lesson_results import figures_of

    heads = ("command.head.learner", "command.head.lesson", "command.head.points", "command.head.right")
    lines = [(one.learner or "–", one.lesson, *figures_of(one)) for one in lines_of(results)]
    print_table(
        (*heads, "command.head.questions", "command.head.hints", "command.head.seconds"),
        lines,
        right=(2, 3, 4, 5, 6),
    )
    print_line()
    print_table(
        (
            "command.head.lesson",
            "command.head.step",
            "command.head.right",
            "command.head.answers",
            "command.head.question",
        ),
        [(one.lesson, one.step, one.right, one.answers, one.question) for one in questions_of(results)],
        right=(1, 2, 3),
    )


def _result(path: Path) -> "Result":
    """The result in a file. Raises QuestionError where it has none."""
    from core.teaching.grades import result_of

    try:
        return result_of(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise QuestionError(
            message("error.lesson.result-unreadable"), why=reason(error), where=str(path)
        ) from error
    except ValueError as error:
        raise QuestionError(
            message("error.lesson.no-result"),
            where=str(path),
            advice=message("error.lesson.no-result.way-out"),
        ) from error


@_of_group("new", "command.lesson.new.help")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@texts.option("--record", "scenario", metavar="SCENARIO", help="command.option.record")
@texts.option("--stops", metavar="STEPS", help="command.option.stops")
@texts.option("--era", default="0.10.2", metavar="ERA", help="command.option.record-era")
def new_lesson(folder: Path, scenario: str | None, stops: str | None, era: str) -> int:
    """Write a small lesson that holds, to be changed."""
    from core.teaching.library import ENGLISH, new_lesson_text
    from gui.workspace.files import write_text
    from gui.workspace.lesson_recording import skeleton, stops_of

    name = ENGLISH if scenario is None or language() == "en" else f"lesson.{language()}.md"
    target = folder / name
    if target.exists():
        raise QuestionError(
            message("error.lesson.exists", path=str(target)), advice=message("error.lesson.exists.advice")
        )
    if scenario is None:
        if stops is not None:
            raise QuestionError(message("error.lesson.stops-of-what"))
        told = new_lesson_text()
    else:
        told = skeleton(scenario, era, stops_of(stops) if stops is not None else (), language())
    folder.mkdir(parents=True, exist_ok=True)
    write_text(target, told)
    print_line(tr("command.lesson.new.written", path=str(target)))
    return 0
