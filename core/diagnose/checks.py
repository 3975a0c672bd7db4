"""The one table of findings. Triage, lists, exports and Spark use its ranks and no other."""

from dataclasses import dataclass
from typing import Final

from core.diagnose.verdict import Severity


@dataclass(frozen=True, slots=True)
class Check:
    """A kind of finding. `rank` sorts, 1 is worst.

    `threshold` is what must be passed, in the unit that it names.

    `sentence` says what the check looks for, for help and lists; a finding has its own text.
    """

    id: str
    severity: Severity
    rank: int
    threshold: int | None
    sentence: str


CHECKS: Final[tuple[Check, ...]] = (
    Check("committed-loss", Severity.LOSS, 1, None, "Committed records are held by no later leader"),
    Check("acknowledged-loss", Severity.LOSS, 2, None, "Acknowledged records are held by no later leader"),
    Check("divergence", Severity.DANGER, 3, None, "Two replicas hold different records at the same offset"),
    Check(
        "possible-loss",
        Severity.DANGER,
        4,
        None,
        "Records that may have been committed are held by no later leader",
    ),
    Check("unclean-election", Severity.DANGER, 5, None, "A replica that was not in sync was elected"),
    Check(
        "cut-below-hw",
        Severity.NOTICE,
        6,
        None,
        "A replica removed committed records that the leader still holds",
    ),
    Check(
        "hw-above-leo",
        Severity.NOTICE,
        7,
        None,
        "A high watermark stood above the log end offset of its replica",
    ),
    Check("leaderless", Severity.NOTICE, 8, None, "The partition had no leader"),
    Check(
        "uncommitted-tail",
        Severity.NOTICE,
        9,
        None,
        "Records that only acks=1 can have confirmed were removed",
    ),
    Check(
        "unclean-stop",
        Severity.NOTICE,
        10,
        None,
        "A broker that holds a replica stopped without a clean shutdown",
    ),
)

CHECK: Final[dict[str, Check]] = {check.id: check for check in CHECKS}
