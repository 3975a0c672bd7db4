"""`tidegauge doctor`: what is installed, what is missing, and the command that mends it."""

import importlib
import importlib.metadata
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.sweeping import clean as clean_up
from core.sweeping import stays
from gui.commands import options, texts
from gui.commands.leftovers import sentence_of
from gui.commands.screen import has_screen
from gui.commands.terminal import print_json, print_line, print_table
from gui.text.spoken import tr
from spark.java import JAVA_NEEDED, java_version

_PACKAGES = (
    "numpy",
    "SQLAlchemy",
    "alembic",
    "zstandard",
    "cramjam",
    "click",
    "rich",
    "PySide6-Essentials",
    "pyqtgraph",
    "pyarrow",
    "pyspark",
)
_STATE: Final = {
    (True, True): "command.doctor.kept",
    (False, True): "command.doctor.ok",
    (False, False): "command.doctor.missing",
}
"""By whether it was kept from a stopped run, and whether it is well."""
_FONTS = Path(__file__).parent.parent / "fonts"
_QT_LIBRARIES = "libgl1 libegl1 libxkbcommon0 libfontconfig1 libfreetype6 libdbus-1-3 libglib2.0-0 libx11-6"
_PROBE = "from PySide6.QtGui import QGuiApplication as App; app = App([]); print(App.platformName())"


@dataclass(frozen=True, slots=True)
class Checked:
    """One thing that was looked at. `advice` is what mends it, "" where it is well.

    `kept`: it was left by a run that was stopped, and `advice` says what can be done with it.
    """

    what: str
    well: bool
    found: str
    advice: str = ""
    kept: bool = False


@texts.command("doctor", "command.doctor.help")
@texts.option("--clean", is_flag=True, help="command.option.clean")
@options.as_json
def command(*, clean: bool, as_json: bool) -> int:
    """Look, and tell."""
    removed = clean_up().removed if clean else ()
    found = (
        *examine(),
        *(Checked(tr("command.doctor.removed"), True, str(path)) for path in removed),
        *(
            Checked(tr("command.doctor.kept-from-run"), True, str(one.path), sentence_of(one), True)
            for one in stays()
        ),
    )
    missing = [one for one in found if not one.well or one.kept]
    if as_json:
        print_json(
            [
                {"what": one.what, "well": one.well, "found": one.found or None, "advice": one.advice or None}
                for one in found
            ],
        )
        return 0
    print_table(
        ("", "command.head.what", "command.head.found"),
        [(tr(_STATE[one.kept, one.well]), one.what, one.found) for one in found],
    )
    for one in missing:
        print_line()
        print_line(tr("command.doctor.mended-by", what=one.what, advice=one.advice))
    return 0


def examine() -> Iterator[Checked]:
    """Look at everything that some command needs, in the order in which it is needed."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Checked(
        tr("command.doctor.python"), sys.version_info >= (3, 11), version, tr("command.doctor.python.way-out")
    )
    for package in _PACKAGES:
        yield _package(package)
    yield _fonts()
    yield _qt()
    yield Checked(
        tr("command.doctor.display"),
        has_screen(),
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or tr("report-rows.none"),
        tr("command.doctor.display.way-out"),
    )
    yield _java()


def _package(name: str) -> Checked:
    try:
        return Checked(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Checked(name, False, "", f"{sys.executable} -m pip install {name}")


def _fonts() -> Checked:
    found = [*_FONTS.glob("*.ttf"), *_FONTS.glob("*.otf")]
    return Checked(
        tr("command.doctor.fonts"),
        len(found) > 0,
        tr("command.doctor.files", number=len(found)),
        tr("command.doctor.fonts.way-out"),
    )


def _qt() -> Checked:
    """Start Qt in a process of its own: where a library is missing, Qt ends the process."""
    environment = dict(os.environ)
    if not has_screen():
        environment["QT_QPA_PLATFORM"] = "offscreen"
    probe = subprocess.run(
        [sys.executable, "-c", _PROBE],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )
    if probe.returncode == 0:
        return Checked("Qt", True, tr("command.doctor.platform", name=probe.stdout.strip()))
    missing = re.search(r"(lib[\w.+-]+\.so[\w.]*)", probe.stderr)
    why = (
        missing[1]
        if missing
        else (probe.stderr.strip().splitlines() or [tr("command.doctor.no-message")])[-1]
    )
    return Checked("Qt", False, why, tr("command.doctor.debian", packages=_QT_LIBRARIES))


def _java() -> Checked:
    found = java_version()
    return Checked(
        tr("command.doctor.java", version=JAVA_NEEDED),
        found is not None and found >= JAVA_NEEDED,
        tr("report-rows.none") if found is None else str(found),
        tr("command.doctor.debian", packages="openjdk-17-jre-headless"),
    )
