"""From a history to all that the modules of this folder reason on: rows, tenures, roles, cuts and bounds."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.history.control import Control
from core.history.cuts import Cut, find_cuts
from core.history.epoch_runs import Runs
from core.history.open import Opened, read_again
from core.history.partition_bands import Bands
from core.history.positions import end_after, instant_after, instant_at, place_before
from core.history.roles import Roles
from core.history.state import Band, History, Role
from core.history.tenures import Tenure
from core.history.view import Row, View
from core.history.visible_bands import band_at
from core.trace.ids import Place


@dataclass(frozen=True, slots=True)
class Case:
    """One partition to be judged. `cuts` are by broker, in order.

    A place p is the state after p rows of the view.
    """

    history: History
    view: View
    control: Control
    roles: Mapping[int, Roles]
    cuts: Mapping[int, tuple[Cut, ...]]
    bands: Bands | None
    """The tracks of an imported partition; None in a simulation, where values are exact."""

    def leo(self, broker: int, place: Place) -> Band:
        """A replica's log end offset right after the row of a place."""
        if self.bands is not None:
            return band_at(self.bands.leo[broker], instant_at(place))
        return self.history.replicas[broker].leo.at(self.view.cursors[place])

    def hw(self, broker: int, place: Place) -> Band:
        """A replica's high watermark right after the row of a place."""
        if self.bands is not None:
            return band_at(self.bands.hw[broker], instant_at(place))
        return self.history.replicas[broker].hw.at(self.view.cursors[place])

    def surely_ends_by(self, broker: int, place: Place) -> int | None:
        """The highest that a replica's log end can be at a place, as far as is sure; None for no bound."""
        if self.bands is not None:
            return self.bands.leo[broker].high(instant_at(place))
        return self.leo(broker, place).hi

    def shortest(self, broker: int, first: Place, last: Place) -> int | None:
        """The least of a replica's highest possible log ends over places first..last; None for no bound."""
        if self.bands is not None:
            return self.bands.leo[broker].lowest(instant_at(first), instant_after(last))
        bounds = [self.leo(broker, place).hi for place in (first, last)]
        return min((high for high in bounds if high is not None), default=None)

    def surely_reaches(self, broker: int, first: Place, last: Place) -> int:
        """The log end that a replica surely reached at one of the places first..last; 0 for none."""
        if self.bands is None:
            return max(self.leo(broker, place).lo or 0 for place in map(Place, range(first, last + 1)))
        return self.bands.leo[broker].reached(instant_at(first), instant_after(last))

    def highest_hw(self, broker: int, first: Place, last: Place) -> int | None:
        """The highest that a replica's high watermark can be over places first..last; None for no bound."""
        if self.bands is not None:
            return self.bands.hw[broker].highest(instant_at(first), end_after(last))
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

    def runs(self, broker: int, place: Place) -> Runs:
        """What a replica's log holds at a place."""
        return self.history.replicas[broker].runs.at(self.view.cursors[place])

    @property
    def end(self) -> Place:
        """The last place."""
        return Place(len(self.view.rows))

    def rows(self) -> list[Row]:
        """All rows of the partition itself. It may have a million: ask for kinds where that will do."""
        return [row for row in self.view.rows if row.partition == self.view.partition]

    def of(self, kinds: Collection[str]) -> list[Row]:
        """Those of some kinds, in order. `kinds` must be hashable."""
        return [row for row in self.view.rows.of(kinds) if row.partition == self.view.partition]

    def may_be_past(self, own: Roles, place: Place) -> bool:
        """Whether a replica may be in a later epoch than its own lines state: that has begun, and it follows.

        One that leads and was not notified goes on in its own epoch. Where its line on the later epoch is
        there, it is in that from then on.
        """
        notified, current = own.epoch_at[place], self.control.epoch_at[place]
        if self.view.exact or notified is None or current is None or current <= notified:
            return False
        has_line = any(one.epoch == current and one.end - 1 > place for one in own.spans)
        return not has_line and own.role_at[place] is not Role.LEADER

    def led_from(self, tenure: Tenure) -> Place | None:
        """The place from which the leader of a tenure leads in it, by its own lines; None without any."""
        own = self.roles.get(tenure.leader)
        if own is None:
            return None
        places = (one.first for one in own.spans if one.role is Role.LEADER and one.epoch == tenure.epoch)
        return next(places, None)

    def place_of(self, seq: int) -> Place:
        """The place after the row with this Seq."""
        return Place(self.history.rank(seq + 1))


def open_case(history: History) -> Case:
    """Everything that the modules of this folder reason on, read once, for a history that is open already."""
    return case_of(read_again(history))


def case_of(opened: Opened) -> Case:
    """The same for a partition that was just opened."""
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
