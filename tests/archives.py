"""Archives of recordings, unpacked with what Python itself brings: no machine needs tar or xz."""

import tarfile
from pathlib import Path

from importers.samples import sample_path


def unpack_sample(name: str, folder: Path) -> Path:
    """Unpack the sample of that id and give its folder. Times of files are kept: they are evidence."""
    with tarfile.open(sample_path(name)) as archive:
        # The filter came with 3.11.4; Debian 12 has 3.11.2. These archives are our own.
        if hasattr(tarfile, "data_filter"):
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)  # noqa: S202 - as above
    return folder / name
