"""Features that texts are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """Something that a text is asked for, and the answers that are expected."""

    name: str
    """What it is: sentiment."""
    values: Sequence[str]

    def __post_init__(self) -> None:
        # A text alone is one value, not one for each of its letters; a tuple can be hashed.
        object.__setattr__(self, "values", (self.values,) if isinstance(self.values, str) else tuple(self.values))
