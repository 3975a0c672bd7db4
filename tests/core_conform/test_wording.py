"""Words of lines: which eras print what releases from one to another print."""

import pytest

from core.conform.judge import conform
from core.conform.own import candidate
from core.conform.table import RULES
from core.conform.wording import prints, wording
from core.kafka.eras import ERAS, era
from core.trace.vocabulary import NUMBER
from importers.lines.wording import printed_in
from tests.runs import simulated
from tests.trips import read_again


@pytest.mark.parametrize(
    ("since", "until", "first", "last"),
    [
        ("0.8.2", "", "0.10.2", "4.1"),
        ("0.8.2", "0.11", "0.10.2", "0.11"),
        ("0.11", "2.0", "0.11", "2.0"),
        ("1.0", "2.7", "0.11", "2.4"),
        ("1.0.2", "", "0.11", "4.1"),
        ("2.6.0", "3.2", "2.4", "2.8"),
        ("3.9", "", "3.7", "4.1"),
        ("2.1.0", "3.9", "2.1", "3.7"),
    ],
)
def test_an_era_stands_for_its_releases_up_to_the_next(since: str, until: str, first: str, last: str) -> None:
    """0.11 stands for 1.0 too, and 3.7 for 3.9: the era before the next one that is listed."""
    ids = [one.id for one in ERAS]
    found = [one.id for one in ERAS if prints(one, since, until)]

    assert found == ids[ids.index(first) : ids.index(last) + 1]


def test_words_are_asked_where_no_rule_is_broken() -> None:
    """The same logs: 0.11 breaks the rule of the cut, and is named by that; words alone refuse 1.1."""
    read = read_again(simulated("hw-loss", era("0.10.2")), data=False)
    words = wording(printed_in(read))
    asked = [candidate(era("0.10.2")), candidate(era("0.11"))]

    own, other = conform(read, asked, [0], rules=(*RULES, words))
    assert (own.accepted, other.accepted) == (True, False)
    assert other.broken is not None
    assert other.broken.rule.id == "truncation.cut"
    _own, by_words = conform(read, [candidate(era("0.10.2")), candidate(era("1.1"))], [0], rules=[words])
    assert by_words.broken is not None
    assert by_words.broken.rule.id == "line.wording"


def test_the_line_of_a_cut_is_printed_so_up_to_1_0() -> None:
    """Log.truncateTo: "Truncating log t-0 to offset 1.", later "[Log partition=t-0, ...] Truncating"."""
    for which, since, until in (("0.10.2", "0.8.2", "1.0.1"), ("2.0", "1.0.2", "")):
        name = "hw-loss" if which == "0.10.2" else "silent-divergence"
        read = read_again(simulated(name, era(which)), data=False)
        printed = printed_in(read)
        cuts = [
            (int(source), int(line))
            for kind, source, line in zip(
                read.columns["kind"], read.columns["source"], read.columns["line"], strict=True
            )
            if kind == NUMBER["truncated"]
        ]
        assert cuts
        assert {printed[one] for one in cuts} == {(since, until)}
