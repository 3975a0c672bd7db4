"""Check the catalogues of sentences and compile them: `make catalogues` (gui/locales/README.md)."""

import re
import sys
from collections import Counter
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALES: Final = ROOT / "gui" / "locales"
FIRST: Final = "en"
ID: Final = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)+")


def read(path: Path) -> Catalog:
    """A catalogue. Raises what Babel raises for a file that is none."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.name, abort_invalid=True)


def sentences(catalogue: Catalog) -> dict[str, Message]:
    """The entries by id, without the head."""
    found: dict[str, Message] = {}
    for entry in catalogue:
        if entry.id:
            found[entry.id if isinstance(entry.id, str) else entry.id[0]] = entry
    return found


def forms(entry: Message) -> tuple[str, ...]:
    """The sentence, or its singular and plurals."""
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)


def places(text: str) -> frozenset[str]:
    """The names of the values that a sentence has places for."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def all_places(entry: Message) -> frozenset[str]:
    """The same of all forms of an entry."""
    return frozenset[str]().union(*(places(form) for form in forms(entry)))


def compiled(path: Path) -> bytes:
    """What the `.mo` file beside a `.po` file holds. The same each time: Babel would write the date."""
    catalogue, out = read(path), BytesIO()
    catalogue.creation_date = datetime.fromtimestamp(0, UTC)
    write_mo(out, catalogue)
    return out.getvalue()


def faults() -> list[str]:
    """What is wrong with the catalogues, a line each."""
    found: list[str] = []
    seen: dict[str, Path] = {}
    english = {path.name: sentences(read(path)) for path in sorted((LOCALES / FIRST).glob("*.po"))}
    for name, entries in english.items():
        for id_, entry in entries.items():
            if not ID.fullmatch(id_):
                found.append(f"{name}: {id_} is no id: small letters, digits, dots and hyphens")
            if id_ in seen:
                found.append(f"{name}: {id_} stands in {seen[id_]}, too")
            seen[id_] = Path(name)
            wanted = all_places(entry)
            told = " ".join(entry.auto_comments)
            unsaid = sorted(one for one in wanted if not re.search(rf"\b{one}:", told))
            if unsaid:
                found.append(f"{name}: {id_}: the comment does not say what {', '.join(unsaid)} is")
    for path in sorted(LOCALES.glob("*/*.po")):
        found += _twice(path)
        if path.parent.name != FIRST:
            found += _against(path, english.get(path.name, {}))
    return found


def _twice(path: Path) -> list[str]:
    """Ids that stand in a file more than once: Babel keeps the last one and says nothing."""
    ids = Counter(re.findall(r'^msgid "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE))
    where = path.relative_to(LOCALES).as_posix()
    return [f"{where}: {id_} stands there {count} times" for id_, count in ids.items() if count > 1]


def _against(path: Path, english: dict[str, Message]) -> list[str]:
    """What a translation has too much, too little, or with other places."""
    where = path.relative_to(LOCALES).as_posix()
    entries = sentences(read(path))
    found = [f"{where}: {id_} is not in {FIRST}" for id_ in entries if id_ not in english]
    found += [f"{where}: {id_} is missing" for id_ in english if id_ not in entries]
    for id_, entry in entries.items():
        wanted = (
            {place for form in forms(english[id_]) for place in places(form)} if id_ in english else set()
        )
        for form in forms(entry):
            strange = places(form) - wanted
            if not form or strange:
                found.append(
                    f"{where}: {id_}: {'no text' if not form else 'no value ' + ', '.join(sorted(strange))}"
                )
    return found


def main() -> int:
    """Check; where nothing is wrong, write the `.mo` files."""
    wrong = faults()
    if wrong:
        sys.stderr.write("\n".join(wrong) + "\n")
        return 1
    for path in sorted(LOCALES.glob("*/*.po")):
        path.with_suffix(".mo").write_bytes(compiled(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
