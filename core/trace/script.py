"""The scenario that a simulated trace was made from, as far as the trace itself keeps it."""

import tomllib
from collections.abc import Mapping
from typing import cast

from core.language import spoken
from core.trace.trace import Trace


def script_title(trace: Trace) -> str:
    """The title of the scenario in the language spoken; "" for a trace that was not simulated."""
    title = trace.facts.get("title", "")
    try:
        titles: object = tomllib.loads(trace.facts.get("script", "")).get("title")
    except tomllib.TOMLDecodeError:
        return title
    if not isinstance(titles, dict):
        return title
    by_language = cast("Mapping[str, str]", titles)
    # Where names were hidden in one of the two, it is the fact that is shown.
    return spoken(by_language) if by_language.get("en", "").split() == title.split() else title
