"""Archives of recordings, unpacked with what Python itself brings: no machine needs tar or xz."""

import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

from importers.samples import sample_path

RECORDINGS = Path(__file__).parent / "recordings"


def recording_names(start: str = "") -> list[str]:
    """The recordings whose archives lie in tests/recordings, by the start of their names."""
    return sorted(path.name.removesuffix(".tar.xz") for path in RECORDINGS.glob(f"{start}*.tar.xz"))


def unpack_recording(name: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Unpack a recording: its folder as an engineer would have it, and the truth, taken out of it."""
    _unpack(RECORDINGS / f"{name}.tar.xz", folder)
    found = folder / name
    truth = json.loads((found / "truth.json").read_text(encoding="utf-8"))
    for told in [*found.glob("truth*"), *found.glob("README*"), *found.glob("metadata-dump*")]:
        told.unlink()
    return found, truth


def unpack_sample(name: str, folder: Path) -> Path:
    """Unpack the sample of that id and give its folder. Times of files are kept: they are evidence."""
    _unpack(sample_path(name), folder)
    return folder / name


def unpack_two_brokers(folder: Path) -> Path:
    """The logs of two brokers of the shipped recording of 0.10.2, where no line says a zone; no data."""
    case = unpack_sample("k0102-hw-loss", folder)
    for broker in case.iterdir():
        wanted = broker / "logs" if broker.name in ("broker-1", "broker-2") else None
        for inner in broker.iterdir() if broker.is_dir() else ():
            if inner != wanted:
                shutil.rmtree(inner) if inner.is_dir() else inner.unlink()
    return case


def unpack_three_logs(name: str, whole: Path, part: Path) -> Path:
    """Three logs of each broker of a sample, and nothing else, in `part`; `whole` is for the rest."""
    source = unpack_sample(name, whole)
    logs = ("server.log", "state-change.log", "controller.log")
    for path in (path for log in logs for path in source.rglob(log)):
        place = part / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    return part


def _unpack(path: Path, folder: Path) -> None:
    with tarfile.open(path) as archive:
        # The filter came with 3.11.4; Debian 12 has 3.11.2. These archives are our own.
        if hasattr(tarfile, "data_filter"):
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)  # noqa: S202 - as above
