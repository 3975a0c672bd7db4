"""The row of stops: what is shown to be lost is filled, what may be is not."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from core.compare.comparison import Run
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import Severity
from core.history.open import open_history
from core.kafka.eras import era
from gui.panels.track import StopTrack
from gui.theme import load_theme
from gui.workspace.content import Content, alone
from tests.runs import simulated


def content(severity: Severity) -> Content:
    """The loss of hw-loss, as sure as it is said to be."""
    history = open_history(simulated("hw-loss", era("0.10.2")), 0)
    verdict = diagnose_partition(history)
    losses = tuple(
        replace(loss, severity=severity) for loss in verdict.losses if loss.severity is Severity.LOSS
    )
    assert losses
    return alone("hw-loss", Run("Kafka 0.10.2", None, history, replace(verdict, losses=losses)))


def test_a_loss_is_filled_and_a_possible_one_is_not(qtbot: QtBot) -> None:
    theme = load_theme("light")
    inside: dict[Severity, str] = {}
    for severity in (Severity.LOSS, Severity.DANGER):
        shown = content(severity)
        (at,) = shown.landmarks["loss"]
        assert shown.proven_losses == (frozenset({at}) if severity is Severity.LOSS else frozenset())
        track = StopTrack()
        qtbot.addWidget(track)
        track.resize(600, 30)
        track.show_content(shown)
        track.set_theme(theme)
        image = track.grab().toImage()
        inside[severity] = image.pixelColor(round(track.x_of(at)) - 3, 15).name()
    assert inside == {
        Severity.LOSS: theme.colour("loss").name(),
        Severity.DANGER: theme.colour("bg.window").name(),
    }
