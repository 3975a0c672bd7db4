"""The ten texts of docs/explained, made from recordings. Read them beside each README before they change.

`make goldens` writes them anew.
"""

import re
from pathlib import Path

import pytest

from core.diagnose.account.report import report_markdown
from core.diagnose.narrate.story import tell
from core.diagnose.verdict.check import diagnose_partition
from core.history.open import open_history
from gui.text.render import renderer
from tests.goldens import updating
from tests.recordings.whole import grouped, whole

DOCS = Path(__file__).parent.parent.parent / "docs" / "explained"
TOLD = {
    "k0102-hw-loss": "orders-0",
    "k0102-divergence": "payments-0",
    "k011-epoch-fix": "orders-0",
    "k111-kip279-divergence": "trades-0",
    "k28-epoch-fix": "orders-0",
    "k28-ibp0102-hw-loss": "orders-0",
    "k28-unclean-loss": "events-0",
    "k28-isr-flap": "metrics-1",
    "k39-unclean-loss": "events-0",
    "k43-elr": "accounts-0",
}


def english_left(text: str) -> bool:
    """Whether a sentence is not Chinese: no sign of it, or three English words in a row."""
    names = re.sub(r"[Bb]roker \d+|log end offset|high watermark|leader epoch|broker epoch", "", text)
    return not re.search("[\u4e00-\u9fff]", text) or bool(
        re.search(r"[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}", names)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(TOLD))
def test_the_text_in_docs_is_what_explain_says(name: str) -> None:
    trace = whole(name).trace
    index = trace.partition_index(TOLD[name])
    assert index is not None
    history = open_history(trace, index)

    verdict = diagnose_partition(history)
    text = report_markdown(trace, verdict, tell(history, verdict), renderer())

    kept = DOCS / f"{name}.md"
    if updating():
        kept.write_text(text, encoding="utf-8")
    assert text == kept.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(TOLD))
def test_in_chinese_no_sentence_is_left_in_english(name: str) -> None:
    trace = whole(name).trace
    index = trace.partition_index(TOLD[name])
    assert index is not None
    history = open_history(trace, index)

    story = tell(history, diagnose_partition(history))

    sentences = [*story.summary, *(one for section in story.sections for one in section.sentences)]
    assert [text for text in map(renderer("zh"), sentences) if english_left(text)] == []


def test_there_are_as_many_texts_as_recordings_told() -> None:
    assert {path.stem for path in DOCS.glob("k*.md")} == set(TOLD)
