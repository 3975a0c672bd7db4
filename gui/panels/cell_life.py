"""What became of the records at an offset that was chosen among the logs at the cursor."""

from core.diagnose.narrate.story import lives_at
from core.picture.lane import number
from core.picture.marks import Ref
from gui.panels.explanation import Explanation, Section
from gui.text.spoken import tr, worded
from gui.workspace.content import Content


def explain_cell(content: Content, ref: Ref, where: str) -> Explanation:
    """The life line of each record that was at the offset of a cell, one a leader epoch."""
    run = content.runs[ref.run]
    lives = lives_at(run.history, run.verdict, ref.key)
    several = len(content.runs) > 1
    section = Section(
        title=tr("cell-life.title", offset=number(ref.key)),
        badge=tr("explain.run", run=ref.run + 1) if several else "",
        aside=run.title if several else "",
        sentences=tuple(map(worded, lives)) or (tr("cell-life.nothing-known"),),
        run=ref.run,
        evidence=tuple(dict.fromkeys(seq for life in lives for seq in life.evidence)),
    )
    evidence = tuple((ref.run, seq) for seq in section.evidence)
    return Explanation(tr("cell-life.head"), where, (section,), (), evidence)
