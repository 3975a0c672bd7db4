"""Spark's classes as Java keeps them once they are read, so that Java machines of tests start with less work.

`make test` makes the archive when there is none, or when Java or Spark were installed after it: half a minute
of work. It lies in the environment, and Java takes it only for the very jars that it was made of. Without it
the tests run, too, and longer. Java calls it a dynamic archive (JEP 350).
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.java import ARCHIVE, BRIEFLY

PATIENCE_S: Final = 600


def is_fresh() -> bool:
    """Whether the archive was made after what it is made of."""
    import pyspark

    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") if home is None else str(Path(home) / "bin" / "java")
    if java is None or not ARCHIVE.exists():
        return java is None
    parts = (Path(pyspark.__path__[0]) / "jars", Path(java).resolve())
    return max(part.stat().st_ctime for part in parts) < ARCHIVE.stat().st_ctime


def make() -> None:
    """Run what most tests run, and let Java write its classes down when it ends."""
    with TemporaryDirectory(dir=ARCHIVE.parent) as folder:
        written = Path(folder) / ARCHIVE.name
        os.environ["SPARK_SUBMIT_OPTS"] = f"{BRIEFLY} -XX:ArchiveClassesAtExit={written}"
        _run(Path(folder))
        # Whole or not at all: Java would end by a torn one.
        if written.exists():
            written.replace(ARCHIVE)


def _run(folder: Path) -> None:
    """A session, a job in Python, a file of it and a question; ends when its Java has ended."""
    from pyspark import SparkContext

    from spark.session import spark_session
    from tests.spark.kept import SETTINGS

    with spark_session("local[2]", SETTINGS.items()) as session:
        rows = session.range(0, 1_000, 1, 2).mapInArrow(_same, "id long")
        rows.write.parquet(str(folder / "rows.parquet"))
        session.read.parquet(str(folder / "rows.parquet")).groupBy("id").count().collect()
    gateway: Any = SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(PATIENCE_S)


def _same(batches: Iterator[Any]) -> Iterator[Any]:
    yield from batches


if __name__ == "__main__" and not is_fresh():
    make()
