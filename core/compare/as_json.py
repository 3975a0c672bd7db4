"""A comparison as the JSON of `tidegauge compare`."""

from typing import Any

from core.compare.comparison import Comparison, Difference
from core.message_json import plain
from core.words import Words


def compare_json(comparison: Comparison, words: Words) -> dict[str, Any]:
    """`schema`, 2, traces, axis, anchors, differences and the first of them.

    `words` makes the texts; beside them stand their messages.
    Anchors have the cursor of the first run (`left`) and of the second (`right`), and of all (`cursors`).
    In a difference `stop` is the number of the stop, and `left` and `right` what the two runs named by
    `runs` did.
    """
    return {
        "schema": 2,
        "traces": [
            {
                "trace": run.history.trace.name,
                "title": run.title,
                "partition": str(run.history.trace.partitions[run.history.partition].tp),
                "rule": None if run.rule is None else words(run.rule),
            }
            for run in comparison.runs
        ],
        "axis": comparison.axis,
        "stops": len(comparison.stops),
        "anchors": [
            {
                "stop": place,
                "left": stop.cursors[0],
                "right": stop.cursors[1],
                "cursors": list(stop.cursors),
                "key": stop.anchor,
                "label": "" if stop.label is None else words(stop.label),
                "message": None if stop.label is None else plain(stop.label),
            }
            for place, stop in enumerate(comparison.stops)
            if stop.anchor
        ],
        "differences": [_difference(difference, words) for difference in comparison.differences],
        "first": None if comparison.first is None else _difference(comparison.first, words),
    }


def _difference(difference: Difference, words: Words) -> dict[str, Any]:
    said = {
        "left": difference.left,
        "right": difference.right,
        "subject": difference.subject,
        "decision": difference.decision,
    }
    return {
        "stop": difference.stop,
        "runs": list(difference.runs),
        **{name: words(one) for name, one in said.items()},
        "rules": [words(rule) for rule in difference.rules],
        "messages": {
            **{name: plain(one) for name, one in said.items()},
            "rules": [plain(rule) for rule in difference.rules],
        },
    }
