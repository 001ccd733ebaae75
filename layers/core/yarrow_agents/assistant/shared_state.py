"""State shared by the user's app and the assistant (C46), and the tool that changes it.

The tool takes a merge patch (RFC 7386), which models get right more often; the host receives JSON Patch (RFC 6902).
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.formats.json_text import canonical, dumps
from yarrow.protocol.runner.api import ModelTool
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.vocabulary import SHARED_STATE

NAME: Final = "update_state"
MAX_BYTES: Final = 128 * 1024
"""Limit of the state in JSON; the next run's copy has at most twice that."""

TOOL: Final = ModelTool(
    name=NAME,
    description=(
        "Change the state shared with the user's app. Give only the members that change, nested as they are in the"
        " state: an object is merged into the one that is there, a list or any other value replaces what is there, and"
        " null removes the member."
    ),
    parameters={
        "type": "object",
        "properties": {
            "changes": {"type": "object", "description": 'e.g. {"recipe": {"title": "Soup", "note": null}}'},
        },
        "required": ["changes"],
        "additionalProperties": False,
    },
)


class RefusedError(Exception):
    """The message is for model and client."""


class SharedState:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = dict(document)

    def change(self, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return a change's RFC 6902 operations. Raises RefusedError."""
        changes = arguments.get("changes")
        if not isinstance(changes, dict) or len(arguments) != 1:
            raise RefusedError("changes has to be an object, and the only argument")
        operations: list[dict[str, Any]] = []
        document = _merged(self._document, changes, "", operations)
        if len(dumps(document).encode()) > MAX_BYTES:
            raise RefusedError("the state would be too large")
        self._document = document
        return operations


def shared_in(context: AgentRunContext) -> Any:
    """Return the shared state; None without any, or if changes are not shown."""
    if context.adapter is None or not context.delivery.platform_capabilities.get(SHARED_STATE):
        return None
    return context.adapter.extra.get("state")


def _merged(
    target: Mapping[str, Any], changes: Mapping[str, Any], within: str, operations: list[dict[str, Any]]
) -> dict[str, Any]:
    """Merge `changes` by RFC 7386; append to `operations`."""
    merged = dict(target)
    for name, value in changes.items():
        place = f"{within}/{name.replace('~', '~0').replace('/', '~1')}"  # RFC 6901
        there = merged.get(name)
        if value is None:
            if name in merged:
                del merged[name]
                operations.append({"op": "remove", "path": place})
        elif isinstance(value, dict) and isinstance(there, dict):
            merged[name] = _merged(there, value, place, operations)
        else:
            new = _merged({}, value, "", []) if isinstance(value, dict) else value
            if name not in merged or canonical(there) != canonical(new):
                op = "replace" if name in merged else "add"
                operations.append({"op": op, "path": place, "value": new})
                merged[name] = new
    return merged
