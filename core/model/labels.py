"""What an action of the fast engine asks of the logs, as a number.

A state is two halves: what brokers and controller believe, and what the logs hold. A step changes the beliefs
in a way that depends on them alone, if the logs allow it; and the logs in a way that depends on them alone.
The label names the question and the change, so that neither half needs to know more of the other.
"""

from core.model.numbering import Integers
from core.model.state import Bounds

STAY = 0
"""The logs allow it, and stay."""


class Labels:
    """The numbers of all labels within some bounds. Brokers from 0, sets of brokers as bits."""

    def __init__(self, bounds: Bounds) -> None:
        self.replicas = bounds.replicas
        self.epochs = bounds.epochs + 1
        pairs = self.replicas * self.replicas
        self.first_write = 1
        self.first_copy = self.first_write + self.replicas * self.epochs
        self.first_cut = self.first_copy + pairs
        self.first_later = self.first_cut + pairs
        self.first_lag = self.first_later + pairs
        self.first_reach = self.first_lag + pairs
        self.first_raise = self.first_reach + pairs * self.epochs
        self.count = self.first_raise + (self.replicas << self.replicas)

    def _pair(self, leader: Integers | int, follower: int) -> Integers | int:
        return leader * self.replicas + follower

    def write(self, broker: int, epoch: Integers | int) -> Integers | int:
        """`broker` appends a record in `epoch`."""
        return self.first_write + broker * self.epochs + epoch

    def copy(self, leader: Integers | int, follower: int) -> Integers | int:
        """`follower` copies a record."""
        return self.first_copy + self._pair(leader, follower)

    def cut(self, leader: Integers | int, follower: int) -> Integers | int:
        """`follower` begins to follow and cuts its log."""
        return self.first_cut + self._pair(leader, follower)

    def later(self, leader: Integers | int, follower: int) -> Integers | int:
        """`follower` cuts its log while it follows."""
        return self.first_later + self._pair(leader, follower)

    def lag(self, leader: Integers | int, follower: int) -> Integers | int:
        """The log of `follower` does not have all of the leader's."""
        return self.first_lag + self._pair(leader, follower)

    def reach(self, leader: int, follower: int, epoch: Integers | int) -> Integers | int:
        """`follower` has the leader's high watermark; and that is in `epoch`, if the variant asks for it."""
        return self.first_reach + self._pair(leader, follower) * self.epochs + epoch

    def raising(self, leader: int, isr: Integers | int) -> Integers | int:
        """All of `isr` have the record at the high watermark of `leader`, which rises by one."""
        return self.first_raise + (leader << self.replicas) + isr
