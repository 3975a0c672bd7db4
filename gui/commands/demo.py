"""`tidegauge demo`: the loss and its fix, side by side. What `make run` calls."""

from pathlib import Path
from typing import Final

import click

from core.errors import DocumentError
from core.message import message
from gui.commands.screen import has_screen
from gui.commands.terminal import print_line, working

SCENARIO: Final = "hw-loss"
ERAS: Final = ("0.10.2", "0.11", "2.8")


@click.command(
    "demo",
    help="Open the window on one fault script in three eras of Kafka: a record is lost in the first and "
    "stands in the others. Without a display the same is written as pictures.",
)
@click.option("--out", default=".", metavar="DIR", help="Where the pictures go if there is no display.")
def command(out: str) -> int:
    """The window, or the pictures."""
    if has_screen():
        from gui.app import run_window

        return run_window(demo=True)
    from core.kafka.eras import era
    from core.sim.library import scenario
    from core.sim.run import simulate
    from gui.exports.material import Material
    from gui.exports.plan import Plan
    from gui.exports.write import write

    if not Path(out).is_dir():
        raise DocumentError(
            message("error.command.no-folder"), where=out, advice=message("error.command.no-folder.way-out")
        )
    print_line(f"There is no display to open a window on. The comparison of {SCENARIO} is written instead:")
    script = scenario(SCENARIO)
    with working("simulating") as work:
        traces = tuple(simulate(script, era(name), work=work) for name in ERAS)
    for ending in (".png", ".svg"):
        target = Path(out) / f"{SCENARIO}{ending}"
        # Its own pictures of last time: a second start must not stumble over the first.
        again = " (replaced)" if target.exists() else ""
        write(Material(traces), Plan(), target, replace=True)
        print_line(f"{target}{again}")
    return 0
