"""Finds agents' input rules, bundled or installed.

Functions that accept runs import no runner.
"""

from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from yarrow.packages import declared
from yarrow.protocol.run_input.rules import InputRules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "yarrow.input_rules"
"""Entry point group of InputRules objects."""

BUILT_IN: Final[Mapping[str, str]] = {
    "plain": "yarrow.protocol.run_input.rules:NONE",
    **declared.bundled(ENTRY_POINTS),
}
"""Rules that no package can replace."""


class RulesNotFoundError(LookupError):
    """No rules have this name."""


def names() -> tuple[str, ...]:
    """Return the valid values of an agent's `input`."""
    return *BUILT_IN, *sorted(_installed())


@cache
def find(name: str) -> InputRules:
    """Find rules by name. Raises RulesNotFoundError, TypeError, and what the import raises.

    Of installed rules with one name, the first by its entry point's value wins.
    """
    if name in BUILT_IN:
        rules = resolve_name(BUILT_IN[name])
    elif (point := _installed().get(name)) is not None:
        rules = point.load()
    else:
        raise RulesNotFoundError(name)
    if not isinstance(rules, InputRules):
        raise TypeError("not an InputRules")
    return rules


def _installed() -> "dict[str, EntryPoint]":
    by_place = sorted(declared.installed(ENTRY_POINTS), key=lambda point: point.value, reverse=True)
    return {point.name: point for point in by_place if point.name not in BUILT_IN}
