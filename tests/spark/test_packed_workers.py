"""Workers whose machines have Python and nothing else: what they need comes with the job."""

import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from importers.load import load
from importers.prepared.data_set import load_prepared
from spark.job import process
from spark.session import spark_session
from tests.spark.compare import assert_same_trace

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

LIBRARIES = ("numpy", "pyarrow", "zstandard", "cramjam")
"""What docs/spark.md says that a worker's Python needs."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with these libraries, packed."""
    folder = tmp_path_factory.mktemp("packed")
    workers = folder / "workers"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(workers)], check=True)
    inner = f"./lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    # Not a bare .tar: Spark unpacks it without rights and links, and there is no running a file of it.
    with tarfile.open(folder / "workers.tar.gz", "w:gz", compresslevel=1) as packed:
        packed.add(workers, ".")
        for entry in sorted(Path(sysconfig.get_path("platlib")).iterdir()):
            if entry.name.split(".")[0].split("-")[0] in LIBRARIES:
                packed.add(entry, f"{inner}/{entry.name}")
    return folder / "workers.tar.gz"


def test_an_environment_travels_as_an_archive(
    archive: Path, cluster: str, recordings: Path, tmp_path: Path
) -> None:
    source = recordings / "k28-epoch-fix"
    settings = {
        "spark.executor.memory": "512m",
        "spark.archives": f"{archive}#environment",
        "spark.pyspark.python": "./environment/bin/python",
    }

    def place(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"python": [sys.prefix], "library": [pa.__file__]})

    with spark_session(cluster, settings.items()) as session:
        rows = session.range(0, 8, 1, 8).mapInArrow(place, "python string, library string").collect()
        process([source], tmp_path / "out.parquet", master=cluster)
    assert {Path(row.python).name for row in rows} == {"environment"}
    assert all(Path(row.library).is_relative_to(row.python) for row in rows)
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), load([source]))
