"""`tidegauge ablate`: one scenario with each protection of a release flipped, and what it then costs."""

from typing import TYPE_CHECKING, Any

import click

from core.message import Count
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table, working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.sim.ablation.outcome import Outcome
    from core.sim.ablation.protections import Ablation, Protection

DEFAULT_ERA = "2.8"
"""The release whose run is looked at where none is named: the last of those over ZooKeeper."""


@texts.command("ablate", "command.ablate.help")
@click.argument("scenario", metavar="SCENARIO")
@texts.option(
    "--era", "era_id", default=DEFAULT_ERA, show_default=True, metavar="E", help="command.option.one-era"
)
@texts.option("--seed", type=int, default=1, show_default=True, help="command.option.seed")
@texts.option("--set", "switches", multiple=True, metavar="SWITCH=VALUE", help="command.option.set")
@options.as_json
def command(scenario: str, era_id: str, seed: int, switches: tuple[str, ...], *, as_json: bool) -> int:
    """Run it once for each switch at each other value, and for pairs of protections."""
    from core.kafka.eras import era, with_switches
    from core.sim.ablation.protections import ablate
    from core.sim.ablation.setup import Setup
    from gui.commands.simulate import read_scenario

    rules = with_switches(era(era_id), options.switch_values(switches))
    setup = Setup(read_scenario(scenario), rules, seed)
    with working("command.working.simulating") as work:
        found = ablate(setup, work)
    if as_json:
        print_json(_json(found))
    else:
        _print(found)
    return 0


def _json(found: "Ablation") -> dict[str, Any]:
    from core.compare.as_json import outcome_json

    return {
        "schema": 1,
        "scenario": found.setup.scenario.id,
        "era": found.setup.era.name,
        "seed": found.setup.seed,
        "outcome": outcome_json(found.outcome),
        "switches": [
            {
                "switch": one.switch.name,
                "on": one.on,
                "off": one.off,
                "is_on": one.is_on,
                "ticket": one.switch.ticket or None,
                "release": one.switch.released or None,
                "changes_events": one.acts,
                "outcome": outcome_json(one.outcome),
            }
            for one in found.protections
        ],
        "minimal_sets": [[one.setting for one in chosen] for chosen in found.minimal_sets],
    }


def _print(found: "Ablation") -> None:
    setup = found.setup
    print_line(
        tr(
            "command.ablate.head",
            scenario=setup.scenario.id,
            era=setup.era.name,
            lost=found.outcome.records_lost,
            diverged=found.outcome.offsets_diverged,
            seconds=found.outcome.leaderless_s,
        )
    )
    print_line()
    shown = [one for one in found.protections if _parts(one.outcome) != _parts(found.outcome)]
    if shown:
        print_table(
            (
                "command.head.switch",
                "command.head.here",
                "command.head.flipped-to",
                "command.head.lost",
                "command.head.committed",
                "command.head.diverged",
                "command.head.leaderless",
                "command.head.ticket",
            ),
            [_row(one) for one in shown],
        )
        print_line()
    print_line(tr("command.ablate.others", count=Count(len(found.protections) - len(shown))))
    for pair in found.minimal_sets:
        if len(pair) > 1:
            print_line(tr("command.ablate.pair", one=pair[0].setting, other=pair[1].setting))


def _parts(outcome: "Outcome") -> tuple[int, int, int, int]:
    from core.sim.truth import Promise

    committed = outcome.lost_of(Promise.COMMITTED)
    return outcome.records_lost, committed, outcome.offsets_diverged, outcome.leaderless_s


def _row(one: "Protection") -> tuple[str, ...]:
    here = tr("command.ablate.on", value=one.on) if one.is_on else tr("command.ablate.off", value=one.off)
    return (one.switch.name, here, one.other, *map(str, _parts(one.outcome)), one.switch.ticket)
