"""The parameter HelpLines, which all agents of this package take."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final


def _check(text: str) -> None:
    """Validate the parameter. Raises HelpLinesError."""
    from liuyao.care import help_lines_parameter  # rarely needed

    help_lines_parameter.parse(text)


HELP_LINES: Final[Mapping[str, Callable[[str], object]]] = MappingProxyType({"help_lines": _check})
"""The value of `InputRules.deployment_config`."""
