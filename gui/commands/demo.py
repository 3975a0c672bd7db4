"""`tidegauge demo`: the loss and its fix, side by side. What `make run` calls."""

from pathlib import Path
from typing import Final

from core.errors import DocumentError
from core.message import message
from gui.commands import texts
from gui.commands.screen import has_screen
from gui.commands.terminal import print_line, working
from gui.text.spoken import tr

SCENARIO: Final = "hw-loss"
ERAS: Final = ("0.10.2", "0.11", "2.8")


@texts.command(
    "demo",
    "command.demo.help",
)
@texts.option("--out", default=".", metavar="DIR", help="command.option.out")
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
    print_line(tr("command.demo.no-display", scenario=SCENARIO))
    script = scenario(SCENARIO)
    with working("command.working.simulating") as work:
        traces = tuple(simulate(script, era(name), work=work) for name in ERAS)
    for ending in (".png", ".svg"):
        target = Path(out) / f"{SCENARIO}{ending}"
        # Its own pictures of last time: a second start must not stumble over the first.
        again = target.exists()
        write(Material(traces), Plan(), target, replace=True)
        print_line(tr("command.demo.replaced", path=str(target)) if again else str(target))
    return 0
