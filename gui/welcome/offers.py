"""What the first page offers, as values: two recordings, and every scenario of the library."""

from dataclasses import dataclass

from core.sim.library import scenario, scenario_ids
from gui.i18n import language, tr
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
        offers.append(
            Offer("scenario", (name, *PAIR), script.title[language()], beginning(script.story[language()]))
        )
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
            tr("The real loss beside the real fix"),
            tr(
                "Two recorded clusters, the same faults: Kafka 0.10.2 loses records that it had promised, "
                "2.8 keeps them."
            ),
        ),
        Offer(
            "sample",
            ("k0102-hw-loss",),
            tr("The real loss"),
            tr("Logs and disks of three Kafka 0.10.2 brokers."),
        ),
        Offer(
            "sample",
            ("k28-epoch-fix",),
            tr("The real fix"),
            tr("Logs and disks of three Kafka 2.8 brokers under the same faults."),
        ),
    )
