"""`tidegauge scenarios`: what the simulator can replay."""

from gui.commands import options, texts
from gui.commands.terminal import print_json, print_table


@texts.command("scenarios", "command.scenarios.help")
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
    print_table(("command.head.scenario", "command.head.also", "command.head.title"), rows)
    return 0
