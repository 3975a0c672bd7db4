"""What the first page offers, as values: two recordings, and every scenario of the library."""

from dataclasses import dataclass

from core.sim.library import scenario, scenario_ids
from core.sim.script import in_language
from gui.text.spoken import language, tr
from gui.workspace.simulating import PAIR, SHOWN_FIRST


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to open with one click. `kind` is "sample" (ids) or "scenario" (id, then eras)."""

    kind: str
    names: tuple[str, ...]
    title: str
    text: str


def scenario_offers() -> tuple[Offer, ...]:
    """One card a scenario of the library, hw-loss first, in its own words."""
    ids = sorted(scenario_ids(), key=lambda name: name != SHOWN_FIRST)
    offers: list[Offer] = []
    for name in ids:
        script = scenario(name)
        title, story = (in_language(texts, language()) for texts in (script.title, script.story))
        offers.append(Offer("scenario", (name, *PAIR), title, beginning(story)))
    return tuple(offers)


def beginning(story: str, least: int = 60) -> str:
    """The first sentences of a story, until there is enough for a card."""
    text = " ".join(story.split())
    ends = [end for stop in (". ", "。") if (end := text.find(stop, least)) >= 0]
    return text[: min(ends) + 1] if ends else text


def sample_offers() -> tuple[Offer, ...]:
    """The two recordings that ship with the program, beside each other and alone."""
    return (
        Offer(
            "sample",
            ("k0102-hw-loss", "k28-epoch-fix"),
            tr("welcome.the-real-loss-beside-the-real"),
            tr("welcome.two-recorded-clusters-the-same-faults"),
        ),
        Offer(
            "sample",
            ("k0102-hw-loss",),
            tr("welcome.the-real-loss"),
            tr("welcome.logs-and-disks-of-three-kafka"),
        ),
        Offer(
            "sample",
            ("k28-epoch-fix",),
            tr("welcome.the-real-fix"),
            tr("welcome.logs-and-disks-of-kafka-2-8"),
        ),
    )
