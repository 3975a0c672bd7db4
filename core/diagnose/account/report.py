"""The report on one partition: its incident in six fields, then its story."""

from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.incident import Incident
from core.diagnose.narrate.story import Story
from core.diagnose.narrate.story_text import story_markdown
from core.diagnose.verdict.facts import PartitionVerdict, Verdict
from core.trace.trace import Trace
from core.words import Words


def incidents_of(trace: Trace, verdict: PartitionVerdict) -> tuple[Incident, ...]:
    """The incidents as far as they are of one partition, the worst first."""
    return find_incidents(trace, Verdict((verdict,), verdict.findings))


def report_markdown(trace: Trace, verdict: PartitionVerdict, story: Story, words: Words) -> str:
    """Markdown: under the title the worst incident in its six fields, then the story with its evidence."""
    found = incidents_of(trace, verdict)[:1]
    head = [(field.label, field.lines) for one in found for field in account(trace, one)]
    return story_markdown(trace, story, words, head)
