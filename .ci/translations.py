"""Bring the window's catalogue up to date, and say what is not translated yet.

    python .ci/translations.py            write gui/translations/*.ts (lupdate) and *.qm (lrelease)
    python .ci/translations.py --check    write nothing; fail where the files are not what they would be

Texts that are gone from the program leave the catalogue. Exit code 1 where a text has no finished
translation, or --check finds a difference.
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import PySide6

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "gui" / "translations" / "tidegauge_zh_CN.ts"
TOOLS = Path(PySide6.__file__).parent


def main(arguments: list[str]) -> int:
    """Run the two tools of Qt Linguist, on copies where nothing is to be written."""
    check = "--check" in arguments
    with tempfile.TemporaryDirectory() as folder:
        # The catalogue stands in its own folder while lupdate runs: nothing else is left of the way to it.
        made = Path(folder) / CATALOGUE.name
        if CATALOGUE.exists():
            made.write_bytes(CATALOGUE.read_bytes())
        sources = sorted(str(path) for path in (ROOT / "gui").rglob("*.py"))
        lupdate = (tool("lupdate"), *sources, "-tr-function-alias", "QT_TR_NOOP+=mark", "-locations", "none")
        kept = ("-no-obsolete", "-sort-messages", "-source-language", "en", "-silent")
        run(*lupdate, *kept, "-disable-heuristic", "similartext", "-ts", str(made))
        run(tool("lrelease"), "-silent", str(made), "-qm", str(made.with_suffix(".qm")))
        missing = unfinished(made)
        stale: list[str] = []
        for path in (made, made.with_suffix(".qm")):
            kept_path = CATALOGUE.with_name(path.name)
            if check and (not kept_path.exists() or kept_path.read_bytes() != path.read_bytes()):
                stale.append(f"{kept_path.name} is not up to date: run python .ci/translations.py")
            elif not check:
                kept_path.write_bytes(path.read_bytes())
    lines = [*(f"not translated: {text}" for text in missing), *stale]
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return 1 if lines else 0


def tool(name: str) -> str:
    """The program itself, not its wrapper in Python, which takes half a second more."""
    return str(
        next(
            path
            for path in (TOOLS / name, TOOLS / f"{name}.exe", TOOLS / "Qt" / "libexec" / name)
            if path.exists()
        )
    )


def run(*command: str) -> None:
    """Run a tool; what it complains of goes to the terminal."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def unfinished(catalogue: Path) -> list[str]:
    """The texts without a finished translation."""
    found: list[str] = []
    for message in ET.parse(catalogue).iter("message"):  # noqa: S314 - our own file
        translation = message.find("translation")
        if translation is None or translation.get("type") or not translation.text:
            found.append(message.findtext("source", ""))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
