"""Where the engine says what happened: rows of the trace, with a look at each for the step's condition."""

from dataclasses import dataclass, field

from core.sim.script import Condition
from core.trace.builder import TraceBuilder
from core.trace.ids import Seq
from core.trace.vocabulary import Basis


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
        **said: int | None,
    ) -> Seq:
        """Add an event of now and give its Seq."""
        if self.waited is not None and broker == self.waited_ids[0] and partition == self.waited.partition:
            self._look(kind, replica, said.get("offset"))
        return self.builder.add(
            self.now,
            kind,
            basis=Basis.OBSERVED,
            at_least=(),
            at_most=(),
            source=0,
            position=self.step,
            line=self.line,
            cause=cause,
            isr=isr,
            partition=partition,
            broker=broker,
            replica=replica,
            **said,
        )

    def _look(self, kind: str, replica: int | None, offset: int | None) -> None:
        wanted = self.waited
        if wanted is None:
            return
        if wanted.kind == "sends_fetch" and kind == "fetch_sent":
            self.seen = self.seen or wanted.number is None or wanted.number == offset
        elif wanted.kind == "parks_fetch" and kind == "fetch_parked":
            self.seen = self.seen or replica == self.waited_ids[1]
