"""The parameter HelpLines, which all agents here take."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final


def _check(text: str) -> None:
    """Raises HelpLinesError."""
    from liuyao.care import help_lines_parameter  # rarely needed

    help_lines_parameter.parse(text)


HELP_LINES: Final[Mapping[str, Callable[[str], object]]] = MappingProxyType({"help_lines": _check})
"""For `InputRules.deployment_config`."""
