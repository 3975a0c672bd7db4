"""What starts Java and is shared by modules: the first that needs it starts it, and it ends with the last.

A session costs 5 s of work, and its first job 15 s; a cluster costs 8 s. Tests that share such a thing are
one group (tests/conftest.py), so that one process has all of them.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from spark.session import spark_session

_stack = ExitStack()
_there: dict[str, Any] = {}


def kept(name: str, start: Callable[[], AbstractContextManager[Any]]) -> Any:
    """What runs under that name, started if nothing does."""
    if name not in _there:
        _there[name] = _stack.enter_context(start())
    return _there[name]


SETTINGS: Final = {
    "spark.driver.memory": "1g",
    # Of a job over a small recording a sixth of the work is to generate code and to compile it. Sessions that
    # tests start through a command, and those on a cluster, generate it.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="module")
def session() -> SparkSession:
    """The session of two cores on this machine that modules share."""
    return kept("session", lambda: spark_session("local[2]", SETTINGS.items()))


def end_kept() -> None:
    """Stop all that is kept. A session is in the way of one with another master, or with other settings."""
    _there.clear()
    _stack.close()
