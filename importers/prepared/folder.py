"""Where a data set is: a folder on this machine, or an address that pyarrow knows (s3:, gs:, hdfs:, file:).

pyarrow is imported inside the functions: asking whether something is an address costs no library.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import SourceError, because
from core.message import message
from importers.containers.regular import open_file

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import dataset


def is_uri(place: str | Path) -> bool:
    """Whether this is an address and no path."""
    return "://" in str(place)


def absolute(place: str) -> str:
    """The place as another process finds it, which has another working directory; an address as it is."""
    return place if is_uri(place) else str(Path(place).absolute())


def without_secrets(place: str) -> str:
    """A path or an address without the keys that an address may carry before an @."""
    return re.sub(r"(?<=://)[^/@]*@", "", place)


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a data set: `path` within `system`, a file system of pyarrow; `name` as messages say it.

    All functions raise OSError, and FileNotFoundError for what is not there.
    """

    name: str
    path: str
    system: Any

    def read(self, file: str) -> bytes:
        """All bytes of a file. One on this machine is looked at first: opening a pipe would wait."""
        from pyarrow import fs

        if isinstance(self.system, fs.LocalFileSystem):
            with open_file(Path(self.path) / file) as opened:
                return opened.read()
        with self.system.open_input_file(f"{self.path}/{file}") as opened:
            return opened.read()

    def has(self, folder: str) -> bool:
        """Whether there is a folder of that name."""
        from pyarrow import fs

        return self.system.get_file_info(f"{self.path}/{folder}").type == fs.FileType.Directory

    def sizes(self) -> Mapping[str, int]:
        """The size of every file below, by its path within the folder. Costs one listing."""
        from pyarrow import fs

        found = self.system.get_file_info(fs.FileSelector(self.path, recursive=True))
        return {one.path[len(self.path) + 1 :]: one.size for one in found if one.is_file}

    def files_of(self, table: str) -> list[str]:
        """The Parquet files of one of its tables."""
        from pyarrow import fs

        found = self.system.get_file_info(fs.FileSelector(f"{self.path}/{table}"))
        return [
            f"{table}/{one.base_name}" for one in found if one.is_file and one.base_name.endswith(".parquet")
        ]

    def table(self, file: str) -> "pa.Table":
        """A Parquet file, whole. Read at once: pyarrow would read the end of it twice."""
        import pyarrow as pa
        from pyarrow import parquet

        return parquet.ParquetFile(pa.BufferReader(self.read(file))).read()

    def rows(self, files: Sequence[str], schema: "pa.Schema | None" = None) -> "dataset.Dataset":
        """Parquet files as one, of which a filter reads only some row groups."""
        from pyarrow import dataset

        places = [f"{self.path}/{file}" for file in files]
        return dataset.dataset(places, schema=schema, format="parquet", filesystem=self.system)


def folder_of(place: str | Path) -> Folder:
    """A path or an address as a folder. Raises SourceError for an address that pyarrow does not know."""
    import pyarrow as pa
    from pyarrow import fs

    if not is_uri(place):
        return Folder(str(place), Path(place).as_posix(), fs.LocalFileSystem())
    name = without_secrets(str(place))
    try:
        system, path = fs.FileSystem.from_uri(str(place))
    except (OSError, pa.ArrowException) as error:
        raise SourceError(message("error.address"), why=because(error), where=name) from error
    return Folder(name, path.rstrip("/"), system)
