"""What core calls things has a word for a person, in both languages."""

import pytest

from core.diagnose.narrate.story_words import CAUSES, ELECTIONS
from core.diagnose.verdict.checks import CHECKS
from core.diagnose.verdict.facts import LossClass, Severity
from core.history.state import Role
from core.trace.kind_words import KINDS, kind_words
from core.trace.vocabulary import NAME, Basis
from gui import terms
from gui.i18n import use_language
from importers.preview import Is


@pytest.mark.usefixtures("qapp")
def test_every_kind_of_event_is_named_by_its_own_words() -> None:
    assert set(KINDS) == set(NAME.values())
    use_language("zh")
    assert all(any("一" <= sign <= "鿿" for sign in kind_words(kind)) for kind in KINDS)
    assert kind_words("hw_moved") == "高水位移动"
    use_language("en")
    assert {kind: kind_words(kind) for kind in KINDS} == {kind: kind.replace("_", " ") for kind in KINDS}


@pytest.mark.usefixtures("qapp")
def test_every_check_has_a_title_of_its_own() -> None:
    assert len({terms.check_words(check.id) for check in CHECKS}) == len(CHECKS)
    assert terms.check_words("hw-above-leo") == "HW above LEO"
    use_language("zh")
    assert terms.check_words("committed-loss") == "已提交记录丢失"
    use_language("en")


def test_every_value_of_an_enumeration_that_is_shown_has_a_word() -> None:
    shown = {
        *(one.value for kinds in (LossClass, Severity, Role, Is) for one in kinds),
        *(one.name.lower() for one in Basis),
        *(election.replace("_", "-") for election in ELECTIONS),
        *(cause.replace("-", " ") for cause in CAUSES),
    }

    assert shown - set(terms.WORDS) == set()


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0, "0 %"), (0.001, "1 %"), (0.5, "50 %"), (0.994, "99 %"), (0.9996, "99 %"), (1, "100 %")],
)
def test_a_share_says_all_or_nothing_only_of_all_or_nothing(share: float, shown: str) -> None:
    assert terms.percent(share) == shown
