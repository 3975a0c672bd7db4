"""The messages and timers of a run: each has one who deals with it, and a key of its luck if it is sent."""

from collections import Counter
from typing import get_args

from core.sim.handlers import HANDLERS, WITH_QUORUM
from core.sim.messages.kinds import Message, Sent, Timer
from core.sim.messages.quorum import QuorumTimer, SentOfQuorum


def test_each_message_and_timer_has_a_handler() -> None:
    assert set(WITH_QUORUM) == set(get_args(Message))
    assert set(HANDLERS) == set(get_args(Message)) - set(get_args(SentOfQuorum | QuorumTimer))


def test_nothing_is_both_sent_and_a_timer() -> None:
    assert set(get_args(Sent)) & set(get_args(Timer)) == set()


def test_no_two_messages_share_their_luck() -> None:
    kinds = Counter(one.kind for one in get_args(Sent))

    assert [kind for kind, times in kinds.items() if times > 1] == []


def test_a_timer_has_no_luck() -> None:
    assert [one for one in get_args(Timer) if hasattr(one, "kind")] == []


def test_nothing_changes_on_its_way() -> None:
    assert [one for one in get_args(Message) if not one.__dataclass_params__.frozen] == []
