"""`tidegauge scenarios`: what the simulator can replay."""

import click

from gui.commands import options
from gui.commands.terminal import print_json, print_table


@click.command("scenarios", help="List the scenarios that the simulator can replay in every era.")
@options.as_json
def command(*, as_json: bool) -> int:
    """Print the list."""
    from core.sim.library import other_names, scenario, scenario_ids

    found = {name: scenario(name) for name in scenario_ids()}
    if as_json:
        print_json(
            [
                {
                    "scenario": name,
                    "other_names": list(other_names(name)),
                    "title": dict(one.title),
                    "story": dict(one.story),
                }
                for name, one in found.items()
            ],
        )
        return 0
    rows = [(name, ", ".join(other_names(name)), one.title["en"]) for name, one in found.items()]
    print_table(("scenario", "also", "title"), rows)
    return 0
