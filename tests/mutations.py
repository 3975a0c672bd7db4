"""Files that an engineer could have, spoiled in every way that disks, networks, tools and enemies know."""

import bz2
import gzip
import io
import json
import lzma
import random
import re
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import zstandard

EXTREMES = (0, 1, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 2**32)
NAMES = ("../../../escaped.log", "/tmp/escaped.log", "..\\..\\escaped.log", "C:\\escaped.log", "a" * 300)  # noqa: S108
NUMBER = re.compile(rb"\d+")
Chance = random.Random


def seeds(case: Path) -> dict[str, bytes]:
    """Small whole files of every kind that is read, by the path that they have in a source."""
    found: dict[str, bytes] = {}
    for path in sorted(case.rglob("*")):
        name = path.relative_to(case).as_posix()
        if path.is_file() and not name.endswith((".index", ".timeindex", ".md", ".json")):
            data = path.read_bytes()
            found[name] = data if len(data) < 30_000 else data[: data.rfind(b"\n", 0, 30_000) + 1] or data
    log = found["broker-1/logs/server.log"][:8_000]
    lines = log.decode().splitlines()
    stamp = "2026-11-21T03:28:40.1Z"
    found["broker-1/cri/0.log"] = "".join(f"{stamp} stdout F {line}\n" for line in lines).encode()
    found["broker-1/docker/x-json.log"] = "".join(
        json.dumps({"log": line + "\n", "stream": "stdout", "time": stamp}) + "\n" for line in lines
    ).encode()
    found["compose.log"] = "".join(f"kafka-{n % 3}  | {line}\n" for n, line in enumerate(lines)).encode()
    found["messages"] = "".join(f"Nov 21 03:28:40 h kafka[1]: {line}\n" for line in lines).encode()
    found["objects.log"] = "".join(
        json.dumps({"@timestamp": stamp, "log.level": "INFO", "message": line[31:]}) + "\n" for line in lines
    ).encode()
    rows = (
        f'"{stamp}","kafka-{n % 3}","{line.replace(chr(34), chr(34) * 2)}"\n' for n, line in enumerate(lines)
    )
    found["search.csv"] = ('"@timestamp","host","message"\n' + "".join(rows)).encode()
    return found


def flipped(data: bytes, chance: Chance) -> bytes:
    spoiled = bytearray(data)
    for _ in range(chance.choice((1, 3, 30))):
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
    return bytes(spoiled)


def cut(data: bytes, chance: Chance) -> bytes:
    start = chance.choice((0, 0, chance.randrange(len(data))))
    return data[start : start + chance.randrange(len(data))]


def doubled(data: bytes, chance: Chance) -> bytes:
    start = chance.randrange(len(data))
    part = data[start : start + chance.randrange(4_000)]
    place = chance.randrange(len(data))
    return data[:place] + part * chance.choice((1, 2, 40)) + data[place:]


def zeroed(data: bytes, chance: Chance) -> bytes:
    place, size = chance.randrange(len(data)), chance.choice((1, 100, 5_000))
    return data[:place] + bytes(size) + data[place + chance.choice((0, size)) :]


def invalid(data: bytes, chance: Chance) -> bytes:
    place = chance.randrange(len(data))
    return (
        data[:place]
        + chance.choice((b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\r", b"\x1b[31m"))
        + data[place:]
    )


def lying_text(data: bytes, chance: Chance) -> bytes:
    """Another number in place of one: counts, offsets, ids, times."""
    numbers = list(NUMBER.finditer(data[:20_000]))
    for match in chance.sample(numbers, min(len(numbers), chance.choice((1, 1, 5)))):
        value = str(chance.choice((*EXTREMES, 10**30, 99, 60))).encode()
        data = data[: match.start()] + value + data[match.end() :]
    return data


def lying_bytes(data: bytes, chance: Chance) -> bytes:
    """An extreme in place of a binary number, at any byte."""
    size = chance.choice((1, 2, 4, 8))
    value = chance.choice(EXTREMES) & ((1 << 8 * size) - 1)
    place = chance.choice((chance.randrange(len(data)), chance.randrange(min(len(data), 70))))
    return data[:place] + value.to_bytes(size, "big") + data[place + size :]


def huge_line(data: bytes, chance: Chance) -> bytes:
    place = chance.randrange(len(data))
    return (
        data[:place] + chance.choice((b"x", b"[", b"1,", b"t-0, ", b'{"a":', b" ")) * 200_000 + data[place:]
    )


def deep(data: bytes, chance: Chance) -> bytes:
    return chance.choice((b'{"log":', b"[", b'{"message":"')) * 50_000 + data


SPOIL: tuple[Callable[[bytes, Chance], bytes], ...] = (
    flipped, flipped, flipped, cut, cut, doubled, zeroed, invalid, lying_text, lying_text, lying_bytes,
    lying_bytes,
)  # fmt: skip
RARE: tuple[Callable[[bytes, Chance], bytes], ...] = (huge_line, deep)


def spliced(files: Mapping[str, bytes], data: bytes, chance: Chance) -> bytes:
    other = files[chance.choice(sorted(files))]
    place, start = chance.randrange(len(data)), chance.randrange(max(1, len(other)))
    return data[:place] + other[start : start + chance.randrange(5_000)] + data[place:]


def spoiled(files: Mapping[str, bytes], data: bytes, chance: Chance) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4))):
        if not data:
            break
        if chance.random() < 0.1:
            data = spliced(files, data, chance)
        else:
            way = chance.choice(RARE) if chance.random() < 0.02 else chance.choice(SPOIL)
            data = way(data, chance)
    return data


def tarred(files: Mapping[str, bytes], chance: Chance) -> bytes:
    """A tar, some of whose members have hostile names or are links and devices."""
    stream = io.BytesIO()
    kinds = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE)
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(chance.choice(NAMES) if chance.random() < 0.2 else name)
            info.size, info.mtime = len(data), chance.choice((0, 1_795_231_720, -5, 2**40))
            if chance.random() < 0.1:
                info.type, info.linkname, info.size = chance.choice(kinds), "/etc/passwd", 0
                archive.addfile(info)
            else:
                archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def zipped(files: Mapping[str, bytes], chance: Chance) -> bytes:
    """A zip with hostile names, sometimes one twice."""
    stream = io.BytesIO()
    way = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", way) as archive:
        warnings.simplefilter("ignore")
        for name, data in files.items():
            archive.writestr(chance.choice(NAMES) if chance.random() < 0.2 else name, data)
    return stream.getvalue()


def bomb(chance: Chance) -> bytes:
    """Little that becomes much; the tests lower the limits, so that much is not very much."""
    zeros = bytes(8 << 20)
    once = chance.choice(PACKERS)(zeros)
    return chance.choice(
        (once, chance.choice(PACKERS)(once * 4), zipped({f"{n}.log": zeros for n in range(3)}, chance))
    )


PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: gzip.compress(data, 6),
    lambda data: lzma.compress(data, preset=0),
    bz2.compress,
    zstandard.compress,
)
SUFFIXES = ("", ".gz", ".xz", ".bz2", ".zst", ".tar", ".zip", ".tar.gz", ".log")


def write_case(number: int, files: Mapping[str, bytes], folder: Path) -> Path:
    """The case of that number below `folder`, always the same; what to open is returned."""
    chance = Chance(number)
    name = chance.choice(sorted(files))
    data = files[name]
    kind = chance.random()
    if kind < 0.55:
        target = folder / "case" / name
        data = spoiled(files, data, chance)
    else:
        inside = {one: files[one] for one in chance.sample(sorted(files), chance.choice((1, 2, 4)))}
        if chance.random() < 0.5:
            inside[name] = spoiled(files, data, chance)
        data = bomb(chance) if kind > 0.99 else chance.choice((tarred, zipped))(inside, chance)
        for _ in range(chance.choice((0, 1, 1, 2, 9))):
            again = (
                chance.choice(PACKERS)
                if chance.random() < 0.8
                else lambda one: zipped({"in.zip": one}, chance)
            )
            data = again(data)
        if chance.random() < 0.7:
            data = spoiled(files, data, chance)
        target = folder / "case" / f"broker-{chance.randrange(3)}{chance.choice(SUFFIXES)}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    if chance.random() < 0.2:
        (folder / "case" / "good.log").write_bytes(files["broker-1/logs/server.log"][:3_000])
    if chance.random() < 0.05:
        target_of_link = chance.choice(("/etc", "/etc/passwd", "..", "case", "."))
        (folder / "case" / "link.log").symlink_to(target_of_link)
    return folder / "case" if chance.random() < 0.8 else target
