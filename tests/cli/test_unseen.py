"""Where `check` finds nothing, its first lines say what was not seen: silence is no health."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.core_diagnose.test_taken import Logs, created, follows, leads, loaded, notified, start
from tests.importers.test_logs_of_brokers import written

Tell = Callable[..., Any]


def quiet(*, state_change: bool) -> Logs:
    """Broker 1 leads, and is alone in the logs that were given."""
    logs = {"broker-1/server.log": start(0, 1) + created(0) + leads(0, 3, 0)}
    if state_change:
        logs["broker-1/state-change.log"] = notified(0, 1, 3, "1, 2")
    return logs


def test_logs_that_were_not_given_are_named_in_the_second_line(tell: Tell, tmp_path: Path) -> None:
    """All that was given was read, so that the exit code stays 0."""
    told = tell("check", written(tmp_path, quiet(state_change=False)))

    first, *rest = told.out.splitlines()
    assert told.code == 0
    assert first == "Nothing is shown to be lost or in danger in what was read."
    assert " ".join(rest) == ("Not seen: controller.log of the controllers was not given.")


def test_nodes_without_files_are_named(tell: Tell, tmp_path: Path) -> None:
    told = tell("check", written(tmp_path, quiet(state_change=True)))

    assert "Not seen: Files of 1 of 2 nodes were read, none of broker 2." in " ".join(told.out.split())
    assert told.code == 0


def test_gaps_in_logs_are_named(tell: Tell, tmp_path: Path) -> None:
    logs = quiet(state_change=True)
    logs["broker-1/server.log"] += start(5, 1) + loaded(5, 0, 0) + leads(5, 3, 0)
    told = tell("check", written(tmp_path, logs))

    assert "1 gap in the logs, of " in " ".join(told.out.split())


def test_json_has_them(tell: Tell, tmp_path: Path) -> None:
    answer = tell("check", written(tmp_path, quiet(state_change=False)), "--json").json

    assert answer["complete"] is True
    assert [one["message"]["id"] for one in answer["unseen"]] == ["incident.unseen.log"]


def test_a_log_of_some_brokers_is_named_with_them(tell: Tell, tmp_path: Path) -> None:
    """Broker 2 states from whom it copies, and nothing of what it was notified of."""
    logs = quiet(state_change=True)
    logs["broker-2/server.log"] = start(0, 2) + created(0) + follows(0, 0)
    told = tell("check", written(tmp_path, logs))

    assert "state-change.log of broker 2 was not given." in " ".join(told.out.split())


def test_a_simulation_has_seen_everything(tell: Tell) -> None:
    told = tell("check", "hw-loss", "--era", "2.8")

    assert "Not seen" not in told.out
