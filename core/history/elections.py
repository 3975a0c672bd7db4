"""What kind of election began a term, where no row names it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from core.history.tenures import StatedIsr, Tenure
from core.history.view import View
from core.history.witnesses import Witnesses
from core.trace.vocabulary import Basis, Election


def _grew_in_sight(
    tenures: Sequence[Tenure], sets: Sequence[StatedIsr], seen: Witnesses, number: int
) -> bool:
    """Whether every replica that joined the set between its last statement and a term is known."""
    tenure = tenures[number]
    said = max((one.place for one in sets if one.place < tenure.place), default=None)
    if said is None:
        return False
    for before, after in pairwise(tenures[: number + 1]):
        if after.place <= said:
            continue
        if before.epoch is None or after.epoch != before.epoch + 1:
            return False
        span = range(max(said, before.place), after.place)
        if before.leader != -1 and not all(seen.growth(before.leader, place) for place in span):
            return False
    return True


def judge_elections(
    view: View,
    tenures: Sequence[Tenure],
    sets: Sequence[StatedIsr],
    isr_at: Sequence[tuple[int, ...] | None],
    seen: Witnesses,
) -> tuple[Tenure, ...]:
    """Name the elections that no row names.

    By the in-sync set before, the preferred replica and the old leader.
    """
    preferred = next(iter(view.trace.partitions[view.partition].replicas), None)
    judged: list[Tenure] = []
    isr: tuple[int, ...] | None = None
    led: int | None = None
    for number, tenure in enumerate(tenures):
        election, basis = tenure.election, tenure.basis
        before = isr_at[tenure.place - 1] if tenure.place else None
        isr = before if before is not None else isr
        if election is Election.UNKNOWN and tenure.leader != -1 and tenure.epoch is not None:
            if led is None:
                election = Election.FIRST if tenure.epoch == 0 else Election.UNKNOWN
            elif isr is not None:
                basis = Basis.INFERRED
                if tenure.leader not in isr:
                    # It may have joined where nobody who would say so is heard.
                    sure = view.exact or _grew_in_sight(tenures, sets, seen, number)
                    election = Election.UNCLEAN if sure else Election.UNKNOWN
                elif tenure.leader == preferred != led and led in isr and led in (isr_at[tenure.place] or ()):
                    election = Election.PREFERRED
                else:
                    election = Election.CLEAN
        judged.append(replace(tenure, election=election, basis=basis))
        led = tenure.leader if tenure.leader != -1 else led
    return tuple(judged)
