"""A bucket, answered for by a server on this machine: logs are read there, and a data set is opened."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyarrow import fs
from pyspark.sql import SparkSession

from core.errors import QuestionError, SourceError
from core.trace.digest import content_digest
from core.work import QUIET
from gui.cli import run
from gui.workspace.loading import load_partition
from importers.load import load
from importers.prepared.data_set import MANIFEST, load_prepared
from importers.prepared.triage import read_triage
from spark.job import process
from spark.session import spark_session
from tests.in_words import in_words
from tests.spark.kept import end_kept

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

NAME = "k0102-hw-loss"
ENVIRONMENT = (
    "AWS_ENDPOINT_URL",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_REGION",
    "AWS_EC2_METADATA_DISABLED",
)
MASTER = "local[2]"


def bucket(uri: str = "s3://night") -> fs.FileSystem:
    """The file system of an address, as the environment has it."""
    return fs.FileSystem.from_uri(uri)[0]


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """A server, and the environment in which a cluster names its own: no key stands in an address."""
    # A third of a second: each worker of the quick round would take it, and runs no test of these.
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in zip(
            ENVIRONMENT, (f"http://{host}:{port}", "key", "word", "us-east-1", "true"), strict=True
        ):
            patch.setenv(name, value)
        bucket("s3://night?allow_bucket_creation=true").create_dir("night")
        yield
    running.stop()


@pytest.fixture(scope="module")
def session(server: None) -> Iterator[SparkSession]:
    """Workers with that environment: a Java machine that is up already has the one that it started with."""
    end_kept()
    told = {f"spark.executorEnv.{name}": os.environ[name] for name in ENVIRONMENT}
    with spark_session(MASTER, {"spark.driver.memory": "1g", **told}.items()) as running:
        yield running


@pytest.fixture(scope="module")
def folder(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a recording alone: their times of writing do not matter, and an upload changes those."""
    place = tmp_path_factory.mktemp("logs") / NAME
    for log in sorted((recordings / NAME).rglob("logs")):
        shutil.copytree(log, place / log.relative_to(recordings / NAME))
    return place


@pytest.fixture(scope="module")
def logs(folder: Path) -> str:
    """The same in the bucket."""
    fs.copy_files(str(folder), f"night/{NAME}", destination_filesystem=bucket())
    return f"s3://night/{NAME}"


@pytest.fixture(scope="module")
def out(session: SparkSession, logs: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of the logs in the bucket, on this machine."""
    place = tmp_path_factory.mktemp("out") / "night.parquet"
    answer = process([logs], place, master=MASTER, range_bytes=64 * 1024)
    assert answer["ranges"] > answer["files"]
    return place


@pytest.fixture(scope="module")
def uploaded(out: Path) -> str:
    """The same data set in the bucket, without what only the next run reads."""
    system = bucket()
    for file in sorted(out.rglob("*.parquet")):
        fs.copy_files(
            str(file), f"night/set/{file.relative_to(out).as_posix()}", destination_filesystem=system
        )
    fs.copy_files(str(out / MANIFEST), f"night/set/{MANIFEST}", destination_filesystem=system)
    return "s3://night/set"


def test_logs_in_a_bucket_are_read_like_a_folder(out: Path, folder: Path) -> None:
    prepared, local = load_prepared(out), load([folder])
    for column in local.columns:
        assert prepared.columns[column].tolist() == local.columns[column].tolist(), column
    for field in ("name", "brokers", "partitions", "sources", "isrs", "facts", "lines", "report"):
        assert getattr(prepared, field) == getattr(local, field), field


def test_a_second_run_reads_nothing_from_the_bucket_again(
    session: SparkSession, logs: str, out: Path
) -> None:
    assert process([logs], out, master=MASTER, range_bytes=64 * 1024)["ranges_read"] == 0


def test_a_data_set_in_a_bucket_is_opened_like_a_folder(out: Path, uploaded: str) -> None:
    assert content_digest(load_prepared(uploaded)) == content_digest(load_prepared(out))
    triage = read_triage(uploaded)
    assert triage == read_triage(out)
    loaded = load_partition(uploaded, "orders-0", False, triage, None, QUIET)
    here = load_partition(str(out), "orders-0", False, triage, None, QUIET)
    assert len(loaded.traces[0]) == len(here.traces[0]) > 0
    assert tuple(loaded.traces[0].lines) == tuple(here.traces[0].lines)


def test_the_command_line_checks_a_data_set_in_a_bucket(
    uploaded: str, out: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    answers: list[Any] = []
    for place in (uploaded, str(out)):
        capfd.readouterr()
        assert run(["check", place, "--json"]) == 1
        answers.append({**json.loads(capfd.readouterr().out), "document": ""})
    assert answers[0] == answers[1]


def test_what_is_not_there_is_one_message(session: SparkSession, tmp_path: Path) -> None:
    for source in ("s3://night/nothing", "s3://no-such-bucket/logs"):
        with pytest.raises(SourceError) as caught:
            process([source], tmp_path / "out.parquet", master=MASTER)
        assert in_words(caught.value).where == source
        with pytest.raises(SourceError) as caught:
            load_prepared(source)
        assert in_words(caught.value).where == source
    with pytest.raises(SourceError, match="cannot be used") as caught:
        load_prepared("sea://key:word@night/set")
    assert in_words(caught.value).where == "sea://night/set"
    assert list(tmp_path.iterdir()) == []


def test_a_bucket_is_no_place_to_write_into(session: SparkSession, logs: str) -> None:
    with pytest.raises(QuestionError, match=r"into a folder.*manifest\.json last"):
        process([logs], "s3://night/out.parquet", master=MASTER)
    assert bucket().get_file_info("night/out.parquet").type == fs.FileType.NotFound
