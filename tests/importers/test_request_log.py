"""The request log bounds what a follower holds and what its leader had committed."""

from pathlib import Path

from core.history.open import open_history
from importers.kafka.request_log import REQUEST_LOG_RULES
from importers.load import load

FETCH = next(rule for rule in REQUEST_LOG_RULES if rule.name == "request-fetch").samples[0]
LEADS = (
    "[2026-11-21 03:00:00,000] INFO [Broker id=1] Leader orders-0 starts at leader epoch 3 from offset "
    "20 with high watermark 20 ISR [1,2] addingReplicas [] removingReplicas []. Previous leader epoch was 2. "
    "(state.change.logger)\n"
)


def test_a_fetch_bounds_the_follower_s_log_and_the_leader_s_high_watermark(tmp_path: Path) -> None:
    logs = tmp_path / "broker-1" / "logs"
    logs.mkdir(parents=True)
    (logs / "state-change.log").write_text(LEADS * 3)
    (logs / "kafka-request.log").write_text(
        f"[2026-11-21 03:00:01,000] DEBUG {FETCH} (kafka.request.logger)\n"
    )

    trace = load([tmp_path])
    history = open_history(trace, 0)

    assert trace.report["unrecognised"] == 0
    # The moment behind each statement: of a broker without logs nothing is known for longer.
    asked, told = history.at(len(trace) - 1), history.at(len(trace))
    assert (asked.replica(2).leo.lo, asked.replica(2).leo.hi) == (30, None)
    assert (told.replica(1).hw.lo, told.replica(1).leo.lo) == (28, 28)
