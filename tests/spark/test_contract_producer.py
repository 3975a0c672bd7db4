"""The producer of docs/contract.md in PySpark: its table fits the contract, and opens as its logs do."""

import re
import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from importers.contract.validate import validate
from importers.load import load
from spark.job import process
from tests.archives import unpack_sample

pytestmark = pytest.mark.spark
GUIDE = Path(__file__).parents[2] / "docs" / "contract.md"


def test_the_example_of_spark_makes_a_table_of_lines(session: SparkSession, tmp_path: Path) -> None:
    case = unpack_sample("k0102-hw-loss", tmp_path)
    for broker in (1, 2, 3):
        (tmp_path / "logs" / f"broker-{broker}" / "logs").mkdir(parents=True)
        for name in ("server.log", "state-change.log", "controller.log"):
            to = tmp_path / "logs" / f"broker-{broker}" / "logs" / name
            shutil.copy(case / f"broker-{broker}" / "logs" / name, to)
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    out = str(tmp_path / "lines")

    exec(example, {"logs": str(tmp_path / "logs" / "*" / "logs" / "*.log"), "out": out})  # noqa: S102 - ours

    (checked,) = validate(out)
    written = sum(len(file.read_bytes().splitlines()) for file in (tmp_path / "logs").rglob("*.log"))
    assert (checked.table, checked.rows, checked.faults) == ("lines", written, ())
    read, logs = load([out]), load([tmp_path / "logs"])
    for name in ("at", "kind", "broker", "replica", "epoch", "leo", "hw", "offset", "line"):
        assert read.columns[name].tolist() == logs.columns[name].tolist()

    told = process([out], tmp_path / "night.parquet", master="local[2]")

    assert told["events"] == len(logs)
