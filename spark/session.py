"""The only place that makes a Spark session.

The Java machine's own output goes to a file, read only when the start fails: a person sees one message.
"""

import os
import re
import socket
import sys
import tempfile
import zipfile
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager, redirect_stderr
from functools import cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from pickle import PicklingError
from threading import Event
from typing import IO, Any, Final, TypeVar

from py4j.protocol import Py4JError
from pyspark import Broadcast, SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from core.errors import TidegaugeError, because
from core.leftovers import Scratch, scratch_folder
from core.message import Message, message
from core.system_errors import reason as system_reason
from core.work import QUIET, Work
from spark.interrupt import calm_interrupt, keep_calm, raise_pending
from spark.java import JAVA_NEEDED, java_version

T = TypeVar("T")

LOCAL: Final = "local[*]"
REACH_S: Final = 10.0
"""How long a master may take to accept a connection."""
EXECUTOR_S: Final = 120.0
"""How long a cluster may take to give the first executor."""

CODE: Final = "tidegauge-code.zip"
_FOR_JAVA: Final[list[Scratch]] = []
"""Held until this process ends."""

_HERE: Final = r"local(\[(\*|\d+)(,\s*\d+)?\])?"
"""A master whose workers are of this machine and this Python."""
_MASTER = re.compile(_HERE + r"|local-cluster\[[\d,\s]+\]|spark://.+|k8s://.+|yarn")
_PATH: Final = "spark.executorEnv.PYTHONPATH"
_PYTHON: Final = "spark.pyspark.python"
_DAEMON: Final = "spark.daemon"
_LOOPBACK: Final = ("127.", "localhost", "::1", "[::1]")
_SETTINGS: Final[Mapping[str, str]] = {
    "spark.app.name": "tidegauge",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    # ANSI casts stay on, as Spark 4 has them: a value that does not fit ends the job. We cast nothing in SQL.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    # A row group is what a reader skips or reads, so it must not span many partitions.
    "spark.hadoop.parquet.block.row.count.limit": "65536",
    "spark.python.worker.faulthandler.enabled": "true",
}
SHIPPED: Final = ("core", "importers", "spark")
"""Our packages that a worker needs; they travel to other machines, whose Python must have the libraries."""


def check_java() -> None:
    """Raise TidegaugeError, with what to install, unless Java is new enough for Spark."""
    found = java_version()
    if found is not None and found >= JAVA_NEEDED:
        return
    raise TidegaugeError(
        message("error.spark.java", version=JAVA_NEEDED),
        why=message("error.spark.java.none")
        if found is None
        else message("error.spark.java.found", version=found),
        where=message("error.spark.java.place", folder=home)
        if (home := os.environ.get("JAVA_HOME"))
        else None,
        advice=message("error.spark.java.way-out"),
    )


@contextmanager
def spark_session(
    master: str = LOCAL, conf: Iterable[tuple[str, str]] = (), work: Work = QUIET
) -> Generator[SparkSession]:
    """A session on `master`, stopped at the end; one that already runs on it is shared and left running.

    `conf` are Spark's own settings and win over ours. Raises TidegaugeError where Java is missing, Spark does
    not start, or the master is none, cannot be reached in ten seconds or gives no executor in two minutes.
    """
    settings = dict(conf)
    active = SparkSession.getActiveSession()
    if active is not None:
        if active.sparkContext.master != master:
            raise TidegaugeError(
                message("error.spark.already", master=active.sparkContext.master or ""),
                why=message("error.spark.already.why"),
                advice=message("error.spark.already.way-out"),
            )
        yield active
        return
    check_java()
    _check_master(master)
    work.step(0, 0, message("progress.spark.starting"))
    travels = _travels(master, settings)
    with calm_interrupt(), _working_folder(travels=travels) as folder:
        session = _start(master, settings, folder, travels=travels)
        try:
            _await_executor(session, master, work)
            yield session
        finally:
            session.stop()


@contextmanager
def _working_folder(*, travels: bool) -> Generator[Path]:
    """A folder for Spark's own files, with our code if it travels; gone at the end, or after a kill later."""
    try:
        held = scratch_folder("tidegauge-spark-")
    except OSError as error:
        raise _no_room(tempfile.gettempdir(), error) from error
    with held:
        try:
            if travels:
                _pack(held.path / CODE)
        except OSError as error:
            raise _no_room(str(held.path), error) from error
        yield held.path


def _no_room(where: str, error: OSError) -> TidegaugeError:
    return TidegaugeError(
        message("error.spark.no-room"),
        why=system_reason(error),
        where=where,
        advice=message("error.spark.no-room.way-out"),
    )


def _start(master: str, settings: Mapping[str, str], folder: Path, *, travels: bool) -> SparkSession:
    """A new session, its working files in `folder`."""
    # The workers' interpreter: pyspark reads it from the environment only, and would take the first python3.
    os.environ["PYSPARK_PYTHON"] = settings.get(_PYTHON, sys.executable)
    full = {
        **_SETTINGS,
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
        "spark.local.dir": str(folder / "local"),
    }
    if _is_loopback(master):
        full |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    full |= settings
    full["spark.master"] = master
    if not travels:
        full[_PATH] = os.pathsep.join(filter(None, (*_roots(), full.get(_PATH, ""))))
        full.setdefault("spark.python.daemon.module", _DAEMON)
    with (folder / "java.log").open("w+b") as log:
        try:
            conf = SparkConf(loadDefaults=False).setAll(list(full.items()))
            if _java_of(SparkContext) is None:
                conf.setIfMissing("spark.driver.defaultJavaOptions", f'-Djava.io.tmpdir="{_java_folder()}"')
                with _temporary_files_in(folder):
                    gateway = launch_gateway(conf, {"stdout": log, "stderr": log})
            else:
                gateway = None
            context = SparkContext(conf=conf, gateway=gateway)
            keep_calm()
        except (PySparkException, Py4JError, OSError, ValueError) as error:
            raise TidegaugeError(
                message("error.spark.not-started", master=master),
                why=because(reason(error)),
                background=_last_words(log),
                advice=message("error.spark.not-started.way-out"),
            ) from error
    try:
        return _session(context, folder / CODE if travels else None)
    except (PySparkException, Py4JError) as error:
        # Spark asks a master three times in a minute and then stops the context without an exception. So it
        # does when the master, which names whom it takes, has given us up.
        taken = str(context.applicationId).startswith("app-")
        context.stop()
        if taken:
            raise _given_up(master) from error
        raise _no_master(master, message("error.spark.unreached.other", words=reason(error))) from error


@cache
def _java_folder() -> Path:
    """Where the Java machine puts what it unpacks: it lives as long as this process, for all its sessions.

    When this process is killed, its end of Java's standard input closes, and Java stops by itself. If Java is
    killed too, the next start removes the folder. Raises OSError.
    """
    _FOR_JAVA.append(scratch_folder("tidegauge-java-"))
    return _FOR_JAVA[-1].path


@contextmanager
def _temporary_files_in(folder: Path) -> Generator[None]:
    """While Java starts, pyspark makes a folder of its own, which would stay after a kill."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


def _session(context: SparkContext, code: Path | None) -> SparkSession:
    """A session whose workers get our code, if it has to travel."""
    if code is not None:
        context.addPyFile(str(code))
        # The driver has its own copy of the code; pyspark put the shipped one before it.
        sys.path[:] = [entry for entry in sys.path if Path(entry).name != code.name]
    return SparkSession(context)


def _check_master(master: str) -> None:
    """Raise TidegaugeError for what is no master, and for a standalone master that nobody answers for."""
    if master.startswith("sc://"):
        raise TidegaugeError(
            message("error.spark.connect", master=master),
            why=message("error.spark.connect.why"),
            advice=message("error.spark.connect.way-out"),
        )
    if _MASTER.fullmatch(master) is None:
        raise TidegaugeError(
            message("error.spark.no-master", master=master),
            advice=message("error.spark.no-master.form"),
        )
    if not master.startswith("spark://"):
        return
    whys: list[str] = []
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        try:
            with closing(socket.create_connection((host.strip("[]"), int(port)), REACH_S)):
                return
        except (OSError, ValueError, OverflowError) as error:
            whys.append(f"{place}: {error}")
    raise _no_master(master, because("; ".join(whys)))


def _no_master(master: str, why: Message) -> TidegaugeError:
    return TidegaugeError(
        message("error.spark.unreached", master=master),
        why=why,
        advice=message("error.spark.unreached.way-out"),
    )


def _given_up(master: str) -> TidegaugeError:
    """A master gives an application up when ten of its executors have failed."""
    return TidegaugeError(
        message("error.spark.given-up", master=master),
        why=message("error.spark.given-up.why"),
        advice=message("error.spark.given-up.way-out", version=JAVA_NEEDED),
    )


def _await_executor(session: SparkSession, master: str, work: Work) -> None:
    """Wait for the first executor of a cluster; without one a job would wait for ever."""
    if not master.startswith("spark://"):
        return
    pause = Event()
    scala = _scala_of(session.sparkContext)
    for tick in range(int(EXECUTOR_S / 0.1)):
        raise_pending()
        work.step(tick, 0, message("progress.spark.waiting"))
        try:
            # The driver counts as one.
            if scala.getExecutorMemoryStatus().size() > 1:
                return
        except (PySparkException, Py4JError) as error:
            # It stops in a thread of its own: who asks before each question may still be late.
            if scala.isStopped():
                raise _given_up(master) from error
            raise
        pause.wait(0.1)
    raise TidegaugeError(
        message("error.spark.no-executor", master=master, seconds=round(EXECUTOR_S)),
        why=message("error.spark.no-executor.why"),
        advice=message("error.spark.no-executor.way-out"),
    )


def _java_of(kind: Any) -> Any:  # noqa: ANN401 - pyspark does not type it
    """The Java machine that this process already started, or None. pyspark has no public question for it."""
    return kind._gateway  # noqa: SLF001


def _scala_of(context: Any) -> Any:  # noqa: ANN401
    """Spark's own context: pyspark tells neither whether it stopped, nor how many executors there are."""
    return context._jsc.sc()  # noqa: SLF001


def _is_loopback(master: str) -> bool:
    """Whether everything happens on this machine, so that nothing needs to listen on its network."""
    if master.startswith("local"):
        return True
    return all(place.startswith(_LOOPBACK) for place in master.removeprefix("spark://").split(","))


def _travels(master: str, settings: Mapping[str, str]) -> bool:
    """Whether our code travels. Workers of this machine and this Python find it where this process did.

    From a folder they take modules as Python has compiled them; of a zip each of them compiles them anew.
    """
    here = re.fullmatch(_HERE, master) and settings.get(_PYTHON, sys.executable) == sys.executable
    return not here or any(os.pathsep in root for root in _roots())


def _roots() -> list[str]:
    """The folders in which our packages lie."""
    return list(dict.fromkeys(str(root.parent) for package in SHIPPED for root in _folders_of(package)))


def _folders_of(package: str) -> list[Path]:
    spec = find_spec(package)
    return [Path(one) for one in spec.submodule_search_locations or ()] if spec else []


def _pack(target: Path) -> None:
    """A zip with our packages' Python files, as `addPyFile` wants it."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in SHIPPED:
            for root in _folders_of(package):
                for file in sorted(root.rglob("*.py")):
                    archive.write(file, Path(package) / file.relative_to(root))


def _last_words(log: IO[bytes]) -> Message | None:
    """The first line with an error that the Java machine wrote and the one after it, as one sentence."""
    log.seek(0)
    lines = [line.strip() for line in log.read().decode("utf-8", "replace").splitlines() if line.strip()]
    bad = next((place for place, line in enumerate(lines) if "Exception" in line or "rror" in line), None)
    if bad is None:
        return None
    return message("error.spark.not-started.java", words=" ".join(lines[bad : bad + 2]))


def told_to_all(session: SparkSession, value: T) -> Broadcast[T]:
    """A value that every worker gets once. Raises TidegaugeError where there is no room for it on the way."""
    try:
        # pyspark prints a traceback before it raises.
        with redirect_stderr(StringIO()):
            return session.sparkContext.broadcast(value)
    except (OSError, PicklingError) as error:
        cause = error if isinstance(error, OSError) else error.__context__
        if not isinstance(cause, OSError):
            raise
        raise _no_room(tempfile.gettempdir(), cause) from error


def reason(error: Exception) -> str:
    """The first line of what Spark or a worker says went wrong, without the stack."""
    java = getattr(error, "java_exception", None)
    text = str(java.toString() if java is not None else error)
    # A worker's own exception is the last unindented line of the Python traceback inside of it.
    python = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception): .*", text, re.MULTILINE)
    lines = python[-1:] or [line for line in text.splitlines() if line.strip()]
    return lines[0].strip() if lines else type(error).__name__
