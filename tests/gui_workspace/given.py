"""Something small to be open."""

from core.compare.comparison import Run
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.trace.trace import Trace
from gui.workspace.content import Content, alone
from tests.stories import Story


def trace_of(*brokers: int) -> Trace:
    """A short run of partition t-0 with these replicas, the first of which leads."""
    story = Story("2.8.0", brokers)
    story.begin(brokers[0])
    return story.trace()


def content_of(trace: Trace) -> Content:
    return alone("story", Run("story", None, open_history(trace, 0), PartitionVerdict(0)))
