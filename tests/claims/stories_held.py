"""Every sentence of the story of a simulated run, held against its predicate."""

from typing import Final

from core.diagnose.narrate.story import tell
from core.kafka.eras import Era
from core.sim.run import play
from core.sim.scenario import parse_scenario
from tests.claims import findings, stories_cuts, stories_lives, stories_losses
from tests.claims.claim import messages_in
from tests.claims.held import Tally, hold, judged
from tests.claims.stories import STORIES, Told
from tests.claims.world import Run

PREDICATES: Final = (findings, stories_cuts, stories_lives, stories_losses)
"""Imported for their predicates."""
STORY_PARTS: Final = frozenset(
    (
        "broker.number",
        "controller.number",
        "story.cut.releases.more",
        "story.cut.releases.span",
        "story.epoch.unknown",
        "story.life.lost.more",
        "story.moment.dated",
        "story.word.epoch",
        "story.word.hw",
        "story.word.isr",
        "story.word.leo",
    )
)
"""Words within sentences, and what terms mean: they claim nothing of a run."""


def hold_story(run: Run, name: str) -> Tally:
    """The sentences of the story of a run."""
    story = tell(*judged(run))
    roots = (*story.summary, *(one for section in story.sections for one in section.sentences))
    tally = Tally()
    for place, root in enumerate(roots):
        for one in messages_in(root):
            if one.id in STORY_PARTS:
                continue
            predicate = STORIES.get(one.id)
            tally.said[one.id] += 1
            if predicate is None:
                tally.undecided[one.id] += 1
            elif predicate(Told(run, one, root, roots, place)):
                tally.held[one.id] += 1
            else:
                tally.broken.append(f"{one.id}: {name}, {dict(one.values)}")
    return tally


def hold_script(text: str, rules: Era) -> Tally:
    """The sentences of the inspector and of the story, of all partitions of a script."""
    script = parse_scenario(text)
    played = play(script, rules)
    tally = Tally()
    for partition in range(len(played.trace.partitions)):
        run = Run(played.trace, played.truth, script, rules, partition)
        tally.add(hold(run, f"{script.id} in {rules.name}"))
        tally.add(hold_story(run, f"the story of {script.id} in {rules.name}"))
    return tally
