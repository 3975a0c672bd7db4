import gzip
import io
import lzma
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from core.errors import SourceError
from core.trace.digest import content_digest
from core.trace.trace import Trace
from importers import limits
from importers.containers.containers import members
from importers.load import load
from importers.samples import sample_path
from tests.archives import unpack_sample
from tests.in_words import in_words

pytestmark = pytest.mark.broad(4)

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
OTHER = b"2026-11-21 03:29:10 sshd[1]: Accepted publickey\n"
ZOOKEEPER = b"[2026-11-21 03:28:39,574] INFO Server started (org.apache.zookeeper.server.ZooKeeperServer)\n"
KAFKA = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return unpack_sample("k0102-hw-loss", tmp_path)


def rows(trace: Trace) -> list:
    """What a trace says, with the place of each event, without the folder above the brokers."""
    found = []
    for seq in range(len(trace)):
        event = trace.event(seq)
        path = trace.sources[event.source].path
        found.append(
            (
                event.kind,
                event.at,
                dict(event.values),
                path[path.index("broker-") :],
                event.line,
                event.position,
            )
        )
    return found


@pytest.mark.slow
def test_a_folder_and_its_archives_say_the_same(folder: Path, tmp_path: Path) -> None:
    packed = tmp_path / "again.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(folder, "x/y/case")
    nested = tmp_path / "case.zip"
    with zipfile.ZipFile(nested, "w") as archive:
        archive.write(packed, "from/kim.tar.gz")

    whole = rows(load([folder]))

    assert len(whole) > 4000
    assert rows(load([sample_path("k0102-hw-loss")])) == whole
    assert rows(load([packed])) == whole
    assert rows(load([nested])) == whole
    assert load([nested]).sources[0].path.startswith("from/kim.tar.gz!/x/y/case/broker-1/")


@pytest.mark.slow
def test_a_zip_says_the_same_but_for_the_times_of_checkpoints(folder: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "case.zip"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())

    def told(trace: Trace) -> list:
        timeless = ("broker_crashed", "evidence_gap", "hw_checkpointed", "flushed")
        return [row for row in rows(trace) if row[0] not in timeless]

    found, whole = told(load([zipped])), told(load([folder]))

    assert [row[0] for row in found] == [row[0] for row in whole]
    assert [row[2:] for row in found] == [row[2:] for row in whole]


def test_the_order_of_files_in_an_archive_is_no_content(folder: Path, tmp_path: Path) -> None:
    shuffled = tmp_path / "shuffled.tar"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with tarfile.open(shuffled, "w") as archive:
        for path in reversed(files):
            archive.add(path, f"k0102-hw-loss/{path.relative_to(folder).as_posix()}")

    assert content_digest(load([shuffled])) == content_digest(load([sample_path("k0102-hw-loss")]))


def test_one_log_alone_and_compressed(folder: Path, tmp_path: Path) -> None:
    log = folder / "broker-1" / "logs" / "server.log"
    (tmp_path / "server.log.gz").write_bytes(gzip.compress(log.read_bytes()))
    (tmp_path / "server.log.xz").write_bytes(lzma.compress(log.read_bytes()))

    plain = load([log])

    assert [source.path for source in plain.sources] == ["server.log"]
    assert {int(broker) for broker in plain.columns["broker"]} == {1}
    for name in ("server.log.gz", "server.log.xz"):
        packed = load([tmp_path / name])
        assert [source.path for source in packed.sources] == [name]
        assert [packed.event(seq).values for seq in range(len(packed))] == [
            plain.event(seq).values for seq in range(len(plain))
        ]


def test_several_sources_are_one_trace_with_the_name_of_each(folder: Path) -> None:
    trace = load([folder / "broker-1", folder / "broker-2"])

    assert {source.path.split("/")[0] for source in trace.sources} == {"broker-1", "broker-2"}
    assert [int(broker.broker_id) for broker in trace.brokers] == [1, 2, 3]


def bad_sources(tmp_path: Path) -> dict[str, Path]:
    good = sample_path("k0102-hw-loss").read_bytes()
    plain = lzma.decompress(good)
    sources = {
        "picture": ("case.png", PNG),
        "picture called archive": ("case2.tar.xz", PNG),
        "text of nobody": ("notes.txt", b"Dear all,\nnothing.\n"),
        "no bytes": ("server.log", b""),
        "log of another program": ("sshd.log", OTHER),
        "ZooKeeper's log": ("zookeeper.out", ZOOKEEPER),
        "truncated xz": ("cut.tar.xz", good[: len(good) // 2]),
        "truncated tar": ("cut.tar", plain[: len(plain) // 2]),
        "damaged xz": ("hurt.tar.xz", good[:5000] + b"\0" * 64 + good[5064:]),
        "truncated gz": ("cut.log.gz", gzip.compress(KAFKA * 1000)[:-20]),
        "zip that is none": ("case.zip", b"PK\x03\x04 and then nothing"),
        "7-Zip": ("case.7z", b"7z\xbc\xaf\x27\x1c\0\0"),
    }
    paths = {}
    for what, (name, data) in sources.items():
        paths[what] = tmp_path / name
        paths[what].write_bytes(data)
    paths["empty folder"] = tmp_path / "empty"
    paths["empty folder"].mkdir()
    paths["folder of pictures"] = tmp_path / "pictures"
    paths["folder of pictures"].mkdir()
    (paths["folder of pictures"] / "a.png").write_bytes(PNG)
    paths["nothing"] = tmp_path / "not-there"
    return paths


@pytest.mark.parametrize(
    "what",
    [
        "picture",
        "picture called archive",
        "text of nobody",
        "no bytes",
        "log of another program",
        "ZooKeeper's log",
        "truncated xz",
        "truncated tar",
        "damaged xz",
        "truncated gz",
        "zip that is none",
        "7-Zip",
        "empty folder",
        "folder of pictures",
        "nothing",
    ],
)
def test_bad_input_ends_in_one_message_that_says_what_where_and_what_to_do(what: str, tmp_path: Path) -> None:
    path = bad_sources(tmp_path)[what]

    with pytest.raises(SourceError) as caught:
        load([path])

    facts = in_words(caught.value)
    assert facts.what
    assert str(path) in facts.where
    assert facts.advice
    assert "\n" not in str(caught.value)


def test_a_file_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(KAFKA)

    def refuse(_path: Path, _flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    # root may read everything, so a mode of 000 would not do
    monkeypatch.setattr(os, "open", refuse)

    with pytest.raises(SourceError, match=r"cannot be read\. Permission denied") as caught:
        load([path])
    assert str(path) in in_words(caught.value).where


def test_an_archive_that_swells_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPANSION_FLOOR", 1 << 20)
    monkeypatch.setattr(limits, "MOST_EXPANSION", 200)
    bomb = tmp_path / "bomb.tar.gz"
    with tarfile.open(bomb, "w:gz") as archive:
        info = tarfile.TarInfo("server.log")
        info.size = 8 << 20
        archive.addfile(info, io.BytesIO(bytes(info.size)))

    with pytest.raises(SourceError, match="times its size"):
        load([bomb])


def test_archives_in_archives_end_somewhere(tmp_path: Path) -> None:
    data = KAFKA
    for _ in range(limits.MOST_NESTING + 2):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("in.zip" if data is not KAFKA else "server.log", data)
        data = stream.getvalue()
    path = tmp_path / "russian.zip"
    path.write_bytes(data)

    with pytest.raises(SourceError, match="archives lie inside archives"):
        load([path])


def test_too_many_partitions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_PARTITIONS", 3)
    (tmp_path / "server.log").write_bytes(b"".join(KAFKA.replace(b"-0 ", b"-%d " % n) for n in range(5)))

    with pytest.raises(SourceError, match=r"more partitions than any cluster has.*--topic"):
        load([tmp_path])


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_MEMBERS", 3)
    for number in range(5):
        (tmp_path / f"{number}.log").write_bytes(KAFKA)

    with pytest.raises(SourceError, match="more than 3 files"):
        list(members([tmp_path]))
