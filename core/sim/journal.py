"""Where the engine says what happened: rows of the trace, with a look at each for the step's condition."""

from dataclasses import dataclass, field
from typing import Final

from core.sim.script import Condition
from core.trace.builder import TraceBuilder
from core.trace.ids import NO_INDEX, UNSAID
from core.trace.vocabulary import NUMBER, Basis

_OBSERVED: Final = int(Basis.OBSERVED)


@dataclass(slots=True)
class Journal:
    """Adds events with the time, the step and the line of the script that led to them."""

    builder: TraceBuilder = field(default_factory=TraceBuilder)
    now: int = 0
    step: int = 0
    line: int = 0
    waited: Condition | None = None
    """A condition on messages that the current step waits for; `seen` once such a message was."""
    waited_ids: tuple[int, int] = (0, 0)
    seen: bool = False

    def tell(
        self,
        kind: str,
        broker: int | None,
        replica: int | None,
        *,
        cause: int | None,
        partition: int | None,
        isr: tuple[int, ...] | None = None,
        leader: int | None = None,
        epoch: int | None = None,
        partition_epoch: int | None = None,
        leo: int | None = None,
        hw: int | None = None,
        log_start: int | None = None,
        from_offset: int | None = None,
        offset: int | None = None,
        aux: int | None = None,
        stamp: int | None = None,
    ) -> int:
        """Add an event of now and give its Seq. None is not said.

        It is called for every row, so it makes the row itself, in the order of DTYPES.
        """
        if self.waited is not None and broker == self.waited_ids[0] and partition == self.waited.partition:
            self._look(kind, replica, offset)
        builder = self.builder
        return builder.append(
            (
                self.now,
                NUMBER[kind],
                _OBSERVED,
                NO_INDEX if partition is None else partition,
                NO_INDEX if broker is None else broker,
                NO_INDEX if replica is None else replica,
                NO_INDEX if isr is None else builder.isr(isr),
                UNSAID if leader is None else leader,
                UNSAID if epoch is None else epoch,
                UNSAID if partition_epoch is None else partition_epoch,
                UNSAID if leo is None else leo,
                UNSAID if hw is None else hw,
                UNSAID if log_start is None else log_start,
                UNSAID if from_offset is None else from_offset,
                UNSAID if offset is None else offset,
                UNSAID if aux is None else aux,
                UNSAID if stamp is None else stamp,
                0,  # at_least
                0,  # at_most
                UNSAID if cause is None else cause,
                0,  # the script is the only source
                self.step,
                self.line,
            )
        )

    def _look(self, kind: str, replica: int | None, offset: int | None) -> None:
        wanted = self.waited
        if wanted is None:
            return
        if wanted.kind == "sends_fetch" and kind == "fetch_sent":
            self.seen = self.seen or wanted.number is None or wanted.number == offset
        elif wanted.kind == "parks_fetch" and kind == "fetch_parked":
            self.seen = self.seen or replica == self.waited_ids[1]
