"""Findings that the README of a recording tells of, and some that it does not."""

import pytest

from tests.archives import recording_names
from tests.recordings.whole import grouped, whole

TOLD = (
    # domain.md, section 1: high watermark 254 above the log end 206 for 0.7 s.
    ("k0102-hw-loss", "hw-above-leo", "orders-0", (1,)),
    ("k0102-hw-loss", "hw-went-back", "orders-0", (1,)),
    # "ten harmless one-record cuts", each to the own high watermark.
    ("k0102-rolling-restart", "cut-below-hw", "bookings-0", (2,)),
    ("k28-ibp0102-hw-loss", "hw-went-back", "orders-0", (1,)),
    # The leader was frozen and took both followers back at once; follower 3 was frozen again and again.
    ("k28-isr-flap", "leader-paused", "metrics-1", (2,)),
    ("k28-isr-flap", "isr-flapping", "metrics-1", (3,)),
    ("k28-isr-flap", "unclean-stop", "metrics-1", (3,)),
    # "A replica outside the ISR is elected (unclean)"; `ledger` stays offline until 1 returns.
    ("k28-unclean-loss", "unclean-election", "events-0", (3,)),
    ("k28-unclean-loss", "leaderless", "ledger-0", ()),
    ("k28-unclean-loss", "hw-went-back", "events-0", (1,)),
    ("k28-unclean-loss", "false-alarm", "events-1", (2,)),
    ("k28-unclean-loss", "last-replica-standing", "events-0", (1,)),
    # "both followers frozen until the ISR is the leader alone"
    ("k28-trace", "last-replica-standing", "t1-0", (1,)),
    ("k111-kip279-divergence", "divergence", "trades-0", (1, 2)),
    ("k111-kip279-divergence", "unclean-election", "trades-0", (1,)),
    ("k39-unclean-loss", "unclean-election", "ledger-0", (2,)),
    # "the ISR falls below min ISR, the ELR fills ... the leader stops too"
    ("k43-elr", "under-min-isr", "accounts-0", (1,)),
    ("k43-elr", "leaderless", "accounts-0", ()),
    ("k43-chaos", "unclean-election", "carts-0", (2,)),
)
NOWHERE = (
    "isr-empty-disk",
    "refused-to-truncate",
    "isr-behind-hw",
    "zombie-leader",
    "stale-leader",
    "epoch-storm",
    "follower-stuck",
    "out-of-range-loop",
    "leo-jumped-back",
    "sources-disagree",
    "clock-contradiction",
)
"""No recording shows these: no disk was replaced or lost, no broker may not cut, clocks and files agree."""
ONLY_THERE = {
    "unclean-election": {
        "k111-kip279-divergence",
        "k28-kip279-fix",
        "k28-unclean-loss",
        "k39-unclean-loss",
        "k43-chaos",
    },
    "divergence": {"k0102-divergence", "k111-kip279-divergence"},
}
"""By the READMEs: elections of replicas that were not in sync, and logs that differ in the end."""

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", grouped(dict.fromkeys(one[0] for one in TOLD)))
def test_what_the_readme_tells_is_found(name: str) -> None:
    trace, findings = whole(name).trace, whole(name).verdict.findings
    found = {
        (name, one.check, str(trace.partitions[one.partition].tp), one.brokers)
        for one in findings
        if one.partition is not None
    }
    assert {one for one in TOLD if one[0] == name} <= found


@pytest.mark.parametrize("name", grouped(recording_names()))
def test_nothing_is_found_that_did_not_happen(name: str) -> None:
    checks = {one.check for one in whole(name).verdict.findings}
    assert checks.isdisjoint(NOWHERE)
    for check, where in ONLY_THERE.items():
        assert (check in checks) == (name in where), check
