"""`tidegauge explain`: the story of one partition, or of one loss, in sentences with evidence."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from core.message import message
from core.work import Work
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_text, working

if TYPE_CHECKING:
    from core.diagnose.narrate.story import Story
    from core.trace.trace import Trace


@texts.command(
    "explain",
    "command.explain.help",
)
@options.sources
@options.trace_name
@texts.option("--partition", metavar="T-P", help="command.option.partition-or-worst")
@texts.option("--loss", type=click.IntRange(min=1), metavar="N", help="command.option.loss")
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_name: str | None,
    partition: str | None,
    loss: int | None,
    *,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Diagnose one partition, and print what there is to tell."""
    from core.diagnose.account.as_json import incident_dict
    from core.diagnose.account.report import incidents_of, report_markdown
    from core.diagnose.narrate.story import tell
    from core.diagnose.narrate.story_text import story_dict, story_markdown
    from core.diagnose.verdict.check import diagnose, diagnose_partition, worst_partition
    from core.errors import QuestionError
    from core.history.open import open_history
    from gui.commands.questions import opened
    from gui.text.render import renderer
    from gui.text.spoken import language
    from gui.workspace.named import partitions_of

    with working("command.working.reading") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
        if not trace.partitions:
            raise QuestionError(
                message("error.command.no-partition"), advice=message("error.command.no-partition.way-out")
            )
        wanted = partitions_of(trace, partition)
        index = wanted[0] if len(wanted) == 1 else worst_partition(trace, diagnose(trace, work))
        history = open_history(trace, index)
        verdict = diagnose_partition(history)
        story = _with_advice(tell(history, verdict, loss), trace, work)
        document = thing.path
    words = renderer(language())
    if as_json:
        incidents = [incident_dict(trace, one, words) for one in incidents_of(trace, verdict)]
        print_json({**story_dict(trace, story, words, language(), document), "incidents": incidents})
    elif loss is None:
        print_text(report_markdown(trace, verdict, story, words))
    else:
        print_text(story_markdown(trace, story, words))
    return 0


def _with_advice(story: "Story", trace: "Trace", work: Work) -> "Story":
    """The story of a simulated run with advice that was tried, instead of that of the shape of its losses."""
    from core.sim.ablation.advice import advice_messages, advise
    from core.sim.ablation.setup import setup_of

    setup = setup_of(trace)
    advice = None if setup is None else advise(setup, work)
    if advice is None:
        return story
    told = tuple(advice_messages(advice))
    return replace(
        story,
        sections=tuple(
            replace(one, sentences=told) if one.key == "prevention" else one for one in story.sections
        ),
    )
