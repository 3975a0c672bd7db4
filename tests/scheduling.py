"""How tests are handed to workers: as pytest-xdist's `loadgroup`, and so that a run ends when a worker died.

A group goes to one worker.

xdist 3.8 queues again all that the dead worker ever had, gives it out before the new worker has collected,
and leaves that one with a single test, while a worker starts a test when it knows the next one: such a run
never ends.

It also looks through all that a worker ever had after each test, and through all tests for the place of one:
with 24,000 tests that took 50 seconds, in which both workers wait. Here what is done is forgotten, and places
are looked up.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from _pytest.nodeid import NodeId
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController


class EndsWhenOneDies(LoadGroupScheduling):
    """The test in which a worker died is not run again; what the worker had left is, and nothing else."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        self._places: dict[WorkerController, dict[str, int]] = {}

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        self._places[node] = {test: place for place, test in enumerate(collection)}

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        scope = self._split_scope(self.registered_collections[node][item_index])
        super().mark_test_complete(node, item_index, duration)
        if all(self.assigned_work[node][scope].values()):
            del self.assigned_work[node][scope]

    def _assign_work_unit(self, node: WorkerController) -> None:
        scope, unit = self.workqueue.popitem(last=False)
        self.assigned_work[node][scope] = unit
        node.send_runtest_some([self._places[node][test] for test, done in unit.items() if not done])

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
