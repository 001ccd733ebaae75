"""The table's changes as the event source mapping of the template hands them to `publish_events`, and a bus."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from local.dynamodb.table import ItemChange
from local.stack import Stack
from local.table_stream.filters import matches

MOST_ENTRIES: Final = 10
Entry = dict[str, Any]


class Bus:
    """EventBridge's PutEvents: `events` are the details in the order in which they came, with those that came again.

    `refuses` decides which are refused.
    """

    def __init__(self, refuses: Callable[[Entry], bool] = lambda _: False) -> None:
        self.events: list[dict[str, Any]] = []
        self.refuses = refuses
        self.calls = 0

    def PutEvents(self, Entries: Sequence[Entry]) -> Entry:  # noqa: N802, N803
        assert 0 < len(Entries) <= MOST_ENTRIES
        self.calls += 1
        results = [self._put(entry) for entry in Entries]
        return {"Entries": results, "FailedEntryCount": sum("ErrorCode" in result for result in results)}

    def _put(self, entry: Entry) -> dict[str, str]:
        if self.refuses(entry):
            return {"ErrorCode": "ThrottlingException", "ErrorMessage": "Rate exceeded"}
        detail = json.loads(entry["Detail"])
        assert entry["DetailType"] == detail["type"]
        self.events.append(detail)
        return {"EventId": str(len(self.events))}

    @property
    def once(self) -> list[dict[str, Any]]:
        """The events without those that came again."""
        first: dict[str, dict[str, Any]] = {}
        for event in self.events:
            first.setdefault(event["id"], event)
        return list(first.values())


def patterns(stack: Stack) -> Sequence[Any]:
    """Return the filters of the mapping in the template."""
    (mapping,) = (mapping for mapping in stack.stream_mappings if "PublishEvents" in mapping.function)
    return mapping.patterns


def record(change: ItemChange) -> dict[str, Any]:
    """Return the record of a change in the stream."""
    image = {"SequenceNumber": number(change), "Keys": change.key, "NewImage": change.item}
    return {"eventName": change.event, "dynamodb": image}


def number(change: ItemChange) -> str:
    return f"{change.sequence:021}"


def wanted(change: ItemChange, filters: Sequence[Any]) -> bool:
    """Return whether the mapping hands the change on."""
    return any(matches(pattern, record(change)) for pattern in filters)
