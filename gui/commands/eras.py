"""`tidegauge eras`: the eras of Kafka that the simulator knows."""

from dataclasses import asdict

from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, print_table


@texts.command("eras", "command.eras.help")
@options.as_json
def command(*, as_json: bool) -> int:
    """Print the tables."""
    from core.kafka.eras import ERAS, by_era
    from core.kafka.switches import SWITCHES
    from core.words import text

    if as_json:
        print_json(
            {
                "eras": [
                    {
                        "era": era.id,
                        "release": era.release,
                        "title": text(era.title),
                        "rule": text(era.rule),
                        "switches": {
                            name.replace("_", "-"): value for name, value in asdict(era.switches).items()
                        },
                    }
                    for era in ERAS
                ],
                "switches": [
                    {
                        "switch": switch.name,
                        "values": list(switch.values),
                        "release": switch.released,
                        "ticket": switch.ticket,
                        "sentence": text(switch.sentence),
                        "scenario": switch.scenario,
                    }
                    for switch in SWITCHES
                ],
            },
        )
        return 0
    print_table(
        ("command.head.era", "command.head.release", "command.head.rule"),
        [(era.id, era.release, text(era.rule)) for era in ERAS],
    )
    print_line()
    print_table(
        ("command.head.switch", "command.head.ticket", "command.head.values-by-era"),
        [(switch.name, switch.ticket, by_era(switch)) for switch in SWITCHES],
    )
    print_line()
    print_table(
        ("command.head.switch", "command.head.what-it-decides"),
        [(switch.name, text(switch.sentence)) for switch in SWITCHES],
    )
    return 0
