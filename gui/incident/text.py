"""The account as text, for a ticket or a mail."""

from core.diagnose.account.fields import account
from core.diagnose.account.page import AccountPage, IncidentPage
from gui.text.spoken import worded


def account_text(of: AccountPage, page: IncidentPage) -> str:
    """The headline, then the six fields that `check` prints, or what can be said without an incident."""
    head = " ".join(worded(one) for one in (page.headline, page.unknown) if one is not None)
    lines = [of.trace.name, head, worded(page.when), worded(page.release), ""]
    if page.incident is None:
        lines += [f"{worded(fact.label)}: {worded(fact.value)}" for fact in page.facts]
        return "\n".join(lines)
    for field in account(of.trace, page.incident):
        lines.append(worded(field.label))
        lines += [f"  {worded(line)}" for line in field.lines]
    return "\n".join(lines)
