"""The table of rules: each is one entry, and a new one is added here."""

from typing import Final

from core.conform import cuts, following, leaders
from core.conform.decision import Rule
from core.conform.kinds import ELIGIBLE_LEADERS, KIND_RULES
from core.message import message

_OWN_LOG: Final = message("conform.missing.own-log")
_TWO_LOGS: Final = message("conform.missing.two-logs")
RULES: Final = (
    Rule("truncation.cut", "truncation", message("conform.needs.logs"), cuts.cuts, _TWO_LOGS),
    Rule("truncation.first-act", "truncation", message("conform.needs.all"), following.first_acts, _OWN_LOG),
    Rule(
        "truncation.fetch-offset",
        "truncation",
        message("conform.needs.fetchers"),
        following.fetches_from,
        message("conform.missing.mark-or-epochs"),
    ),
    Rule(
        "epochs.answer",
        "epoch-answer",
        message("conform.needs.requests"),
        following.answers,
        message("conform.missing.question"),
    ),
    Rule("epochs.begun", "epoch-entry", message("conform.needs.all"), leaders.epoch_begun),
    Rule("watermark.after-cut", "hw-after-cut", message("conform.needs.all"), leaders.mark_after_cut),
    Rule("watermark.below-min-isr", "hw-below-min-isr", message("conform.needs.all"), leaders.mark_moved),
    Rule("epochs.on-shrink", "epoch-on-shrink", message("conform.needs.all"), leaders.epoch_on_shrink),
    Rule(
        "isr.last-member",
        "eligible-leaders",
        message("conform.needs.controller"),
        leaders.last_member,
        ELIGIBLE_LEADERS,
    ),
    Rule(
        "isr.last-member-left",
        "isr-last-member",
        message("conform.needs.controller"),
        leaders.last_member_left,
        message("conform.missing.unclean-setting"),
    ),
    Rule("isr.change", "isr-change", message("conform.needs.all"), leaders.isr_changed),
    Rule("isr.leave", "isr-leave", message("conform.needs.all"), leaders.isr_left),
    Rule("isr.join", "isr-join", message("conform.needs.all"), leaders.isr_joined),
    Rule(
        "election.unclean",
        "unclean-election",
        message("conform.needs.controller"),
        leaders.unclean,
        message("conform.missing.unclean"),
    ),
    *KIND_RULES,
)
"""All rules. Of two that an event breaks the first one here is named."""
