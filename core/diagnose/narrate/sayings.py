"""Sentences in English and Simplified Chinese, and findings made of them.

The numbers are those of the trace. Names of brokers stay as they are in both languages.
"""

from dataclasses import dataclass
from typing import Any

from core.diagnose.narrate.explain import broker_names, brokers_text, capital
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding
from core.history.view import Row
from core.trace.units import MILLISECOND_NS, MINUTE_NS, SECOND_NS


@dataclass(frozen=True, slots=True)
class Saying:
    """One statement in both languages, with places for values (`{who}`, `{hw}`)."""

    en: str
    zh: str


def listed(case: Case, brokers: tuple[int, ...]) -> tuple[str, str]:
    """Brokers within a sentence, in English and Chinese."""
    names = broker_names(case.history.trace)
    if not brokers:
        return "nobody", "无"
    words = [names.get(broker, f"broker {broker}") for broker in brokers]
    return brokers_text(names, brokers), "、".join(words)


def made(
    case: Case,
    check: str,
    row: Row,
    brokers: tuple[int, ...],
    saying: Saying,
    *,
    end: int | None = None,
    evidence: tuple[int, ...] = (),
    **values: Any,  # noqa: ANN401 - whatever the sentence has places for
) -> Finding:
    """A finding that begins at a row. `{who}` is `brokers`; `end` is a time, the row's own where not given.

    A value that is a tuple of brokers is named like them.
    """
    english, chinese = dict(values), dict(values)
    for name, value in {"who": brokers, **values}.items():
        if isinstance(value, tuple):
            english[name], chinese[name] = listed(case, value)  # pyright: ignore[reportUnknownArgumentType]
    return Finding(
        check=check,
        severity=CHECK[check].severity,
        partition=case.view.partition,
        brokers=brokers,
        start=row.at,
        end=row.at if end is None else end,
        seq=row.seq,
        text=capital(saying.en.format(**english)),
        evidence=tuple(dict.fromkeys((row.seq, *evidence))),
        text_zh=saying.zh.format(**chinese),
    )


def seconds(nanos: int) -> str:
    """A length of time with its unit: 85 ms, 8.5 s, 3 min 20 s."""
    if nanos < SECOND_NS:
        return f"{nanos // MILLISECOND_NS} ms"
    if nanos < MINUTE_NS:
        return f"{nanos / SECOND_NS:.1f} s"
    minutes, rest = divmod(nanos // SECOND_NS, 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
