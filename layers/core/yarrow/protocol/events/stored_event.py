"""An event read back from a journal, without its model: it was valid when it was written."""

import json
from typing import Any, Final

_NAMES: Final = {
    "message_id": "messageId",
    "parent_message_id": "parentMessageId",
    "step_name": "stepName",
    "tool_call_id": "toolCallId",
    "tool_call_name": "toolCallName",
}


class StoredEvent:
    """Has the attributes of its model; None where there is no such member."""

    __slots__ = ("_members", "type")

    def __init__(self, line: str) -> None:
        self._members: dict[str, Any] = json.loads(line)
        self.type: str = self._members["type"]

    def __getattr__(self, name: str) -> Any:
        return self._members.get(_NAMES.get(name, name))
