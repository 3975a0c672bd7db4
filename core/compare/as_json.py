"""A comparison as the JSON of `tidegauge compare`."""

from typing import Any

from core.compare.cause_words import aspect_message
from core.compare.comparison import Comparison, Difference, PairCauses
from core.kafka.switches import SWITCH
from core.message_json import plain
from core.sim.ablation.outcome import Outcome
from core.sim.ablation.setup import Factor
from core.sim.truth import Promise
from core.words import Words


def compare_json(comparison: Comparison, words: Words) -> dict[str, Any]:
    """`schema`, 2, traces, axis, anchors, differences and the first of them.

    `words` makes the texts; beside them stand their messages.
    Anchors have the cursor of the first run (`left`) and of the second (`right`), and of all (`cursors`).
    In a difference `stop` is the number of the stop, and `left` and `right` what the two runs named by
    `runs` did. `causes` has, for each two neighbours that were run again, what carries the first difference
    and what is responsible for that of the outcomes: sets of which each carries it alone, none where no set
    of at most four does.
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
        "causes": [_causes(comparison, pair, words) for pair in comparison.causes],
    }


def outcome_json(outcome: Outcome) -> dict[str, int]:
    """An outcome in numbers: records lost, of them committed, offsets that differ, time without a leader."""
    return {
        "lost": outcome.records_lost,
        "lost_committed": outcome.lost_of(Promise.COMMITTED),
        "diverged": outcome.offsets_diverged,
        "leaderless_ms": outcome.leaderless_ms,
    }


def _causes(comparison: Comparison, pair: PairCauses, words: Words) -> dict[str, Any]:
    run = comparison.runs[pair.runs[0]]
    return {
        "runs": list(pair.runs),
        "outcomes": [outcome_json(outcome) for outcome in pair.outcomes],
        "first_difference": [[_factor(one) for one in factors] for factors in pair.first],
        "responsible": [
            {
                "aspect": str(aspect),
                "text": words(aspect_message(aspect, pair, run)),
                "sets": [
                    {
                        "switches": [_factor(one) for one in found.factors],
                        "first_change": {
                            "run": found.change.run,
                            "seq": found.change.seq,
                            "stop": found.change.stop,
                            "before": None if found.change.before is None else words(found.change.before),
                            "after": None if found.change.after is None else words(found.change.after),
                        },
                    }
                    for found in sets
                ],
            }
            for aspect, sets in pair.carried
        ],
    }


def _factor(one: Factor) -> dict[str, Any]:
    switch = SWITCH.get(one.name) if one.kind == "switch" else None
    return {
        "name": one.name,
        "kind": one.kind,
        "left": one.left or None,
        "right": one.right or None,
        "ticket": None if switch is None else switch.ticket or None,
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
