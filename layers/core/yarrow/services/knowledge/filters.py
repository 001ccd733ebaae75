"""Metadata filters for every engine."""

from collections.abc import Mapping
from typing import Any

from yarrow.protocol.runner.api import AgentAPIException

Value = str | int | float | bool
Filters = Mapping[str, tuple[Value, ...]]
"""Accepted values by metadata member."""

_MAX_FILTERS = 10
_MAX_VALUES = 50


def read_filters(requested: Mapping[str, Any]) -> Filters:
    """Validate a runner's filters: a value or list of values by name.

    Raises AgentAPIException `invalid_argument`.
    """
    filters = {name: tuple(value) if isinstance(value, list) else (value,) for name, value in requested.items()}
    fits = len(filters) <= _MAX_FILTERS and all(0 < len(values) <= _MAX_VALUES for values in filters.values())
    if not fits or not all(isinstance(value, Value) for values in filters.values() for value in values):
        raise AgentAPIException("invalid_argument", "a filter is a name with a string, number or boolean, or a list")
    return filters
