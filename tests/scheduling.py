"""How tests are handed to workers: as pytest-xdist's `loadgroup`, and so that a run ends when a worker died.

A group goes to one worker.

xdist 3.8 queues again all that the dead worker ever had, gives it out before the new worker has collected,
and leaves that one with a single test, while a worker starts a test when it knows the next one: such a run
never ends.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.nodeid import NodeId
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController


class EndsWhenOneDies(LoadGroupScheduling):
    """The test in which a worker died is not run again; what the worker had left is, and nothing else."""

    def schedule(self) -> None:
        super().schedule()
        for node in self.nodes:
            self._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        units = self.assigned_work.pop(node)
        left = [test for unit in units.values() for test, done in unit.items() if not done]
        if not left:
            return None
        for scope, unit in units.items():
            rest = {test: False for test, done in unit.items() if not done and test != left[0]}
            if rest:
                self.workqueue[scope] = rest
        for other in self.nodes:
            self._reschedule(other)
        return left[0]

    def _reschedule(self, node: WorkerController) -> None:
        if node in self.registered_collections:
            super()._reschedule(node)


def name_groups(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Put the group of each test behind its id, in a worker of `loadgroup`: the scheduler reads it there.

    xdist 3.8 does so in a field that pytest has no more since 9.2, which leaves all tests without a group.
    """
    if not config.getoption("loadgroup", default=False):
        return
    for item in items:
        group = group_of(item)
        if group is not None:
            item._id = NodeId.parse(f"{item.nodeid}@{group}")


def group_of(item: pytest.Item) -> str | None:
    """The group of a test, or None."""
    marker = item.get_closest_marker("xdist_group")
    return None if marker is None else str(marker.args[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadGroupScheduling | None:
    """The scheduler of `--dist loadgroup`; xdist's own for the others."""
    # Groups come in the order of their tests (tests/conftest.py), not those of many tests first.
    config.option.loadscopereorder = False
    return EndsWhenOneDies(config, log) if config.getoption("dist") == "loadgroup" else None
