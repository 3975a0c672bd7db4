"""Where the engine says what happened: rows of the trace, each looked at by the step that waits for one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from core.trace.builder import TraceBuilder
from core.trace.ids import NO_INDEX, UNSAID, BrokerId, Nanos, Seq
from core.trace.vocabulary import NUMBER, Basis

_OBSERVED: Final = int(Basis.OBSERVED)


@dataclass(slots=True)
class Watch:
    """An event that a step waits for, `seen` once it was. None is any."""

    kinds: tuple[str, ...]
    broker: BrokerId | None = None
    replica: BrokerId | None = None
    partition: int | None = None
    offset: int | None = None
    """Said by the event; of records that it names from..to, one of them."""
    seen: bool = False

    def look(
        self,
        kind: str,
        broker: BrokerId | None,
        replica: BrokerId | None = None,
        partition: int | None = None,
        first: int | None = None,
        offset: int | None = None,
    ) -> None:
        """Whether this is the event."""
        if kind not in self.kinds:
            return
        wanted = (self.broker, self.replica, self.partition)
        said = (broker, replica, partition)
        if any(one is not None and one != other for one, other in zip(wanted, said, strict=True)):
            return
        if self.offset is None or offset is None:
            self.seen = self.seen or self.offset is None
        elif kind == "acknowledged" and first is not None:
            self.seen = self.seen or first <= self.offset < offset
        else:
            self.seen = self.seen or offset == self.offset


@dataclass(slots=True)
class Journal:
    """Adds events with the time, the step and the line of the script that led to them."""

    builder: TraceBuilder = field(default_factory=TraceBuilder)
    now: Nanos = Nanos(0)
    step: int = 0
    line: int = 0
    watch: Watch | None = None
    """The event that the current step waits for, where it waits for one."""
    _append: Callable[[Sequence[int]], Seq] = field(init=False)
    """The builder's, which gives the Seq of a row as a plain number."""

    def __post_init__(self) -> None:
        """Take it from the builder."""
        self._append = cast("Callable[[Sequence[int]], Seq]", self.builder.append)

    def tell(
        self,
        kind: str,
        broker: BrokerId | None,
        replica: BrokerId | None,
        *,
        cause: Seq | None,
        partition: int | None,
        isr: tuple[BrokerId, ...] | None = None,
        leader: BrokerId | None = None,
        epoch: int | None = None,
        partition_epoch: int | None = None,
        leo: int | None = None,
        hw: int | None = None,
        log_start: int | None = None,
        from_offset: int | None = None,
        offset: int | None = None,
        aux: int | None = None,
        stamp: int | None = None,
    ) -> Seq:
        """Add an event of now and give its Seq. None is not said.

        It is called for every row, so it makes the row itself, in the order of DTYPES.
        """
        if self.watch is not None:
            self.watch.look(kind, broker, replica, partition, from_offset, offset)
        return self._append(
            (
                self.now,
                NUMBER[kind],
                _OBSERVED,
                NO_INDEX if partition is None else partition,
                NO_INDEX if broker is None else broker,
                NO_INDEX if replica is None else replica,
                NO_INDEX if isr is None else self.builder.isr(isr),
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
