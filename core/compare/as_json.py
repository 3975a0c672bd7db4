"""A comparison as the JSON of `tidegauge compare`."""

from typing import Any

from core.compare.comparison import Comparison, Difference


def compare_json(comparison: Comparison) -> dict[str, Any]:
    """Traces, axis, anchors, differences and the first of them.

    Anchors have the cursor of the first run (`left`) and of the second (`right`), and of all (`cursors`).
    In a difference `stop` is the number of the stop, and `left` and `right` what the two runs named by
    `runs` did.
    """
    return {
        "traces": [
            {
                "trace": run.history.trace.name,
                "title": run.title,
                "partition": str(run.history.trace.partitions[run.history.partition].tp),
                "rule": run.rule or None,
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
                "label": stop.label,
            }
            for place, stop in enumerate(comparison.stops)
            if stop.anchor
        ],
        "differences": [_difference(difference) for difference in comparison.differences],
        "first": None if comparison.first is None else _difference(comparison.first),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "stop": difference.stop,
        "runs": list(difference.runs),
        "left": difference.left,
        "right": difference.right,
        "subject": difference.subject,
        "decision": difference.decision,
        "rules": list(difference.rules),
    }
