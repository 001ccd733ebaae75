"""Finding the input rules of agents: those that come with Yarrow, and those that other packages install.

They are found apart from the runners, for the functions that accept runs import no runner.
"""

from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from yarrow.protocol.run_input.rules import InputRules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: Final[Mapping[str, str]] = {
    "plain": "yarrow.protocol.run_input.rules:NONE",
    "assistant": "yarrow.runners.assistant.input_rules:RULES",
    "divination": "yarrow.runners.divination.input_rules:RULES",
}
"""Where the rules of each name are; no package can replace them."""

ENTRY_POINTS: Final = "yarrow.input_rules"
"""The group of entry points in which another package names its InputRules objects."""


class RulesNotFoundError(LookupError):
    """No rules have this name."""


def names() -> tuple[str, ...]:
    """Every name that an agent's `input` may have."""
    return *BUILT_IN, *sorted(_installed())


@cache
def find(name: str) -> InputRules:
    """The rules of a name. Raises RulesNotFoundError, TypeError for an object that is none, and what its import raises.

    Of installed rules with one name, the first by its place is used.
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
    import importlib.metadata  # here: few deployments install any

    found = importlib.metadata.entry_points(group=ENTRY_POINTS)
    by_place = sorted(found, key=lambda point: point.value, reverse=True)
    return {point.name: point for point in by_place if point.name not in BUILT_IN}
