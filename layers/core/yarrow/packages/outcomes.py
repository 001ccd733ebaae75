"""Finds which answers are readings, by the rules that packages declare."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from yarrow.packages import declared
from yarrow.protocol.runner.outcome import OutcomeRule

ENTRY_POINTS: Final = "yarrow.outcomes"
"""Entry point group of OutcomeRule objects."""


def is_reading(output: Mapping[str, Any] | None) -> bool:
    """Return whether an outcome can be recorded for an answer with this structured output."""
    return output is not None and any(rule.is_reading(output) for rule in _rules())


@cache
def _rules() -> tuple[OutcomeRule, ...]:
    return tuple(rule for _, rule in declared.objects(ENTRY_POINTS, OutcomeRule))
