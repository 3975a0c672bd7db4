"""Names in an archive are labels: nothing is written where they lead."""

import io
import tarfile
from pathlib import Path

from importers.containers.containers import members

KAFKA = b"[2026-11-21 03:29:10,161] INFO Truncating log t-0 to offset 1. (kafka.log.Log)\n"


def test_names_that_climb_are_only_labels(tmp_path: Path) -> None:
    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as tar:
        for name in ("../../escaped/server.log", "/abs/broker-1/server.log", "..\\up\\controller.log"):
            info = tarfile.TarInfo(name)
            info.size = len(KAFKA)
            tar.addfile(info, io.BytesIO(KAFKA))
    before = sorted(path for path in tmp_path.parent.rglob("*"))

    found = [member.path for member in members([archive])]

    assert found == ["escaped/server.log", "abs/broker-1/server.log", "up/controller.log"]
    assert sorted(path for path in tmp_path.parent.rglob("*")) == before
