"""Names of colour roles. Code knows roles, the theme files know colours."""

from typing import Final

EPOCHS: Final = 6
"""How many epoch colours there are; epochs six apart share one."""


def epoch_role(epoch: int | None, part: str = "") -> str:
    """The role of an epoch's colour: "e0", or its part "ink", "edge", "committed" or "open".

    An epoch that is not known has the neutral role of what is unknown.
    """
    name = "unknown" if epoch is None or epoch < 0 else f"e{epoch % EPOCHS}"
    if name == "unknown" and part == "ink":
        return "text.2"
    return f"{name}.{part}" if part else name
