"""What is read of a data set, counted: a file system of pyarrow that hands through another one's bytes."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUntypedBaseClass=false
# pyarrow comes without types.

import errno
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
from pyarrow import fs

from importers.prepared.folder import Folder, folder_of


class _File:
    """A file of which every byte that is asked for is counted. It has no other way to read."""

    def __init__(self, path: str, within: Any, read: Counter[str]) -> None:
        self._path, self._file, self._read = path, within, read
        self.closed = False

    def read(self, size: int | None = None) -> bytes:
        data: bytes = self._file.read(None if size is None or size < 0 else size)
        self._read[self._path] += len(data)
        return data

    def close(self) -> None:
        self._file.close()
        self.closed = True

    def readable(self) -> bool:
        return True

    def seek(self, *place: int) -> int:
        return self._file.seek(*place)

    def tell(self) -> int:
        return self._file.tell()

    def size(self) -> int:
        return self._file.size()


class _Counting(fs.FileSystemHandler):
    """As much of a file system as a reader needs."""

    def __init__(self, within: fs.FileSystem, read: Counter[str]) -> None:
        self._within, self._read = within, read

    def get_type_name(self) -> str:
        return "counting"

    def normalize_path(self, path: str) -> str:
        return self._within.normalize_path(path)

    def get_file_info(self, paths: Any) -> Any:
        return self._within.get_file_info(paths)

    def get_file_info_selector(self, selector: Any) -> Any:
        return self._within.get_file_info(selector)

    def open_input_file(self, path: str) -> Any:
        return pa.PythonFile(_File(path, self._within.open_input_file(path), self._read), mode="r")

    def open_input_stream(self, path: str) -> Any:
        return self.open_input_file(path)

    def _refuse(self, *_: Any) -> Any:
        raise OSError(errno.EROFS, "Nobody writes here")

    create_dir = delete_dir = delete_dir_contents = delete_root_dir_contents = delete_file = _refuse
    move = copy_file = open_output_stream = open_append_stream = _refuse


@contextmanager
def counted() -> Generator[Counter[str]]:
    """Within the block: how many bytes were read of each file of any data set, by path."""
    read: Counter[str] = Counter()

    def counting(place: str | Path) -> Folder:
        folder = folder_of(place)
        return replace(folder, system=fs.PyFileSystem(_Counting(folder.system, read)))

    with (
        patch("importers.prepared.data_set.folder_of", counting),
        patch("importers.prepared.triage.folder_of", counting),
    ):
        yield read
