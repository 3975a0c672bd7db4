"""The session: what it needs, what it refuses, and that it ends."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pytest

import spark.session
from core.errors import CancelledError, TidegaugeError, because
from core.message import Message
from core.work import QUIET, Work
from spark.java import java_version
from spark.session import check_java, spark_session
from spark.watch import watched
from tests.in_words import in_words

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parents[2]
Batches: TypeAlias = Iterator[pa.RecordBatch]


def fake_java(folder: Path, text: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{text}' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_402"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None),
    ],
)
def test_the_version_of_java_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, major: int | None
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, text.replace("'", ""))))
    assert java_version() == major


def test_an_old_java_is_refused_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, 'openjdk version "11.0.2"')))
    with pytest.raises(TidegaugeError, match="Java 17 or later") as caught:
        check_java()
    assert "version 11" in in_words(caught.value).why
    assert "openjdk-17-jre-headless" in in_words(caught.value).advice


def test_no_java_is_told_before_spark_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(TidegaugeError, match="No Java was found"), spark_session("local[1]"):
        pass


@pytest.mark.parametrize(
    "master", ["", "locl", "local[", "local[two]", "http://127.0.0.1:7077", "127.0.0.1:7077"]
)
def test_what_is_no_master_is_refused(master: str) -> None:
    with pytest.raises(TidegaugeError, match="is not a Spark master"), spark_session(master):
        pass


def test_connect_is_refused_before_java_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark.session, "_start", lambda *_: pytest.fail("Java is started"))
    refused = pytest.raises(TidegaugeError, match="does not run over Spark Connect")
    with refused as caught, spark_session("sc://localhost:15002"):
        pass
    told = in_words(caught.value)
    assert "SparkContext" in told.why
    assert "spark://host:7077" in told.advice


@pytest.mark.parametrize(
    "master", ["spark://127.0.0.1:1", "spark://127.0.0.1", "spark://127.0.0.1:1,127.0.0.1:2"]
)
def test_a_master_that_does_not_answer_is_refused_before_java_starts(
    master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark itself would ask three times in a minute."""
    monkeypatch.setattr(spark.session, "_start", lambda *_: pytest.fail("Java is started"))
    with pytest.raises(TidegaugeError, match="cannot be reached"), spark_session(master):
        pass


def test_a_cluster_without_workers_is_not_waited_for_for_ever(
    empty_cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark.session, "EXECUTOR_S", 1.0)
    with pytest.raises(TidegaugeError, match="no executor"), spark_session(empty_cluster):
        pass


class StopsWhenAsked:
    """A context that answers, and stops right after its first answer, whatever it was asked."""

    def __init__(self, scala: Any) -> None:
        self._scala = scala

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._scala, name)

        def answer() -> Any:
            given = asked()
            self._scala.stop()
            return given

        return answer


def test_a_context_that_a_master_gives_up_between_two_questions_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with spark_session("local[2]") as session:
        stops = StopsWhenAsked(spark.session._scala_of(session.sparkContext))
        monkeypatch.setattr(spark.session, "_scala_of", lambda _: stops)
        with pytest.raises(TidegaugeError, match="No executor starts on spark://there:7077"):
            spark.session._await_executor(session, "spark://there:7077", QUIET)


def test_a_java_machine_that_dies_at_once_is_one_message() -> None:
    # In a process of its own: this one has its Java machine already.
    script = """
from core.errors import TidegaugeError
from core.words import use
from gui.text.render import renderer
from spark.session import spark_session
use(renderer, "en")
try:
    with spark_session("local[1]", [("spark.driver.memory", "1k")]):
        pass
except TidegaugeError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=900, check=True
    )
    assert ran.stdout.startswith("Spark did not start on local[1]. ")
    assert "Too small maximum heap" in ran.stdout
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")


def test_a_session_is_shared_on_the_same_master_and_refused_on_another() -> None:
    with spark_session("local[2]") as first:
        with spark_session("local[2]") as second:
            assert second is first
        assert first.range(3).count() == 3
        with pytest.raises(TidegaugeError, match=r"already works on local\[2\]"), spark_session("local[1]"):
            pass


def test_nothing_listens_beyond_this_machine_and_casts_are_ansi() -> None:
    with spark_session("local[2]") as session:
        conf = session.sparkContext.getConf()
        assert conf.get("spark.driver.host") == "127.0.0.1"
        assert conf.get("spark.driver.bindAddress") == "127.0.0.1"
        assert session.sparkContext.uiWebUrl is None
        assert session.conf.get("spark.sql.ansi.enabled") == "true"
        assert session.conf.get("spark.sql.session.timeZone") == "UTC"


def test_settings_of_the_person_win() -> None:
    with spark_session("local[2]", [("spark.sql.session.timeZone", "Asia/Tokyo")]) as session:
        assert session.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"


def test_a_stop_ends_a_running_job_and_a_failing_worker_is_one_sentence() -> None:
    def stuck(batches: Batches) -> Batches:
        import threading

        # Longer than a test may take: who waits for it hangs.
        threading.Event().wait(3_600)
        yield from batches

    def failing(batches: Batches) -> Batches:
        for _batch in batches:
            raise LookupError("no such shelf")
        yield from ()

    with spark_session("local[2]") as session:
        rows = session.range(8)
        seen: list[tuple[int, int, Message | None]] = []
        work = Work(lambda *step: seen.append(step), lambda: any(total for _done, total, _what in seen))
        with pytest.raises(CancelledError):
            watched(
                session, lambda: rows.mapInArrow(stuck, rows.schema).count(), because("being stuck"), work
            )
        with pytest.raises(TidegaugeError) as caught:
            watched(
                session, lambda: rows.mapInArrow(failing, rows.schema).count(), because("failing"), Work()
            )
        assert str(caught.value) == "Spark gave up while failing. LookupError: no such shelf."
        assert watched(session, rows.count, because("counting"), Work()) == 8
