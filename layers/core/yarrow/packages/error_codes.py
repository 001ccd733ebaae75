"""Finds the error codes that agents' packages declare, bundled or installed.

A problem carries its code, so only the description of the API needs them.
"""

from typing import Final

from yarrow.packages import declared
from yarrow.protocol.problems import AgentCode

ENTRY_POINTS: Final = "yarrow.error_codes"
"""Entry point group of AgentCode objects, each under its name."""


def find_all() -> list[AgentCode]:
    """Return the codes, sorted by name. Raises ValueError for an entry point that is not an AgentCode of its name."""
    found = []
    for name, load in declared.loaders(ENTRY_POINTS):
        code = load()
        if not isinstance(code, AgentCode) or code.name != name:
            raise ValueError(f"the entry point {name} of {ENTRY_POINTS} must be an AgentCode with this name")
        found.append(code)
    return sorted(found, key=lambda code: code.name)
