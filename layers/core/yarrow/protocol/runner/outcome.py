"""What a package declares so that users may record how its answers turned out: an entry point of `yarrow.outcomes`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OutcomeRule:
    """Says which answers can turn out one way or another."""

    is_reading: Callable[[Mapping[str, Any]], bool]
    """By the structured output of an answer's message, of any agent: it is called for others' as well."""
