"""One partition on the table: its history, the rows behind it, and questions that several modules ask."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.history.control import Control
from core.history.epoch_runs import Runs
from core.history.open import Opened, read_again
from core.history.partition_bands import Bands
from core.history.positions import end_after, instant_after, instant_at, place_before
from core.history.roles import Roles
from core.history.state import Band, History, Role
from core.history.statements import Cut, find_cuts
from core.history.tenures import Tenure
from core.history.view import Row, View
from core.history.visible_bands import band_at
from core.trace.ids import Place


@dataclass(frozen=True, slots=True)
class Case:
    """A place p is the state after p rows of the view; `cuts` are by broker, in order."""

    history: History
    view: View
    control: Control
    roles: Mapping[int, Roles]
    cuts: Mapping[int, tuple[Cut, ...]]
    bands: Bands | None
    """The tracks of an imported partition; None in a simulation, where values are exact."""

    def leo(self, broker: int, place: int) -> Band:
        """A replica's log end offset right after the row of a place."""
        if self.bands is not None:
            return band_at(self.bands.leo[broker], instant_at(Place(place)))
        return self.history.replicas[broker].leo.at(self.view.cursors[place])

    def hw(self, broker: int, place: int) -> Band:
        """A replica's high watermark right after the row of a place."""
        if self.bands is not None:
            return band_at(self.bands.hw[broker], instant_at(Place(place)))
        return self.history.replicas[broker].hw.at(self.view.cursors[place])

    def surely_ends_by(self, broker: int, place: int) -> int | None:
        """What a replica's log end cannot be above at a place, by evidence and by rules that cannot fail."""
        if self.bands is not None:
            return self.bands.leo[broker].high(instant_at(Place(place)))
        return self.leo(broker, place).hi

    def shortest(self, broker: int, first: int, last: int) -> int | None:
        """What a replica's log end surely did not pass at some moment between two places; None: no bound."""
        if self.bands is not None:
            return self.bands.leo[broker].lowest(instant_at(Place(first)), instant_after(Place(last)))
        bounds = [self.leo(broker, place).hi for place in (first, last)]
        return min((high for high in bounds if high is not None), default=None)

    def surely_reaches(self, broker: int, first: int, last: int) -> int:
        """What a replica's log end surely came to at one of the places first..last; 0 where nothing tells."""
        if self.bands is None:
            return max(self.leo(broker, place).lo or 0 for place in range(first, last + 1))
        return self.bands.leo[broker].reached(instant_at(Place(first)), instant_after(Place(last)))

    def highest_hw(self, broker: int, first: int, last: int) -> int | None:
        """What a replica's high watermark surely did not pass from one place to another; None: no bound."""
        if self.bands is not None:
            return self.bands.hw[broker].highest(instant_at(Place(first)), end_after(Place(last)))
        steps = self.history.replicas[broker].hw
        cursors = self.view.cursors
        bounds = [band.hi for _, _, band in steps.spans(cursors[first], cursors[max(first, last)])]
        known = [high for high in bounds if high is not None]
        return max(known) if known and len(known) == len(bounds) else None

    def leo_before(self, broker: int, index: int) -> Band:
        """A replica's log end offset right before row `index` of the view."""
        if self.bands is not None:
            return band_at(self.bands.leo[broker], instant_after(place_before(index)))
        return self.history.replicas[broker].leo.at(self.view.cursors[index])

    def runs(self, broker: int, place: int) -> Runs:
        """What a replica's log holds at a place."""
        return self.history.replicas[broker].runs.at(self.view.cursors[place])

    @property
    def end(self) -> int:
        """The last place."""
        return len(self.view.rows)

    def rows(self) -> list[Row]:
        """All rows of the partition itself. It may have a million: ask for kinds where that will do."""
        return [row for row in self.view.rows if row.partition == self.view.partition]

    def of(self, kinds: Collection[str]) -> list[Row]:
        """Those of some kinds, in order. `kinds` must be hashable."""
        return [row for row in self.view.rows.of(kinds) if row.partition == self.view.partition]

    def may_be_past(self, own: Roles, place: int) -> bool:
        """Whether a replica may be in a later epoch than its own words say: that has begun, and it follows.

        One that leads and was not told goes on under its own epoch. Where its word on the later one is there,
        it is in that from then on.
        """
        told, stands = own.epoch_at[place], self.control.epoch_at[place]
        if self.view.exact or told is None or stands is None or stands <= told:
            return False
        heard = any(one.epoch == stands and one.end - 1 > place for one in own.spans)
        return not heard and own.role_at[place] is not Role.LEADER

    def led_from(self, term: Tenure) -> int | None:
        """The place at which the leader of a term first leads it by its own word.

        None where it never says so.
        """
        own = self.roles.get(term.leader)
        if own is None:
            return None
        led = (one.first for one in own.spans if one.role is Role.LEADER and one.epoch == term.epoch)
        return next(led, None)

    def place_of(self, seq: int) -> int:
        """The place after the row with this Seq."""
        return self.history.rank(seq + 1)


def open_case(history: History) -> Case:
    """Everything that the modules of this folder reason on, read once, for a history that is open already."""
    return case_of(read_again(history))


def case_of(opened: Opened) -> Case:
    """The same from a partition that was just opened."""
    view = opened.view
    return Case(
        history=opened.history,
        view=view,
        control=opened.control,
        roles=opened.roles,
        cuts=opened.bands.cuts
        if opened.bands is not None
        else {broker: find_cuts(view, broker) for broker in view.brokers},
        bands=opened.bands,
    )
