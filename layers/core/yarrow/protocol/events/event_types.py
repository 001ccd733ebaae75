"""Event types of agents, which their packages declare beside those of AG-UI."""

import re
from dataclasses import dataclass
from typing import Any, Final

from yarrow.protocol.events.events import AGUI_TYPES, DeclaredEvent
from yarrow.protocol.events.framing import FRAMING, RunIds

_TYPE: Final = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_NAME: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")


@dataclass(frozen=True, slots=True)
class EventType:
    """An event that an agent emits at most once a run; its members are the data of a result.

    Clients of `GET …/events` get it under its `type`. AG-UI clients know no such types: they get CUSTOM with this
    `name`, which begins with the author in the runner's id, and as value the data, or its member `value` alone. Raises
    ValueError for a type of AG-UI's or a malformed name.
    """

    type: str
    name: str
    value: str | None = None

    def __post_init__(self) -> None:
        if not _TYPE.fullmatch(self.type) or self.type in AGUI_TYPES:
            raise ValueError(f"{self.type} is not a type that an agent may declare")
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name} must begin with the name of its author")

    def event(self, ids: RunIds, data: Any) -> DeclaredEvent:
        """Make an event. Raises ValueError unless the data is an object without members that all events have."""
        if not isinstance(data, dict) or not FRAMING.isdisjoint(data) or (self.value or "") not in {"", *data}:
            raise ValueError(f"not the members of {self.type}")
        return DeclaredEvent(**ids, type=self.type, members=data)

    def value_of(self, event: DeclaredEvent) -> Any:
        """Return the value that AG-UI clients get of an event."""
        return event.members if self.value is None else event.members.get(self.value)
