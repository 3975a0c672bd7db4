"""Real clusters held against the eras: each recording is taken by its own release, and by which others."""

import pytest

from core.conform.judge import Judgement, conform
from core.conform.own import candidate, own_candidate
from core.conform.table import RULES
from core.conform.wording import wording
from core.kafka.eras import ERAS
from core.trace.evidence import evidence_of
from core.trace.trace import Trace
from importers.lines.wording import printed_in
from tests.archives import recording_names
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(16)

OWN = {
    "k0102": "0.10.2",
    "k011": "0.11",
    "k111": "1.1",
    "k28": "2.8",
    "k39": "3.7",
    "k41": "4.1",
    "k43": "4.1",
}
"""The era of each release that was recorded: the last one that is not after it."""
OLD_PROTOCOL = "k28-ibp0102-hw-loss"


def judged(name: str) -> tuple[Trace, Judgement, dict[str, Judgement]]:
    """The trace, its own release, and every era."""
    trace = whole(name).trace
    own = own_candidate(trace)
    assert own is not None
    rules = (*RULES, wording(printed_in(trace)))
    mine, *found = conform(trace, [own, *map(candidate, ERAS)], range(len(trace.partitions)), rules=rules)
    return trace, mine, {one.candidate.name: one for one in found}


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", grouped(recording_names()))
def test_a_recording_is_taken_by_its_own_release(name: str) -> None:
    _trace, mine, found = judged(name)

    assert mine.accepted is True, mine.broken
    if name != OLD_PROTOCOL:
        assert mine.candidate.name == OWN[name.partition("-")[0]]
        assert found[mine.candidate.name].accepted is True


def place(trace: Trace, found: Judgement) -> tuple[str, int | None, str]:
    """The rule that is broken, and file and line."""
    assert found.broken is not None
    at = evidence_of(trace, found.broken.decision.seq)
    assert at is not None
    return found.broken.rule.id, at.line, at.text


def test_the_recorded_loss_is_refused_by_later_eras_at_the_cut_to_the_high_watermark() -> None:
    """Line 394 of broker 2: 254 to 206, which no release from 0.11 on does (README)."""
    trace, _mine, found = judged("k0102-hw-loss")

    for other in ("0.11", "1.1", "2.0", "2.1", "2.4", "2.8"):
        rule, line, text = place(trace, found[other])
        assert (rule, line) == ("truncation.cut", 394)
        assert "Truncating log orders-0 to offset 206" in text
    assert place(trace, found["3.3"])[0] == "controller.zookeeper"


def test_the_recorded_divergence_of_1_1_is_refused_from_2_0_on() -> None:
    """KIP-279: an answer that names its epoch would have cut further. 0.11 cuts as 1.1 does."""
    trace, _mine, found = judged("k111-kip279-divergence")

    assert found["1.1"].accepted is True
    assert place(trace, found["0.11"])[0] == "line.wording"
    assert place(trace, found["2.0"])[0] == place(trace, found["2.8"])[0] == "truncation.cut"


def test_brokers_with_an_old_protocol_go_by_its_rules() -> None:
    """2.8 with inter.broker.protocol.version 0.10.2: taken as that, and refused by 2.8 as it is."""
    trace, mine, found = judged(OLD_PROTOCOL)

    assert mine.candidate.name.startswith("2.8+truncation=high-watermark")
    assert found["2.8"].accepted is False
    rule, _line, text = place(trace, found["2.8"])
    assert (rule, "Truncating" in text) == ("truncation.cut", True)


def test_a_fenced_fetch_is_refused_by_eras_without_fencing() -> None:
    trace, _mine, found = judged("k28-unclean-loss")

    assert place(trace, found["2.0"])[0] == "fencing.refused"
    assert place(trace, found["2.1"])[0] == "line.wording"


def test_eligible_leader_replicas_are_of_4_1_or_of_4_0_by_choice() -> None:
    trace, _mine, found = judged("k43-elr")

    assert (found["4.1"].accepted, found["4.0"].accepted) == (True, True)
    assert found["4.0"].open > 0
    assert place(trace, found["3.7"])[0] == "election.eligible"


@pytest.mark.parametrize(("name", "taken"), [("k011-epoch-fix", ["0.11"]), ("k28-epoch-fix", ["2.4", "2.8"])])
def test_words_of_lines_part_eras_whose_rules_came_to_the_same(name: str, taken: list[str]) -> None:
    """2.4 began what 2.8 prints too; what 0.11 prints, 1.0 changed."""
    trace, _mine, found = judged(name)

    assert [era for era, one in found.items() if one.accepted] == taken
    assert {place(trace, found[one])[0] for one in ("2.0", "2.1")} == {"line.wording"}
