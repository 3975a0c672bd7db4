"""`tidegauge process`: the importers' parsers at scale, on Spark."""

from collections.abc import Mapping
from typing import Any, Final

import click

from core.errors import QuestionError
from core.message import message
from gui.commands import options, texts
from gui.commands.terminal import print_facts, print_json, print_line, working
from gui.text.spoken import tr
from importers.prepared.folder import absolute

_FACTS: Final = {
    "events": "command.info.events",
    "partitions": "command.process.partitions",
    "files": "command.process.files",
    "ranges": "command.process.ranges",
    "ranges_read": "command.process.ranges-read",
    "records": "command.process.records",
    "late": "command.process.late",
    "digest": "command.info.digest",
}
"""What the job answers that a person is told, and what it is called."""


@texts.command("process", "command.process.help")
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE...")
@texts.option("-o", "--output", required=True, metavar="DIR", help="command.option.output-data-set")
@texts.option("--master", default=None, metavar="URL", help="command.option.master")
@texts.option("--conf", "confs", multiple=True, metavar="K=V", help="command.option.conf")
@texts.option("--follow", "stream", flag_value="follow", help="command.option.follow")
@texts.option("--finish", "stream", flag_value="finish", help="command.option.finish")
@options.replace_existing
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    output: str,
    master: str | None,
    confs: tuple[str, ...],
    *,
    stream: str | None,
    replace_existing: bool,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Run the job and say what it wrote."""
    conf: list[tuple[str, str]] = []
    for text in confs:
        name, equals, value = text.partition("=")
        if not equals:
            raise QuestionError(
                message("error.command.sets-nothing", text=text), advice=message("error.command.conf-form")
            )
        conf.append((name, value))
    how: dict[str, Any] = {
        "conf": conf,
        "options": options.import_options(**told),
        "replace": replace_existing,
    }
    sources, out = [absolute(path) for path in paths], absolute(output)

    def tell(answer: Mapping[str, Any]) -> None:
        if as_json:
            print_json(answer)
        else:
            print_line(output, style="bold")
            print_facts([(tr(label), answer[name]) for name, label in _FACTS.items() if name in answer])

    from spark.session import LOCAL

    how["master"] = master or LOCAL
    with working("command.working.processing") as work:
        if stream == "follow":
            from spark.follow import follow

            follow(sources, out, told=tell, work=work, **how)
            return 0
        if stream == "finish":
            from spark.follow import finish_stream as process
        else:
            from spark.job import process
        answer = process(sources, out, work=work, **how)
    tell(answer)
    return 0
