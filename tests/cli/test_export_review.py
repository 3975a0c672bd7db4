"""`export --redact --review` lists what stays in clear and what is replaced, and writes nothing."""

from pathlib import Path

import pytest

from core.trace.redact import USUAL, What, redaction_of
from core.trace.redact_review import review_of, review_text
from core.words import speaking
from db.document import create
from tests.cli.conftest import Tell
from tests.core_trace.test_redact import incident


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "case.tide"
    lines = (
        "INFO [Partition orders-0 broker=1] orders-0 starts at leader epoch 4 from offset 15",
        "INFO clientId=billing-7 met Frodo at zeus-1.acme.example:9092",
    )
    create(path, [incident(*lines, topic="orders")])
    return path


def test_it_lists_both_and_writes_nothing(tell: Tell, document: Path, tmp_path: Path) -> None:
    told = tell("export", document, "--redact", "--review", "-o", tmp_path / "a.svg")

    assert told.code == 0
    assert list(tmp_path.iterdir()) == []
    assert "In clear, and no words of Kafka (0)" in told.out
    clear, _, replaced = told.out.partition("Replaced: host names (1)")
    assert all(f"  {word}\n" in clear for word in ("orders", "epoch", "offset"))
    assert not any(word in clear for word in ("billing", "Frodo", "zeus"))
    assert "  zeus-1.acme.example → host-1\n" in replaced
    assert "  billing-7 → client-1\n" in replaced
    assert "  Frodo → word-" in replaced


def test_it_needs_no_file_and_speaks_chinese(tell: Tell, document: Path) -> None:
    told = tell("export", document, "--redact", "--review", "--lang", "zh")
    assert told.code == 0
    assert "保留原文：主题" in told.out


@pytest.mark.parametrize(
    ("words", "told"),
    [(("--review",), "add --redact"), (("--redact",), "Missing option '-o'"), ((), "Missing option '-o'")],
)
def test_what_is_missing_is_told(tell: Tell, document: Path, words: tuple[str, ...], told: str) -> None:
    answer = tell("export", document, *words)
    assert answer.code == 2
    assert told in answer.err


def test_the_words_that_stay_are_counted_and_those_of_nobody_come_first() -> None:
    trace = incident("INFO leader leader 12 13 12 of Frodo", topic="orders")
    some = redaction_of([trace], (What.HOSTS,))
    all_of_them = redaction_of([trace], USUAL)

    kept = review_of(some, [some.trace(trace)], ["Frodo again"])
    strict = review_of(all_of_them, [all_of_them.trace(trace)])

    assert kept.unknown[0] == ("Frodo", 2)
    assert strict.unknown == ()
    assert dict(kept.words)["leader"] == dict(strict.words)["leader"] == 2
    assert strict.topics == (("orders", 1),)
    numbers = review_of(all_of_them, [all_of_them.trace(trace)], ["12 14"]).numbers
    assert numbers[0] == strict.numbers[0] + 2
    assert numbers[1] == strict.numbers[1] + 1


def test_a_long_list_says_how_much_it_leaves_out() -> None:
    trace = incident(" ".join(f"xname{number}" for number in range(1000)))
    redaction = redaction_of([trace])
    with speaking("en"):
        text = review_text(review_of(redaction, [redaction.trace(trace)]))
    assert "Replaced: other words (1,0" in text
    assert "more" in text.splitlines()[-1]
