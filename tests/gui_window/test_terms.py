"""What core calls things has a word for a person, in both languages."""

from core.diagnose.checks import CHECKS
from core.diagnose.story_words import CAUSES, ELECTIONS
from core.diagnose.verdict import LossClass, Severity
from core.history.state import Role
from core.trace.vocabulary import NAME, Basis
from gui import terms
from importers.preview import Is


def test_every_kind_of_event_is_named_by_its_own_words() -> None:
    assert dict(terms.KINDS) == {kind: kind.replace("_", " ") for kind in NAME.values()}


def test_every_check_has_a_title() -> None:
    assert set(terms.CHECKS) == {check.id for check in CHECKS}


def test_every_value_of_an_enumeration_that_is_shown_has_a_word() -> None:
    shown = {
        *(one.value for kinds in (LossClass, Severity, Role, Is) for one in kinds),
        *(one.name.lower() for one in Basis),
        *(election.replace("_", "-") for election in ELECTIONS),
        *(cause.replace("-", " ") for cause in CAUSES),
    }

    assert shown - set(terms.WORDS) == set()
