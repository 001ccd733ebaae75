"""A package's rule that lets users record how its answers turned out: an entry point of `yarrow.outcomes`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OutcomeRule:
    """Selects the answers whose outcome can be recorded."""

    is_reading: Callable[[Mapping[str, Any]], bool]
    """Takes the structured output of an answer's message; it is called for other agents' answers as well."""
