"""The signs that stand before findings, in lists and tables alike."""

from typing import Final

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Severity
from core.picture.marks import Glyph, Sign

_SIGNS: Final = {
    "divergence": Sign(0, 0, Glyph.DIVERGENCE, 17, "loss"),
    "unclean-election": Sign(0, 0, Glyph.UNCLEAN_ELECTION, 16, "warn"),
    "cut-below-hw": Sign(0, 0, Glyph.TRUNCATION, 17, "text"),
    "hw-above-leo": Sign(0, 0, Glyph.HW_BACK, 14, "hw"),
    "hw-went-back": Sign(0, 0, Glyph.HW_BACK, 14, "hw"),
    "uncommitted-tail": Sign(0, 0, Glyph.TRUNCATION, 17, "text"),
    "unclean-stop": Sign(0, 0, Glyph.CRASH, 12, "text"),
    "isr-flapping": Sign(0, 0, Glyph.ISR_SHRINK, 14, "text"),
}
"""The signs of checks that have one of their own; the others go by severity."""
_BY_SEVERITY: Final = {
    Severity.LOSS: Sign(0, 0, Glyph.LOSS, 16, "loss"),
    Severity.DANGER: Sign(0, 0, Glyph.POSSIBLE_LOSS, 16, "loss"),
    Severity.NOTICE: Sign(0, 0, Glyph.OBSERVED, 7, "text.2"),
}


def sign_of(check: str) -> Sign:
    """The sign of a check, at (0, 0)."""
    return _SIGNS.get(check) or _BY_SEVERITY[CHECK[check].severity]
