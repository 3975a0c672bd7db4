"""From material and plan to a file, whole or not at all. The one way of every export."""

from functools import partial
from pathlib import Path

from core.compare.align import compare, make_run, make_runs
from core.message import message
from core.picture.words import comparison_text, timeline_text
from core.shown import shown
from core.work import QUIET, Work
from db.making import refuse_existing
from gui.exports.gate import Gate, gate_of
from gui.exports.material import Material, redacted
from gui.exports.plan import ANIMATION, PAGE, TABLES, TEXT, Plan, refuse_senseless
from gui.workspace.event_tables import event_table, write_events
from gui.workspace.files import write_text


def write(material: Material, plan: Plan, target: Path, work: Work = QUIET, *, replace: bool = False) -> None:
    """Write what the ending of `target` names. Raises TidegaugeError; what was there before stays then.

    Work that is cancelled leaves nothing half-made. Where names are hidden, the finished bytes are searched
    for them before the file gets its name.
    """
    ending = target.suffix.lower()
    refuse_senseless(ending, plan)
    refuse_existing(target, replace=replace)
    material, plan, redaction = redacted(material, plan, work)
    gate = None if redaction is None else gate_of(redaction)
    check = None if gate is None else partial(_checked, gate, ending, work)
    if ending in TABLES:
        work.step(0, 0, message("progress.writing-events"))
        write_events(event_table(material.traces, plan.partition, plan.window), target, work, check)
    elif ending == TEXT:
        write_text(target, shown(text_of(material, plan, work)), check)
    else:
        _draw(material, plan, target, work, gate)


def _checked(gate: Gate, ending: str, work: Work, part: Path) -> None:
    work.step(0, 0, message("progress.searching-hidden"))
    gate.check_file(part, ending)


def _draw(material: Material, plan: Plan, target: Path, work: Work, gate: Gate | None) -> None:
    """Pictures and pages: what needs Qt, which takes a while to load."""
    from gui.exports.animation import write_animation
    from gui.exports.devices import export_picture, offscreen_app, whole
    from gui.exports.views import figure_of, view_of, words_of, zoom_of
    from gui.scrub.page import page

    offscreen_app()
    view = view_of(material, plan, work)
    work.step(0, 0, message("progress.drawing"))
    ending = target.suffix.lower()
    check = None if gate is None else partial(_checked, gate, ending, work)
    figure = figure_of(view, plan, ending)
    if gate is not None:
        gate.check_picture(figure)
    if ending == PAGE:
        write_text(target, page(view, words_of(view, plan, ending), plan.left_out, plan.stops), check)
    elif ending == ANIMATION:
        with whole(target, check) as part:
            write_animation(view, plan, part, work)
    else:
        export_picture(
            figure,
            target,
            theme=plan.theme,
            scale=plan.scale,
            zoom=zoom_of(figure, plan),
            outlines=plan.outlines,
            replace=True,
            check=check,
        )


def text_of(material: Material, plan: Plan, work: Work) -> str:
    """The timeline of one trace, or the comparison of several, as text. Raises QuestionError."""
    work.step(0, 0, message("progress.events"))
    if len(material.traces) == 1:
        run = make_run(material.traces[0], plan.partition)
        return timeline_text(run.history, run.verdict, plan.lang)
    runs = make_runs(material.traces, plan.partition)
    return comparison_text(compare(runs, material.tied), plan.lang)
