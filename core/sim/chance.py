"""Luck that depends on what it is about, and on nothing else."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chance:
    """Numbers from a seed and a key: the same message has the same luck in every era and in every order."""

    seed: int

    def below(self, limit: int, *key: str | int) -> int:
        """A number in 0..limit-1 for this key. Raises ValueError for a limit below 1."""
        if limit < 1:
            message = f"limit {limit} is below 1"
            raise ValueError(message)
        text = "\x1f".join(str(part) for part in (self.seed, *key))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") % limit
