"""A log that moves to another directory of its broker (KIP-113), and which leader epochs it forgets."""

from core.diagnose.narrate.rules import carries_epochs
from core.diagnose.narrate.scene import Explanation, Scene
from core.message import Message, message


def moved(scene: Scene) -> Explanation:
    """A copy of a log has taken its place."""
    who = scene.who
    carried = carries_epochs(scene)
    return Explanation(
        message("why.log-moved.title", who=who),
        (message("why.log-moved", who=who), *(() if carried else _forgotten(scene))),
        None if carried else message("why.rule.log-moved"),
        message("why.since.log-moved"),
    )


def _forgotten(scene: Scene) -> tuple[Message, ...]:
    """The last epoch of the cache, if the log holds no record of it: the copy does not know it."""
    was = scene.was(scene.row.replica)
    if was is None or not was.epochs or not scene.case.view.exact:
        return ()
    epoch, start = was.epochs[-1]
    if any(run.epoch == epoch for run in was.runs):
        return ()
    return (message("why.log-moved.forgotten", who=scene.who, epoch=epoch, offset=start),)
