"""Filters of event source mappings with exact values, `prefix` and `exists`.

Source: Lambda Developer Guide, "Filter rule syntax".
"""

from collections.abc import Mapping
from typing import Any

from local.stack import TemplateError

_RULES = ("prefix", "exists")


def check(pattern: Mapping[str, Any]) -> None:
    """Raise `TemplateError` for a pattern with other rules."""
    for name, expected in pattern.items():
        if isinstance(expected, Mapping):
            check(expected)
        elif not isinstance(expected, list):
            raise TemplateError(f"the filter of {name} is not a list")
        else:
            for rule in expected:
                if isinstance(rule, Mapping) and (len(rule) != 1 or next(iter(rule)) not in _RULES):
                    raise TemplateError(f"the filter rule {dict(rule)} of {name} is not supported locally")


def matches(pattern: Mapping[str, Any], record: Any) -> bool:
    """Return whether the record matches a rule of every leaf of the pattern."""
    for name, expected in pattern.items():
        there = isinstance(record, Mapping) and name in record
        value = record[name] if there else None
        if isinstance(expected, Mapping):
            if not matches(expected, value):
                return False
        elif not any(_fulfils(rule, value, there) for rule in expected):
            return False
    return True


def _fulfils(rule: Any, value: Any, there: bool) -> bool:
    if not isinstance(rule, Mapping):
        return there and bool(value == rule)
    if "exists" in rule:
        return bool(rule["exists"]) is (there and not isinstance(value, Mapping))
    return isinstance(value, str) and value.startswith(rule["prefix"])
