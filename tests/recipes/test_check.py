"""The recipe for a check: an in-sync set that the controller refused."""

import pytest

from tests.recipes.follow import Copy, follow

FOLDER = "core/diagnose/verdict"
ROW = """\
    (
        "isr-refused",
        _NOTICE,
        None,
        message("check.isr-refused.title"),
        message("check.isr-refused.looks-for"),
        message("check.isr-refused.advice"),
    ),
"""
IMPORT = """\
from core.diagnose.verdict.findings_isr import (
    by_min_isr,
    flapping,
    last_replicas,
    paused_leaders,
    under_min_isr,
)
"""
IMPORT_LONGER = """\
from core.diagnose.verdict.findings_isr import (
    by_min_isr,
    flapping,
    last_replicas,
    paused_leaders,
    refused_sets,
    under_min_isr,
)
"""
FUNCTION = '''\
def refused_sets(case: Case) -> Iterable[Finding]:
    """An in-sync set that a leader proposed and the controller did not take."""
    for row in case.view.rows.of(frozenset({"isr_update_rejected"})):
        if row.broker is not None:
            sentence = message("finding.isr-refused", who=who(case, row.broker))
            yield made(case, "isr-refused", row, (row.broker,), sentence)


'''
ENGLISH = """
#. who: the leader
msgid "finding.isr-refused"
msgstr "An in-sync set that {who} proposed was refused."

#. A check in two or three words.
msgid "check.isr-refused.title"
msgstr "ISR refused"

#. What a check looks for.
msgid "check.isr-refused.looks-for"
msgstr "An in-sync set that a leader proposed was refused"

#. What to do or to read next.
msgid "check.isr-refused.advice"
msgstr "Look at the leader: it may have led on after another was elected"
"""
CHINESE = """
msgid "finding.isr-refused"
msgstr "{who} 提议的同步集合被拒绝。"

msgid "check.isr-refused.title"
msgstr "ISR 被拒"

msgid "check.isr-refused.looks-for"
msgstr "领导者提议的同步集合被拒绝"

msgid "check.isr-refused.advice"
msgstr "检查该领导者：它可能在别的领导者当选后仍以领导者自居"
"""
STORY = """

@pytest.mark.parametrize(("kind", "told"), [("isr_update_rejected", 1), ("isr_committed", 0)])
def test_a_set_that_was_refused_and_one_that_was_taken(kind: str, told: int) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("isr_shrink_proposed", 1, isr=(1,))
    story.add(kind, 1, isr=(1,))

    assert texts(of(story, "isr-refused")) == ["An in-sync set that broker 1 proposed was refused."] * told
"""


def write_the_function(copy: Copy) -> None:
    copy.insert(f"{FOLDER}/findings_isr.py", FUNCTION, before="def under_min_isr(")
    name = f"{FOLDER}/findings.py"
    text = (copy.root / name).read_text(encoding="utf-8")
    assert IMPORT in text
    copy.put(name, text.replace(IMPORT, IMPORT_LONGER))
    copy.insert(name, "        *refused_sets(case),\n", before="        *zombies(case),\n")


def write_the_sentences(copy: Copy) -> None:
    copy.append("gui/locales/en/verdict.po", ENGLISH)
    copy.append("gui/locales/zh/verdict.po", CHINESE)


@pytest.mark.long
@pytest.mark.slow
def test_a_check(copy: Copy) -> None:
    follow(
        copy,
        "Add a check",
        {
            1: lambda copy: copy.insert(
                f"{FOLDER}/checks.py", ROW, before='    (\n        "clock-contradiction",'
            ),
            2: write_the_function,
            3: write_the_sentences,
            4: lambda copy: copy.append("tests/core_diagnose/test_findings.py", STORY),
        },
        words={"id": "isr-refused", "subject": "isr"},
        left_out=3,
        reds={
            "test_every_id_that_is_made_is_in_the_catalogue",
            "test_a_set_that_was_refused_and_one_that_was_taken",
        },
    )
