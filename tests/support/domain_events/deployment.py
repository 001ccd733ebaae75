"""`publish_events` beside a table in memory, its stream and a bus."""

from collections.abc import Sequence
from typing import Any

from functions.publish_events import app as publish_app
from local.dynamodb.table import ItemChange
from local.stack import Stack
from tests.support.domain_events.bus import Bus, patterns, record, wanted
from tests.support.functions.calls import Context
from tests.support.memory_aws.aws import MemoryAws


class Deployment:
    """A table, its stream and a bus. `deliver` hands the function what the mapping's filters let through."""

    def __init__(self, stack: Stack) -> None:
        self.aws, self.bus = MemoryAws(), Bus()
        self.aws.others["events"] = self.bus
        self._filters = patterns(stack)
        self._seen = 0

    def changes(self) -> list[ItemChange]:
        """Return the changes since the last call."""
        found, self._seen = self.aws.table.changes[self._seen :], len(self.aws.table.changes)
        return [change for change in found if wanted(change, self._filters)]

    def deliver(self, changes: Sequence[ItemChange] | None = None) -> list[str]:
        """Return the numbers of the records that are to come again."""
        event = {"Records": [record(change) for change in (self.changes() if changes is None else changes)]}
        answer = publish_app.handler(event, Context("publish_events"))
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def published(self) -> list[dict[str, Any]]:
        """Deliver what is new; returns all that was published."""
        assert self.deliver() == []
        return self.bus.events
