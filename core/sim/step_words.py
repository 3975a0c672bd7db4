"""What a step is called."""

from core.language import spoken
from core.sim.script import Step


def label_of(step: Step) -> str:
    """The label of a step in the language spoken now, with its round."""
    return f"{spoken(step.label)} {step.round}".rstrip()
