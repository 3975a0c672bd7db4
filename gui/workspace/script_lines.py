"""The lines of the script that a trace was simulated from, in one language, for sentences on its steps."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from core.diagnose.narrate.scene import ScriptLine
from core.diagnose.narrate.why import NO_SCRIPT
from core.errors import ScenarioError
from core.message import in_languages
from core.sim.scenario import parse_scenario
from core.sim.step_words import label_of
from core.sim.translations import translated
from core.trace.trace import Trace
from core.words import speaking, text


def script_lines(trace: Trace, language: str) -> Mapping[int, ScriptLine]:
    """By number of the step. None where the trace keeps no script, or one of a later schema."""
    return _lines(trace.facts.get("script", ""), language)


@lru_cache(maxsize=8)
def _lines(script: str, language: str) -> Mapping[int, ScriptLine]:
    if not script:
        return NO_SCRIPT
    try:
        steps = translated(parse_scenario(script)).steps
    except ScenarioError:
        return NO_SCRIPT
    with speaking(language):
        return MappingProxyType(
            {step.number: ScriptLine(label_of(step), text(in_languages(step.effect))) for step in steps}
        )
