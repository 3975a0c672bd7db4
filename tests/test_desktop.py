"""The desktop finds the program and its documents: docs/desktop."""

import configparser
import os
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from db.document import create
from db.recognise import APPLICATION_ID, SUFFIX

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "desktop"
SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


def test_the_entry_starts_the_program_with_the_files_and_names_the_type() -> None:
    reader = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    reader.optionxform = str  # type: ignore[assignment, method-assign]
    reader.read(FOLDER / "tidegauge.desktop", encoding="utf-8")
    entry = reader["Desktop Entry"]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    (kind,) = ET.parse(FOLDER / "tidegauge.xml").getroot()  # noqa: S314 - our own file

    assert entry["Exec"] == "tidegauge open %F"
    assert "tidegauge" in scripts
    assert entry["MimeType"].rstrip(";") == kind.get("type")
    assert [one.get("pattern") for one in kind.iter(f"{SPACE}glob")] == [f"*{SUFFIX}"]


def test_the_type_is_known_by_the_bytes_of_a_document(tmp_path: Path) -> None:
    create(tmp_path / "a.tide", [simulate(scenario("hw-loss"), era("2.8"))])
    head = (tmp_path / "a.tide").read_bytes()[:72]
    (kind,) = ET.parse(FOLDER / "tidegauge.xml").getroot()  # noqa: S314 - our own file
    text, number = kind.iter(f"{SPACE}match")

    assert head.startswith((text.get("value") or "").replace(r"\0", "\0").encode())
    assert (number.get("type"), int(number.get("value") or "", 16)) == ("big32", APPLICATION_ID)
    assert head[int(number.get("offset") or 0) :] == APPLICATION_ID.to_bytes(4, "big")


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="shared-mime-info is not installed")
def test_the_database_of_types_takes_it(tmp_path: Path) -> None:
    packages = tmp_path / "mime" / "packages"
    packages.mkdir(parents=True)
    shutil.copy(FOLDER / "tidegauge.xml", packages)
    done = subprocess.run(
        ["update-mime-database", str(tmp_path / "mime")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)},
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "tide" in (tmp_path / "mime" / "globs2").read_text("utf-8")
