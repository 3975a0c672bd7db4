"""Bring the list of words that stay in a redacted export up to date with the grammar.

    python .ci/kafka_words.py            write core/trace/kafka_words.txt
    python .ci/kafka_words.py --check    write nothing; fail where the file is not what it would be

The words are those of the rules in importers/kafka/ (the literal text of their patterns and their samples)
and those of the English sentences that importers/ makes for facts and reports, with and without a catalogue
(gui/locales): documents of earlier versions keep reports as text. Names that samples invented
(INVENTED) and ids are left out: a new sample with a name of its own needs that name added here.
"""

import ast
import re
import re._parser as parser  # type: ignore[import-not-found]
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "core" / "trace" / "kafka_words.txt"
WORD = re.compile(r"[^\W\d_][^\W_]*")
INVENTED = frozenset((
    *("accounts", "audit", "bb", "beacons", "bookings", "breach", "carts", "clicks", "dashboards"),
    *("data1", "data2", "docker", "durable", "invoices", "ledger", "moves", "o91x", "orders", "sessions"),
    *("shop", "t1", "trades"),
))  # fmt: skip
"""Topics, hosts and folders of the samples. Kafka does not say these words of itself."""
_ID = re.compile(r"(?=.*\d)(?!(?:iv|set|map|v|x|offset)\d+$|log4j|x509|lz4|sha256|utf8|bz2|argparse4j).*")
_ZONES = ("zones.py", "years.py", "stamps.py")
"""Their literals are names of cities and forms of dates."""


def main(arguments: list[str]) -> int:
    """Write the list, or compare it."""
    words = of_rules() | of_sentences()
    if "--check" not in arguments:
        TARGET.write_text("".join(f"{word}\n" for word in sorted(words)), encoding="utf-8")
        return 0
    differing = words ^ set(TARGET.read_text(encoding="utf-8").split())
    if differing:
        named = ", ".join(sorted(differing))
        sys.stderr.write(f"run python .ci/kafka_words.py: {TARGET.name} lacks or keeps {named}\n")
    return 1 if differing else 0


def of_rules() -> set[str]:
    """Every word of the rules, in small letters."""
    sys.path.insert(0, str(ROOT))
    from importers.kafka.grammar import RULES  # noqa: PLC0415 - where it lies is told just before

    said: set[str] = set()
    for rule in RULES:
        said.update(word.lower() for text in without_ids(rule.samples) for word in WORD.findall(text))
    # What follows a class, as in "[fF]ailed", is the end of a word that a sample has.
    ends = {word[start:] for word in said for start in range(1, len(word))}
    found = set(said)
    for rule in RULES:
        for text in literals(parser.parse(rule.pattern)):
            words = (word.lower() for word in WORD.findall(text))
            found.update(word for word in words if len(word) > 2 and word not in ends)
    return _plain(found)


def of_sentences() -> set[str]:
    """Every word of the sentences that the importers make, in small letters."""
    every = sorted((ROOT / "importers").rglob("*.py"))
    # What is wrong with a table of other people is in no report.
    # Of the grammar's own modules the one that names what became of a line: reports have that as keys.
    paths = [path for path in every if path.parent.name != "kafka" or path.name == "drafts.py"]
    paths = [path for path in paths if path.name not in _ZONES and path.parent.name != "contract"]
    told, texts = catalogued(), {text for path in paths for text in sentences(path)}
    said = [*(texts - told.keys()), *(text for id_ in sorted(texts & told.keys()) for text in told[id_])]
    return _plain({word.lower() for text in said for word in WORD.findall(text) if len(word) > 2})


def catalogued() -> dict[str, list[str]]:
    """The English sentences by id, a singular and its plural one by one, without their places."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "gui" / "locales" / "en").glob("*.po")):
        with path.open("rb") as file:
            entries = [entry for entry in read_po(file, locale="en") if entry.id]
        for entry in entries:
            id_, texts = (one if isinstance(one, tuple) else (one,) for one in (entry.id, entry.string))
            found[id_[0]] = [re.sub(r"\{[^}]*\}", " ", text) for text in texts]
    return found


def _plain(found: set[str]) -> set[str]:
    return {word for word in found if word.isascii() and word not in INVENTED and not _ID.fullmatch(word)}


def without_ids(samples: tuple[str, ...]) -> Iterator[str]:
    """Samples without ids of 22 letters or 32 hexadecimal digits, and without hashes of objects."""
    for sample in samples:
        yield re.sub(r"(?<![\w-])(?=[\w-]*\d)[\w-]{22}(?![\w-])|[0-9a-f]{32}|(?<=[@$])[0-9a-f]+", " ", sample)


def literals(tree: Any) -> Iterator[str]:  # noqa: ANN401 - the parser's own rows
    """The literal texts of a parsed pattern."""
    run: list[str] = []
    for operation, value in tree:
        name = str(operation)
        if name == "LITERAL":
            run.append(chr(value))
            continue
        yield "".join(run)
        run = []
        if name == "SUBPATTERN":
            yield from literals(value[3])
        elif name == "BRANCH":
            for branch in value[1]:
                yield from literals(branch)
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from literals(value[2])
    yield "".join(run)


def sentences(path: Path) -> Iterator[str]:
    """The texts that a module holds, without its docstrings and its types in quotes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    told |= {id(part) for kind in _types(tree) for part in ast.walk(kind)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def _types(tree: ast.Module) -> Iterator[ast.expr]:
    """What a module says of types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield node.returns
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
            yield node.args[0]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
