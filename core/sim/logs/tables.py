"""Every line that the tables hold: what a broker of any release may print."""

from typing import Final

from core.sim.logs import (
    table_control,
    table_directories,
    table_kraft,
    table_life,
    table_raft,
    table_replicas,
    table_requests,
    table_tiers,
)
from core.sim.logs.wording import Line

LINES: Final[tuple[Line, ...]] = (
    *table_life.LINES,
    *table_replicas.LINES,
    *table_control.LINES,
    *table_requests.LINES,
    *table_kraft.LINES,
    *table_raft.LINES,
    *table_tiers.LINES,
    *table_directories.LINES,
)
