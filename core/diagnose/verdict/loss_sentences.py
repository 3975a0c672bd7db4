"""From a loss to its sentences: at most three, with the numbers of the trace itself."""

from collections.abc import Mapping
from typing import Final, LiteralString

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.commitment import Watermark
from core.diagnose.verdict.facts import Loss, LossClass, Shown, Truncation
from core.diagnose.verdict.made import RULES, number_value, who
from core.diagnose.verdict.nowhere import NOBODY
from core.history.tenures import Tenure
from core.message import Message, Offsets, message
from core.trace.vocabulary import Election

_LED: Final[Mapping[Election, LiteralString]] = {
    Election.CLEAN: "loss.led.clean",
    Election.PREFERRED: "loss.led.preferred",
    Election.CONTROLLED: "loss.led.controlled",
    Election.UNCLEAN: "loss.led.unclean",
    Election.ELR: "loss.led.elr",
    Election.LAST_KNOWN: "loss.led.last-known",
    Election.FIRST: "loss.led.first",
    Election.UNKNOWN: "loss.led.unknown",
}
_LED_FROM: Final[Mapping[Election, LiteralString]] = {
    Election.CLEAN: "loss.led-from.clean",
    Election.PREFERRED: "loss.led-from.preferred",
    Election.CONTROLLED: "loss.led-from.controlled",
    Election.UNCLEAN: "loss.led-from.unclean",
    Election.ELR: "loss.led-from.elr",
    Election.LAST_KNOWN: "loss.led-from.last-known",
    Election.FIRST: "loss.led-from.first",
    Election.UNKNOWN: "loss.led-from.unknown",
}
"""By election: how a leader came to lead, where it is known with which log end offset."""


def loss_sentence(
    case: Case,
    loss: Loss,
    tenure: Tenure,
    start: int | None,
    own: Truncation | None,
    mark: Watermark | None,
    *,
    unlike: bool,
    again: bool,
) -> Message:
    """The sentences: who led without the records and why, which promise they had, where they are now.

    `start` is the log end offset with which that leader took over; it lost them itself by the cut `own`;
    `mark` the high watermark that was above them. `unlike`: it holds other records at their offsets. `again`:
    it led on in its own epoch after its process had ended.
    """
    came = _came_to_lead(tenure, start, again=again)
    led, promise = _led(case, loss, tenure, came, own, unlike=unlike), _promise(case, loss, mark)
    if loss.may_hold:
        promise = message("loss.may-be-held", promise=promise, who=who(case, *loss.may_hold))
    if tenure.leader != NOBODY and (loss.survives_on or loss.removed_from):
        return message("loss.told.left", led=led, promise=promise, left=_left(case, loss))
    return message("loss.told", led=led, promise=promise)


def _came_to_lead(tenure: Tenure, start: int | None, *, again: bool) -> Message:
    """How a leader came to lead, within a sentence."""
    epoch = number_value(tenure.epoch)
    if start is None:
        return message("loss.led.again" if again else _LED[tenure.election], epoch=epoch)
    return message("loss.led-from.again" if again else _LED_FROM[tenure.election], epoch=epoch, start=start)


def _led(
    case: Case, loss: Loss, tenure: Tenure, led: Message, own: Truncation | None, *, unlike: bool
) -> Message:
    """Who led without the records, and why; or that nobody leads, and nobody holds them."""
    if tenure.leader == NOBODY:
        count = loss.amount
        return message("loss.nobody", count=count, who=who(case, *loss.removed_from))
    leader = who(case, tenure.leader)
    if unlike:
        return message(
            "loss.led.others", who=leader, led=led, offsets=Offsets(loss.first_offset, loss.end_offset)
        )
    if own is None:
        return message("loss.led", who=leader, led=led)
    rule = message(RULES[own.rule])
    if own.from_offset is None:
        return message("loss.led.cut-to", who=leader, to=own.to_offset, rule=rule, led=led)
    return message("loss.led.cut", who=leader, start=own.from_offset, to=own.to_offset, rule=rule, led=led)


def _promise(case: Case, loss: Loss, mark: Watermark | None) -> Message:
    """Which promise the records had."""
    offsets = Offsets(loss.first_offset, loss.end_offset)
    count, epoch = loss.amount, number_value(loss.epoch)
    if loss.commit is Shown.SHOWN and mark is not None:
        broker, hw = who(case, mark.broker), mark.value
        if mark.derived:
            return message(
                "loss.committed.derived", count=count, offsets=offsets, epoch=epoch, who=broker, hw=hw
            )
        return message("loss.committed", count=count, offsets=offsets, epoch=epoch, who=broker, hw=hw)
    if loss.loss_class is LossClass.ACKNOWLEDGED:
        return message("loss.acknowledged", count=count, offsets=offsets, epoch=epoch)
    if loss.loss_class is LossClass.UNCOMMITTED:
        if loss.epoch is None:
            return message("loss.uncommitted.unknown-epoch", count=count, offsets=offsets)
        if loss.read:
            return message("loss.uncommitted.read", count=count, offsets=offsets, epoch=epoch)
        return message("loss.uncommitted", count=count, offsets=offsets, epoch=epoch)
    if loss.epoch is None:
        return message("loss.possible.unknown-epoch", count=count, offsets=offsets)
    return message("loss.possible", count=count, offsets=offsets, epoch=epoch)


def _left(case: Case, loss: Loss) -> Message:
    """Which replicas still hold the records."""
    count = loss.amount
    if len(loss.survives_on) == 1:
        return message("loss.left.on-one", count=count, who=who(case, *loss.survives_on))
    if loss.survives_on:
        return message("loss.left.on-many", count=count, who=who(case, *loss.survives_on))
    return message("loss.removed", count=count, who=who(case, *loss.removed_from))
