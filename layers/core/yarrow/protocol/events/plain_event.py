"""An event without its model: read back from a journal, where it was valid, or written by whoever ends a run."""

import json
from functools import cache
from typing import Any

from yarrow.formats import json_text
from yarrow.protocol.events.framing import RunIds


@cache
def _member(attribute: str) -> str:
    """In camelCase; pydantic's `to_camel` is not for functions without models."""
    first, *others = attribute.split("_")
    return first + "".join(each.capitalize() for each in others)


class PlainEvent:
    """Has the attributes of its model, None where there is no such member."""

    __slots__ = ("_members", "type")

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = members
        self.type: str = members["type"]

    @classmethod
    def of(cls, type_: str, ids: RunIds, **members: Any) -> "PlainEvent":
        """A new one; members that are None are left out."""
        named = {_member(name): value for name, value in members.items() if value is not None}
        return cls({"type": type_, "threadId": ids["thread_id"], "runId": ids["run_id"], **named})

    @classmethod
    def read(cls, line: str) -> "PlainEvent":
        """A stored one."""
        return cls(json.loads(line))

    @property
    def line(self) -> str:
        """As its model is written."""
        return json_text.dumps(self._members)

    def __getattr__(self, name: str) -> Any:
        return self._members.get(_member(name))

    def __eq__(self, other: object) -> bool:
        return self._members == other._members if isinstance(other, PlainEvent) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as a dict
